"""Sessions: logging in with a password, and logging out."""

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

blueprint = Blueprint("sessions", __name__, url_prefix="/api", description="Sessions.")


def who(player: Player) -> people.Who:
    """Return the player as others see them."""
    return people.Who(player.id, player.name, player.kind)


def unkept(answer: Response) -> Response:
    """Return the answer with a header that forbids to store it."""
    answer.headers["Cache-Control"] = "no-store"
    return answer


@blueprint.route("/sessions")
class SessionsOf(MethodView):
    """The asker's sessions."""

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
    def post(self, body: dict[str, Any]) -> Response:
        """Log in for 30 days. The answer contains a token or, if `cookie` is true, sets a cookie.

        The token can do the same as that of sign-up. A refusal does not say whether the account or the password is
        wrong.
        """
        if body["cookie"]:
            cookies.check_origin()
        player, kept, token = service().sessions.begin(asker(), body["login"], body["password"], once=once())
        if not body["cookie"]:
            return unkept(reply(account_answers.Session(who(player), None, kept.expires, token), 201))
        answer = unkept(reply(account_answers.Session(who(player), cookies.csrf(token), kept.expires, None), 201))
        cookies.give(answer, token, int(Sessions.LASTS.total_seconds()))
        return answer

    @operation("getSession", *ANY, problems={403: ("no-player",)})
    @blueprint.response(200, account_answers.SessionNow)
    def get(self) -> Response:
        """Return the player who is logged in.

        With a cookie, the answer also contains the `X-CSRF-Token` that is needed to change something.
        """
        player, session = service().accounts.player(asker()), g.get("session")
        return unkept(reply(account_answers.SessionNow(who(player), cookies.csrf(session) if session else None)))

    @operation("logOut", problems={403: ("no-player",)})
    @blueprint.arguments(account_inputs.SessionQuery(), location="query")
    @blueprint.response(204)
    def delete(self, query: dict[str, Any]) -> Response:
        """Log out: revoke the token or cookie of this request.

        With `everywhere`, all your other sessions end too.
        """
        service().sessions.end(asker(), token_said(), is_all=query["everywhere"])
        answer = Response(status=204)
        if g.get("session"):
            cookies.take_away(answer)
        return answer
