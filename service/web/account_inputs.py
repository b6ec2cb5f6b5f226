"""The schemas of requests about accounts."""

from __future__ import annotations

from typing import Any

from marshmallow import Schema, ValidationError, fields, validate

from service.accounts import names, passwords
from service.web import inputs
from service.web.inputs import Address, name, one_of

ADDRESS = 254
"""The most characters of a mail address."""


class Login(fields.String):
    """A login, which is read in the form in which it is stored."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **more: Any) -> str:
        try:
            return names.enforce_login(super()._deserialize(value, attr, data, **more))
        except names.BadLogin as error:
            raise ValidationError(str(error)) from error


def login(**more: Any) -> Login:
    """Return the field of a new login."""
    about = {"description": "The login: a name that no other account has and nobody else sees."}
    return Login(validate=validate.Length(names.LOGIN_LEAST, names.LOGIN_MOST), metadata=about, **more)


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
    code = fields.String(
        data_key="pass",
        load_default=None,
        allow_none=True,
        validate=validate.Length(1, 64),
        metadata={"description": "The code of a pass; needed if people sign up by invitation."},
    )


class SessionWanted(Schema):
    """A login with its password."""

    login = fields.String(
        required=True,
        validate=validate.Length(1, ADDRESS),
        metadata={"description": "The login, a confirmed mail address, or the player's id."},
    )
    password = password(required=True)
    cookie = fields.Boolean(
        load_default=False,
        metadata={"description": "For browsers: whether to return the token in a cookie that no script can read."},
    )


class SessionQuery(inputs.Lang):
    """Which sessions end."""

    everywhere = fields.Boolean(
        load_default=False, metadata={"description": "Whether to end all of your sessions, not only this one."}
    )


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

    token = fields.String(required=True, validate=validate.Length(1, 1000))


class RecoveryWanted(Schema):
    """The confirmed mail address of an account."""

    email = address(required=True)


class Recovery(MailedLink):
    """A new password, with the token of the link in the mail."""

    password = password(is_new=True, required=True)


class BotWanted(Schema):
    """A new bot account."""

    name = name(required=True)


class Goodbye(Schema):
    """Your player's id, as confirmation, with the password if the account has one."""

    confirm = fields.String(required=True, validate=validate.Length(1, 64))
    password = password(load_default=None, allow_none=True)
