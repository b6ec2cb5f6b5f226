"""Matches as the service knows them: folded states, kept and brought up to date; positions; and who may see what."""

from __future__ import annotations

from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable, Hashable, Iterable, Sequence
from threading import Lock
from typing import Any, Generic, TypeVar

import msgspec
from cachetools import LRUCache

from domain import matches
from domain.catalogue import Catalogue
from domain.deadlines import Due
from domain.game import Lang, Refusal
from domain.matches import Match
from domain.play import Told
from domain.secrecy import redact
from events.chain import Head
from events.store import Decision, Fact, Recorder, Write
from replays.log import TRUTH, Log, Viewer
from service import clock
from service.accounts import ADMIN, BOT, PLAY, READ, Asker
from service.problems import Forbidden, Malformed, Unknown, unknown_match
from service.signing import digest
from service.store import NEWEST, PUBLIC, RULES, Chair, Entry, Statement, Terms, Wanted, listing, lobby

STATES = 2048
"""The number of folded states that are kept; one takes at most 64 KiB."""

LOGS = 512

TAIL = 64
"""The most events in a position's tail: in a match of few seats each is asked again within that number."""

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")
R = TypeVar("R")


class Recent(Generic[K, V]):
    """A cache that drops the entry that was used longest ago when it is full. Any thread may use it."""

    def __init__(self, size: int, weigh: Callable[[V], float] | None = None) -> None:
        """Keep entries of at most this size in all. `weigh` returns the size of a value; without it each counts 1."""
        self._values: LRUCache[K, V] = LRUCache(size, weigh)
        self._lock = Lock()

    def __len__(self) -> int:
        return len(self._values)

    def get(self, key: K) -> V | None:
        """Return the value of the key, or None if it is not kept."""
        with self._lock:
            return self._values.get(key)

    def get_or(self, key: K, make: Callable[[], V]) -> V:
        """Return the value of the key; `make` returns it if it is not kept."""
        value = self.get(key)
        if value is None:
            value = make()
            self.put(key, value)
        return value

    def drop(self, key: K) -> None:
        """Remove the key, if it is kept."""
        with self._lock:
            self._values.pop(key, None)

    def put(self, key: K, value: V) -> None:
        """Keep the value. Raises ValueError if it alone is larger than the cache."""
        with self._lock:
            self._values[key] = value


class Position(msgspec.Struct, frozen=True):
    """A match as the service knows it, all of it at one version of the match's log."""

    log: Log
    entry: Entry
    """Who sits where; it may be later than the version if that is stale."""
    truth: Match[Any]
    """The fold of the log, without sealed answers."""
    head: Head
    """The end of the log."""
    tail: tuple[Told, ...] = ()
    """The latest events, none or some, so that they need not be read back."""
    facts: tuple[Fact, ...] = ()
    """The same events, as the store has them."""

    def missing(self, version: int) -> int | None:
        """Return how many of the latest events follow that version; None if they are not all in the tail."""
        missing = self.truth.version - version
        return missing if 0 <= missing <= len(self.tail) else None

    def check_running(self) -> None:
        """Raise Refusal if the match is over."""
        if self.truth.is_over:
            raise Refusal("", f"match-{self.truth.status}")

    def check_played(self) -> None:
        """Raise Refusal if the match has not started or is over, OtherRules if its rules are not at hand."""
        if self.truth.status is not matches.PLAYING:
            raise Refusal("", f"match-{self.truth.status}")
        self.log.need_own_rules()

    def played_seat(self, asker: Asker) -> int:
        """Return the seat of an asker who plays and has not given it up. Raises Forbidden, Refusal, OtherRules."""
        seat = own_seat(self.entry, asker)
        self.check_played()
        if self.entry.chairs[seat].resigned:
            raise Refusal("", "resigned", seat=seat)
        return seat

    def after(self, entries: Iterable[Told]) -> Match[Any]:
        """Return the match after these further events."""
        return matches.fold(self.log.game, self.truth, [entry.event for entry in entries])

    def told(self, entries: tuple[Told, ...], *beside: Statement, chairs: tuple[Chair, ...] | None = None) -> Outcome:
        """Return the outcome of these further events. `chairs`: who sits where then, if that changes."""
        return Outcome(told=entries, after=self.after(entries), chairs=chairs, beside=beside)


