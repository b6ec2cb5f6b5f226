"""The settings, and the page for a player's programs: tokens, bot accounts, webhooks and the feed."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from contextlib import suppress
from datetime import timedelta
from typing import Any

from flask import Response, g, request

from service import clock
from service.accounts import ACCOUNT, SCOPES, OwnedBots, called
from service.problems import Conflict, Problem, malformed
from service.store import Player, mailing
from service.web import account_inputs, askers, match_inputs
from service.web.account_inputs import FeedWanted
from service.web.pages import forms, page
from service.web.reply import origin, service

SETTINGS = page.texts_of("settings")
PROGRAMS = page.texts_of("programs")

blueprint = page.blueprint("settings")

LASTS = {"month": timedelta(days=30), "year": timedelta(days=365)}
"""How long a token can be valid, besides for ever."""

TURNS = (mailing.EACH, mailing.DIGEST, mailing.NONE)


def form(name: str, path: str = "", **codes: str) -> Callable[[Callable[..., Response | None]], None]:
    """Return a decorator for what a form does; its page then says that it is done, or shows the error.

    `path`: the path to which the form is sent, by default its name. `codes`: see `forms.wrong`.
    """
    path = path or name

    def added(act: Callable[..., Response | None]) -> None:
        def done(**parts: str) -> Response:
            page.own()
            try:
                answer = act(**parts)
            except Problem as error:
                show = programs if path.startswith("programs/") else settings
                return show(name, forms.wrong(error, **codes), forms.status_of(error))
            return answer or page.go(f"/settings?done={name}#{name}")

        blueprint.add_url_rule(f"/settings/{path}", act.__name__, done, methods=["POST"])

    return added


@blueprint.post("/theme")
def theme() -> Response:
    """Set the theme: light, dark, or that of the device. A cookie keeps it, so that pages have it from the start."""
    answer = page.go(page.back("/"))
    wanted = request.form.get(page.THEME)
    if wanted in page.THEMES[1:]:
        answer.set_cookie(page.THEME, wanted, max_age=page.YEAR, path="/", samesite="Lax", httponly=True)
    else:
        answer.delete_cookie(page.THEME, path="/", samesite="Lax", httponly=True)
    return answer


@form("name")
def rename() -> None:
    """Change the player's name."""
    values = forms.read(account_inputs.SignUp(only=("name",)), "name")
    service().accounts.rename(g.asker, values["name"], once=page.once())


@form("keep")
def keep() -> None:
    """Set the login and password of a guest, who can then sign in elsewhere too."""
    login = forms.read(account_inputs.LoginWanted(), "login")["login"]
    values = forms.read(account_inputs.PasswordWanted(), "new")
    service().sessions.keep(g.asker, g.session, login, values["new"], page.lang(), once=page.once())


@form("login", no_way_in="login")
def login() -> None:
    """Change or remove the login."""
    values = forms.read(account_inputs.LoginWanted(partial=True), "login")
    service().sessions.set_login(g.asker, values.get("login"), once=page.once())


@form("password", password_wrong="old", password_needed="old")
def password() -> None:
    """Set or change the password."""
    values = forms.read(account_inputs.PasswordWanted(), "new", "old")
    service().sessions.change(g.asker, g.session, values["old"], values["new"], page.lang(), once=page.once())


@form("email", no_way_in="email", password_wrong="password", password_needed="password")
def email() -> None:
    """Change or remove the mail address."""
    values = forms.read(account_inputs.AddressWanted(partial=True), "email", "password")
    address, password = values.get("email"), values.get("password")
    service().mailboxes.say(g.asker, address, password, page.lang(), once=page.once())


@form("mail")
def mail() -> None:
    """Change which mails the player wants."""
    wishes = forms.read(account_inputs.MailWanted(), "turns", "zone", "lang", numbers=("hour",))
    wishes |= {name: request.form.get(name) == "yes" for name in ("on", "news")}
    service().wishing.change(g.asker, wishes, once=page.once())


@form("quiet")
def unhush() -> None:
    """Have mails of a match sent again."""
    service().wishing.unhush(g.asker, request.form.get("match", ""), once=page.once())


@form("vacation", vacation_spent="days", on_vacation="days")
def vacation() -> None:
    """Begin or end a vacation."""
    if request.form.get("back") == "yes":
        service().vacations.come_back(g.asker, once=page.once())
        return
    values = forms.read(match_inputs.VacationWanted(), numbers=("days",))
    service().vacations.leave(g.asker, values["days"], once=page.once())


@form("erase", password_wrong="password", password_needed="password")
def erase() -> Response:
    """Erase the account. The form must repeat the name, and the password if there is one."""
    player = page.own()
    if request.form.get("confirm", "").strip() not in {player.name, called(player.name, page.lang())}:
        raise malformed({"confirm": [SETTINGS[page.lang()]["erase-wrong"]]})
    service().farewell.say(g.asker, player.id, request.form.get("password") or None)
    askers.delete_cookie()
    return page.go("/")


@form("muted")
def unmute() -> None:
    """Unmute a player."""
    service().talk.unmute(g.asker, request.form.get("player", ""), once=page.once())


