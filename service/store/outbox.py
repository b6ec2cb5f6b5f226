"""Mails that are to be sent, as the service's own tables have them.

One is posted in the transaction of what it tells about, so that it is sent if that happened and not otherwise. What it
says is not kept, only its kind and what that kind needs; a secret in it is signed or made when it is sent
(`service.signing`), so that none lies here.
"""

from __future__ import annotations

import msgspec

from events.store import Statement

POST = (
    "INSERT INTO outbox (id, kind, player, address, lang, about, at, due, tries)"
    " VALUES (:id, :kind, :player, :address, :lang, :about, :at, :at, 0)"
)

DROP = "DELETE FROM outbox WHERE player = :player AND kind = :kind"
DROP_ALL = "DELETE FROM outbox WHERE player = :player"


class Letter(msgspec.Struct, frozen=True, kw_only=True):
    """A mail to be."""

    id: str
    """`m_` and what `events.naming.fresh_id` draws."""
    kind: str
    player: str | None
    """Whose it is; None: of nobody who has an account."""
    address: str
    lang: str
    about: str = "{}"
    """What its kind needs, as JSON."""
    at: str
    """When it was posted."""


def post(letter: Letter) -> Statement:
    """The letter is to be sent."""
    return Statement(POST, msgspec.to_builtins(letter))


def drop(player: str, kind: str) -> Statement:
    """The player's letters of that kind are not to be sent."""
    return Statement(DROP, {"player": player, "kind": kind})


def drop_all(player: str) -> Statement:
    """No letter of the player's is to be sent."""
    return Statement(DROP_ALL, {"player": player})
