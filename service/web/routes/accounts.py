"""The asker's account: its password, login, mail address, bots and end; and passes, with which others sign up."""

from __future__ import annotations

from typing import Any

from flask import Response, g
from flask.views import MethodView
from msgspec.structs import asdict

from service.accounts import ACCOUNT, ADMIN, OwnedBots, names, passwords
from service.clock import stamp
from service.store import Player
from service.web import account_answers, account_inputs, cookies, inputs
from service.web.blueprint import Blueprint
from service.web.contract import operation
from service.web.middleware import token_said
from service.web.reply import asker, lang, once, reply, service

blueprint = Blueprint("accounts", __name__, url_prefix="/api", description="Your account.")

NO_PLAYER = {403: ("no-player",)}
NO_BOT = {403: ("no-player", "not-for-bots"), 404: ("unknown-player",)}
NO_PASSES = {403: ("no-player", "not-for-bots")}
GUARDED = {403: ("no-player", "password-needed", "password-wrong"), 429: ("too-many-passwords",)}


@blueprint.route("/me/password")
class Password(MethodView):
    """The asker's password."""

    @operation("setPassword", problems=GUARDED)
    @blueprint.arguments(account_inputs.PasswordWanted())
    @blueprint.response(204)
    def post(self, body: dict[str, Any]) -> None:
        """Set or change your password.

        Your other sessions end then; your tokens stay.
        """
        service().sessions.change(asker(), token_said(), body["old"], body["new"], lang(), once=once())


@blueprint.route("/me/login")
class Login(MethodView):
    """The asker's login."""

    @operation("setLogin", problems={403: ("no-player",), 409: ("login-taken",)})
    @blueprint.arguments(account_inputs.LoginWanted())
    @blueprint.response(200, Player)
    def post(self, body: dict[str, Any]) -> Response:
        """Set your login, the name by which you log in; null removes it.

        Nobody else sees it.
        """
        return reply(service().sessions.set_login(asker(), body["login"], once=once()))


@blueprint.route("/me/email")
class Email(MethodView):
    """The asker's mail address."""

    @operation("setEmail", problems=GUARDED)
    @blueprint.arguments(account_inputs.AddressWanted())
    @blueprint.response(200, Player)
    def post(self, body: dict[str, Any]) -> Response:
        """Set your mail address. A mail with a link is sent to it.

        No other mail is sent until you have followed the link. A confirmed address stays until the new one is confirmed
        too. The answer does not show whether another account has the address.
        """
        return reply(service().mailboxes.say(asker(), body["email"], body["password"], lang(), once=once()))


@blueprint.route("/email/confirmation")
class Confirmation(MethodView):
    """The confirmation of an address."""

    @operation(
        "confirmEmail",
        problems={409: ("address-taken", "link-past", "link-used"), 422: ("unknown-link",), 404: ("unknown-player",)},
    )
    @blueprint.arguments(account_inputs.MailedLink())
    @blueprint.response(200, account_answers.Confirmed)
    def post(self, body: dict[str, Any]) -> Response:
        """Confirm a mail address by the token of the link in the mail.

        The request needs no token of its own.
        """
        return reply(
            account_answers.Confirmed(service().mailboxes.confirm(asker(), body["token"], lang(), once=once()))
        )


@blueprint.route("/recovery")
class Recovery(MethodView):
    """The recovery of an account with a forgotten password."""

    @operation("askRecovery")
    @blueprint.arguments(account_inputs.RecoveryWanted())
    @blueprint.response(202, {"type": "object", "description": "Nothing."})
    def post(self, body: dict[str, Any]) -> Response:
        """Ask for a mail with a link, by which you can set a new password within an hour.

        It is sent if an account has confirmed the address. The answer is the same for any address.
        """
        service().mailboxes.ask_recovery(asker(), body["email"], lang(), once=once())
        return reply({}, 202)


@blueprint.route("/recovery/password")
class Recovered(MethodView):
    """The new password."""

    @operation(
        "recover",
        problems={409: ("link-past", "link-used"), 422: ("unknown-link",), 429: ("too-many-passwords",)},
    )
    @blueprint.arguments(account_inputs.Recovery())
    @blueprint.response(204)
    def post(self, body: dict[str, Any]) -> None:
        """Set a new password by the token of the link in the mail, which works once.

        All sessions and tokens end.
        """
        service().mailboxes.recover(asker(), body["token"], body["password"], lang(), once=once())


