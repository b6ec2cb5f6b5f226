"""Queues of appends, one a partition: the first to come commits for all who came meanwhile, then passes its turn on.

There is no writing thread: the callers do the work, so that it runs under threads and greenlets alike.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from threading import Event, Lock

from events.store import Append, Appended, Result

GROUP = 256
"""The most appends in one commit: it limits how long the first of them waits."""


class Waiting:
    """An append and its outcome."""

    def __init__(self, append: Append) -> None:
        self.append = append
        self._woken = Event()
        self._appended: Appended | None = None
        self._refusal: BaseException | None = None

    @property
    def is_answered(self) -> bool:
        return self._appended is not None or self._refusal is not None

    def answer(self, appended: Appended | None, refusal: BaseException | None) -> None:
        """Set the outcome: what the append stored, or why it was refused. Nobody is woken yet."""
        self._appended, self._refusal = appended, refusal

    def wake(self) -> None:
        """Let the waiting caller go on: its append has an outcome, or it is its turn to commit."""
        self._woken.set()

    def wait(self) -> None:
        self._woken.wait()

    def result(self) -> Result:
        """Return what the append stored, or its refusal."""
        if self._refusal is not None:
            return self._refusal
        assert self._appended is not None
        return self._appended


class Lane:
    """The appends of one partition, in the order in which they came."""

    def __init__(self, commit: Callable[[list[Waiting]], None]) -> None:
        """Make an empty queue. `commit` must set an outcome for each append of the group that it is given."""
        self._commit = commit
        self._door = Lock()
        self._waiting: list[Waiting] = []
        self._is_led = False

    def __len__(self) -> int:
        """Return how many appends wait to be taken into a group."""
        return len(self._waiting)

    def run(self, append: Append) -> Appended:
        """Commit the append, by this thread or another, and return what it stored. Raises its refusal."""
        (result,) = self.run_all([append])
        if isinstance(result, BaseException):
            raise result
        return result

    def run_all(self, appends: Sequence[Append]) -> list[Result]:
        """Commit the appends in order, by this thread or others, and return a result for each.

        There must be at least one: the first caller leads, and a lane whose leader has nothing to commit would stop.
        """
        assert appends
        own = [Waiting(append) for append in appends]
        with self._door:
            self._waiting += own
            leads = not self._is_led
            self._is_led = True
        for waiting in own:
            if not leads:
                waiting.wait()
            if not waiting.is_answered:
                self._lead()
            leads = False
        return [waiting.result() for waiting in own]

    def _lead(self) -> None:
        """Commit a group that begins with this thread's append; then let the next caller lead."""
        with self._door:
            group = self._waiting[:GROUP]
            del self._waiting[:GROUP]
        try:
            self._commit(group)
        except BaseException as error:
            for waiting in group:
                if not waiting.is_answered:
                    waiting.answer(None, error)
            raise
        finally:
            with self._door:
                following = self._waiting[0] if self._waiting else None
                self._is_led = following is not None
            if following is not None:
                following.wake()
            for waiting in group:
                waiting.wake()
