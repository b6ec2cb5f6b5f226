"""What needs the rules: the checks LOG-11 to LOG-15 of docs/log.md, and what a release would change in a match."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import StrEnum
from functools import cached_property
from typing import Any

import msgspec

from domain import clocks, matches, orders, play, refusals
from domain.catalogue import Catalogue
from domain.game import Refusal
from domain.happenings import OrderWithdrawn, PremoveGiven
from domain.matches import BY_CLOCK, NOT_ASKED, PLAYING, AnswersClosed, Finished, Match, RungSealed
from domain.play import Told
from events.chain import Stored
from events.store import StoreError, Streams
from replays.checking.proof import Fault, Lines
from replays.checking.redo import Again, Answers, Redo
from replays.files.format import ALL, BadFile, Export
from replays.log import FOREIGN, TRUTH, Log, OtherRules, private_stream

OF_ANSWERS = frozenset({"answers", "no-such-answer", "left-over"})
"""The codes of refusals which mean that events are wrong, rather than a move."""


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


def not_at_hand(game: str, version: int, match_id: str, catalogue: Catalogue) -> str:
    """Return the sentence that this version of the game's rules is not available; "" if it is."""
    room = catalogue.rooms.get(game)
    if room is None:
        return str(OtherRules("game", match=match_id, game=game, version=version))
    return "" if room.game.by(version) else str(OtherRules.of_version(match_id, version, room.game))


def faults(lines: Lines, catalogue: Catalogue) -> Iterator[Fault]:
    """Yield everything in the match, and in those that it continues, that the rules do not bring about; no places."""
    header = lines.header
    try:
        export = Export(lines.file, "the file")
        export.pack_for(catalogue)
    except BadFile as error:
        yield Fault(0, "rules", header.match, 0, str(error))
        return
    for stream in (header.match, *lines.parents):
        try:
            log = Log(export, stream, catalogue)
            log.need_own_rules()
        except FOREIGN as error:
            yield Fault(0, "rules", stream, 0, str(error))
            continue
        try:
            if header.viewer == ALL:
                # private logs belong to the file's own match
                yield from _played(log, is_parent=stream != header.match)
            else:
                yield from _seen(log)
        except _Unread as unread:
            yield _fault("rules", unread.stored, str(unread))


def _fault(check: str, stored: Stored, reason: str, clause: str = "") -> Fault:
    return Fault(0, check, stored.stream, stored.version, reason, clause)


def _seen(log: Log) -> Iterator[Fault]:
    """Check of a running match that what the viewer may see can be read and folded. Raises _Unread."""
    stored, state = log.store.read(log.id), None
    events = _decoded(log, stored)
    for seat in range(log.opening.seats):
        _Given(log, seat)
        _decoded(log, log.ordered(seat))
    for at, event in enumerate(events):
        try:
            state = matches.evolve(log.game, state, event) if state else matches.begin(log.game, log.pack.pack, event)
        except FOREIGN as error:
            yield _fault("rules", stored[at], f"it can't be folded: {type(error).__name__}: {error}")
            return


def _played(log: Log, *, is_parent: bool) -> Iterator[Fault]:
    """Check of a finished match that playing it again gives the same events. Raises _Unread.

    `is_parent`: the match goes on in the fork that the file is about, and its private logs are not there.
    """
    stored = log.store.read(log.id)
    events = _decoded(log, stored)
    given = [_Given(log, seat) for seat in range(0 if is_parent else log.opening.seats)]
    at, is_wrong = 0, False
    try:
        judge = _Judge(log, events, None if is_parent else {each.seat: each.answers for each in given})
        for fault in judge.opening():
            is_wrong = True
            yield fault
        for piece in judge.redo.steps():
            for fault in (*judge.piece(piece), *judge.closed(piece, given)):
                is_wrong = True
                yield fault
            at = piece.end
    except FOREIGN as error:
        # after an event that differs the rules may fail on those that follow
        if not is_wrong:
            check = "move" if matches.begins_move(events[at]) else "rules"
            yield _fault(check, stored[at], f"the rules can't make it: {type(error).__name__}: {error}")
        return
    if is_parent and judge.redo.state.status is not PLAYING:
        yield _fault("move", stored[-1], "no match goes on from here: nobody was asked")
    for private in given:
        yield from judge.left(private)
        yield from judge.orders(private.seat)


