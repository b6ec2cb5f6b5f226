"""Plays a log again: what the rules bring about, move by move, beside what the log has."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import StrEnum
from operator import itemgetter
from typing import Any

import msgspec

from domain import clocks, matches, play, refusals
from domain.catalogue import Catalogue
from domain.chance import Verifiable
from domain.game import Game, Refusal
from domain.matches import BY_CLOCK, NOT_ASKED, PLAYING, Answer, AnswersClosed, AnswerSealed, Match, Status
from domain.play import DecisionClosed, Dice, Told
from domain.secrecy import redact
from events.codec import UnknownEvent, Unreadable
from events.store import StoreError
from replays.log import FOREIGN, TRUTH, Log, OtherRules, Streams, UnknownMatch, private_stream

Answers = Mapping[int, Sequence[AnswerSealed[Any]]]
"""By seat: the answers in its private log, from the beginning."""

Outcome = tuple[tuple[Told, ...], Match[Any] | None]

ABORTED = Status.ABORTED
OTHER_SEEDS = tuple(letter.encode() for letter in "abcdefgh")


class Again(msgspec.Struct, frozen=True):
    """The events of one append, and what the rules make of them."""

    at: int
    """The index of the first event."""
    end: int
    """The index after the last event."""
    before: Match[Any]
    """The truth before it."""
    told: tuple[Told, ...]
    """The events of the rules; none if they refuse."""
    is_same: bool
    """Whether the rules make the log's events."""
    refusal: Refusal | None
    """Why the rules refuse the move."""


class Redo:
    """Plays a match again from its log."""

    def __init__(self, game: Game[Any, Any, Any], pack: Any, events: list[Any], answers: Answers | None) -> None:
        """Begin with the match's first event.

        Shape:   `events`: the log's, with all secrets. `answers`: None if the private logs are not available; then the
                 closings are taken as true.
        """
        self._game = game
        self._pack = pack
        self._events = events
        self._answers = answers
        self.taken = [0] * events[0].seats
        """By seat: how many events of its private log the closings have used."""
        self.state = self.rest = matches.begin(game, pack, events[0])
        """The truth after what was played again; `rest`: the same, but from before a piece that broke the match off."""
        self._roll: Dice | None = None
        self._seen: dict[int, Match[Any]] = {}
        """By seat: what it had been told, up to the last version that was needed."""

    def steps(self) -> Iterator[Again]:
        """Yield the log piece by piece. May raise anything that the rules raise for events which they did not make."""
        events, game, begins_move = self._events, self._game, matches.begins_move
        at, count = self._opening(), len(events)
        while at < count:
            before = self.state
            entries: tuple[Told, ...] = ()
            after = refusal = None
            try:
                entries, after = self._decide(before, events[at])
            except Refusal as error:
                refusal = error
            end = at + len(entries)
            is_same = (
                at < end
                and [entry.event for entry in entries] == events[at:end]
                and (end == count or begins_move(events[end]))
            )
            if not is_same:
                end = at + 1
                while end < count and not begins_move(events[end]):
                    end += 1
            yield Again(at, end, before, entries, is_same, refusal)
            if type(events[at]) is AnswersClosed:
                self._take(events[at])
            # if the events are the same, so is the state after them
            self.state = after if is_same and after is not None else matches.fold(game, before, events[at:end])
            self.rest = before if self.state.status is ABORTED else self.state
            at = end

    def _opening(self) -> int:
        """Fold the opening, with the table of a fork. Returns the index of the event after it."""
        events, end = self._events, 1
        if len(events) > 1 and isinstance(events[1], matches.Forked):
            while end < len(events) and not matches.begins_move(events[end]):
                end += 1
            self.state = matches.fold(self._game, self.state, events[1:end])
        return end

    def _dice(self, state: Match[Any]) -> Dice:
        """Return the match's chance, which does not change after the start."""
        if self._roll is None:
            self._roll = play.dice(state)
        return self._roll

    def _decide(self, state: Match[Any], first: Any, dice: Callable[[Match[Any]], Dice] | None = None) -> Outcome:
        """Return the events of the rules for a piece that begins with this event, and the truth after it if known.

        Raises:  Refusal.
        """
        game, dice = self._game, dice or self._dice
        match first:
            case matches.MoveMade(seat=seat, decision=decision, move=move, cause=cause):
                if state.status is not PLAYING:
                    raise Refusal("", f"match-{state.status}")
                outcome = play.played(game, state, seat, decision, move, dice(state), cause)
                if cause is BY_CLOCK:
                    clocks.check_time_runs(state)
                    clocks.check_default(game, self._told(seat, state.version), seat, move)
                return outcome
            case AnswersClosed(answers=answers):
                return play.closed(game, self._answered(state, answers), dice(state))
            case matches.SeatTaken(seat=seat, nonce=nonce):
                return play.take_seat(game, state, seat, nonce, dice), None
            case matches.SeatLeft(seat=seat):
                return play.leave_seat(state, seat), None
            case matches.Aborted(reason=reason):
                return play.abort(state, reason), None
            case _ if type(first) in matches.KEEPING:
                return _keep(game, state, first), None
            case _:
                raise Refusal("", "left-over", event=type(first).__name__)

    def _answered(self, state: Match[Any], answers: Sequence[Answer[Any] | None]) -> Match[Any]:
        """Return the truth with the sealed answers added, each judged as when it was given."""
        game = self._game
        asked = matches.to_act(game, state) if matches.is_sealed(game, state) else ()
        answering = {seat for seat, answer in enumerate(answers) if answer is not None and answer.answer != NOT_ASKED}
        if not asked or answering != set(asked) or len(answers) != len(state.taken):
            raise Refusal("", "answers", asked=asked, answered=tuple(sorted(answering)))
        after = state
        for seat in asked:
            answer = answers[seat]
            assert answer is not None
            event = self._sealed(state, seat, answer)
            entry = self._seal(state, seat, event)
            after = matches.answered(game, after, seat, entry.event, answer.sealed or "")
        return after

    def _sealed(self, state: Match[Any], seat: int, answer: Answer[Any]) -> AnswerSealed[Any]:
        """Return the private event that the closing names."""
        if self._answers is None:
            decision = matches.decision_of(self._game, state, seat)
            return AnswerSealed(decision=decision, answer=answer.answer, cause=matches.Cause.SEAT)
        given = self._answers.get(seat, ())
        if self.taken[seat] >= len(given):
            raise Refusal("", "no-such-answer", seat=seat)
        return given[self.taken[seat]]

    def judge(self, seat: int, answer: AnswerSealed[Any]) -> None:
        """Check that an answer which no closing has used answers a decision that was open last. Raises Refusal."""
        state = self.rest
        if not matches.is_sealed(self._game, state):
            raise DecisionClosed(0)
        self._seal(state, seat, answer)

    def _seal(self, state: Match[Any], seat: int, event: AnswerSealed[Any]) -> Told:
        """Return the event that the rules make of a sealed answer. Raises Refusal."""
        entry = play.seal(self._game, state, seat, event.decision, event.answer, event.cause)
        if event.cause is BY_CLOCK:
            clocks.check_default(self._game, self._told(seat, state.version), seat, event.answer)
        return entry

    def _told(self, seat: int, version: int) -> Match[Any]:
        """Return what the seat knew at that version, which decides its defaults."""
        seen = self._seen.get(seat)
        if seen is None or seen.version > version:
            seen = matches.begin(self._game, self._pack, redact(self._events[0], seat))
        since = (redact(event, seat) for event in self._events[seen.version : version])
        self._seen[seat] = seen = matches.fold(self._game, seen, since)
        return seen

    def _take(self, closed: AnswersClosed[Any]) -> None:
        for seat, answer in enumerate(closed.answers[: len(self.taken)]):
            self.taken[seat] += answer is not None and answer.answer != NOT_ASKED

    def depends_on_chance(self, piece: Again, index: int) -> bool:
        """Return whether the event at that index of the piece differs under another seed."""
        for seed in OTHER_SEEDS:
            try:
                entries, _ = self._decide(piece.before, self._events[piece.at], _dice_of(seed))
            except Refusal:
                continue
            if next((entry.event for entry in entries[index:]), None) != piece.told[index].event:
                return True
        return False


