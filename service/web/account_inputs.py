"""The shapes of what is sent about accounts."""

from __future__ import annotations

from typing import Any

from marshmallow import Schema, ValidationError, fields, validate

from service.accounts import logins, passwords
from service.web import inputs
from service.web.inputs import Address, name, one_of

ADDRESS = 254
"""Characters of a mail address, at most."""


class Login(fields.String):
    """A name to log in by: taken in the form in which it is kept."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **more: Any) -> str:
        try:
            return logins.enforce(super()._deserialize(value, attr, data, **more))
        except logins.BadLogin as error:
            raise ValidationError(str(error)) from error


def login(**more: Any) -> Login:
    """A name to log in by, which is to be an account's."""
    about = {"description": "A name to log in by, which no other account has and nobody else is told."}
    return Login(validate=validate.Length(logins.LEAST, logins.MOST), metadata=about, **more)


def password(*, is_new: bool = False, **more: Any) -> fields.String:
    """A password."""
    least = passwords.LEAST if is_new else 1
    return fields.String(validate=validate.Length(least, passwords.MOST), metadata={"format": "password"}, **more)


def address(**more: Any) -> Address:
    """A mail address."""
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
        metadata={"description": "The code of a pass, where not everybody may sign up."},
    )


class SessionWanted(Schema):
    """Who logs in."""

    login = fields.String(
        required=True,
        validate=validate.Length(1, ADDRESS),
        metadata={"description": "The name to log in by, a confirmed mail address, or the player's id."},
    )
    password = password(required=True)
    cookie = fields.Boolean(
        load_default=False, metadata={"description": "For browsers: the token comes in a cookie that no script reads."}
    )


class SessionQuery(inputs.Lang):
    """Which sessions end."""

    everywhere = fields.Boolean(
        load_default=False, metadata={"description": "Whether all of your sessions end, not just this one."}
    )


class PasswordWanted(Schema):
    """Another password; `old` where the account has one."""

    new = password(is_new=True, required=True)
    old = password(load_default=None, allow_none=True)


class LoginWanted(Schema):
    """Another name to log in by; null is none."""

    login = login(required=True, allow_none=True)


class AddressWanted(Schema):
    """Another mail address, null is none; the password where the account has one."""

    email = address(required=True, allow_none=True)
    password = password(load_default=None, allow_none=True)


class MailedLink(Schema):
    """What the link in a mail holds."""

    token = fields.String(required=True, validate=validate.Length(1, 1000))


class RecoveryWanted(Schema):
    """The confirmed mail address of an account."""

    email = address(required=True)


class Recovery(MailedLink):
    """A new password, and what the link in the mail holds."""

    password = password(is_new=True, required=True)


class BotWanted(Schema):
    """A bot account."""

    name = name(required=True)


class Goodbye(Schema):
    """That it is meant: your player's id once more; and the password where the account has one."""

    confirm = fields.String(required=True, validate=validate.Length(1, 64))
    password = password(load_default=None, allow_none=True)
