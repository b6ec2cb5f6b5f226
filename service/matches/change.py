"""The only way to change a match: load it, decide, seal the events, and store everything at once.

Each use case has its own function that decides, from a position to an outcome; this module does the rest. Nothing that
was just written is read back.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from threading import Lock
from time import perf_counter
from typing import Any, TypeVar

import msgspec

from domain.game import Refusal
from domain.matches import PLAYING, Match, Status
from domain.play import Told
from events.chain import Head, Stored, head_of
from events.store import Append, Appended, Command, Decision, MissingValue, Result, StaleVersion, Store, Write
from replays import log as logs
from replays.log import TRUTH, Log
from service.deeds import Asker, Front
from service.matches.deadlines import Deadlines, Hesitation
from service.matches.states import TAIL, Lobby, Outcome, Position, States, check_open_to, owed
from service.problems import Conflict, unknown_match
from service.store import Ended, Entry, Once, Statement, clocks, listing, lobby, results, turns
from service.telemetry import metrics

WISHED = ""
"""The remembered answer of a request to which others must agree first."""

T = TypeVar("T")

LOCKS = 256

TRIES = 16
"""The most times that one change is decided because somebody else wrote in between."""


class Changed(msgspec.Struct, frozen=True):
    """A match that was changed."""

    position: Position
    """The position after the change; the one before it if `appended` is a repeated command's."""
    told: tuple[Told, ...]
    """The new events of the match's log."""
    stored: dict[str, tuple[Stored, ...]]
    """The new events by stream; empty for a repeated command."""
    appended: Appended
    decisions: tuple[Decision, ...] | None = None
    """The open decisions after the change; None if they did not change."""


class _Ready(msgspec.Struct, frozen=True):
    """A decided change, ready to be stored."""

    position: Position
    """The position on which it was decided."""
    outcome: Outcome
    entry: Entry
    """The lobby's entry after the change."""
    append: Append


Decide = Callable[[Position], Outcome | None]
"""Decides what changes; returns None if nothing does."""

Remember = Callable[[int, tuple[Told, ...]], Sequence[Statement]]
"""(the version after the change, the new events) -> the statements that remember the request."""


def _forget(version: int, entries: tuple[Told, ...]) -> Sequence[Statement]:
    return ()


