"""Mails that are to be sent, as the service's own tables have them.

One is posted in the transaction of what it tells about, so that it is sent if that happened and not otherwise. What it
says is not kept, only its kind and what that kind needs; a secret in it is signed or made when it is sent
(`service.signing`), so that none lies here.
"""

from __future__ import annotations

import msgspec

from events.store import Statement, Tables

POST = (
    "INSERT INTO outbox (id, kind, player, address, lang, about, at, due, tries)"
    " VALUES (:id, :kind, :player, :address, :lang, :about, :at, :at, 0) ON CONFLICT (id) DO NOTHING"
)
FIND_DUE = (
    "SELECT id, kind, player, address, lang, about, at, due, tries FROM outbox"
    " WHERE due <> '' AND due <= :now ORDER BY due LIMIT :most"
)
TAKE_LETTER = "UPDATE outbox SET due = :until, tries = tries + 1 WHERE id = :id AND due = :due"
PUT_OFF_LETTER = "UPDATE outbox SET due = :until WHERE id = :id AND due = :due"
DROP_LETTER = "DELETE FROM outbox WHERE id = :id AND due = :due"

DROP = "DELETE FROM outbox WHERE player = :player AND kind = :kind"
DROP_ALL = "DELETE FROM outbox WHERE player = :player"


class Letter(msgspec.Struct, frozen=True, kw_only=True):
    """A mail to be."""

    id: str
    """`m_` and what `events.naming.fresh_id` draws; or a name of what it tells, where that is told once. A second one
    of a name is not posted while the first waits."""
    kind: str
    player: str | None
    """Whose it is; None: of nobody who has an account."""
    address: str
    lang: str
    about: str = "{}"
    """What its kind needs, as JSON."""
    at: str
    """When it was posted."""


class Waiting(Letter, frozen=True, kw_only=True):
    """A letter in the outbox."""

    due: str
    """When it is sent; of one that is being sent, when another process may take it."""
    tries: int


def post(letter: Letter) -> Statement:
    """The letter is to be sent."""
    return Statement(POST, msgspec.to_builtins(letter))


def drop(player: str, kind: str) -> Statement:
    """The player's letters of that kind are not to be sent."""
    return Statement(DROP, {"player": player, "kind": kind})


def drop_all(player: str) -> Statement:
    """No letter of the player's is to be sent."""
    return Statement(DROP_ALL, {"player": player})


def due_letters(store: Tables, now: str, most: int) -> tuple[Waiting, ...]:
    """Letters that are to be sent now, the longest due first, so many at most."""
    rows = store.find(Statement(FIND_DUE, {"now": now, "most": most}))
    return tuple(Waiting(**dict(zip(Waiting.__struct_fields__, row, strict=True))) for row in rows)


def take_letter(one: Waiting, until: str) -> Statement:
    """One process has it in hand until that moment: one row, none if another one was faster."""
    return Statement(TAKE_LETTER, {"id": one.id, "due": one.due, "until": until})


def put_off_letter(one: Waiting, until: str) -> Statement:
    """It could not be sent, and is tried again then."""
    return Statement(PUT_OFF_LETTER, {"id": one.id, "due": one.due, "until": until})


def drop_letter(one: Waiting) -> Statement:
    """It was sent, or is not to be any more."""
    return Statement(DROP_LETTER, {"id": one.id, "due": one.due})
