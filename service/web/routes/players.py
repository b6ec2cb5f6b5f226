"""Players, their tokens, and their turns."""

from __future__ import annotations

from typing import Any

from flask import Response, request
from flask.views import MethodView
from msgspec.structs import asdict

from service.accounts import ACCOUNT, PLAY, READ, SCOPES, Signing
from service.clock import stamp
from service.matches import answers
from service.store import Player
from service.web import account_answers, account_inputs, inputs
from service.web.blueprint import Blueprint
from service.web.contract import Link, operation
from service.web.reply import asker, lang, once, reply, service, vary
from service.web.routes.accounts import erased
from service.web.waiting import of_turns, patiently

blueprint = Blueprint("players", __name__, url_prefix="/api", description="Players and tokens.")

ANY = (*SCOPES, ACCOUNT)
"""All scopes that a player's token can have."""


@blueprint.route("/players")
class Players(MethodView):
    """Signing up."""

    @operation(
        "signUp",
        problems={
            403: ("pass-needed", "pass-not-good", "sign-up-closed"),
            409: ("login-taken", "token-already-issued"),
            429: ("too-many-passwords",),
        },
    )
    @blueprint.arguments(account_inputs.SignUp())
    @blueprint.response(201, account_answers.NewPlayer)
    def post(self, body: dict[str, Any]) -> Response:
        """Sign up. The answer contains the player's token, which is shown only here.

        A repeated request with the same key is answered with 409 `token-already-issued`. If the answer may get lost,
        send a `password` and a `login` too, and log in with these. To an `email` a mail is sent that asks to confirm
        it. If people sign up by invitation, the request needs a `pass`.
        """
        player, token = service().sign_ups.sign_up(asker(), Signing(**body), lang(), once=once())
        return reply(account_answers.NewPlayer(**asdict(player), token=token), 201)


@blueprint.route("/me")
class Me(MethodView):
    """The asker's player."""

    @operation("getMe", *ANY, problems={403: ("no-player",)})
    @blueprint.response(200, Player)
    def get(self) -> Response:
        """Return the player with this token.

        Nobody else sees the mail address.
        """
        return reply(service().accounts.player(asker()))

    @operation(
        "eraseMe",
        problems={
            403: ("no-player", "password-needed", "password-wrong"),
            422: ("not-confirmed",),
            429: ("too-many-passwords",),
        },
    )
    @blueprint.arguments(account_inputs.Goodbye())
    @blueprint.response(204)
    def delete(self, body: dict[str, Any]) -> Response:
        """Erase your account and those of your bots. This can't be undone.

        Your name, address, password, tokens and messages are deleted. Your matches stay, with an erased player on your
        seat.
        """
        return erased(body)


@blueprint.route("/me/tokens")
class Tokens(MethodView):
    """The asker's tokens."""

    @operation("listTokens", ACCOUNT, problems={403: ("no-player",)})
    @blueprint.response(200, account_answers.Tokens)
    def get(self) -> Response:
        """List your tokens, without their secrets.

        To manage tokens, use the token of sign-up or a session (scope `account`).
        """
        return reply(account_answers.Tokens(service().accounts.tokens(asker())))

    @operation(
        "createToken",
        problems={403: ("no-player",), 409: ("token-already-issued",), 422: ("already-past",)},
        links={"revoke": Link("revokeToken", "Revoke it again.", {"token_id": "$response.body#/id"})},
    )
    @blueprint.arguments(inputs.TokenWanted())
    @blueprint.response(201, account_answers.NewToken)
    def post(self, body: dict[str, Any]) -> Response:
        """Make one more token; it is shown only here.

        It can do only what the token of this request can, and can't manage tokens. Give each script a token of its own,
        with only the scopes that it needs.
        """
        scopes = None if body["scopes"] is None else tuple(body["scopes"])
        expires = None if body["expires"] is None else stamp(body["expires"])
        kept, token = service().accounts.issue(asker(), body["name"], scopes, expires, once=once())
        return reply(account_answers.NewToken(**asdict(kept), token=token), 201)


@blueprint.route("/me/tokens/<string:token_id>")
class Token(MethodView):
    """A token."""

    @operation("revokeToken", problems={403: ("no-player",), 404: ("unknown-token-id",)})
    @blueprint.response(204)
    def delete(self, token_id: str) -> None:
        """Revoke a token; it may be the one of this request.

        From then on every process of the service refuses it.
        """
        service().accounts.revoke(asker(), token_id)


@blueprint.route("/me/turns")
class Turns(MethodView):
    """The asker's turns."""

    @operation("listTurns", READ, PLAY, problems={429: ("too-many-wait",)})
    @blueprint.arguments(inputs.TurnsQuery(), location="query")
    @blueprint.response(200, answers.Turns, headers=("ETag",))
    @blueprint.response(304, description="It has not changed.", headers=("ETag",))
    def get(self, query: dict[str, Any]) -> Response:
        """List your turns, the soonest deadline first.

        With `wait`, the answer comes when you have a turn or, with If-None-Match, when the list has changed; at the
        latest when the time is up. If too many requests wait already, it is 429, with `Retry-After`.
        """
        asker().need(READ, PLAY)
        news = of_turns(asker().player)

        def see() -> answers.Turns:
            return service().views.turns(asker())

        turns = patiently(see, query["wait"], news) if query["wait"] else see()
        if turns is None:
            return Response(status=202)  # never sent: the app is asked again
        tag = news.tag(turns)
        answer = vary(Response(status=304)) if request.if_none_match.contains_weak(tag) else reply(turns)
        answer.set_etag(tag)
        return answer
