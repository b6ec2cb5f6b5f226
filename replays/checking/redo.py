"""Plays a log again: what the rules bring about, move by move, beside what the log has.

The log's own events are folded, not those of the rules, so that one difference is not reported many times.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import msgspec

from domain import clocks, happenings, matches, play
from domain.chance import Verifiable
from domain.game import Game, Refusal
from domain.matches import BY_CLOCK, NOT_ASKED, PLAYING, Answer, AnswersClosed, AnswerSealed, Match, Status
from domain.play import DecisionClosed, Dice, Told
from domain.secrecy import redact

Answers = Mapping[int, Sequence[AnswerSealed[Any]]]
"""By seat: the answers in its private log, from the beginning."""

Outcome = tuple[tuple[Told, ...], Match[Any] | None]

ABORTED = Status.ABORTED
OTHER_SEEDS = tuple(letter.encode() for letter in "abcdefgh")


RULES: dict[type[Any], Callable[..., tuple[Told, ...]]] = {
    happenings.DeadlineSet: clocks.set_deadline,
    happenings.BankUsed: clocks.use_bank,
    happenings.DeadlineExtended: clocks.extend_deadline,
    happenings.SeatHandedOver: clocks.hand_over,
    happenings.SeatHandedBack: clocks.hand_back,
    happenings.SeatResigned: clocks.resign,
    happenings.SeatPassedOn: clocks.pass_on,
    happenings.ClockSet: lambda game, state, *fields: clocks.set_clock(state, happenings.ClockSet(*fields)),
    happenings.Paused: lambda game, state, reason: clocks.pause(state, reason),
    happenings.Resumed: lambda game, state, length: clocks.resume(state, length),
    happenings.OutageExtended: lambda game, state, length: clocks.extend(state, length),
}
"""What makes each event about time or seats, from the game, the state and the event's fields in their order."""


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
                end = self._end(at + 1)
            yield Again(at, end, before, entries, is_same, refusal)
            if type(events[at]) is AnswersClosed:
                self._take(events[at])
            # if the events are the same, so is the state after them
            self.state = after if is_same and after is not None else matches.fold(game, before, events[at:end])
            self.rest = before if self.state.status is ABORTED else self.state
            at = end

    def _opening(self) -> int:
        """Fold the opening, with the table of a fork. Returns the index of the event after it."""
        if not any(isinstance(event, matches.Forked) for event in self._events[1:2]):
            return 1
        # the game's events are the parent's, as LOG-10 checks; all others have to be judged
        own = (at for at, event in enumerate(self._events) if at > 1 and isinstance(event, matches.EVENTS))
        end = next(own, len(self._events))
        self.state = matches.fold(self._game, self.state, self._events[1:end])
        return end

    def _end(self, at: int) -> int:
        """Return the index of the next event from there on that begins a move, or of the log's end."""
        begins = (index for index in range(at, len(self._events)) if matches.begins_move(self._events[index]))
        return next(begins, len(self._events))

    def _dice(self, state: Match[Any]) -> Dice:
        """Return the match's chance, which does not change after the start."""
        if self._roll is None:
            self._roll = play.dice(state)
        return self._roll

    def _decide(self, state: Match[Any], first: Any, dice: Callable[[Match[Any]], Dice] | None = None) -> Outcome:
        """Return the rules' events for a piece that begins with this one, and the truth after it if known.

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
                    clocks.check_deadline(game, state, seat)
                    clocks.check_default(game, self._told(seat, state.version), seat, move)
                return outcome
            case AnswersClosed(answers=answers):
                return play.closed(game, self._answered(state, answers), dice(state))
            case matches.SeatTaken(seat=seat, nonce=nonce):
                return play.take_seat(game, state, seat, nonce, dice), None
            case matches.SeatLeft(seat=seat):
                return play.leave_seat(state, seat), None
            case matches.MatchConceded(seat=seat):
                return clocks.concede(game, state, seat), None
            case matches.Aborted(reason=reason):
                return play.abort(state, reason), None
            case _ if type(first) in matches.KEEPING:
                return RULES[type(first)](game, state, *msgspec.structs.astuple(first)), None
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
            entry = self._seal(state, seat, self._sealed(state, seat, answer))
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
            clocks.check_deadline(self._game, state, seat)
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


def _dice_of(seed: bytes) -> Callable[[Match[Any]], Dice]:
    return lambda state: lambda move: Verifiable(seed, move)
