"""The one way in which a match changes: load it, decide, seal what was decided, store all of it at once.

Every use case decides by a function of its own, from a position to an outcome; what is the same for all stands here.
Nothing that was just written is read back.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from time import perf_counter
from typing import Any

import msgspec

from domain.matches import Match, Status
from domain.play import Told
from events.chain import Head, head_of
from events.envelope import Stored
from events.store import Append, Appended, Command, Decision, MissingValue, Result, StaleVersion, Store, Write
from replays import log as logs
from replays.log import TRUTH, Log
from service import clock
from service.deeds import Front
from service.matches.conclusion import ended_by
from service.matches.deadlines import Deadlines, owed
from service.matches.outcome import Outcome
from service.matches.states import TAIL, Position, States
from service.problems import Conflict, unknown_match
from service.store import Allowed, Entry, Lobby, Once, Statement, clocks, conclusions, lists, lobby, offers, orders
from service.telemetry import metrics

__all__ = ["Changed", "Changes", "Decide", "Outcome", "owed", "turned"]

WISHED = ""
"""What is remembered of a request to which others must agree first."""

TRIES = 16
"""How often it is decided again because somebody else wrote in between."""


class Changed(msgspec.Struct, frozen=True):
    """A match that was changed."""

    position: Position
    """Where it stands now; when `appended` tells that it was repeated, where it stood."""
    told: tuple[Told, ...]
    stored: dict[str, tuple[Stored, ...]]
    """By stream, what was stored; nothing when it was repeated."""
    appended: Appended
    decisions: tuple[Decision, ...] | None = None
    """Who is asked then; None: who was asked before."""


class _Ready(msgspec.Struct, frozen=True):
    """What was decided on a position, ready to be stored."""

    position: Position
    outcome: Outcome
    entry: Entry
    """As it will be."""
    append: Append


Decide = Callable[[Position], Outcome | None]
"""None: nothing is to change after all."""

Remember = Callable[[int, tuple[Told, ...]], Sequence[Statement]]
"""What remembers a request, by the version to which it leads, and what was told on the way there."""


def _forget(version: int, told: tuple[Told, ...]) -> Sequence[Statement]:
    return ()


class Changes:
    """Changes matches."""

    def __init__(self, recorder: Store, states: States, found: Lobby, front: Front) -> None:
        self._recorder = recorder
        self.front = front
        self._states = states
        self._lobby = found
        self._now = front.now
        self._deadlines = Deadlines(recorder, front.now)

    def change(
        self,
        match_id: str,
        decide: Decide,
        command: Command | None = None,
        *,
        at_hand: bool = False,
        remember: Remember = _forget,
    ) -> Changed:
        """Decide on what is stored, and store what was decided; again as long as somebody else writes in between.

        `at_hand`: decide on the position that was kept, if there is one, and look into the store only if that is
        refused or stale: for what depends on nothing but the log and on who sits where in a match that is played.

        Raises:  Unknown, OtherRules, Unreadable; Conflict (busy) when others never stop; whatever `decide` raises.
        """
        with self._states.deciding(match_id):
            for times in range(TRIES):
                try:
                    ready = self._decided(match_id, decide, command, remember, at_hand=at_hand and not times)
                    return ready if isinstance(ready, Changed) else self._store(ready)
                except StaleVersion:
                    continue
        raise Conflict("busy")

    def change_once(self, match_id: str, decide: Decide, once: Once | None) -> int:
        """Change the match once for the request. Returns the version to which that led, also when it is repeated.

        Raises:  what `change` raises; Malformed (idempotency-key-reused).
        """

        def remember(version: int, *_: object) -> list[Statement]:
            return self.front.remember(once, str(version))

        def deed() -> str:
            return str(self.change(match_id, decide, remember=remember).position.truth.version)

        return int(self.front.do(once, deed))

    def agree(
        self,
        match_id: str,
        act: Decide,
        wish: Callable[[Position], Statement],
        is_done: Callable[[Position], bool],
        once: Once | None,
    ) -> int | None:
        """Change the match once all agree, and note the wish until then; once for the request.

        Shape:   `act` decides what is to be, None while others must agree first. `is_done`: whether it is so already.
                 The version to which it led is returned, None when others must agree first.
        """

        def agreed(position: Position) -> Outcome:
            # a wish is without events, but a change: it demands that the match is still so, and wakes whoever waits
            return act(position) or Outcome(beside=(wish(position),))

        def again(position: Position) -> Outcome | None:
            return None if is_done(position) else act(position)

        def remember(version: int, told: tuple[Told, ...]) -> list[Statement]:
            return self.front.remember(once, str(version) if told else WISHED)

        def instead(version: int, _: object) -> list[Statement]:
            return self.front.remember_instead(once, str(version))

        def deed() -> str:
            changed = self.change(match_id, agreed, remember=remember)
            if not changed.told:
                # of two who agree at once neither knows of the other: whoever comes second does now
                changed = self.change(match_id, again, remember=instead)
            return str(changed.position.truth.version) if changed.told else WISHED

        answer = self.front.do(once, deed)
        return None if answer == WISHED else int(answer)

    def change_all(self, wanted: Sequence[tuple[str, Decide]]) -> list[Changed | Exception]:
        """Change many matches, each by itself as `change` does with what is at hand, in few commits: what came of each,
        or what was raised.
        """
        found: dict[int, Changed | Exception] = {}
        ready: dict[int, _Ready] = {}
        for number, (match_id, decide) in enumerate(wanted):
            # nobody else is kept from deciding meanwhile: whoever finds it stale decides again, here below
            try:
                one = self._decided(match_id, decide, None, _forget, at_hand=True)
            except Exception as error:
                found[number] = error
                continue
            if isinstance(one, _Ready):
                ready[number] = one
            else:
                found[number] = one
        begun = perf_counter()
        results = self._recorder.append_all([one.append for one in ready.values()])
        seconds = perf_counter() - begun
        for (number, one), result in zip(ready.items(), results, strict=True):
            found[number] = self._settled(one, result, seconds)
        for number, (match_id, decide) in enumerate(wanted):
            if isinstance(found[number], StaleVersion):
                found[number] = self._tried(match_id, decide)
        return [found[number] for number in range(len(wanted))]

    def _tried(self, match_id: str, decide: Decide) -> Changed | Exception:
        try:
            return self.change(match_id, decide)
        except Exception as error:
            return error

    def _decided(
        self, match_id: str, decide: Decide, command: Command | None, remember: Remember, *, at_hand: bool
    ) -> _Ready | Changed:
        """What is to be stored; when nothing is to be changed, how it stands. Raises StaleVersion and whatever
        `decide` raises.
        """
        position = self._states.at_hand(match_id) if at_hand else None
        if position is None or (outcome := self._if_allowed(position, decide)) is None:
            position = self.look(match_id)
            outcome = decide(position)
        if outcome is None:
            return Changed(position, (), {}, Appended(()))
        return self._ready(position, outcome, command, remember)

    @staticmethod
    def _if_allowed(position: Position, decide: Decide) -> Outcome | None:
        """What is decided on a position that may be stale; None when that refuses: the store is asked then."""
        try:
            return decide(position)
        except Exception:
            # whatever it is, it is raised again if it still holds
            return None

    def look(self, match_id: str) -> Position:
        """Where the match stands, from the store.

        Who sits where is never earlier than the version: if somebody writes in between, that one is stale.

        Raises:  Unknown, OtherRules, Unreadable.
        """
        log = self._states.log(match_id)
        truth = self._states.folded(log, TRUTH)
        entry, head = self._lobby.find(match_id), self._recorder.head(match_id)
        if entry is None:
            raise unknown_match(match_id)
        if head.version != truth.version:
            raise StaleVersion(match_id, head.version)
        return Position(log, entry, truth, head)

    def seal(self, log: Log, stream: str, head: Head, *told: Told) -> Write:
        """The events as they will stand in the stream, after its head."""
        stored = logs.seal(log.codec, head, stream, told, clock.stamp(self._now()), log.secret)
        return Write(stream, head.version, stored)

    def _ready(self, position: Position, outcome: Outcome, command: Command | None, remember: Remember) -> _Ready:
        log, before = position.log, position.entry
        entry = before
        if outcome.chairs is not None:
            entry = msgspec.structs.replace(entry, chairs=outcome.chairs)
        outcome, known = self._deadlines.set(log, outcome, entry, self.seal)
        after, beside = outcome.after, outcome.beside
        own = self.seal(log, log.id, position.head, *outcome.told)
        writes = (*outcome.private, own)
        if after is not None and (terms := terms_of(after)) != entry.clock and terms is not None:
            beside = (*beside, lobby.set_clock(log.id, terms))
            entry = msgspec.structs.replace(entry, clock=terms)
        if after is not None and after.status != entry.status:
            beside = (*beside, *turned(entry, after, outcome.told, own.events))
            entry = msgspec.structs.replace(entry, status=str(after.status))
        if (entry.chairs, entry.clock, entry.status) != (before.chairs, before.clock, before.status):
            beside = lists.keep(log.id, beside)
        beside = (*beside, *remember((after or position.truth).version, outcome.told))
        decisions = None if known is None else owed(log.game, known, entry)
        return _Ready(position, outcome, entry, Append(log.id, writes, command, decisions, beside))

    def _store(self, ready: _Ready) -> Changed:
        begun, one = perf_counter(), ready.append
        try:
            result: Result = self._recorder.append(
                one.match, one.writes, command=one.command, decisions=one.decisions, beside=one.beside
            )
        except (MissingValue, StaleVersion) as error:
            result = error
        changed = self._settled(ready, result, perf_counter() - begun)
        if isinstance(changed, Exception):
            raise changed
        return changed

    def _settled(self, ready: _Ready, result: Result, seconds: float) -> Changed | Exception:
        """How the match stands now, after an append that took so long; or why it was refused."""
        position, outcome, writes = ready.position, ready.outcome, ready.append.writes
        own = writes[-1]
        if isinstance(result, MissingValue):
            # what a statement demands (`lobby.demand_agreement`) holds no longer
            result = StaleVersion(ready.append.match, own.expected)
        if isinstance(result, StaleVersion) and not outcome.private:
            # under seal it would tell that another one answers at this moment
            metrics.stale()
        if isinstance(result, Exception):
            return result
        if not isinstance(result, Appended):
            raise result
        if own.events:
            # the match's own log: an answer under seal is not told
            metrics.appended(seconds)
        if result.repeated:
            return Changed(position, (), {}, result)
        truth = outcome.after if outcome.told and outcome.after is not None else position.truth
        head = head_of(own.events) if own.events else position.head
        tail = (position.tail + outcome.told)[-TAIL:]
        reached = Position(position.log, ready.entry, truth, head, tail)
        # who has just sat down is not known by name yet
        self._states.keep(reached, at_hand=outcome.chairs is None)
        stored = {write.stream: write.events for write in writes if write.events}
        return Changed(reached, outcome.told, stored, result, ready.append.decisions)

    def open(self, entry: Entry, game: Any, told: tuple[Told, ...], state: Match[Any], beside: list[Statement]) -> None:
        """Store a new match, all of it at once; `state`: the match after what is told."""
        assert state.secret is not None, "it was made here"
        entry = msgspec.structs.replace(entry, clock=terms_of(state))
        secret = bytes.fromhex(state.secret)
        stored = logs.seal(logs.codec_of(game), Head(), entry.id, told, entry.created, secret)
        # where every move is forced
        over = conclusions.end(entry.id, ended_by(state, told, entry.created)) if state.is_over else []
        self._recorder.append(
            entry.id,
            [Write(entry.id, 0, stored)],
            decisions=owed(game, state, entry),
            beside=lists.keep(entry.id, [*lobby.enter(entry), *over, *beside], is_new=True),
        )
        self._states.keep(Position(self._states.log(entry.id), entry, state, head_of(stored)))


def terms_of(state: Match[Any]) -> Allowed | None:
    """The match's clock, for the lobby."""
    terms = state.clocks.terms
    return None if terms is None else Allowed(terms.allowance, terms.claims, terms.bank, terms.defaults)


def turned(entry: Entry, after: Match[Any], told: tuple[Told, ...], stored: tuple[Stored, ...]) -> list[Statement]:
    """The statements that keep the lobby in step, when these events brought the match to another part of its life."""
    found = [*lobby.turn(entry.id, after.status), *(lobby.start(entry.id) if entry.status == Status.OPEN else [])]
    if after.is_over:
        ended = ended_by(after, told, stored[-1].at)
        found += [lobby.settle(entry.id), *offers.clear(entry.id), *conclusions.end(entry.id, ended)]
        found += clocks.settle(entry.id) if after.clocks.terms else []
        found += [orders.end_all(entry.id)]
    return found