class Changes:
    """Changes matches."""

    def __init__(self, recorder: Store, states: States, found: Lobby, front: Front, hesitation: Hesitation) -> None:
        """`hesitation`: how long bots wait under seal among people."""
        self._recorder = recorder
        self.front = front
        self._states = states
        self._lobby = found
        self._deadlines = Deadlines(recorder, front.now, self.seal, hesitation)
        # One is held while a thread decides in the match: another would find its version stale. Their number is fixed:
        # one for each match could not be forgotten easily, and sharing one only means waiting.
        self._locks = tuple(Lock() for _ in range(LOCKS))

    def change(
        self,
        match_id: str,
        decide: Decide,
        command: Command | None = None,
        *,
        at_hand: bool = False,
        remember: Remember = _forget,
    ) -> Changed:
        """Decide on the stored match, and store the outcome. If somebody else writes in between, decide again.

        `at_hand`: decide on the cached position, if there is one, and read the store only if the cached one is refused
        or stale. This is for changes that depend only on the log and on who sits where in a running match.

        Raises:  Unknown, OtherRules, Unreadable; Conflict (busy) if others wrote at every try; what `decide` raises.
        """
        with self._locks[hash(match_id) % LOCKS]:
            for attempt in range(TRIES):
                try:
                    ready = self._decided(match_id, decide, command, remember, at_hand=at_hand and not attempt)
                    if isinstance(ready, Changed):
                        return ready
                    (changed,) = self._store([ready])
                    if isinstance(changed, Exception):
                        raise changed
                    return changed
                except StaleVersion:
                    continue
        raise Conflict("busy")

    def change_for(
        self,
        asker: Asker | None,
        match_id: str,
        decide: Decide,
        command: Command | None = None,
        *,
        remember: Remember = _forget,
    ) -> Changed:
        """Change a match that the asker may know of. Raises Unknown for any other; what `change` raises.

        `asker`: None if `decide` checks it, since it is somebody to whom a seat is offered.
        """
        if asker is None:
            return self.change(match_id, decide, command, remember=remember)

        def checked(position: Position) -> Outcome | None:
            check_open_to(position.entry, asker)
            return decide(position)

        # first, so that no error of its log shows that there is such a match
        self._lobby.entry(match_id, asker)
        return self.change(match_id, checked, command, remember=remember)

    def change_once(self, asker: Asker | None, match_id: str, decide: Decide, once: Once | None) -> int:
        """Change a match as `change_for` does, once for the request. Returns the version after it, also to a repeat.

        Raises:  what `change_for` raises; Malformed (idempotency-key-reused).
        """

        def remember(version: int, *_: object) -> list[Statement]:
            return self.front.remember(once, str(version))

        def deed() -> str:
            return str(self.change_for(asker, match_id, decide, remember=remember).position.truth.version)

        return int(self.front.do(once, deed))

    def agree(
        self,
        asker: Asker,
        match_id: str,
        act: Decide,
        wish: Callable[[Position], Sequence[Statement]],
        once: Once | None,
    ) -> int | None:
        """Change the match if all agree, else note the asker's wish; once for the request.

        Returns the version after the change, or None if others must agree first, as `act` does.
        """

        def agreed(position: Position) -> Outcome:
            # a wish has no events, but is stored as a change: it demands an unchanged match, and wakes those who wait
            return act(position) or Outcome(beside=tuple(wish(position)))

        def remember(version: int, entries: tuple[Told, ...]) -> list[Statement]:
            return self.front.remember(once, str(version) if entries else WISHED)

        def instead(version: int, _: object) -> list[Statement]:
            return self.front.remember_instead(once, str(version))

        def deed() -> str:
            changed = self.change_for(asker, match_id, agreed, remember=remember)
            if not changed.told:
                # two who agree at the same time don't know of each other; the second one does now
                with suppress(Refusal):  # it is done already
                    changed = self.change_for(asker, match_id, act, remember=instead)
            return str(changed.position.truth.version) if changed.told else WISHED

        answer = self.front.do(once, deed)
        return None if answer == WISHED else int(answer)

    def change_all(self, wanted: Sequence[tuple[str, Decide]]) -> list[Changed | Exception]:
        """Change many matches in few commits, each as `change` does with `at_hand`. Returns each change or error."""
        # no lock is held meanwhile: a match that turns out to be stale is decided again below
        decided = [_tried(self._decided, match, decide, None, _forget, at_hand=True) for match, decide in wanted]
        stored = iter(self._store([each for each in decided if isinstance(each, _Ready)]))
        outcomes = [next(stored) if isinstance(each, _Ready) else each for each in decided]
        return [
            _tried(self.change, match_id, decide) if isinstance(outcome, StaleVersion) else outcome
            for (match_id, decide), outcome in zip(wanted, outcomes, strict=True)
        ]

    def _decided(
        self, match_id: str, decide: Decide, command: Command | None, remember: Remember, *, at_hand: bool
    ) -> _Ready | Changed:
        """Return what is to be stored, or the unchanged match. Raises StaleVersion, and what `decide` raises."""
        position, outcome = self._states.at_hand(match_id) if at_hand else None, None
        if position is not None:
            # it may be stale: what is refused is decided again on the stored match
            with suppress(Exception):
                outcome = decide(position)
        if position is None or outcome is None:
            position = self.look(match_id)
            outcome = decide(position)
        if outcome is None:
            return Changed(position, (), {}, Appended(()))
        return self._ready(position, outcome, command, remember)

    def look(self, match_id: str) -> Position:
        """Return the match's position, read from the store. Its lobby entry is never older than its version.

        Raises:  Unknown, OtherRules, Unreadable; StaleVersion if somebody writes in between.
        """
        log = self._states.log(match_id)
        truth = self._states.folded(log, TRUTH)
        entry, head = self._lobby.find(match_id), self._recorder.head(match_id)
        if entry is None:
            raise unknown_match(match_id)
        if head.version != truth.version:
            raise StaleVersion(match_id, head.version)
        return Position(log, entry, truth, head)

    def seal(self, log: Log, stream: str, head: Head, *entries: Told) -> Write:
        """Return the write that adds these events to the stream, after its head."""
        stored = logs.seal(log.codec, head, stream, entries, self.front.at(), log.secret)
        return Write(stream, head.version, stored)

    def _ready(self, position: Position, outcome: Outcome, command: Command | None, remember: Remember) -> _Ready:
        log, before = position.log, position.entry
        entry = before
        if outcome.chairs is not None:
            entry = msgspec.structs.replace(entry, chairs=outcome.chairs)
        known = outcome.after
        if known is not None and known.status is PLAYING and known.clocks.terms is not None:
            outcome, known = self._deadlines.set(log, outcome, known, entry)
        after, beside = outcome.after, outcome.beside
        own = self.seal(log, log.id, position.head, *outcome.told)
        writes = (*outcome.private, own)
        if after is not None and (terms := after.clocks.terms) != entry.clock and terms is not None:
            beside = (*beside, lobby.set_clock(log.id, terms))
            entry = msgspec.structs.replace(entry, clock=terms)
        if after is not None and after.status != entry.status:
            beside = (*beside, *turned(entry, after, outcome.told, own.events))
            entry = msgspec.structs.replace(entry, status=str(after.status))
        if (entry.chairs, entry.clock, entry.status) != (before.chairs, before.clock, before.status):
            beside = listing.keep(log.id, beside)
        beside = (*beside, *remember((after or position.truth).version, outcome.told))
        decisions = None if known is None else owed(log.game, known, entry)
        return _Ready(position, outcome, entry, Append(log.id, writes, command, decisions, beside))

    def _store(self, ready: Sequence[_Ready]) -> list[Changed | Exception]:
        """Store these changes in few commits. Returns of each the match after it, or its error."""
        begun = perf_counter()
        results = self._recorder.append_all([each.append for each in ready])
        seconds = perf_counter() - begun
        return [self._settled(each, result, seconds) for each, result in zip(ready, results, strict=True)]

    def _settled(self, ready: _Ready, result: Result, seconds: float) -> Changed | Exception:
        """Return the match after its append, or the append's exception. `seconds`: how long the append took."""
        position, outcome, writes = ready.position, ready.outcome, ready.append.writes
        own = writes[-1]
        if isinstance(result, MissingValue):
            # a statement's condition (`lobby.demand_agreement`) is no longer true
            result = StaleVersion(ready.append.match, own.expected)
        if isinstance(result, StaleVersion) and not outcome.private:
            # not counted under seal, where it would reveal that another seat answers at this moment
            metrics.stale()
        if isinstance(result, Exception):
            return result
        if not isinstance(result, Appended):
            raise result
        if own.events:
            # only events of the match's own log are counted, since answers under seal are secret
            metrics.appended(seconds)
        if result.repeated:
            return Changed(position, (), {}, result)
        stored = {write.stream: write.events for write in writes if write.events}
        truth = outcome.after if outcome.told and outcome.after is not None else position.truth
        head = head_of(own.events) if own.events else position.head
        facts = tuple([(event.type, event.schema, event.public, event.secret) for event in own.events])
        reached = Position(
            position.log,
            ready.entry,
            truth,
            head,
            (position.tail + outcome.told)[-TAIL:],
            (position.facts + facts)[-TAIL:],
        )
        # the entry does not have the name of a player who has just sat down
        self._states.keep(reached, at_hand=outcome.chairs is None)
        return Changed(reached, outcome.told, stored, result, ready.append.decisions)

    def open(
        self, entry: Entry, game: Any, entries: tuple[Told, ...], state: Match[Any], beside: list[Statement]
    ) -> None:
        """Store a new match in one append, after what is `beside`. `state`: the match after these events."""
        assert state.secret is not None, "the match was made by this process"
        entry = msgspec.structs.replace(entry, clock=state.clocks.terms)
        secret = bytes.fromhex(state.secret)
        stored = logs.seal(logs.codec_of(game), Head(), entry.id, entries, entry.created, secret)
        # if every move is forced, the match ends at once
        over = results.end(entry.id, ended_by(state, entries, entry.created)) if state.is_over else []
        self._recorder.append(
            entry.id,
            [Write(entry.id, 0, stored)],
            decisions=owed(game, state, entry),
            beside=listing.keep(entry.id, [*beside, *lobby.enter(entry), *over], is_new=True),
        )
        self._states.keep(Position(self._states.log(entry.id), entry, state, head_of(stored)))


