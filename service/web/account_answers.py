"""What is answered about a player's own account: each a struct."""

from __future__ import annotations

from typing import Annotated

from msgspec import Struct

from service.config import SIGN_UPS
from service.shapes import Moment, one_of
from service.store import Player, Token, lobby, passes, people


class NewPlayer(Player, frozen=True, kw_only=True):
    """An account with its first token, which is told only here."""

    token: str


class NewToken(Token, frozen=True, kw_only=True):
    """A token, which is told only here."""

    token: str


class Tokens(Struct, frozen=True):
    """One's own."""

    tokens: tuple[Token, ...]
    """The tokens, the oldest first."""


class Invitations(Struct, frozen=True):
    """A page of them, the newest first."""

    invitations: tuple[lobby.Invitation, ...]
    """The seats that are kept for you, the newest first."""
    next: str | None


class Characters(Struct, frozen=True):
    """How long a text is."""

    least: int
    """The least."""
    most: int


class AccountLimits(Struct, frozen=True):
    """Who may have an account, and how much of what."""

    sign_up: Annotated[str, one_of(*SIGN_UPS)]
    """Who may sign up; `invitation`: by a pass."""
    passes: int
    """How many a player makes in 30 days, where people sign up by them."""
    bots: int
    """How many bot accounts a person has."""
    password_characters: Characters
    login_characters: Characters


class SessionNow(Struct, frozen=True):
    """Who is logged in."""

    player: people.Who
    csrf: str | None
    """For X-CSRF-Token, which a cookie's requests that change something need."""


class Session(SessionNow, frozen=True):
    """Who is logged in, and until when."""

    expires: Moment | None
    """From when on it is refused; null: never."""
    token: str | None
    """Told only here; null where it lies in the cookie."""


class Confirmed(Struct, frozen=True):
    """An address that is confirmed."""

    email: str
    """The mail address, told to nobody else."""


class Pass(Struct, frozen=True):
    """A pass, without what makes it one."""

    id: str
    created: Moment
    expires: Moment
    """From when on it is refused."""
    used: bool
    """Whether somebody has signed up by it."""

    @classmethod
    def of(cls, kept: passes.Pass) -> Pass:
        """Return the pass as its maker sees it."""
        return cls(kept.id, kept.created, kept.expires, kept.player is not None)


class NewPass(Pass, frozen=True, kw_only=True):
    """A pass, whose code is told only here."""

    code: str
    """For `pass` of POST /api/players."""


class Passes(Struct, frozen=True):
    """One's own."""

    passes: list[Pass]
    """The passes, the newest first."""
    left: int | None
    """How many more you may make now; null: any."""


class Bots(Struct, frozen=True):
    """The bot accounts that you have made."""

    bots: tuple[Player, ...]
