"""The names of a match's seats, if the store knows them; an export names nobody."""

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
    """Return a name for each seat, "" if it is unknown; () if nobody's name is known."""
    if isinstance(store, Export) or not hasattr(store, "find"):
        return ()
    tables: Tables = store  # type: ignore[assignment]  # it has their methods
    try:
        rows = tables.find(Statement(SEATED, {"match": log.id}, log.id))
    except StoreError:
        # a store of logs alone has no tables of a service
        return ()
    known = {seat: name or (BOTS[lang].format(bot=bot) if bot else "") for seat, name, bot in rows}
    names = [known.get(seat, "") for seat in range(log.opening.seats)]
    # two seats with the same name keep their numbers instead
    return tuple(name if names.count(name) == 1 else "" for name in names)
