"""The asker's account: its password, login, mail address, bots and end; and passes, with which others sign up."""

from __future__ import annotations

from typing import Any

from flask import Response
from msgspec.structs import asdict

from service.accounts import ACCOUNT, ADMIN
from service.clock import stamp
from service.store import Player
from service.web import account_answers, account_inputs
from service.web.askers import token_said
from service.web.contract import Success
from service.web.reply import Blueprint, asker, lang, once, reply, service

ACCOUNTS = Blueprint("accounts", "Your account.")

NO_BOT = {403: ("not-for-bots",), 404: ("unknown-player",)}

NO_PASSES = {403: ("not-for-bots",)}

GUARDED = {403: ("password-needed", "password-wrong"), 429: ("too-many-passwords",)}


@ACCOUNTS.operation("POST /me/password", 204, body=account_inputs.PasswordWanted, problems=GUARDED)
def set_password(body: dict[str, Any]) -> None:
    """Set or change your password.

    Your other sessions end then; your tokens stay.
    """
    service().sessions.change(asker(), token_said(), body["old"], body["new"], lang(), once=once())


@ACCOUNTS.operation("POST /me/login", Player, body=account_inputs.LoginWanted, problems={409: ("login-taken",)})
def set_login(body: dict[str, Any]) -> Response:
    """Set your login, the name by which you log in; null removes it.

    Nobody else sees it.
    """
    return reply(service().sessions.set_login(asker(), body["login"], once=once()))


@ACCOUNTS.operation("POST /me/email", Player, body=account_inputs.AddressWanted, problems=GUARDED)
def set_email(body: dict[str, Any]) -> Response:
    """Set your mail address. A mail with a link is sent to it.

    No other mail is sent until you have followed the link. A confirmed address stays until the new one is confirmed
    too. The answer does not show whether another account has the address.
    """
    return reply(service().mailboxes.say(asker(), body["email"], body["password"], lang(), once=once()))


@ACCOUNTS.operation(
    "POST /email/confirmation",
    account_answers.Confirmed,
    body=account_inputs.MailedLink,
    problems={409: ("address-taken", "link-past", "link-used"), 422: ("unknown-link",), 404: ("unknown-player",)},
)
def confirm_email(body: dict[str, Any]) -> Response:
    """Confirm a mail address by the token of the link in the mail.

    The request needs no token of its own.
    """
    return reply(account_answers.Confirmed(service().mailboxes.confirm(asker(), body["token"], lang(), once=once())))


@ACCOUNTS.operation(
    "POST /recovery", Success(202, {"type": "object", "description": "Nothing."}), body=account_inputs.RecoveryWanted
)
def ask_recovery(body: dict[str, Any]) -> Response:
    """Ask for a mail with a link, by which you can set a new password within an hour.

    It is sent if an account has confirmed the address. The answer is the same for any address.
    """
    service().mailboxes.ask_recovery(asker(), body["email"], lang(), once=once())
    return reply({}, 202)


@ACCOUNTS.operation(
    "POST /recovery/password",
    204,
    body=account_inputs.Recovery,
    problems={409: ("link-past", "link-used"), 422: ("unknown-link",), 429: ("too-many-passwords",)},
)
def recover(body: dict[str, Any]) -> None:
    """Set a new password by the token of the link in the mail, which works once.

    All sessions and tokens end.
    """
    service().mailboxes.recover(asker(), body["token"], body["password"], lang(), once=once())


@ACCOUNTS.operation("GET /me/bots", account_answers.Bots, scopes=(ACCOUNT,))
def list_my_bots() -> Response:
    """List the bot accounts that you have made.

    Each is a player of its own, and shows you as its owner.
    """
    return reply(account_answers.Bots(service().owned_bots.made(asker())))


@ACCOUNTS.operation(
    "POST /me/bots",
    Success(201, account_answers.NewPlayer),
    body=account_inputs.BotWanted,
    problems={403: ("not-for-bots",), 409: ("token-already-issued", "too-many-bots")},
)
def create_my_bot(body: dict[str, Any]) -> Response:
    """Make a bot account.

    It is marked as a bot, shows you as its owner, and plays with the token in the answer.
    """
    player, token = service().owned_bots.make(asker(), body["name"], once=once())
    return reply(account_answers.NewPlayer(**asdict(player), token=token), 201)


@ACCOUNTS.operation("DELETE /me/bots/<bot_id>", 204, problems=NO_BOT)
def erase_my_bot(bot_id: str) -> None:
    """Erase a bot account.

    Its matches stay, with an erased player on its seat.
    """
    service().farewell.erase_bot(asker(), bot_id)


@ACCOUNTS.operation("GET /me/bots/<bot_id>/tokens", account_answers.Tokens, scopes=(ACCOUNT,), problems=NO_BOT)
def list_bot_tokens(bot_id: str) -> Response:
    """List the tokens of a bot account, without their secrets.

    Only you can manage them.
    """
    return reply(account_answers.Tokens(service().accounts.tokens(service().owned_bots.of(asker(), bot_id))))


@ACCOUNTS.operation(
    "POST /me/bots/<bot_id>/tokens",
    Success(201, account_answers.NewToken),
    body=account_inputs.TokenWanted,
    problems={**NO_BOT, 409: ("token-already-issued",), 422: ("already-past",)},
)
def create_bot_token(body: dict[str, Any], bot_id: str) -> Response:
    """Make one more token for a bot account; it is shown only here.

    It has only the scopes that the request names.
    """
    scopes = None if body["scopes"] is None else tuple(body["scopes"])
    expires = None if body["expires"] is None else stamp(body["expires"])
    kept, token = service().owned_bots.issue(asker(), bot_id, body["name"], scopes, expires, once=once())
    return reply(account_answers.NewToken(**asdict(kept), token=token), 201)


@ACCOUNTS.operation(
    "DELETE /me/bots/<bot_id>/tokens/<token_id>", 204, problems={**NO_BOT, 404: ("unknown-player", "unknown-token-id")}
)
def revoke_bot_token(bot_id: str, token_id: str) -> None:
    """Revoke a token of a bot account.

    From then on every process of the service refuses it.
    """
    service().owned_bots.revoke(asker(), bot_id, token_id)


@ACCOUNTS.operation("GET /passes", account_answers.Passes, scopes=(ACCOUNT, ADMIN), problems=NO_PASSES)
def list_passes() -> Response:
    """List the passes that you have made.

    `left` is how many more you may make now.
    """
    made = service().passes.made(asker())
    left = None if asker().may(ADMIN) else service().passes.left(asker())
    return reply(account_answers.Passes([account_answers.Pass.of(each) for each in made], left))


@ACCOUNTS.operation(
    "POST /passes",
    Success(201, account_answers.NewPass),
    problems={**NO_PASSES, 409: ("no-passes", "token-already-issued", "too-many-passes")},
)
def create_pass() -> Response:
    """Make a pass, if people sign up by invitation.

    Whoever has its code can sign up with it, once, within 14 days. The operator can make any number.
    """
    kept, code = service().passes.make(asker(), once=once())
    return reply(account_answers.NewPass(**asdict(account_answers.Pass.of(kept)), code=code), 201)


@ACCOUNTS.operation("DELETE /passes/<pass_id>", 204, problems={**NO_PASSES, 404: ("unknown-pass",)})
def withdraw_pass(pass_id: str) -> None:
    """Withdraw a pass that nobody has used.

    Nobody can sign up with it any more.
    """
    service().passes.withdraw(asker(), pass_id)