class States:
    """What each viewer knows of each match, from the match's log alone."""

    def __init__(self, recorder: Recorder, catalogue: Catalogue, *, states: int = STATES, logs: int = LOGS) -> None:
        self._recorder = recorder
        self._catalogue = catalogue
        self._states: Recent[tuple[str, Viewer], Match[Any]] = Recent(states)
        self._logs: Recent[str, Log] = Recent(logs)
        self._positions: Recent[str, Position] = Recent(logs)

    def log(self, match_id: str) -> Log:
        """Return the match's log with its rules. Raises UnknownMatch, OtherRules, Unreadable."""
        return self._logs.get_or(match_id, lambda: Log(self._recorder, match_id, self._catalogue))

    def folded(self, log: Log, viewer: Viewer) -> Match[Any]:
        """Return what the viewer knows now, without sealed answers."""
        key = (log.id, viewer)
        before = self._states.get(key)
        state = log.fold(viewer, before)
        if before is not None and state.version == before.version:
            return before
        self._states.put(key, state)
        return state

    def known(self, log: Log, viewer: Viewer) -> Match[Any]:
        """Return what the viewer knows now, with the sealed answers that they know."""
        return log.on_top(self.folded(log, viewer), viewer)

    def at_hand(self, match_id: str) -> Position | None:
        """Return the position that was kept last, which may be stale; None if none is. Only of running matches."""
        return self._positions.get(match_id)

    def keep(self, position: Position, *, at_hand: bool = True) -> None:
        """Keep a position that was reached by events just stored; without `at_hand` only its truth."""
        log, truth = position.log, position.truth
        before = self._states.get((log.id, TRUTH))
        if before is None or truth.version > before.version:
            self._states.put((log.id, TRUTH), truth)
        if at_hand and truth.status is matches.PLAYING:
            self._positions.put(log.id, position)
        else:
            self._positions.drop(log.id)

    def seen(self, position: Position, seat: int) -> Match[Any]:
        """Return what the seat knew at the position, from the tail if possible, else read from the store."""
        log = position.log
        before = self._states.get((log.id, seat))
        if before is None or (missing := position.missing(before.version)) is None:
            return self.folded(log, seat)
        return self.tell(log, seat, before, position.tail[-missing:]) if missing else before

    def tell(self, log: Log, seat: int, before: Match[Any], entries: tuple[Told, ...]) -> Match[Any]:
        """Return what the seat knows after these events, which were just stored and so need not be read back."""
        after = matches.fold(log.game, before, [redact(entry.event, seat) for entry in entries])
        known = self._states.get((log.id, seat))
        if known is None or after.version > known.version:
            self._states.put((log.id, seat), after)
        return after


class Outcome(msgspec.Struct, frozen=True, kw_only=True):
    """What is to be stored for a match. Without events it only demands that the match's log still ends where it did."""

    told: tuple[Told, ...] = ()
    """Events for the match's log."""
    after: Match[Any] | None = None
    """The match after these events, with the known sealed answers added; None if nobody is asked anew."""
    private: tuple[Write, ...] = ()
    """For private logs: an answer, and where the other logs must end for it to be the last answer, or not."""
    chairs: tuple[Chair, ...] | None = None
    """Who sits where then; None if that does not change."""
    beside: tuple[Statement, ...] = ()
    """Statements on the service's own tables, for the same transaction."""


def check_seat(entry: Entry, seat: int) -> None:
    """Raise Unknown if the match does not have the seat."""
    if not 0 <= seat < len(entry.chairs):
        raise Unknown("unknown-seat", seat=seat, seats=len(entry.chairs))


