"""Does what is due in matches. It is decided on the stored match, so that two workers at once do it only once."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from domain import matches, play
from events.store import Store
from service import clock
from service.clocks.ladder import Ladder
from service.clocks.outages import Outages
from service.clocks.reminding import Hook, Reminding, noted
from service.deeds import BOT, OF_WORKERS, Asker, Deed
from service.matches import Changed, Changes, Outcome, Position, States, problem_in
from service.store import Timetable
from service.telemetry import metrics

MATCHES = 128
"""The most matches in a request."""

RUNGS = 64
"""The most rungs of one match in a request; the next request does the rest."""


class Looked(msgspec.Struct, frozen=True):
    """A match in which the clock did what was due; `problem`: why it could not."""

    match: str
    problem: str | None
    """The code of the problem; null if there was none."""
    # what the clock did is not part of the answer, since it may be under seal


class Firing:
    """The use case."""

    def __init__(
        self, store: Store, changes: Changes, states: States, now: clock.Now, hooks: tuple[Hook, ...] = (noted,)
    ) -> None:
        """`hooks`: the functions that say what a reminder does."""
        self.front = changes.front
        self._changes = changes
        self._times = Timetable(store)
        self._now = now
        self._outages = Outages(store, now)
        self._ladder = Ladder(store, changes, states, now)
        self._reminding = Reminding(store, changes, now, hooks)

    @Deed("fireDue", (BOT,), free=OF_WORKERS)
    def fire(self, asker: Asker, match_ids: Sequence[str]) -> list[Looked]:
        """Do in each match what is due by now, and renew the sign that somebody looks after the clocks.

        Raises:  Unauthorized, Forbidden; StoreError. A problem with one match is part of the answer.
        """
        self._outages.beat()
        return [Looked(match_id, problem_in(match_id, self._fire)) for match_id in match_ids]

    def _fire(self, match_id: str) -> None:
        for _ in range(RUNGS):
            changed = self._changes.change(match_id, self._next)
            if not changed.stored:
                break
            _count(changed)
        self._reminding.remind(match_id)

    def _next(self, position: Position) -> Outcome | None:
        truth = position.truth
        if truth.status is not matches.PLAYING:
            return None
        position.log.need_own_rules()
        if truth.clocks.is_paused:
            return self._end(position)
        return self._outages.next(position) or self._ladder.next(position)

    def _end(self, position: Position) -> Outcome | None:
        """Return the outcome that breaks the match off if its pause has lasted too long; else None."""
        pause = self._times.pause(position.log.id)
        if pause is None or pause.due > clock.stamp(self._now()):
            return None
        entries = play.abort(position.truth, "pause")
        return Outcome(told=entries, after=position.after(entries))


def _count(changed: Changed) -> None:
    """Count a move of the match's own log."""
    if any(isinstance(entry.event, matches.MoveMade | matches.AnswersClosed) for entry in changed.told):
        metrics.moved(changed.position.log.game.slug)
