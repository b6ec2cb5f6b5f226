"""Matches of every room, played into a store while time goes by."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from functools import cache
from typing import Any

from domain.catalogue import Room
from domain.matches import AnswerSealed, MoveMade
from domain.play import Told
from events.memory import MemoryRecorder
from events.store import Recorder, Write
from replays.log import Log, codec_of, seal
from tests.laws.rooms import CATALOGUE, SLUGS
from tests.replays.staged import Stage

START = datetime(2026, 3, 1, 12)
BOTS = ("greedy", "random", "greedy", "random")


class Timed(Stage):
    """A match whose n-th append comes n seconds after the one before it."""

    def __init__(self, recorder: Recorder, room: Room, match_id: str, bots: Sequence[str], **options: Any) -> None:
        self.now, self._appends = START, 0
        self.moments: dict[int, datetime] = {}
        """When each version of the match's log was written."""
        self.thought: list[tuple[int, int, int]] = []
        """Each decision's seat, version and seconds until its answer."""
        super().__init__(recorder, room, match_id, bots, **options)

    def _append(self, stream: str, told: Iterable[Told]) -> bytes:
        told = tuple(told)
        self._appends += 1
        self.now += timedelta(seconds=self._appends)
        at = self.now.isoformat(timespec="milliseconds") + "Z"
        head = self.recorder.head(stream)
        stored = seal(codec_of(self.game), head, stream, told, at, self._secret)
        self.recorder.append(self.id, [Write(stream, head.version, stored)])
        if stream == self.id:
            self.moments.update({event.version: self.now for event in stored})
        event = told[0].event
        if isinstance(event, MoveMade | AnswerSealed):
            seat = event.seat if isinstance(event, MoveMade) else int(stream.rpartition(":")[2])
            self.thought.append((seat, event.decision, (self.now - self.moments[event.decision]).seconds))
        return stored[-1].hash


def stage(recorder: Recorder, slug: str, match_id: str, steps: int | None = None) -> Timed:
    """A match of three, or as many as can be, after so many steps; played to its end without."""
    room = CATALOGUE.rooms[slug]
    seats = 3 if 3 in room.game.seats else room.game.seats[-1]
    staged = Timed(recorder, room, match_id, BOTS[:seats])
    staged.seat_all()
    for _ in range(0 if steps is None else steps):
        if not staged.state.is_over:
            staged.step()
    if steps is None:
        staged.finish()
    return staged


@cache
def stages() -> dict[str, Timed]:
    """Return a match of each room that was broken off after 40 answers, `o_{slug}`, and one that runs, `r_{slug}`."""
    recorder = MemoryRecorder()
    found = {f"r_{slug}": stage(recorder, slug, f"r_{slug}", 5) for slug in SLUGS}
    for slug in SLUGS:
        found[f"o_{slug}"] = over = stage(recorder, slug, f"o_{slug}", 40)
        if not over.state.is_over:
            over.abort()
    return found


def log_of(match: str) -> Log:
    """Return the log of one of these matches."""
    return Log(stages()[match].recorder, match, CATALOGUE)
