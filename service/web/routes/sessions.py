"""Logging in and out by a password."""

from __future__ import annotations

from typing import Any

from flask import Response, g
from flask.views import MethodView

from service.accounts import Sessions
from service.store import Player, people
from service.web import account_answers, account_inputs, cookies
from service.web.blueprint import Blueprint
from service.web.contract import operation
from service.web.middleware import token_said
from service.web.reply import asker, once, reply, service
from service.web.routes.players import ANY

blueprint = Blueprint("sessions", __name__, url_prefix="/api", description="Who is logged in.")


def who(player: Player) -> people.Who:
    """The player, as others see them."""
    return people.Who(player.id, player.name, player.kind)


def unkept(answer: Response) -> Response:
    """Nobody on the way keeps it."""
    answer.headers["Cache-Control"] = "no-store"
    return answer


@blueprint.route("/sessions")
class SessionsOf(MethodView):
    """Sessions."""

    @operation(
        "logIn",
        problems={
            401: ("login-refused",),
            409: ("token-already-issued",),
            429: ("too-many-passwords",),
        },
    )
    @blueprint.arguments(account_inputs.SessionWanted())
    @blueprint.response(201, account_answers.Session)
    def post(self, said: dict[str, Any]) -> Response:
        """Log in, for 30 days: the answer holds a token, or sets a cookie, if `cookie` is true.

        The token does what that of sign-up does. Whether it was the account or the password that is unknown is not
        told.
        """
        if said["cookie"]:
            cookies.check_origin()
        player, kept, token = service().sessions.begin(asker(), said["login"], said["password"], once=once())
        if not said["cookie"]:
            return unkept(reply(account_answers.Session(who(player), None, kept.expires, token), 201))
        answer = unkept(reply(account_answers.Session(who(player), cookies.csrf(token), kept.expires, None), 201))
        cookies.give(answer, token, int(Sessions.LASTS.total_seconds()))
        return answer

    @operation("getSession", *ANY, problems={403: ("no-player",)})
    @blueprint.response(200, account_answers.SessionNow)
    def get(self) -> Response:
        """Who is logged in.

        Where a cookie says so, it tells what has to be repeated as `X-CSRF-Token` to change something.
        """
        player, session = service().accounts.player(asker()), g.get("session")
        return unkept(reply(account_answers.SessionNow(who(player), cookies.csrf(session) if session else None)))

    @operation("logOut", problems={403: ("no-player",)})
    @blueprint.arguments(account_inputs.SessionQuery(), location="query")
    @blueprint.response(204)
    def delete(self, said: dict[str, Any]) -> Response:
        """Log out: the token or the cookie that asks is worth nothing any longer.

        With `everywhere` all your other sessions end too.
        """
        service().sessions.end(asker(), token_said(), is_all=said["everywhere"])
        answer = Response(status=204)
        if g.get("session"):
            cookies.take_away(answer)
        return answer
