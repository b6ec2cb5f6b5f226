"""The page for a player's programs: tokens, bot accounts and webhooks."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from flask import Response, g, request

from service import clock
from service.accounts import ACCOUNT, SCOPES, OwnedBots
from service.problems import Problem
from service.web import account_inputs
from service.web.account_inputs import FeedWanted
from service.web.pages import forms, page
from service.web.pages.settings import own
from service.web.pages.words.programs import PROGRAMS
from service.web.reply import service

blueprint = page.blueprint("programs", url_prefix="/settings/programs")

NOTHING = forms.Filled()

LASTS = {"month": timedelta(days=30), "year": timedelta(days=365)}
"""How long a token can be valid, besides for ever."""


@blueprint.get("")
def programs() -> Response:
    """Show the page."""
    return _page()


@blueprint.post("/tokens")
def make_token() -> Response:
    """Make one more token."""
    own()
    try:
        values = forms.read(account_inputs.TokenWanted(only=("name", "scopes")), "name", lists=("scopes",))
        lasts = LASTS.get(request.form.get("lasts", ""))
        expires = None if lasts is None else clock.stamp(clock.now() + lasts)
        scopes = tuple(values["scopes"])
        _, token = service().accounts.issue(g.asker, values["name"], scopes, expires, once=page.once())
    except Problem as error:
        return _page("token", forms.wrong(error), forms.status_of(error))
    return _page(secret=token, secret_of=values["name"], secret_in="tokens")


@blueprint.post("/tokens/<string:token_id>")
def revoke_token(token_id: str) -> Response:
    """Revoke a token."""
    own()
    service().accounts.revoke(g.asker, token_id, once=page.once())
    return page.go("/settings/programs#tokens")


@blueprint.post("/bots")
def make_bot() -> Response:
    """Make a bot account."""
    own()
    try:
        values = forms.read(account_inputs.BotWanted(), "name")
        _, token = service().owned_bots.make(g.asker, values["name"], once=page.once())
    except Problem as error:
        return _page("bot", forms.wrong(error), forms.status_of(error))
    return _page(secret=token, secret_of=values["name"], secret_in="bots")


@blueprint.post("/bots/<string:bot_id>")
def change_bot(bot_id: str) -> Response:
    """Make another token for a bot account, or erase the account."""
    own()
    if request.form.get("do") == "erase":
        service().farewell.erase_bot(g.asker, bot_id, once=page.once())
        return page.go("/settings/programs#bots")
    _, token = service().owned_bots.issue(g.asker, bot_id, "token", once=page.once())
    return _page(secret=token, secret_of=service().accounts.find(bot_id).name, secret_in="bots")


@blueprint.post("/feed")
def change_feed() -> Response:
    """An address for the feed, or none any longer."""
    own()
    if request.form.get("do") == "revoke":
        service().feeds.revoke(g.asker, once=page.once())
        return page.go("/settings/programs#feed")
    made = service().feeds.make(g.asker, FeedWanted().load({})["kinds"], once=page.once())
    return _page(secret=made.url, secret_of=PROGRAMS[page.lang()]["feed-name"], secret_in="feed")


def _page(
    name: str = "",
    filled: forms.Filled = NOTHING,
    status: int = 200,
    *,
    secret: str = "",
    secret_of: str = "",
    secret_in: str = "",
) -> Response:
    """Return the page. `secret`: a new token to show, in the list `secret_in`."""
    player = own()
    answer = page.shown(
        "programs.html.j2",
        PROGRAMS,
        status,
        player=player,
        forms={name: filled},
        empty=forms.Filled({"scopes": ""}),
        secret=secret,
        secret_of=secret_of,
        secret_in=secret_in,
        tokens=_tokens(),
        scopes=SCOPES,
        chosen=set(request.form.getlist("scopes")) if name == "token" else set(SCOPES[:3]),
        lasts=(*LASTS, "ever"),
        bots=service().owned_bots.made(g.asker) if player.kind == "human" else (),
        most=OwnedBots.MOST,
        feed=service().feeds.has(g.asker),
        webhooks=service().webhooks.all(g.asker),
    )
    answer.headers["Cache-Control"] = "no-store"
    return answer


def _tokens() -> list[dict[str, Any]]:
    """Return the reader's tokens, the newest first."""
    return [
        {
            "id": token.id,
            "name": token.name,
            "kind": "first" if ACCOUNT in token.scopes and token.kind != "session" else token.kind,
            "created": token.created,
            "expires": token.expires,
            "used": token.used,
        }
        for token in reversed(service().accounts.tokens(g.asker))
    ]
