"""What a start checks and puts right: whether the rules are there, logs that came in meanwhile, and open decisions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from contextlib import closing, suppress
from typing import Annotated

import msgspec
import structlog

from domain import matches
from domain.catalogue import Catalogue
from domain.matches import HANDED_OVER, Cause
from events import stores
from events.chain import Stored
from events.codec import UnknownEvent, Unreadable
from events.queries import StoreOlder
from events.store import (
    Append,
    Reader,
    Row,
    StaleVersion,
    Statement,
    Store,
    StoreError,
    StoreNewer,
    StoreUnusable,
    Write,
)
from replays.files.exports import forked_from
from replays.log import FOREIGN, TRUTH, OtherRules, rules_of, status_of
from service.matches.states import Lobby, States, owed
from service.store import PRIVATE, PUBLIC, Chair, Conduct, Ended, Entry, listing, lobby, logs, results, schema

logger = structlog.get_logger(__name__)

AT_ONCE = 256
"""The number of matches whose decisions are opened or closed in one commit."""

Progress = Callable[[], object]
"""Called for each match that was examined."""

INSTEAD = (
    "play them out or break them off with the release that they were opened with, or start with an empty folder and"
    " import them when they are over; or take the store over by FOLDTABLE_TAKE_OVER=1: they can then be looked at,"
    " exported and broken off, but not played on"
)
"""What an operator can do about matches whose rules are not available."""

PLAYED = "played"
MOVES = frozenset({"match/MoveMade", "match/AnswersClosed"})
RESIGNED = frozenset({"match/SeatResigned", "match/MatchConceded"})
PASSED = "match/SeatPassedOn"


class _Heading(msgspec.Struct, frozen=True):
    """The part of an opening event that needs no rules."""

    game: str
    version: int
    seats: Annotated[int, msgspec.Meta(ge=1, le=100)]


def take_stock(recorder: Store, catalogue: Catalogue, found: Lobby, states: States, progress: Progress) -> None:
    """Put everything right. Called once by each process before it serves; other processes may be serving."""
    adopt(recorder, found, progress)
    note_endings(recorder, progress)
    close_decisions(recorder, catalogue, progress)
    open_decisions(recorder, catalogue, found, states, progress)


def adopt(recorder: Store, found: Lobby, progress: Progress) -> None:
    """Enter the matches that were imported or forked by commands: everybody may see them and, if open, join them.

    A fork of a private match is for those who may see that one, and its seats are reserved for those who sat there.
    """
    entries: dict[str, Entry] = {}
    for match_id, kind, at, public in logs.strangers(recorder):
        progress()
        try:
            opening = msgspec.json.decode(public, type=_Heading)
        except msgspec.DecodeError:
            opening = None
        if opening is None or kind != matches.OPENED:
            logger.warning("a log can't be read", match=match_id)
            continue
        entries[match_id] = Entry(
            id=match_id,
            game=opening.game,
            status=status_of(recorder, match_id),
            visibility=PUBLIC,
            creator=None,
            created=at,
            chairs=tuple(Chair(seat) for seat in range(opening.seats)),
        )
    if entries:
        hide(entries, recorder, found)
        statements = [
            statement
            for entry in entries.values()
            for statement in listing.keep(entry.id, lobby.adopt(entry), is_new=True)
        ]
        recorder.write(statements)
        logger.info("adopted", matches=len(entries))


def hide(entries: dict[str, Entry], recorder: Store, found: Lobby) -> None:
    """Make those matches private that continue a private one, also through others of the new matches."""
    parents = {match_id: _parent(recorder, match_id) for match_id in entries}
    for match_id in tuple(entries):
        line, origin = [match_id], parents[match_id]
        while origin in entries and origin not in line:
            line.append(origin)
            origin = parents[origin]
        above = found.find(origin) if origin is not None else None
        if above is None or above.visibility == PUBLIC:
            continue
        for fork in reversed(line):
            entries[fork] = above = _kept_as(entries[fork], above)


def _parent(recorder: Store, match_id: str) -> str | None:
    try:
        forked = forked_from(recorder.read(match_id, 1, 1))
    except msgspec.DecodeError:
        return None  # the error is shown to whoever looks at the match
    return None if forked is None else forked.parent


def _kept_as(entry: Entry, parent: Entry) -> Entry:
    """Return the fork of a private match with its seats reserved for the players of the parent's."""
    whose = {chair.seat: chair.player or chair.reserved for chair in parent.chairs}
    return msgspec.structs.replace(
        entry,
        visibility=PRIVATE,
        creator=parent.creator,
        chairs=tuple(msgspec.structs.replace(chair, reserved=whose.get(chair.seat)) for chair in entry.chairs),
    )


def close_decisions(recorder: Store, catalogue: Catalogue, progress: Progress) -> None:
    """Ask nobody in matches whose rules are not available: no answer could be judged, and bots would try for ever."""
    lost: list[Append] = []
    for match_id, public in logs.asked(recorder):
        progress()
        # a match that can't be read is left as it is; the error is shown to whoever looks at it
        if _is_playable(match_id, public, catalogue) is False:
            lost.append(Append(match_id, (), decisions=()))
            logger.warning("a match can't be played on by the rules at hand", match=match_id)
    _append_all(recorder, lost, progress)