@form("pass")
def make_pass() -> Response:
    """Make a pass, and show its code."""
    return settings(code=service().passes.make(g.asker, once=page.once())[1])


@form("pass", "pass/<string:pass_id>")
def withdraw_pass(pass_id: str) -> None:
    """Withdraw a pass."""
    service().passes.withdraw(g.asker, pass_id, once=page.once())


@blueprint.get("/settings")
def settings(form: str = "", filled: forms.Filled = forms.NOTHING, status: int = 200, code: str = "") -> Response:
    """Show the settings. `filled`: the form of this name as it was filled in; `code`: that of a new pass."""
    player = page.own()
    service().accounts.own(g.asker)
    wishes = None
    with suppress(Conflict):  # no address is confirmed
        wishes = service().wishing.of(g.asker)
    return page.shown(
        "settings.html.j2",
        SETTINGS,
        status,
        is_secret=True,
        player=player,
        forms=defaultdict(forms.Filled, {form: filled}),
        done=request.args.get("done"),
        wishes=wishes,
        turns=TURNS,
        quiet=service().wishing.quiet(g.asker),
        away=service().vacations.look(g.asker),
        muted=service().talk.mutes(g.asker),
        passes=_passes(player),
        code=code,
    )


def _passes(player: Player) -> dict[str, Any] | None:
    """Return the player's unused passes, and how many more they may make; None if nobody needs passes."""
    if service().sign_ups.mode != "invitation" or player.kind != "human":
        return None
    unused = [each for each in service().passes.made(g.asker) if not each.used]
    return {"made": unused, "left": service().passes.left(g.asker)}


@form("token", "programs/tokens")
def make_token() -> Response:
    """Make one more token."""
    values = forms.read(account_inputs.TokenWanted(only=("name", "scopes")), "name", lists=("scopes",))
    if not values["scopes"]:
        raise malformed({"scopes": [PROGRAMS[page.lang()]["may-nothing"]]})
    lasts = LASTS.get(request.form.get("lasts", ""))
    expires = None if lasts is None else clock.stamp(clock.now() + lasts)
    _, token = service().accounts.issue(g.asker, values["name"], tuple(values["scopes"]), expires, once=page.once())
    return programs(secret=("tokens", values["name"], token))


@blueprint.post("/settings/programs/tokens/<string:token_id>")
def revoke_token(token_id: str) -> Response:
    """Revoke a token."""
    page.own()
    service().accounts.revoke(g.asker, token_id, once=page.once())
    return page.go("/settings/programs#tokens")


@form("bot", "programs/bots")
def make_bot() -> Response:
    """Make a bot account."""
    values = forms.read(account_inputs.BotWanted(), "name")
    _, token = service().owned_bots.make(g.asker, values["name"], once=page.once())
    return programs(secret=("bots", values["name"], token))


@blueprint.post("/settings/programs/bots/<string:bot_id>")
def change_bot(bot_id: str) -> Response:
    """Make another token for a bot account, or erase the account."""
    page.own()
    if request.form.get("do") == "erase":
        service().farewell.erase_bot(g.asker, bot_id, once=page.once())
        return page.go("/settings/programs#bots")
    _, token = service().owned_bots.issue(g.asker, bot_id, "token", once=page.once())
    return programs(secret=("bots", service().accounts.find(bot_id).name, token))


@blueprint.post("/settings/programs/feed")
def change_feed() -> Response:
    """Make an address for the feed, or revoke it."""
    page.own()
    if request.form.get("do") == "revoke":
        service().feeds.revoke(g.asker, once=page.once())
        return page.go("/settings/programs#feed")
    made = service().feeds.make(g.asker, FeedWanted().load({})["kinds"], origin(), once=page.once())
    return programs(secret=("feed", PROGRAMS[page.lang()]["feed-name"], made.url))


@blueprint.get("/settings/programs")
def programs(
    form: str = "",
    filled: forms.Filled = forms.NOTHING,
    status: int = 200,
    *,
    secret: tuple[str, str, str] = ("", "", ""),
) -> Response:
    """Show the page of the player's tokens and other ways for programs.

    Shape:   `secret`: the list in which a new token is shown, whose it is, and the token.
    """
    player, (secret_in, secret_of, token) = page.own(), secret
    return page.shown(
        "programs.html.j2",
        PROGRAMS,
        status,
        is_secret=True,
        player=player,
        forms=defaultdict(forms.Filled, {form: filled}),
        secret=token,
        secret_of=secret_of,
        secret_in=secret_in,
        tokens=service().accounts.tokens(g.asker)[::-1],
        account=ACCOUNT,
        scopes=SCOPES,
        chosen=set(request.form.getlist("scopes") if form == "token" else SCOPES[:3]),
        lasts=(*LASTS, "ever"),
        bots=service().owned_bots.made(g.asker) if player.kind == "human" else (),
        most=OwnedBots.MOST,
        feed=service().feeds.has(g.asker),
        webhooks=service().webhooks.all(g.asker),
    )
