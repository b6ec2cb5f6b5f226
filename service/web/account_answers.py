"""The shapes of answers about a player's own account, for the OpenAPI document."""

from __future__ import annotations

from marshmallow import fields

from service.config import SIGN_UPS
from service.store import LINK, PRIVATE, PUBLIC, people
from service.web.inputs import one_of
from service.web.lobby_answers import Who
from service.web.shape import Shape, listed, text, whole


class Player(Shape):
    """An account."""

    id = text()
    name = text()
    kind = one_of("human", "bot", required=True)
    email = text(allow_none=True, metadata={"description": "To be written to only once it is `confirmed`."})
    created = fields.String(required=True, metadata={"format": "date-time"})
    owner = text(allow_none=True, metadata={"description": "Of a bot account, the id of who made it."})
    login = text(allow_none=True, metadata={"description": "The name that you log in by; nobody else is told."})
    confirmed = fields.String(
        required=True,
        allow_none=True,
        metadata={"format": "date-time", "description": "Since when `email` is known to be yours; null: it is not."},
    )
    email_next = text(allow_none=True, metadata={"description": "What `email` will be, once that is confirmed."})
    has_password = fields.Boolean(required=True)


class NewPlayer(Player):
    """An account with its first token, which is told only here."""

    token = text()


class Token(Shape):
    """A token, without what makes it one."""

    id = text()
    name = text()
    scopes = listed(fields.String())
    created = fields.String(required=True, metadata={"format": "date-time"})
    expires = fields.String(
        required=True,
        allow_none=True,
        metadata={"format": "date-time", "description": "From then on it is refused; null: never."},
    )
    kind = one_of(people.TOKEN, people.SESSION, required=True)
    used = text(allow_none=True, metadata={"format": "date", "description": "The day of its last use (UTC)."})


class NewToken(Token):
    """A token, which is told only here."""

    token = text()


class Tokens(Shape):
    """One's own."""

    tokens = listed(Token)


class Invitation(Shape):
    """A seat that is kept for whoever asks."""

    match = text()
    game = text()
    seat = whole()
    by = fields.Nested(Who, required=True, allow_none=True)
    visibility = one_of(PUBLIC, LINK, PRIVATE, required=True)
    created = fields.String(required=True, metadata={"format": "date-time"})


class Invitations(Shape):
    """A page of them, the newest first."""

    invitations = listed(Invitation)
    next = text(allow_none=True)


class Characters(Shape):
    """How long a text is."""

    least = whole()
    most = whole()


class AccountLimits(Shape):
    """Who may have an account, and how much of what."""

    sign_up = one_of(*SIGN_UPS, required=True, metadata={"description": "Who may sign up; `invitation`: by a pass."})
    passes = whole(metadata={"description": "How many a player makes in 30 days, where people sign up by them."})
    bots = whole(metadata={"description": "How many bot accounts a person has."})
    password_characters = fields.Nested(Characters, required=True)
    login_characters = fields.Nested(Characters, required=True)


class Session(Shape):
    """Who is logged in, and until when."""

    player = fields.Nested(Who, required=True)
    expires = fields.String(required=True, allow_none=True, metadata={"format": "date-time"})
    csrf = text(
        allow_none=True,
        metadata={"description": "For X-CSRF-Token, which a cookie's requests that change something need."},
    )
    token = text(allow_none=True, metadata={"description": "Told only here; null where it lies in the cookie."})


class SessionNow(Shape):
    """Who is logged in."""

    player = fields.Nested(Who, required=True)
    csrf = text(
        allow_none=True,
        metadata={"description": "For X-CSRF-Token, which a cookie's requests that change something need."},
    )


class Confirmed(Shape):
    """An address that is confirmed."""

    email = text()


class Pass(Shape):
    """A pass, without what makes it one."""

    id = text()
    created = fields.String(required=True, metadata={"format": "date-time"})
    expires = fields.String(required=True, metadata={"format": "date-time"})
    used = fields.Boolean(required=True, metadata={"description": "Whether somebody has signed up by it."})


class NewPass(Pass):
    """A pass, whose code is told only here."""

    code = text(metadata={"description": "For `pass` of POST /api/players."})


class Passes(Shape):
    """One's own."""

    passes = listed(Pass)
    left = fields.Integer(
        required=True, allow_none=True, metadata={"description": "How many more you may make now; null: any."}
    )


class Bots(Shape):
    """The bot accounts that you have made."""

    bots = listed(Player)
