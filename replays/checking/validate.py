"""Plays stored matches again with the code at hand, to show what a release would change.

Nothing is proved here (see `audit`): the rules judge every match, whichever version of them it was played by.
"""

from __future__ import annotations

from enum import StrEnum
from operator import itemgetter
from typing import Any

import msgspec

from domain import matches, refusals
from domain.catalogue import Catalogue
from domain.game import Game
from events.codec import UnknownEvent, Unreadable
from events.store import StoreError
from replays.checking.redo import Again, Redo
from replays.log import FOREIGN, TRUTH, Log, OtherRules, Streams, UnknownMatch, private_stream

_KIND = itemgetter(0, 1)
"""Takes the type and the schema of a fact."""


class Kind(StrEnum):
    """What playing a match again showed."""

    SAME = "same"
    """The rules make the same events."""
    UPCAST = "upcast"
    """The rules make the same events, some of which are stored by older schemas."""
    DIFFERING = "differing"
    """The rules make other events."""
    UNREADABLE = "unreadable"
    """The log can't be folded with the code at hand."""


class Difference(msgspec.Struct, frozen=True):
    """The first place where the events differ."""

    version: int
    clause: str
    """Of the rules, if they refuse a move."""
    reason: str


class Verdict(msgspec.Struct, frozen=True):
    """The result for one match."""

    match_id: str
    game: str
    rules: int
    """The version of the rules that the match is played by; 0 if it can't be read."""
    at_hand: int
    """The version of the rules at hand; 0 if there is none."""
    kind: Kind
    events: int
    first: Difference | None = None

    @property
    def is_fault(self) -> bool:
        """Whether this is an error: matches of another version of the rules may differ."""
        return self.kind is Kind.UNREADABLE or (self.kind is Kind.DIFFERING and self.rules == self.at_hand)


def validate(store: Streams, match_id: str, catalogue: Catalogue) -> Verdict:
    """Play the match again. Its secrets must be known: it is in a store, or in an export of a match that is over."""
    try:
        log = Log(store, match_id, catalogue)
    except (OtherRules, StoreError, UnknownMatch, Unreadable, *FOREIGN) as error:
        return Verdict(match_id, "", 0, 0, Kind.UNREADABLE, 0, Difference(1, "", _line(error)))
    facts = list(log.store.facts(log.id))
    heading = (log.id, log.opening.game, log.opening.version, log.game.version)
    try:
        events = log.codec.decode_all(facts)
        answers = {seat: _private(log, seat) for seat in range(log.opening.seats)}
        kind = Kind.SAME if all(log.codec.is_current(*kind) for kind in set(map(_KIND, facts))) else Kind.UPCAST
    except (StoreError, UnknownEvent, Unreadable, *FOREIGN) as error:
        return Verdict(*heading, Kind.UNREADABLE, len(facts), Difference(_unread(log, facts), "", _line(error)))
    redo = Redo(log.game, log.pack.pack, events, answers)
    at = 0
    try:
        for piece in redo.steps():
            at = piece.end
            if not piece.is_same and (difference := _difference(log.game, events, piece)) is not None:
                return Verdict(*heading, Kind.DIFFERING, len(facts), difference)
    except FOREIGN as error:
        if not _folds(log):
            return Verdict(*heading, Kind.UNREADABLE, len(facts), Difference(at + 1, "", _line(error)))
        return Verdict(*heading, Kind.DIFFERING, len(facts), Difference(at + 1, "", _line(error)))
    return Verdict(*heading, kind, len(facts))


def _private(log: Log, seat: int) -> list[Any]:
    facts = log.store.facts(private_stream(log.id, seat))
    return log.codec.decode_all(fact for fact in facts if fact[0] == matches.SEALED)


def _unread(log: Log, facts: list[Any]) -> int:
    """Return the version of the first event that can't be read."""
    for version, fact in enumerate(facts, 1):
        try:
            log.codec.decode_all([fact])
        except (UnknownEvent, Unreadable, *FOREIGN):
            return version
    return 0


def _folds(log: Log) -> bool:
    try:
        log.fold(TRUTH)
    except FOREIGN:
        return False
    return True


def _difference(game: Game[Any, Any, Any], events: list[Any], piece: Again) -> Difference | None:
    if piece.refusal is not None:
        return Difference(piece.at + 1, piece.refusal.clause, refusals.say(game, piece.refusal, "en"))
    at = piece.at
    for entry in piece.told:
        if at >= piece.end:
            return Difference(at, "", f"a {type(entry.event).__name__} would follow")
        if entry.event != events[at]:
            return Difference(at + 1, "", _unlike(events[at], entry.event))
        at += 1
    if at < piece.end:
        return Difference(at + 1, "", f"a {type(events[at]).__name__} would not be told")
    return None


def _unlike(stored: Any, expected: Any) -> str:
    if type(stored) is not type(expected):
        return f"a {type(expected).__name__} would stand where a {type(stored).__name__} does"
    for name in stored.__struct_fields__:
        if getattr(stored, name) != getattr(expected, name):
            return f"{name} is {getattr(stored, name)!r}, and would be {getattr(expected, name)!r}"
    raise AssertionError("they were found to be different")


def _line(error: BaseException) -> str:
    return " ".join(f"{type(error).__name__}: {error}".split())