def open_decisions(recorder: Store, catalogue: Catalogue, found: Lobby, states: States, progress: Progress) -> None:
    """Ask again in matches whose rules are available again. No other match is folded."""
    asked: list[Append] = []
    for match_id, public in logs.idle(recorder):
        progress()
        try:
            entry = found.find(match_id) if _is_playable(match_id, public, catalogue) else None
            if entry is None:
                continue
            log = states.log(match_id)
            truth = states.folded(log, TRUTH)
            decisions = owed(log.game, log.on_top(truth, TRUTH), entry)
        except (Unreadable, UnknownEvent, *FOREIGN) as error:
            logger.warning("a match can't be played on", match=match_id, error=str(error))
            continue
        asked.append(Append(match_id, (Write(match_id, truth.version),), decisions=decisions))
    _append_all(recorder, asked, progress)


def _append_all(recorder: Store, appends: list[Append], progress: Progress) -> None:
    for start in range(0, len(appends), AT_ONCE):
        for result in recorder.append_all(appends[start : start + AT_ONCE]):
            progress()
            # another process may be serving and have changed the match
            if isinstance(result, BaseException) and not isinstance(result, StaleVersion):
                raise result


def _is_playable(match_id: str, public: bytes, catalogue: Catalogue) -> bool | None:
    """Return whether the match's version of the rules is available; None if its opening event can't be read."""
    try:
        opening, game, _ = rules_of(match_id, public, catalogue)
    except OtherRules:
        return False
    except Unreadable:
        return None
    return opening.version == game.version


class RulesGone(StoreUnusable):
    """Running matches of the store need versions of rules that are not available; nothing has been changed."""


def check_rules(url: str, catalogue: Catalogue, *, may_take_over: bool) -> None:
    """Refuse a store with decisions in matches that can't be played on, before anything is written to it.

    Shape:   `may_take_over`: don't refuse, but log a warning. From then on nobody is asked in such matches
             (`close_decisions`), so that the store is not refused again.
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
    line = f"{stores.name_of(url)}: {say_counts(counts)}"
    if not may_take_over:
        raise RulesGone(f"{line}; {INSTEAD}")
    logger.warning(line)


def running_without_rules(reader: Reader, catalogue: Catalogue) -> Counter[str]:
    """Return how many running matches can't be played on, by the rules that they need, also where nobody is asked."""
    rows: dict[str, bytes] = dict(logs.asked(reader))
    with suppress(StoreError):  # a store that no service has opened yet has no lobby
        rows.update(logs.played(reader))
    return _without_rules(rows.items(), catalogue)


def say_counts(counts: Counter[str]) -> str:
    """Return the counts as a sentence."""
    many = counts.total()
    which = ", ".join(f"{rules}: {count}" for rules, count in sorted(counts.items()))
    return f"{many} running {'match' if many == 1 else 'matches'} can't be played on by the rules at hand ({which})"


def _without_rules(rows: Iterable[Row], catalogue: Catalogue) -> Counter[str]:
    """Count the matches (id, public part of the opening event) without rules, by game and version."""
    counts: Counter[str] = Counter()
    for _, public in rows:
        with suppress(msgspec.DecodeError):
            opened = msgspec.json.decode(public, type=_Heading)
            room = catalogue.rooms.get(opened.game)
            if room is None or room.game.by(opened.version) is None:
                counts[f"{opened.game} {opened.version}"] += 1
    return counts


class _End(msgspec.Struct, frozen=True):
    points: tuple[int, ...] = ()
    ranking: tuple[int, ...] = ()
    reason: str = PLAYED


class _OfSeat(msgspec.Struct, frozen=True):
    seat: int
    cause: str = ""
    reason: str = ""


def ended_in(log: Sequence[Stored]) -> Ended | None:
    """Return how a match ended, given its log, without needing its rules; None if the log can't be read."""
    try:
        end = msgspec.json.decode(log[-1].public, type=_End)
        seats = msgspec.json.decode(log[0].public, type=_Heading).seats
        conducts = _conducts(log, seats)
    except (msgspec.DecodeError, IndexError):
        return None
    if log[-1].type not in matches.LAST or not {len(end.points), len(end.ranking)} <= {0, seats}:
        return None
    made = [event for event in log if event.type in MOVES]
    return Ended(
        at=log[-1].at,
        how=end.reason,
        moves=log[-1].move,
        moved=made[-1].at if made else None,
        points=end.points,
        ranking=end.ranking,
        conducts=conducts,
    )


def _conducts(log: Iterable[Stored], seats: int) -> tuple[Conduct, ...]:
    by_clock: Counter[int] = Counter()
    resigned: set[int] = set()
    handed: list[tuple[int, str]] = []
    for event in log:
        if event.type not in {"match/MoveMade", *RESIGNED, HANDED_OVER, PASSED}:
            continue
        data = msgspec.json.decode(event.public, type=_OfSeat)
        by_clock[data.seat] += data.cause == Cause.CLOCK
        if event.type in RESIGNED:
            resigned.add(data.seat)
        elif event.type in {HANDED_OVER, PASSED}:
            handed.append((data.seat, data.reason or "passed"))
    return results.conducts(seats, resigned, by_clock, handed)


def note_endings(recorder: Store, progress: Progress) -> None:
    """Note how matches ended that were over when they came into the store."""
    beside: list[Statement] = []
    # in one order, so that processes that start at once don't wait for each other's rows
    for number, match_id in enumerate(sorted(results.untold(recorder)), 1):
        progress()
        ended = ended_in(recorder.read(match_id))
        if ended is None:
            logger.warning("how a match ended can't be read", match=match_id)
        else:
            beside += listing.keep(match_id, results.end(match_id, ended))
        if number % AT_ONCE == 0:
            recorder.write(beside)
            beside.clear()
    if beside:
        recorder.write(beside)
