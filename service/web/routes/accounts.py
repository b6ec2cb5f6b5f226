"""One's own account: its password, its mail address, its bots, its end; and what lets others sign up."""

from __future__ import annotations

from typing import Any

from flask import Response, g
from flask.views import MethodView
from msgspec.structs import asdict

from service.accounts import ACCOUNT, ADMIN, OwnedBots, logins, passwords
from service.clock import stamp
from service.store import Player
from service.web import account_answers, account_inputs, cookies, inputs
from service.web.blueprint import Blueprint
from service.web.contract import operation
from service.web.middleware import token_said
from service.web.reply import asker, lang, once, reply, service

blueprint = Blueprint("accounts", __name__, url_prefix="/api", description="One's own account.")

NO_PLAYER = {403: ("no-player",)}
NO_BOT = {403: ("no-player", "not-for-bots"), 404: ("unknown-player",)}
NO_PASSES = {403: ("no-player", "not-for-bots")}
GUARDED = {403: ("no-player", "password-needed", "password-wrong"), 429: ("too-many-passwords",)}


@blueprint.route("/me/password")
class Password(MethodView):
    """One's password."""

    @operation("setPassword", problems=GUARDED)
    @blueprint.arguments(account_inputs.PasswordWanted())
    @blueprint.response(204)
    def post(self, said: dict[str, Any]) -> None:
        """Set a password, or another one.

        Your other sessions end then, tokens stay.
        """
        service().sessions.change(asker(), token_said(), said["old"], said["new"], lang(), once=once())


@blueprint.route("/me/login")
class Login(MethodView):
    """The name that one logs in by."""

    @operation("setLogin", problems={403: ("no-player",), 409: ("login-taken",)})
    @blueprint.arguments(account_inputs.LoginWanted())
    @blueprint.response(200, Player)
    def post(self, said: dict[str, Any]) -> Response:
        """Log in by that name from now on.

        Nobody else is told it. Null: by none.
        """
        return reply(service().sessions.set_login(asker(), said["login"], once=once()))


@blueprint.route("/me/email")
class Email(MethodView):
    """One's mail address."""

    @operation("setEmail", problems=GUARDED)
    @blueprint.arguments(account_inputs.AddressWanted())
    @blueprint.response(200, Player)
    def post(self, said: dict[str, Any]) -> Response:
        """Say your mail address: a mail with a link is sent there.

        Nothing else is, until you have followed the link; a confirmed address stays until the new one is confirmed
        too. Whether another account has it is not told.
        """
        return reply(service().mailboxes.say(asker(), said["email"], said["password"], lang(), once=once()))


@blueprint.route("/email/confirmation")
class Confirmation(MethodView):
    """An address that is confirmed."""

    @operation(
        "confirmEmail",
        problems={409: ("address-taken", "link-past", "link-used"), 422: ("unknown-link",), 404: ("unknown-player",)},
    )
    @blueprint.arguments(account_inputs.MailedLink())
    @blueprint.response(200, account_answers.Confirmed)
    def post(self, said: dict[str, Any]) -> Response:
        """Confirm an address by what the link in the mail holds.

        No token is asked for.
        """
        return reply(
            account_answers.Confirmed(service().mailboxes.confirm(asker(), said["token"], lang(), once=once()))
        )


@blueprint.route("/recovery")
class Recovery(MethodView):
    """A password that is forgotten."""

    @operation("askRecovery")
    @blueprint.arguments(account_inputs.RecoveryWanted())
    @blueprint.response(202, {"type": "object", "description": "Nothing."})
    def post(self, said: dict[str, Any]) -> Response:
        """Have a link sent to your confirmed address, good for an hour.

        The answer is the same for any address.
        """
        service().mailboxes.ask_recovery(asker(), said["email"], lang(), once=once())
        return reply({}, 202)


@blueprint.route("/recovery/password")
class Recovered(MethodView):
    """And a new one."""

    @operation(
        "recover",
        problems={409: ("link-past", "link-used"), 422: ("unknown-link",), 429: ("too-many-passwords",)},
    )
    @blueprint.arguments(account_inputs.Recovery())
    @blueprint.response(204)
    def post(self, said: dict[str, Any]) -> None:
        """Set a new password by what the link in the mail holds, once.

        All sessions end, and all tokens.
        """
        service().mailboxes.recover(asker(), said["token"], said["password"], lang(), once=once())