@blueprint.route("/me/bots")
class Bots(MethodView):
    """The asker's bot accounts."""

    @operation("listMyBots", ACCOUNT, problems=NO_PLAYER)
    @blueprint.response(200, account_answers.Bots)
    def get(self) -> Response:
        """List the bot accounts that you have made.

        Each is a player of its own, and shows you as its owner.
        """
        return reply(account_answers.Bots(service().owned_bots.made(asker())))

    @operation(
        "createMyBot",
        problems={403: ("no-player", "not-for-bots"), 409: ("token-already-issued", "too-many-bots")},
    )
    @blueprint.arguments(account_inputs.BotWanted())
    @blueprint.response(201, account_answers.NewPlayer)
    def post(self, body: dict[str, Any]) -> Response:
        """Make a bot account.

        It is marked as a bot, shows you as its owner, and plays with the token in the answer.
        """
        player, token = service().owned_bots.make(asker(), body["name"], once=once())
        return reply(account_answers.NewPlayer(**asdict(player), token=token), 201)


@blueprint.route("/me/bots/<string:bot_id>")
class Bot(MethodView):
    """A bot account."""

    @operation("eraseMyBot", problems=NO_BOT)
    @blueprint.response(204)
    def delete(self, bot_id: str) -> None:
        """Erase a bot account.

        Its matches stay, with an erased player on its seat.
        """
        service().farewell.erase_bot(asker(), bot_id)


@blueprint.route("/me/bots/<string:bot_id>/tokens")
class BotTokens(MethodView):
    """The tokens of a bot account."""

    @operation("listBotTokens", ACCOUNT, problems=NO_BOT)
    @blueprint.response(200, account_answers.Tokens)
    def get(self, bot_id: str) -> Response:
        """List the tokens of a bot account, without their secrets.

        Only you can manage them.
        """
        return reply(account_answers.Tokens(service().accounts.tokens(service().owned_bots.of(asker(), bot_id))))

    @operation(
        "createBotToken",
        problems={**NO_BOT, 409: ("token-already-issued",), 422: ("already-past",)},
    )
    @blueprint.arguments(inputs.TokenWanted())
    @blueprint.response(201, account_answers.NewToken)
    def post(self, body: dict[str, Any], bot_id: str) -> Response:
        """Make one more token for a bot account; it is shown only here.

        It has only the scopes that the request names.
        """
        scopes = None if body["scopes"] is None else tuple(body["scopes"])
        expires = None if body["expires"] is None else stamp(body["expires"])
        kept, token = service().owned_bots.issue(asker(), bot_id, body["name"], scopes, expires, once=once())
        return reply(account_answers.NewToken(**asdict(kept), token=token), 201)


@blueprint.route("/me/bots/<string:bot_id>/tokens/<string:token_id>")
class BotToken(MethodView):
    """A token of a bot account."""

    @operation("revokeBotToken", problems={**NO_BOT, 404: ("unknown-player", "unknown-token-id")})
    @blueprint.response(204)
    def delete(self, bot_id: str, token_id: str) -> None:
        """Revoke a token of a bot account.

        From then on every process of the service refuses it.
        """
        service().owned_bots.revoke(asker(), bot_id, token_id)


@blueprint.route("/passes")
class Passes(MethodView):
    """The asker's passes."""

    @operation("listPasses", ACCOUNT, ADMIN, problems=NO_PASSES)
    @blueprint.response(200, account_answers.Passes)
    def get(self) -> Response:
        """List the passes that you have made.

        `left` is how many more you may make now.
        """
        made = service().passes.made(asker())
        left = None if asker().may(ADMIN) else service().passes.left(asker())
        return reply(account_answers.Passes([account_answers.Pass.of(each) for each in made], left))

    @operation(
        "createPass",
        problems={**NO_PASSES, 409: ("no-passes", "token-already-issued", "too-many-passes")},
    )
    @blueprint.response(201, account_answers.NewPass)
    def post(self) -> Response:
        """Make a pass, if people sign up by invitation.

        Whoever has its code can sign up with it, once, within 14 days. The operator can make any number.
        """
        kept, code = service().passes.make(asker(), once=once())
        return reply(account_answers.NewPass(**asdict(account_answers.Pass.of(kept)), code=code), 201)


@blueprint.route("/passes/<string:pass_id>")
class OnePass(MethodView):
    """A pass."""

    @operation("withdrawPass", problems={**NO_PASSES, 404: ("unknown-pass",)})
    @blueprint.response(204)
    def delete(self, pass_id: str) -> None:
        """Withdraw a pass that nobody has used.

        Nobody can sign up with it any more.
        """
        service().passes.withdraw(asker(), pass_id)


def erased(body: dict[str, Any]) -> Response:
    """Erase the asker's account. Returns the answer, which also deletes the browser's cookie."""
    service().farewell.say(asker(), body["confirm"], body["password"])
    answer = Response(status=204)
    if g.get("session"):
        cookies.take_away(answer)
    return answer


def limits() -> account_answers.AccountLimits:
    """Return the limits of accounts."""
    return account_answers.AccountLimits(
        sign_up=service().config.sign_up,
        passes=service().config.passes,
        bots=OwnedBots.MOST,
        password_characters=account_answers.Characters(passwords.LEAST, passwords.MOST),
        login_characters=account_answers.Characters(names.LOGIN_LEAST, names.LOGIN_MOST),
    )
