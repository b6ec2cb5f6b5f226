"""What follows the log: effects that come after an event was stored, at least once, in the order of positions."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from threading import Event

from events.envelope import Stored
from events.store import Recorder

Batch = Sequence[tuple[int, Stored]]
"""Events with their positions, in order."""

Effect = Callable[[Batch], object]
"""What is done about events. It is repeated after a crash or a failure, so doing it twice must be doing it once."""

BATCH = 500
"""Most events that an effect is given at once."""

logger = logging.getLogger(__name__)


class NotNow(Exception):
    """Raised by an effect that has no quarrel with the events: what it needs is away, and it is to be tried again."""


class Follower:
    """Follows some partitions of a store (all of them, if none are named) and remembers in it how far it came."""

    def __init__(
        self, name: str, recorder: Recorder, effect: Effect, *, partitions: Sequence[int] | None = None
    ) -> None:
        self.name = name
        self.partitions = tuple(range(recorder.partitions) if partitions is None else partitions)
        self.aside: dict[str, Exception] = {}
        """Streams that the effect could not digest, with its error. Their events are passed over, from the one that
        failed on, until the stream is taken off the list or the process ends; whoever lists them sees to them."""
        self._recorder = recorder
        self._effect = effect

    def follow_once(self) -> int:
        """Take the next events of each partition; how many there were, 0 when the follower has caught up.

        Raises:  NotNow from the effect; the position stays before the events it was given.
        """
        return sum(self._follow(partition) for partition in self.partitions)

    def run(self, wake: Event, stop: Event, every: float = 5.0) -> None:
        """Follow until `stop` is set: whenever `wake` is, and every so many seconds if it never is.

        Any other error than the effect's, such as the store's, ends it.
        """
        while not stop.is_set():
            wake.clear()
            try:
                while self.follow_once() and not stop.is_set():
                    pass
            except NotNow as error:
                logger.warning("%s waits: %s", self.name, error)
                stop.wait(every)
            else:
                wake.wait(every)

    def _follow(self, partition: int) -> int:
        after = self._recorder.position(self.name, partition)
        batch = self._recorder.read_all(partition, after, BATCH)
        if batch:
            self._give([(position, event) for position, event in batch if event.stream not in self.aside])
            self._recorder.note(self.name, partition, batch[-1][0])
        return len(batch)

    def _give(self, batch: Batch) -> None:
        """The whole batch; if that fails stream by stream, so that those that fail are known."""
        streams = list(dict.fromkeys(event.stream for _, event in batch))
        try:
            if batch:
                self._effect(batch)
        except NotNow:
            raise
        except Exception as error:
            if len(streams) == 1:
                logger.exception("%s sets %s aside", self.name, streams[0])
                self.aside[streams[0]] = error
                return
            for stream in streams:
                self._give([(position, event) for position, event in batch if event.stream == stream])