def _tried(act: Callable[..., T], *args: Any, **more: Any) -> T | Exception:
    try:
        return act(*args, **more)
    except Exception as error:
        return error


def turned(entry: Entry, after: Match[Any], entries: tuple[Told, ...], stored: tuple[Stored, ...]) -> list[Statement]:
    """Return the statements that update the lobby after events that changed the match's status."""
    statements = [*lobby.turn(entry.id, after.status), *(lobby.start(entry.id) if entry.status == Status.OPEN else [])]
    if after.is_over:
        ended = ended_by(after, entries, stored[-1].at)
        statements += [lobby.settle(entry.id), *lobby.clear_offers(entry.id), *results.end(entry.id, ended)]
        statements += clocks.settle(entry.id) if after.clocks.terms else []
        statements += [turns.end_all_orders(entry.id)]
    return statements


def ended_by(after: Match[Any], entries: Sequence[Told], at: str) -> Ended:
    """Return how the match ended, given the state after its last events, which were just stored."""
    last, clocks = entries[-1].event, after.clocks
    return Ended(
        at=at,
        how="played" if after.status == Status.FINISHED else last.reason,
        moves=after.moves,
        # breaking a match off is no move, nor is giving it up
        moved=at if after.status == Status.FINISHED and after.conceded is None else None,
        points=after.points,
        ranking=after.ranking,
        conducts=results.conducts(len(after.taken), clocks.resigned, dict(enumerate(clocks.by_clock)), clocks.handed),
    )