def validate(store: Streams, match_id: str, catalogue: Catalogue) -> Verdict:
    """Play a match again with the rules at hand, whichever version of them it was played by. Nothing is proved here.

    Its secrets must be known: it is in a store, or in an export of a match that is over.
    """
    try:
        log = Log(store, match_id, catalogue)
    except (StoreError, *FOREIGN) as error:
        return Verdict(match_id, "", 0, 0, Kind.UNREADABLE, 0, Difference(1, "", _line(error)))
    facts = list(log.store.facts(log.id))
    heading = (log.id, log.opening.game, log.opening.version, log.game.version)
    try:
        events = log.codec.decode_all(facts)
        private = {seat: log.store.facts(private_stream(log.id, seat)) for seat in range(log.opening.seats)}
        answers = {
            seat: log.codec.decode_all(fact for fact in stream if fact[0] == matches.SEALED)
            for seat, stream in private.items()
        }
        kind = Kind.SAME if all(log.codec.is_current(*kind) for kind in {fact[:2] for fact in facts}) else Kind.UPCAST
    except (StoreError, *FOREIGN) as error:
        return Verdict(*heading, Kind.UNREADABLE, len(facts), Difference(_unread(log), "", _line(error)))
    at = 0
    try:
        judge = _Judge(log, events, answers)
        for piece in judge.redo.steps():
            at = piece.end
            if not piece.is_same and (fault := next(judge.piece(piece), None)) is not None:
                difference = Difference(fault.version, fault.clause, fault.reason)
                return Verdict(*heading, Kind.DIFFERING, len(facts), difference)
    except FOREIGN as error:
        kind = Kind.DIFFERING if _folds(log) else Kind.UNREADABLE
        return Verdict(*heading, kind, len(facts), Difference(at + 1, "", _line(error)))
    return Verdict(*heading, kind, len(facts))


class _Unread(Exception):
    """An event that can't be read."""

    def __init__(self, stored: Stored, error: Exception) -> None:
        super().__init__(str(error))
        self.stored = stored


class _Given:
    """The content of a seat's private log, as far as it is known."""

    def __init__(self, log: Log, seat: int) -> None:
        """Read the log. Raises _Unread."""
        self.seat = seat
        self.stored = log.answers(seat)
        self.answers = _decoded(log, self.stored)
        rungs = [event for event in log.store.read(private_stream(log.id, seat)) if log.is_rung(event)]
        self.rungs: list[list[tuple[RungSealed, Stored]]] = [[] for _ in range(len(self.answers) + 1)]
        """The deadlines before each answer, and those after the last."""
        for rung, event in zip(_decoded(log, rungs), rungs, strict=True):
            self.rungs[sum(answer.version < event.version for answer in self.stored)].append((rung, event))


def _decoded(log: Log, events: Iterable[Stored]) -> list[Any]:
    """Return the typed events of a stream. Raises _Unread."""
    decoded = []
    for stored in events:
        try:
            decoded.append(log.decoded(stored))
        except FOREIGN as error:
            raise _Unread(stored, error) from error
    return decoded


