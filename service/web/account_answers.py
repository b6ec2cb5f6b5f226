"""The answers about a player's own account."""

from __future__ import annotations

from typing import Annotated

from msgspec import Struct

from service.config import SIGN_UPS
from service.shapes import Moment, one_of
from service.store import Player, Token, lobby, people


class NewPlayer(Player, frozen=True, kw_only=True):
    """An account with its first token, which is shown only here."""

    token: str


class NewToken(Token, frozen=True, kw_only=True):
    """A token with its secret, which is shown only here."""

    token: str


class Tokens(Struct, frozen=True):
    """Your tokens."""

    tokens: tuple[Token, ...]
    """The tokens, the oldest first."""


class Invitations(Struct, frozen=True):
    """A page of your invitations."""

    invitations: tuple[lobby.Invitation, ...]
    """The seats that are kept for you, the newest first."""
    next: str | None


class Characters(Struct, frozen=True):
    """The least and the most characters of a text."""

    least: int
    """The least."""
    most: int


class AccountLimits(Struct, frozen=True):
    """Who may sign up, and the limits of an account."""

    sign_up: Annotated[str, one_of(*SIGN_UPS)]
    """Who may sign up: everybody (`open`), those with a pass (`invitation`), or nobody (`closed`)."""
    passes: int
    """The most passes that a player may make in 30 days, if people sign up with passes."""
    bots: int
    """The most bot accounts of one person."""
    password_characters: Characters
    login_characters: Characters


class SessionNow(Struct, frozen=True):
    """The player who is logged in."""

    player: people.Who
    csrf: str | None
    """The value of X-CSRF-Token, which requests with a cookie need to change something; null without a cookie."""


class Session(SessionNow, frozen=True):
    """A new session."""

    expires: Moment | None
    """When the session ends; null for never."""
    token: str | None
    """The token, which is shown only here; null if it is in the cookie."""


class Confirmed(Struct, frozen=True):
    """A mail address that was confirmed."""

    email: str
    """The mail address, which nobody else sees."""


class Pass(Struct, frozen=True):
    """A pass without its code."""

    id: str
    created: Moment
    expires: Moment
    """When the pass expires."""
    used: bool
    """Whether somebody has signed up with it."""

    @classmethod
    def of(cls, kept: people.Pass) -> Pass:
        """Return the pass as its maker sees it."""
        return cls(kept.id, kept.created, kept.expires, kept.player is not None)


class NewPass(Pass, frozen=True, kw_only=True):
    """A pass with its code, which is shown only here."""

    code: str
    """The code, to be sent as `pass` to POST /api/players."""


class Passes(Struct, frozen=True):
    """Your passes."""

    passes: list[Pass]
    """The passes, the newest first."""
    left: int | None
    """How many more you may make now; null for any number."""


class Bots(Struct, frozen=True):
    """The bot accounts that you have made."""

    bots: tuple[Player, ...]
