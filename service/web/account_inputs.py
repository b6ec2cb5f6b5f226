"""The schemas of bodies about accounts, and what an account is told: mail, webhooks and feeds."""

from __future__ import annotations

from typing import Any

from marshmallow import Schema, fields, validate

from domain.texts import LANGS
from service.accounts import SCOPES, names, passwords
from service.store import mailing, notices
from service.web import inputs
from service.web.inputs import Address, Enforced, Truth, name, one_of, text, whole

ADDRESS = 254
"""The most characters of a mail address."""
LONGEST = 2048
"""The most characters of a URL."""


class TokenWanted(Schema):
    """A further token. Without scopes it may do everything that the token of the request may, except manage tokens."""

    name = name(load_default="token")
    scopes = fields.List(one_of(*SCOPES), load_default=None, allow_none=True, validate=validate.Length(max=len(SCOPES)))
    """What the token may be used for; null for everything that your own token may, except managing tokens."""
    expires = inputs.Instant(format="iso", load_default=None, allow_none=True)
    """When the token expires; without it the token lasts until it is revoked."""


def login(**more: Any) -> Enforced:
    """Return the field of a new login."""
    return Enforced(names.enforce_login, names.LOGIN_LEAST, names.LOGIN_MOST, **more)


def password(*, is_new: bool = False, **more: Any) -> fields.String:
    """Return the field of a password."""
    least = passwords.LEAST if is_new else 1
    return fields.String(validate=validate.Length(least, passwords.MOST), metadata={"format": "password"}, **more)


def address(**more: Any) -> Address:
    """Return the field of a mail address."""
    return Address(validate=validate.Length(max=ADDRESS), **more)


class SignUp(Schema):
    """A new player."""

    name = name(required=True)
    kind = one_of("human", "bot", load_default="human")
    email = address(load_default=None, allow_none=True)
    login = login(load_default=None, allow_none=True)
    password = password(is_new=True, load_default=None, allow_none=True)
    """A password to sign in with; null if you want only tokens."""
    code = text(64, data_key="pass", load_default=None, allow_none=True)
    """The code of a pass; needed if people sign up by invitation."""


class SessionWanted(Schema):
    """A login with its password."""

    login = text(ADDRESS, required=True)
    """The login, a confirmed mail address, or the player's id."""
    password = password(required=True)
    cookie = Truth(load_default=False)
    """For browsers: whether to return the token in a cookie that no script can read."""


class SessionQuery(inputs.Lang):
    """Which sessions end."""

    everywhere = fields.Boolean(load_default=False)
    """Whether to end all of your sessions, not only this one."""


class PasswordWanted(Schema):
    """A new password, with the `old` one if the account has one."""

    new = password(is_new=True, required=True)
    old = password(load_default=None, allow_none=True)


class LoginWanted(Schema):
    """A new login; null removes it."""

    login = login(required=True, allow_none=True)


class AddressWanted(Schema):
    """A new mail address, null to remove it; with the password if the account has one."""

    email = address(required=True, allow_none=True)
    password = password(load_default=None, allow_none=True)


class MailedLink(Schema):
    """The token of a link in a mail."""

    token = text(1000, required=True)
    """The token, which the link contains."""


class RecoveryWanted(Schema):
    """The confirmed mail address of an account."""

    email = address(required=True)


class Recovery(MailedLink):
    """A new password, with the token of the link in the mail."""

    password = password(is_new=True, required=True)
    """The new password."""


class BotWanted(Schema):
    """A new bot account."""

    name = name(required=True)


class Goodbye(Schema):
    """Your player's id, as confirmation, with the password if the account has one."""

    confirm = text(64, required=True)
    password = password(load_default=None, allow_none=True)


class MailWanted(Schema):
    """The mails that a player wants; fields that are left out stay unchanged."""

    on = Truth()
    """Whether to send mails. True also tries an address again that has bounced."""
    lang = one_of(*LANGS)
    turns = one_of(mailing.EACH, mailing.DIGEST, mailing.NONE)
    """`each`: a mail for each turn; `digest`: one a day for all matches; or `none`."""
    news = Truth()
    """Whether to send mails about invitations and proposals, starts and ends of matches, and bots in your place."""
    hour = whole(0, 23)
    zone = text(64)
    """The time zone of hours and deadlines, by its name (Europe/Berlin)."""


def _kinds(**more: Any) -> fields.List[str]:
    return fields.List(one_of(*notices.KINDS), validate=validate.Length(1, len(notices.KINDS)), **more)


class WebhookWanted(Schema):
    """A webhook to make. It gets your turns, unless you choose other kinds."""

    url = text(LONGEST, required=True)
    name = name(load_default="webhook")
    kinds = _kinds(load_default=(notices.TURN,))


class WebhookChange(Schema):
    """The changes of a webhook; what is left out stays as it is."""

    url = text(LONGEST, load_default=None)
    name = name(load_default=None)
    kinds = _kinds(load_default=None)
    enabled = Truth(load_default=None)
    """False: nothing is sent to it. True: it gets deliveries again, as if it had never failed."""


class FeedWanted(Schema):
    """A feed to make, or to give a new address to."""

    kinds = _kinds(load_default=[kind for kind in notices.KINDS if kind != notices.REMINDER])