@blueprint.route("/me/bots")
class Bots(MethodView):
    """One's bot accounts."""

    @operation("listMyBots", ACCOUNT, problems=NO_PLAYER)
    @blueprint.response(200, account_answers.Bots)
    def get(self) -> Response:
        """The bot accounts that you have made.

        Each is a player of its own, whose owner you are shown to be.
        """
        return reply(account_answers.Bots(service().owned_bots.made(asker())))

    @operation(
        "createMyBot",
        problems={403: ("no-player", "not-for-bots"), 409: ("token-already-issued", "too-many-bots")},
    )
    @blueprint.arguments(account_inputs.BotWanted())
    @blueprint.response(201, account_answers.NewPlayer)
    def post(self, said: dict[str, Any]) -> Response:
        """Make a bot account.

        It is marked as a bot, shows that it is yours, and plays by the token in the answer.
        """
        player, token = service().owned_bots.make(asker(), said["name"], once=once())
        return reply(account_answers.NewPlayer(**asdict(player), token=token), 201)


@blueprint.route("/me/bots/<string:bot_id>")
class Bot(MethodView):
    """One of them."""

    @operation("eraseMyBot", problems=NO_BOT)
    @blueprint.response(204)
    def delete(self, bot_id: str) -> None:
        """Erase the bot account.

        Its matches stay, with a seat that is nobody's in particular.
        """
        service().farewell.erase_bot(asker(), bot_id)


@blueprint.route("/me/bots/<string:bot_id>/tokens")
class BotTokens(MethodView):
    """Its tokens."""

    @operation("listBotTokens", ACCOUNT, problems=NO_BOT)
    @blueprint.response(200, account_answers.Tokens)
    def get(self, bot_id: str) -> Response:
        """The bot's tokens, without what makes them tokens.

        They are managed by you alone.
        """
        return reply(account_answers.Tokens(service().accounts.tokens(service().owned_bots.of(asker(), bot_id))))

    @operation(
        "createBotToken",
        problems={**NO_BOT, 409: ("token-already-issued",), 422: ("already-past",)},
    )
    @blueprint.arguments(inputs.TokenWanted())
    @blueprint.response(201, account_answers.NewToken)
    def post(self, said: dict[str, Any], bot_id: str) -> Response:
        """One more token of the bot's, told only here.

        It grants no more than the scopes that are named.
        """
        scopes = None if said["scopes"] is None else tuple(said["scopes"])
        expires = None if said["expires"] is None else stamp(said["expires"])
        kept, token = service().owned_bots.issue(asker(), bot_id, said["name"], scopes, expires, once=once())
        return reply(account_answers.NewToken(**asdict(kept), token=token), 201)


@blueprint.route("/me/bots/<string:bot_id>/tokens/<string:token_id>")
class BotToken(MethodView):
    """One of them."""

    @operation("revokeBotToken", problems={**NO_BOT, 404: ("unknown-player", "unknown-token-id")})
    @blueprint.response(204)
    def delete(self, bot_id: str, token_id: str) -> None:
        """Revoke a token of the bot's.

        From then on it is refused, by every process of the service.
        """
        service().owned_bots.revoke(asker(), bot_id, token_id)


@blueprint.route("/passes")
class Passes(MethodView):
    """What lets others sign up."""

    @operation("listPasses", ACCOUNT, ADMIN, problems=NO_PASSES)
    @blueprint.response(200, account_answers.Passes)
    def get(self) -> Response:
        """The passes that you have made.

        `left` is how many more you may make now.
        """
        made = service().passes.made(asker())
        left = None if asker().may(ADMIN) else service().passes.left(asker())
        return reply(account_answers.Passes([account_answers.Pass.of(one) for one in made], left))

    @operation(
        "createPass",
        problems={**NO_PASSES, 409: ("no-passes", "token-already-issued", "too-many-passes")},
    )
    @blueprint.response(201, account_answers.NewPass)
    def post(self) -> Response:
        """Make a pass, where people sign up by invitation.

        Whoever has its code signs up by it, once, within 14 days. The operator makes as many as they like.
        """
        kept, code = service().passes.make(asker(), once=once())
        return reply(account_answers.NewPass(**asdict(account_answers.Pass.of(kept)), code=code), 201)


@blueprint.route("/passes/<string:pass_id>")
class OnePass(MethodView):
    """One of them."""

    @operation("withdrawPass", problems={**NO_PASSES, 404: ("unknown-pass",)})
    @blueprint.response(204)
    def delete(self, pass_id: str) -> None:
        """Have nobody sign up by it any longer.

        Who has signed up by it stays.
        """
        service().passes.withdraw(asker(), pass_id)


def erased(said: dict[str, Any]) -> Response:
    """The answer to whoever has just gone."""
    service().farewell.say(asker(), said["confirm"], said["password"])
    answer = Response(status=204)
    if g.get("session"):
        cookies.take_away(answer)
    return answer


def limits() -> account_answers.AccountLimits:
    """Return what is limited about accounts."""
    return account_answers.AccountLimits(
        sign_up=service().config.sign_up,
        passes=service().config.passes,
        bots=OwnedBots.MOST,
        password_characters=account_answers.Characters(passwords.LEAST, passwords.MOST),
        login_characters=account_answers.Characters(logins.LEAST, logins.MOST),
    )
