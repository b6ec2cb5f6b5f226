"""What the seats of a match are called, where the store knows: an export names nobody."""

from __future__ import annotations

from domain.game import Lang
from events.store import Statement, StoreError, Tables
from replays.files.format import Export
from replays.log import Log

SEATED = (
    "SELECT seats.seat, players.name, seats.bot FROM seats LEFT JOIN players ON players.id = seats.player"
    " WHERE seats.partition = :partition AND seats.match = :match"
)

BOTS: dict[Lang, str] = {"en": "{bot} bot", "ja": "ボット{bot}"}


def names_of(log: Log, store: object, lang: Lang) -> tuple[str, ...]:
    """A name a seat, "" where none is known; none at all where nobody knows who sat there."""
    if isinstance(store, Export) or not hasattr(store, "find"):
        return ()
    tables: Tables = store  # type: ignore[assignment]  # it has what they have
    try:
        rows = tables.find(Statement(SEATED, {"match": log.id}, log.id))
    except StoreError:
        # a store of logs alone has no tables of a service
        return ()
    found = {seat: name or (BOTS[lang].format(bot=bot) if bot else "") for seat, name, bot in rows}
    names = [found.get(seat, "") for seat in range(log.opening.seats)]
    # two of one name are told apart by their numbers
    return tuple(name if names.count(name) == 1 else "" for name in names)
