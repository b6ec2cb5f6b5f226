"""Checks whether a store's running matches can be played on with these rules, before the store is taken over."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from contextlib import closing, suppress

import msgspec
import structlog

from domain.catalogue import Catalogue
from events import stores
from events.queries import StoreOlder
from events.store import Reader, Row, StoreError, StoreNewer, StoreUnusable
from service.store import logs, schema

logger = structlog.get_logger(__name__)

INSTEAD = (
    "play them out or break them off with the release that they were opened with, or start with an empty folder and"
    " import them when they are over; or take the store over by FOLDTABLE_TAKE_OVER=1: they can then be looked at,"
    " exported and broken off, but not played on"
)
"""What an operator can do about matches whose rules are not available."""


class _Opened(msgspec.Struct, frozen=True):
    game: str
    version: int


class RulesGone(StoreUnusable):
    """Running matches of the store need versions of rules that are not available; nothing has been changed."""


def check(url: str, catalogue: Catalogue, *, may_take_over: bool) -> None:
    """Refuse a store with decisions in matches that can't be played on, before anything is written to it.

    Shape:   `may_take_over`: don't refuse, but log a warning. From then on nobody is asked in such matches
             (`startup.close_decisions`), so that the store is not refused again.
    Raises:  RulesGone, StoreOlder, StoreNewer. Other errors are left to whoever opens the store to write.
    """
    try:
        reader = stores.open_to_read(url)
    except (StoreOlder, StoreNewer):
        raise
    except StoreError:
        return
    with closing(reader):
        schema.check(reader, stores.name_of(url))
        counts = _without_rules(logs.asked(reader), catalogue)
    if not counts:
        return
    line = f"{stores.name_of(url)}: {say(counts)}"
    if not may_take_over:
        raise RulesGone(f"{line}; {INSTEAD}")
    logger.warning(line)


def running(reader: Reader, catalogue: Catalogue) -> Counter[str]:
    """Return how many running matches can't be played on, by the rules that they need, also where nobody is asked."""
    rows: dict[str, bytes] = dict(logs.asked(reader))
    with suppress(StoreError):  # a store that no service has opened yet has no lobby
        rows.update(logs.played(reader))
    return _without_rules(rows.items(), catalogue)


def say(counts: Counter[str]) -> str:
    """Return the counts as a sentence."""
    many = counts.total()
    which = ", ".join(f"{rules}: {count}" for rules, count in sorted(counts.items()))
    return f"{many} running {'match' if many == 1 else 'matches'} can't be played on by the rules at hand ({which})"


def _without_rules(rows: Iterable[Row], catalogue: Catalogue) -> Counter[str]:
    """Count the matches (id, public part of the opening event) whose rules are not available, by game and version.

    Opening events that can't be read are not counted; the error is shown to whoever looks at the match.
    """
    counts: Counter[str] = Counter()
    for _, public in rows:
        with suppress(msgspec.DecodeError):
            opened = msgspec.json.decode(public, type=_Opened)
            room = catalogue.rooms.get(opened.game)
            if room is None or room.game.by(opened.version) is None:
                counts[f"{opened.game} {opened.version}"] += 1
    return counts
