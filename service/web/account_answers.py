"""The shapes of answers about a player's own account, for the OpenAPI document."""

from __future__ import annotations

from marshmallow import fields

from service.store import LINK, PRIVATE, PUBLIC
from service.web.inputs import one_of
from service.web.lobby_answers import Who
from service.web.shape import Shape, listed, text, whole


class Player(Shape):
    """An account."""

    id = text()
    name = text()
    kind = one_of("human", "bot", required=True)
    email = text(allow_none=True)
    created = fields.String(required=True, metadata={"format": "date-time"})


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
