"""Appends that wait for one partition: whoever comes first commits for all who came meanwhile, then hands on the turn.

There is no writing thread: the work is done by those who ask for it, so that it runs under threads and greenlets alike.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from threading import Event, Lock

from events.store import Append, Appended, Result

GROUP = 256
"""Most appends that share a commit: it bounds how long the first of them waits."""


class Waiting:
    """An append and what came of it."""

    def __init__(self, append: Append) -> None:
        self.append = append
        self._woken = Event()
        self._appended: Appended | None = None
        self._refusal: BaseException | None = None

    @property
    def is_answered(self) -> bool:
        return self._appended is not None or self._refusal is not None

    def answer(self, appended: Appended | None, refusal: BaseException | None) -> None:
        """What it stored, or why it did not. Nobody is woken yet."""
        self._appended, self._refusal = appended, refusal

    def wake(self) -> None:
        """Let the one who waits go on: it is answered, or it is its turn to commit."""
        self._woken.set()

    def wait(self) -> None:
        self._woken.wait()

    def result(self) -> Result:
        """What the append stored, or its refusal."""
        if self._refusal is not None:
            return self._refusal
        assert self._appended is not None
        return self._appended


class Lane:
    """The appends of one partition, in the order in which they came."""

    def __init__(self, commit: Callable[[list[Waiting]], None]) -> None:
        """`commit` answers each of those that it is given."""
        self._commit = commit
        self._door = Lock()
        self._waiting: list[Waiting] = []
        self._is_led = False

    def __len__(self) -> int:
        """How many wait to be taken into a group."""
        return len(self._waiting)

    def run(self, append: Append) -> Appended:
        """Have the append committed, by this thread or by another; raises its refusal."""
        (result,) = self.run_all([append])
        if isinstance(result, BaseException):
            raise result
        return result

    def run_all(self, appends: Sequence[Append]) -> list[Result]:
        """Have the appends committed, one after the other, by this thread or by others: what came of each.

        There must be one at least: whoever comes leads, and a lane without a leader stands still.
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
        """Commit a group, which this thread's own append is the first of; then the next who waits leads."""
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