class _Judge:
    """Compares a match's stream with what the rules make of it."""

    def __init__(self, log: Log, events: list[Any], answers: Answers | None) -> None:
        """Begin to play the match again. Raises any of FOREIGN."""
        self._log, self._events = log, events
        self.redo = Redo(log.game, log.pack.pack, events, answers)

    @cached_property
    def _stored(self) -> tuple[Stored, ...]:
        return self._log.store.read(self._log.id)

    def opening(self) -> Iterator[Fault]:
        """Check that a match can be opened this way."""
        opened, game, first = self._events[0], self._log.game, self._stored[0]
        if opened.seats not in game.seats:
            yield _fault("move", first, f"{game.slug} is not played with {opened.seats} seats")
        try:
            game.check_options(opened.options, opened.seats, self._log.pack.pack)
        except Refusal as error:
            yield self._refused(error, first)
        for event, stored in zip(self._events[:2], self._stored[:2], strict=True):
            if isinstance(event, matches.Opened | matches.Forked):
                yield from self._unlike(Told(event, "service", 0), stored)

    def piece(self, piece: Again) -> Iterator[Fault]:
        """Check one append: yield the first thing in which it differs from what the rules make."""
        if piece.refusal is not None:
            check = "events" if piece.refusal.code in OF_ANSWERS else "move"
            yield self._refused(piece.refusal, self._stored[piece.at], check)
            return
        for index, entry in enumerate(piece.told):
            at = piece.at + index
            if at >= piece.end:
                reason = f"a {type(entry.event).__name__} should follow"
                yield _fault(_check_of(entry.event), self._stored[piece.end - 1], reason)
                return
            event, check = self._events[at], "events"
            if isinstance(event, Finished) and isinstance(entry.event, Finished):
                check = "result"
            elif event != entry.event and self.redo.depends_on_chance(piece, index):
                check = "chance"
            if differences := list(self._unlike(entry, self._stored[at], check)):
                yield from differences
                return
        if (at := piece.at + len(piece.told)) < piece.end:
            event = self._events[at]
            yield _fault(_check_of(event), self._stored[at], f"a {type(event).__name__} that no move brought about")

    def closed(self, piece: Again, given: list[_Given]) -> Iterator[Fault]:
        """Check the private events that a closing has used: who gave the answers and when, and their deadlines."""
        first = self._events[piece.at]
        if piece.refusal is not None or not isinstance(first, AnswersClosed):
            return
        for private in given:
            answer, number = first.answers[private.seat], self.redo.taken[private.seat]
            if answer is not None and answer.answer != NOT_ASKED:
                yield from self._answer(piece.before, private, number)
                yield from self._rungs(piece.before, private, number)

    def left(self, private: _Given) -> Iterator[Fault]:
        """Check the private events that no closing has used: they must belong to the decision that was open last."""
        taken, rest = self.redo.taken[private.seat], self.redo.rest
        for number, answer in enumerate(private.stored[taken:], taken):
            try:
                self.redo.judge(private.seat, private.answers[number])
            except (Refusal, *FOREIGN) as error:
                yield self._refused(error, answer)
            else:
                yield from self._answer(rest, private, number)
        for number in range(taken, len(private.rungs)):
            yield from self._rungs(rest, private, number, is_answered=number > taken)

    def _answer(self, state: Match[Any], private: _Given, number: int) -> Iterator[Fault]:
        event = private.answers[number]
        actor = play.CLOCK if event.cause is BY_CLOCK else f"seat:{private.seat}"
        yield from self._unlike(Told(event, actor, state.moves + 1), private.stored[number])

    def _rungs(self, state: Match[Any], private: _Given, number: int, *, is_answered: bool = False) -> Iterator[Fault]:
        """Check the deadlines before the answer of that number: there is at most one."""
        for at, (rung, stored) in enumerate(private.rungs[number]):
            try:
                if at or is_answered:
                    raise Refusal("", "deadline-set", seat=private.seat)
                clocks.check_rung(self._log.game, state, private.seat, rung)
            except (Refusal, *FOREIGN) as error:
                yield self._refused(error, stored)
            else:
                yield from self._unlike(Told(rung, play.CLOCK, state.moves + 1), stored)

    def orders(self, seat: int) -> Iterator[Fault]:
        """Check that the seat's orders are possible in this game, are counted from 1, and end once."""
        standing: orders.Standing = {}
        given = 0
        for stored in self._log.ordered(seat):
            try:
                (event,) = _decoded(self._log, [stored])
                if isinstance(event, OrderWithdrawn):
                    again: Any = orders.withdraw(standing, event.order)
                else:
                    after = event.after if isinstance(event, PremoveGiven) else None
                    if after is not None and not 0 < after <= self._log.store.head(self._log.id).version:
                        raise Refusal("", "premove-after", after=after)
                    again = orders.give(self._log.game, standing, given, event.rule, after)
                    given += 1
            except _Unread as unread:
                yield _fault("rules", unread.stored, str(unread))
                return
            except Refusal as error:
                yield self._refused(error, stored)
                return
            yield from self._unlike(orders.told(again, seat), stored)
            standing = orders.evolve(standing, event)

    def _refused(self, error: Exception, stored: Stored, check: str = "move") -> Fault:
        if isinstance(error, Refusal):
            return _fault(check, stored, refusals.say(self._log.game, error, "en"), error.clause)
        return _fault(check, stored, str(error))

    def _unlike(self, entry: Told, stored: Stored, check: str = "events") -> Iterator[Fault]:
        """Check that the stored event is the one of the rules: to the byte, or for an older schema by value."""
        codec = self._log.codec
        draft, reason = codec.encode(entry.event, entry.actor, entry.move), ""
        if (stored.type, stored.schema) != (draft.type, draft.schema):
            if self._log.decoded(stored) != entry.event:
                reason = f"{stored.type} stands where {draft.type} belongs"
        elif stored.public != draft.public:
            reason = _difference(stored.public, draft.public)
        elif stored.secret != draft.secret:
            reason = _difference(stored.secret, draft.secret)
        if not reason and stored.actor != draft.actor:
            reason, check = f"the actor is {stored.actor}, and {draft.actor} by the rules", "events"
        if not reason and stored.move != draft.move:
            reason, check = f"it belongs to move {stored.move}, and to {draft.move} by the rules", "events"
        if reason:
            yield _fault(check, stored, reason)


def _check_of(event: object) -> str:
    return "result" if isinstance(event, Finished) else "events"


def _difference(stored: bytes, expected: bytes) -> str:
    """Return a sentence about the first field that differs."""
    ours, theirs = msgspec.json.decode(expected), msgspec.json.decode(stored)
    for name in sorted({*ours, *theirs}):
        if ours.get(name) != theirs.get(name):
            return f"{name} is {_short(theirs.get(name))}, and {_short(ours.get(name))} by the rules"
    return "it is written in another way"


def _short(value: object) -> str:
    text = msgspec.json.encode(value).decode()
    return text if len(text) <= 120 else f"{text[:117]}..."


def _unread(log: Log) -> int:
    """Return the version of the first event that can't be read; 0 if there is none."""
    try:
        _decoded(log, log.store.read(log.id))
    except _Unread as unread:
        return unread.stored.version
    return 0


def _folds(log: Log) -> bool:
    try:
        log.fold(TRUTH)
    except FOREIGN:
        return False
    return True


def _line(error: BaseException) -> str:
    return " ".join(f"{type(error).__name__}: {error}".split())
