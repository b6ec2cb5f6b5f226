"""What a request will come to, for whoever waits for it."""

from __future__ import annotations

from threading import Lock
from typing import Generic, TypeVar

T = TypeVar("T")


class Pending(Generic[T]):
    """What the standard library's Future is, and no more than a store needs: nobody calls off what was submitted, and
    every move waits for one. Any thread may wait, and one of them says what came of it, once.
    """

    __slots__ = ("_error", "_gate", "_value")

    _value: T

    def __init__(self) -> None:
        self._error: BaseException | None = None
        self._gate = Lock()
        """Held until it is known."""
        self._gate.acquire()

    def result(self) -> T:
        """Wait for it. Raises what was raised."""
        if (error := self.exception()) is not None:
            raise error
        return self._value

    def exception(self) -> BaseException | None:
        """Wait for it: what was raised, if anything was."""
        with self._gate:
            return self._error

    def set_result(self, value: T) -> None:
        """That came of it."""
        self._value = value
        self._gate.release()

    def set_exception(self, error: BaseException) -> None:
        """That was raised."""
        self._error = error
        self._gate.release()
