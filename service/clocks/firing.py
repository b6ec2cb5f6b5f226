"""What is due is done: decided on what is stored then, so that of two who do it at once one finds it done."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import structlog

from domain import matches, play
from domain.game import Refusal
from events.codec import UnknownEvent, Unreadable
from events.store import Store, StoreError
from replays.log import OtherRules, UnknownMatch
from service import clock
from service.clocks.ladder import Ladder
from service.clocks.outages import Outages
from service.clocks.reminding import Hook, Reminding, noted
from service.deeds import BOT, OF_WORKERS, Asker, Deed
from service.matches import Changed, Changes, Outcome, Position, States
from service.problems import Problem
from service.store import Timetable
from service.telemetry import metrics

MATCHES = 128
"""Most matches in a request."""

RUNGS = 64
"""Most rungs of a match in a request: who finds more is asked again."""

logger = structlog.get_logger(__name__)


class Looked(msgspec.Struct, frozen=True):
    """A match whose clock was looked after; `problem`: why it could not be."""

    match: str
    problem: str | None
    """The code of what was wrong; null: nothing was."""
    # what was done is not told: it may be under seal


class Firing:
    """The use case."""

    def __init__(
        self, store: Store, changes: Changes, states: States, now: clock.Now, hooks: tuple[Hook, ...] = (noted,)
    ) -> None:
        """`hooks`: what a reminder does."""
        self.front = changes.front
        self._changes = changes
        self._times = Timetable(store)
        self._now = now
        self._outages = Outages(store, now)
        self._ladder = Ladder(store, changes, states, now)
        self._reminding = Reminding(store, changes, now, hooks)

    @Deed("fireDue", (BOT,), free=OF_WORKERS)
    def fire(self, asker: Asker, match_ids: Sequence[str]) -> list[Looked]:
        """Do in each match what is due by now, and note that the clocks are looked after.

        Raises:  Unauthorized, Forbidden; StoreError. What is wrong with one match is told in its place.
        """
        self._outages.beat()
        return [Looked(match_id, self._problem(match_id)) for match_id in match_ids]

    def _problem(self, match_id: str) -> str | None:
        try:
            self._fire(match_id)
        except (Problem, Refusal) as error:
            return error.code
        except UnknownMatch:
            return "unknown-match"
        except OtherRules:
            return "other-rules"
        except (Unreadable, UnknownEvent):
            return "unreadable"
        except StoreError:
            raise
        except Exception as error:
            # rules that fail are to hold up nobody else's clock
            logger.error("unforeseen", match=match_id, kind=type(error).__name__)
            return "internal"
        return None

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
        """A pause that has lasted for too long breaks the match off."""
        pause = self._times.pause(position.log.id)
        if pause is None or pause.due > clock.stamp(self._now()):
            return None
        told = play.abort(position.truth, "pause")
        return Outcome(told=told, after=matches.fold(position.log.game, position.truth, [one.event for one in told]))


def _count(changed: Changed) -> None:
    """Count a move that all were told of."""
    if any(isinstance(one.event, matches.MoveMade | matches.AnswersClosed) for one in changed.told):
        metrics.moved(changed.position.log.game.slug)