def seat_of(entry: Entry, asker: Asker) -> int | None:
    """Return the asker's seat; None if they have none."""
    if not asker.player:
        return None
    return next((chair.seat for chair in entry.chairs if chair.player == asker.player), None)


def chairs_with(entry: Entry, seat: int, **changes: Any) -> tuple[Chair, ...]:
    """Return the match's seats after these changes of one of them."""
    return tuple(msgspec.structs.replace(chair, **changes) if chair.seat == seat else chair for chair in entry.chairs)


def own_seat(entry: Entry, asker: Asker) -> int:
    """Return the asker's seat. Raises Forbidden if they have none."""
    if (seat := seat_of(entry, asker)) is None:
        raise Forbidden("not-seated")
    return seat


def is_open_to(entry: Entry, asker: Asker) -> bool:
    """Return whether the asker may know of the match."""
    if entry.visibility == PUBLIC or (entry.link is not None and asker.link == (entry.id, entry.link)):
        return True
    if not asker.player:
        return False
    if asker.may(ADMIN):
        return True
    if asker.may(BOT):
        # what is over is reviewed for people, too
        return entry.is_over or any(chair.played_by is not None for chair in entry.chairs)
    theirs = {entry.creator, *(chair.player for chair in entry.chairs), *(chair.reserved for chair in entry.chairs)}
    return asker.player in theirs


def check_open_to(entry: Entry, asker: Asker) -> None:
    """Check that the asker may know of the match. Raises Unknown, as if there were none."""
    if not is_open_to(entry, asker):
        raise unknown_match(entry.id)


def viewpoint(entry: Entry, asker: Asker, wanted: int | None, *, any_when_over: bool = False) -> int | None:
    """Return the seat from which the asker looks or plays, None for none; `wanted` is the one that they named.

    Raises:  Unknown if there is no such seat; Forbidden if it is neither theirs nor that of a bot that they play.
    """
    if asker.player:
        asker.need(READ, PLAY, BOT)
    own = seat_of(entry, asker)
    if wanted is None or wanted == own:
        return own
    check_seat(entry, wanted)
    if asker.may(BOT) and entry.chairs[wanted].played_by is not None:
        return wanted
    if any_when_over and entry.is_over:
        return wanted
    raise Forbidden("not-your-seat", seat=wanted)


def check_asked_itself(chair: Chair, asker: Asker) -> None:
    """Raise Refusal if the asker's seat was given up, or if a bot plays for it."""
    if chair.player is None or chair.player != asker.player:
        return
    if chair.resigned:
        raise Refusal("", "resigned", seat=chair.seat)
    if chair.stand_in is not None:
        raise Refusal("", "handed-over", seat=chair.seat, bot=chair.stand_in)


class Lobby(lobby.Lobby):
    """Finds matches for an asker."""

    def entry(self, match_id: str, asker: Asker) -> Entry:
        """Return the match. Raises Unknown, also if the asker may not know of it."""
        if (entry := self.find(match_id)) is None:
            raise unknown_match(match_id)
        check_open_to(entry, asker)
        return entry

    def listed(self, asker: Asker, wanted: Wanted, cursor: str | None) -> tuple[tuple[Entry, ...], str | None]:
        """Return the newest matches that the asker may know of, and the cursor to older ones.

        A token that may neither read nor play lists what a stranger may. Raises Malformed, Unauthorized, Forbidden.
        """
        if wanted.mine:
            asker.need(READ, PLAY)
        me = asker.player if asker.may(READ) or asker.may(PLAY) else ""
        order = "opened" if wanted.since is None else "ended"
        wanted = msgspec.structs.replace(wanted, after=None if cursor is None else parse_cursor(order, cursor))
        entries = listing.page(self._store, me, wanted)
        page, more = page_of(order, entries, wanted.limit, lambda row: (row[0], row[1].id))
        return tuple(entry for _, entry in page), more

    def found(self, match_ids: Sequence[str]) -> dict[str, Entry]:
        """Return these matches by id, with their number of moves."""
        return listing.entries(self._store, match_ids)