def _keep(game: Game[Any, Any, Any], state: Match[Any], event: Any) -> tuple[Told, ...]:
    """Return the events of the rules for a piece about time or seats. Raises Refusal."""
    match event:
        case matches.ClockSet():
            return clocks.set_clock(state, event)
        case matches.DeadlineSet(seat=seat, decision=decision, due=due):
            return clocks.set_deadline(game, state, seat, decision, due)
        case matches.BankUsed(seat=seat, decision=decision, spent=spent, due=due):
            return clocks.use_bank(game, state, seat, decision, spent, due)
        case matches.DeadlineExtended(seat=seat, decision=decision, length=length, reason=reason):
            return clocks.extend_deadline(game, state, seat, decision, length, reason)
        case matches.SeatHandedOver(seat=seat, bot=bot, reason=reason):
            return clocks.hand_over(game, state, seat, bot, reason)
        case matches.SeatHandedBack(seat=seat):
            return clocks.hand_back(game, state, seat)
        case matches.SeatResigned(seat=seat):
            return clocks.resign(game, state, seat)
        case matches.SeatPassedOn(seat=seat):
            return clocks.pass_on(game, state, seat)
        case matches.Paused(reason=reason):
            return clocks.pause(state, reason)
        case matches.Resumed(length=length):
            return clocks.resume(state, length)
        case matches.OutageExtended(length=length):
            return clocks.extend(state, length)
        case _:
            raise AssertionError(f"{type(event).__name__} is nothing of time")


def _dice_of(seed: bytes) -> Callable[[Match[Any]], Dice]:
    return lambda state: lambda move: Verifiable(seed, move)


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
