"""The asker's account: its password, login, mail address, bots and end; and passes, with which others sign up."""

from __future__ import annotations

from typing import Any

from flask import Response
from msgspec.structs import asdict

from service.accounts import ACCOUNT, ADMIN
from service.store import Player
from service.web import account_answers, account_inputs
from service.web.askers import token_said
from service.web.contract import Success
from service.web.reply import Blueprint, asker, lang, once, reply, service

ACCOUNTS = Blueprint("accounts", "Your account.")

NOT_FOR_BOTS = {403: ("not-for-bots",)}


@ACCOUNTS.operation("POST /me/password", body=account_inputs.PasswordWanted, problems={403: ("no-password-for-bots",)})
def set_password(body: dict[str, Any]) -> None:
    """Set or change your password.

    Your other sessions end then; your tokens stay. A mail address that is not confirmed yet is removed if there was a
    password before. A bot account that has an owner can't have a password.
    """
    service().sessions.change(asker(), token_said(), body["old"], body["new"], lang(), once=once())


@ACCOUNTS.operation("POST /me/login", body=account_inputs.LoginWanted, problems={409: ("login-taken", "no-way-in")})
def set_login(body: dict[str, Any]) -> Player:
    """Set your login, the name with which you sign in; null removes it.

    Nobody else sees it. With a password, a login or a confirmed mail address stays.
    """
    return service().sessions.set_login(asker(), body["login"], once=once())


@ACCOUNTS.operation("POST /me/email", body=account_inputs.AddressWanted, problems={409: ("no-way-in",)})
def set_email(body: dict[str, Any]) -> Player:
    """Set your mail address. A mail with a link is sent to it.

    No other mail is sent until you have followed the link. A confirmed address stays until the new one is confirmed
    too. The answer does not show whether another account has the address.
    """
    return service().mailboxes.say(asker(), body["email"], body["password"], lang(), once=once())


@ACCOUNTS.operation(
    "POST /email/confirmation",
    body=account_inputs.MailedLink,
    problems={409: ("address-taken", "link-past", "link-used"), 422: ("unknown-link",), 404: ("unknown-player",)},
)
def confirm_email(body: dict[str, Any]) -> account_answers.Confirmed:
    """Confirm a mail address by the token of the link in the mail.

    The request needs no token of its own.
    """
    return account_answers.Confirmed(service().mailboxes.confirm(asker(), body["token"], lang(), once=once()))


@ACCOUNTS.operation(
    "POST /recovery", Success(202, {"type": "object", "description": "Nothing."}), body=account_inputs.RecoveryWanted
)
def ask_recovery(body: dict[str, Any]) -> Response:
    """Ask for a mail with a link, by which you can set a new password within an hour.

    It is sent if an account has confirmed the address, but not within five minutes of a link that was not used.
    The answer is the same for any address.
    """
    service().mailboxes.ask_recovery(asker(), body["email"], lang(), once=once())
    return reply({}, 202)


@ACCOUNTS.operation(
    "POST /recovery/password",
    body=account_inputs.Recovery,
    problems={409: ("link-past", "link-used"), 422: ("unknown-link",)},
)
def recover(body: dict[str, Any]) -> None:
    """Set a new password by the token of the link in the mail, which works once.

    All sessions, tokens and feeds end, also those of your bot accounts. Webhooks are disabled: enable those that are
    yours. A mail address that is not confirmed yet is removed.
    """
    service().mailboxes.recover(asker(), body["token"], body["password"], lang(), once=once())


@ACCOUNTS.operation("GET /me/bots", scopes=(ACCOUNT,))
def list_my_bots() -> account_answers.Bots:
    """List the bot accounts that you have made.

    Each is a player of its own, and shows you as its owner.
    """
    return account_answers.Bots(service().owned_bots.made(asker()))


@ACCOUNTS.operation(
    "POST /me/bots",
    201,
    body=account_inputs.BotWanted,
    problems={**NOT_FOR_BOTS, 409: ("token-already-issued", "too-many-bots")},
)
def create_my_bot(body: dict[str, Any]) -> account_answers.NewPlayer:
    """Make a bot account.

    It is marked as a bot, shows you as its owner, and plays with the token in the answer.
    """
    player, token = service().owned_bots.make(asker(), body["name"], once=once())
    return account_answers.NewPlayer(**asdict(player), token=token)


@ACCOUNTS.operation("DELETE /me/bots/<bot_id>", problems=NOT_FOR_BOTS)
def erase_my_bot(bot_id: str) -> None:
    """Erase a bot account.

    Its matches stay, with an erased player on its seat.
    """
    service().farewell.erase_bot(asker(), bot_id)


@ACCOUNTS.operation("GET /me/bots/<bot_id>/tokens", scopes=(ACCOUNT,), problems=NOT_FOR_BOTS)
def list_bot_tokens(bot_id: str) -> account_answers.Tokens:
    """List the tokens of a bot account, without their secrets.

    Only you can manage them.
    """
    return account_answers.Tokens(service().accounts.tokens(service().owned_bots.of(asker(), bot_id)))


@ACCOUNTS.operation(
    "POST /me/bots/<bot_id>/tokens",
    201,
    body=account_inputs.TokenWanted,
    problems={**NOT_FOR_BOTS, 409: ("token-already-issued",), 422: ("already-past",)},
)
def create_bot_token(body: dict[str, Any], bot_id: str) -> account_answers.NewToken:
    """Make one more token for a bot account; it is shown only here.

    It has only the scopes that the request names; without `scopes` it has all except `account`.
    """
    kept, token = service().owned_bots.issue(asker(), bot_id, **body, once=once())
    return account_answers.NewToken(**asdict(kept), token=token)


@ACCOUNTS.operation("DELETE /me/bots/<bot_id>/tokens/<token_id>", problems=NOT_FOR_BOTS)
def revoke_bot_token(bot_id: str, token_id: str) -> None:
    """Revoke a token of a bot account.

    Every process of the service refuses it from then on. The last one ends the bot's feed, webhooks and mail address.
    """
    service().owned_bots.revoke(asker(), bot_id, token_id)


@ACCOUNTS.operation("GET /passes", scopes=(ACCOUNT, ADMIN), problems=NOT_FOR_BOTS)
def list_passes() -> account_answers.Passes:
    """List the passes that you have made.

    `left` is how many more you may make now.
    """
    made = service().passes.made(asker())
    left = None if asker().may(ADMIN) else service().passes.left(asker())
    return account_answers.Passes(made, left)


@ACCOUNTS.operation(
    "POST /passes", 201, problems={**NOT_FOR_BOTS, 409: ("no-passes", "token-already-issued", "too-many-passes")}
)
def create_pass() -> account_answers.NewPass:
    """Make a pass, if people sign up by invitation.

    Whoever has its code can sign up with it, once, within 14 days. The operator can make any number.
    """
    kept, code = service().passes.make(asker(), once=once())
    return account_answers.NewPass(**asdict(kept), code=code)


@ACCOUNTS.operation("DELETE /passes/<pass_id>", problems=NOT_FOR_BOTS)
def withdraw_pass(pass_id: str) -> None:
    """Withdraw a pass that nobody has used.

    Nobody can sign up with it any more.
    """
    service().passes.withdraw(asker(), pass_id)
