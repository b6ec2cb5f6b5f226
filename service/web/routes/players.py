"""Players, their tokens, and what waits for them."""

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

blueprint = Blueprint("players", __name__, url_prefix="/api", description="Who plays.")

ANY = (*SCOPES, ACCOUNT)
"""Whatever a player's token may grant."""


@blueprint.route("/players")
class Players(MethodView):
    """Everybody's door."""

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
    def post(self, said: dict[str, Any]) -> Response:
        """Sign up: the answer holds the player's token, which is told only here.

        Sent again with its key it is 409 `token-already-issued`: whoever may lose the answer says a `password` and a
        `login` too, and logs in by these. An address is written to, to be confirmed. Where people sign up by invitation
        it takes a `pass`.
        """
        player, token = service().sign_ups.sign_up(asker(), Signing(**said), lang(), once=once())
        return reply(account_answers.NewPlayer(**asdict(player), token=token), 201)


@blueprint.route("/me")
class Me(MethodView):
    """Oneself."""

    @operation("getMe", *ANY, problems={403: ("no-player",)})
    @blueprint.response(200, Player)
    def get(self) -> Response:
        """Whose token this is.

        The mail address is told to nobody else.
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
    def delete(self, said: dict[str, Any]) -> Response:
        """Erase your account and those of your bots: this can't be taken back.

        Your name, address, password, tokens and all that you wrote go. Your matches stay, with a seat that is
        nobody's in particular.
        """
        return erased(said)


@blueprint.route("/me/tokens")
class Tokens(MethodView):
    """One's own tokens."""

    @operation("listTokens", ACCOUNT, problems={403: ("no-player",)})
    @blueprint.response(200, account_answers.Tokens)
    def get(self) -> Response:
        """Your tokens, without what makes them tokens.

        Tokens are managed by the one of sign-up (scope `account`).
        """
        return reply(account_answers.Tokens(service().accounts.tokens(asker())))

    @operation(
        "createToken",
        problems={403: ("no-player",), 409: ("token-already-issued",), 422: ("already-past",)},
        links={"revoke": Link("revokeToken", "Revoke it again.", {"token_id": "$response.body#/id"})},
    )
    @blueprint.arguments(inputs.TokenWanted())
    @blueprint.response(201, account_answers.NewToken)
    def post(self, said: dict[str, Any]) -> Response:
        """One more token, told only here; it may do nothing that the asking one may not, and manages no tokens.

        Give a script one of its own, with no more scopes than it needs.
        """
        scopes = None if said["scopes"] is None else tuple(said["scopes"])
        expires = None if said["expires"] is None else stamp(said["expires"])
        kept, token = service().accounts.issue(asker(), said["name"], scopes, expires, once=once())
        return reply(account_answers.NewToken(**asdict(kept), token=token), 201)


@blueprint.route("/me/tokens/<string:token_id>")
class Token(MethodView):
    """One of them."""

    @operation("revokeToken", problems={403: ("no-player",), 404: ("unknown-token-id",)})
    @blueprint.response(204)
    def delete(self, token_id: str) -> None:
        """Revoke a token, also the one that asks.

        From then on it is refused, by every process of the service.
        """
        service().accounts.revoke(asker(), token_id)


@blueprint.route("/me/turns")
class Turns(MethodView):
    """What waits."""

    @operation("listTurns", READ, PLAY, problems={429: ("too-many-wait",)})
    @blueprint.arguments(inputs.TurnsQuery(), location="query")
    @blueprint.response(200, answers.Turns, headers=("ETag",))
    @blueprint.response(304, description="It is as you know it.", headers=("ETag",))
    def get(self, said: dict[str, Any]) -> Response:
        """The matches that wait for you, the soonest deadline first.

        With `wait` the answer comes when some match waits for you, or, with If-None-Match, when the list is another
        one; or when the time is up. Where too many wait already it is 429, with `Retry-After`.
        """
        asker().need(READ, PLAY)
        news = of_turns(asker().player)

        def see() -> answers.Turns:
            return service().views.turns(asker())

        turns = patiently(see, said["wait"], news) if said["wait"] else see()
        if turns is None:
            return Response(status=202)  # for nobody: it is asked again
        tag = news.tag(turns)
        answer = vary(Response(status=304)) if request.if_none_match.contains_weak(tag) else reply(turns)
        answer.set_etag(tag)
        return answer