def page_of(
    of: str, rows: Sequence[R], limit: int, place: Callable[[R], tuple[str, str]]
) -> tuple[tuple[R, ...], str | None]:
    """Return the first rows of a list, and the cursor to more; None if there are none.

    Shape:   `of`: the list's name; `place`: a row's place in it.
    """
    page = tuple(rows[:limit])
    return page, format_cursor(of, *place(page[-1])) if len(rows) > limit else None


def format_cursor(of: str, *key: str) -> str:
    """Return a place in a list as a text that is opaque to clients."""
    return urlsafe_b64encode("\n".join((of, *key)).encode()).decode().rstrip("=")


def parse_cursor(of: str, cursor: str | None) -> tuple[str, str]:
    """Return the place of a cursor of this list, or its beginning for None. Raises Malformed for any other text."""
    if cursor is None:
        return NEWEST
    try:
        name, moment, id = urlsafe_b64decode(cursor.encode() + b"=" * (-len(cursor) % 4)).decode().split("\n")
    except ValueError:
        name = ""
    if name != of:
        raise Malformed("malformed-cursor")
    return moment, id


class Look(msgspec.Struct, frozen=True):
    """A match as an asker may see it now."""

    entry: Entry
    log: Log
    seat: int | None
    """Where they sit, or the seat of the bot that they play; None for no seat."""
    reader: int | None
    """The seat whose secrets they may read, once the match has started.

    A seat that can still be left reads none, since a fork's cards are there before anybody sits down.
    """
    viewer: Viewer
    state: Match[Any]
    """What they know, with their own sealed answer added."""
    terms: Terms | None = None
    """The terms that the log does not hold; None if there is no clock, or they were not needed."""
    you: int | None = None
    """The seat that texts call "you"; None where all seats are named, as in replays, which others get too."""

    @property
    def decision(self) -> int | None:
        """Their open decision; None also if the rules are not the match's own and could only guess."""
        if self.seat is None or not self.is_playable:
            return None
        return matches.decision_of(self.log.game, self.state, self.seat) or None

    @property
    def is_playable(self) -> bool:
        """Whether the rules are the match's own version."""
        return self.log.has_own_rules

    def etag(self, lang: Lang) -> str:
        """Return a tag that changes whenever the answer does: it covers everything in the answer that can change."""
        seat = "" if self.seat is None else self.seat
        # names, wishes and reserved seats change without an event
        beside = digest(msgspec.json.encode(self.entry.chairs))[:16]
        known = f"{self.state.version}.{beside}.{'' if self.is_playable else 'other'}"
        return f"{seat}.{self.decision or ''}.{known}.{self.entry.rematch or ''}.{lang}"


AT_ONCE = "2000-01-01T00:00:00.000Z"
"""The deadline of a seat for which the rules play."""


def owed(game: Any, state: Match[Any], entry: Entry) -> tuple[Decision, ...]:
    """Return the open decisions for the store: one for each seat that owes an answer."""
    decisions = []
    for seat in matches.to_act(game, state):
        chair, since = entry.chairs[seat], matches.decision_of(game, state, seat)
        decisions.append(Decision(entry.id, seat, since, due_of(game, state, chair), chair.who))
    return tuple(decisions)


def due_of(game: Any, state: Match[Any], chair: Chair) -> str:
    """Return when the clock acts for a seat that owes an answer; "" for never, as in a pause or where a bot plays."""
    if state.clocks.is_paused or chair.played_by is not None:
        return ""
    if chair.who == RULES and not matches.is_sealed(game, state):
        return AT_ONCE
    return moment_of(matches.due_of(game, state, chair.seat))


def moment_of(deadline: Due | None) -> str:
    """Return the moment in the store's form; "" if there is none, or it is out of range."""
    try:
        return "" if deadline is None else clock.later(deadline.at, deadline.later)
    except (ValueError, OverflowError):
        return ""  # an imported log may hold any numbers
