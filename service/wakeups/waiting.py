"""Wakes requests that wait for a match to move on."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import islice
from threading import Event, Lock

from service.wakeups.backlog import Backlog

WAITING = 8000
"""Most requests that wait at once, streams among them: each holds a connection."""

FEW = 16
"""As many as are woken in one go. More are woken so many at a time: whoever moved is answered before them, and others
between.
"""

BEFORE = 0.005
"""Seconds until the first few, in which whoever moved is answered."""

BETWEEN = 0.001
"""Seconds from a few to the next few."""

CLOSING = 5.0
"""Seconds that the last few may take."""


class TooManyWait(Exception):
    """As many wait as may; `most` is how many that is."""

    def __init__(self, most: int) -> None:
        super().__init__(f"{most} requests wait already")
        self.most = most


class Bell:
    """Rings when one of its names is called, until it is taken down."""

    def __init__(self, bells: Bells, names: tuple[str, ...], over: Callable[[], object]) -> None:
        self.names = names
        self._over = over
        self._bells = bells
        self._rung = Event()
        self._about: set[str] = set()

    def ring(self, about: str = "") -> None:
        """Something was written, or nobody may wait any longer; `about` which match, where the name does not say it."""
        self.note(about)
        self._rung.set()

    def note(self, about: str) -> None:
        """It rings soon, and this is what about."""
        if about:
            self._about.add(about)

    def silence(self) -> None:
        """What has rung so far is known."""
        self._rung.clear()

    def about(self) -> set[str]:
        """Which matches it was said to be about since this was asked."""
        about, self._about = self._about, set()
        return about

    def wait(self, seconds: float) -> bool:
        """Until it rings, or for so long: whether it has rung."""
        return self._rung.wait(max(0.0, seconds))

    def take_down(self) -> None:
        """Stop waiting: the bell rings no more, and another may wait in its place. Twice is as good as once."""
        self._bells._take_down(self)
        self._over()


class Crowd:
    """Rings the bells of many, a few at a time."""

    def __init__(self) -> None:
        self._due: dict[Bell, None] = {}
        """The bells to ring, in their order; a bell that is to ring twice before it did rings once."""
        self._backlog: Backlog[tuple[list[Bell], str]] = Backlog(
            "crowd", self._ring_few, lambda: BETWEEN if self._due else BEFORE
        )

    def ring(self, bells: list[Bell], about: str) -> None:
        """Ring all of these soon."""
        self._backlog.add([(bells, about)])

    def close(self) -> None:
        """Ring no more."""
        self._backlog.close(CLOSING)

    def _ring_few(self, rung: list[tuple[list[Bell], str]]) -> bool:
        """Ring the first few of the bells that are due. Returns whether any are left."""
        for bells, about in rung:
            for bell in bells:
                bell.note(about)
                self._due[bell] = None
        for bell in list(islice(self._due, FEW)):
            del self._due[bell]
            bell.ring()
        return bool(self._due)


class Hook:
    """The bells of a name, and how often it was called since the first of them hung there."""

    def __init__(self) -> None:
        self.bells: set[Bell] = set()
        self.calls = 0


class Bells:
    """One bell for each request that waits. Any thread may use them.

    They hang by the names of streams: a match's, a seat's private one (so that nobody else is woken by it). A player's
    name is one too, see `People`.
    """

    def __init__(self, most: int = WAITING) -> None:
        self.most = most
        self._lock = Lock()
        self._hooks: dict[str, Hook] = {}
        self._waiting = 0
        self._is_closed = False
        self._crowd = Crowd()

    def hang(self, *names: str, over: Callable[[], object] = lambda: None) -> Bell:
        """A bell that rings when one of the names is called. Raises TooManyWait.

        Shape:   `over` is called when it is taken down, and when there is none; once or more often.
        """
        bell = Bell(self, names, over)
        with self._lock:
            if self._waiting >= self.most:
                over()
                raise TooManyWait(self.most)
            self._waiting += 1
            for name in names:
                self._hooks.setdefault(name, Hook()).bells.add(bell)
        if self._is_closed:
            bell.ring()
        return bell

    def hang_also(self, bell: Bell, name: str) -> None:
        """Have a bell that hangs ring when that name is called too."""
        with self._lock:
            hook = self._hooks.get(bell.names[0])
            if hook is not None and bell in hook.bells:
                bell.names += (name,)
                self._hooks.setdefault(name, Hook()).bells.add(bell)

    def ring(self, names: Iterable[str], about: str = "") -> None:
        """These were written to."""
        rung: list[Bell] = []
        with self._lock:
            for name in names:
                if (hook := self._hooks.get(name)) is not None:
                    hook.calls += 1
                    rung += hook.bells
        if len(rung) > FEW and not self._is_closed:
            self._crowd.ring(rung, about)
            return
        for bell in rung:
            bell.ring(about)

    def close(self) -> None:
        """Nobody waits any longer."""
        self._is_closed = True
        self.ring(self.awaited())
        self._crowd.close()

    def awaited(self) -> tuple[str, ...]:
        """The names that somebody waits for."""
        with self._lock:
            return tuple(self._hooks)

    def calls(self, name: str) -> int:
        """How often the name was called, as long as a bell hangs there: as often as before is nothing new."""
        hook = self._hooks.get(name)
        return hook.calls if hook is not None else 0

    @property
    def is_closed(self) -> bool:
        """Whether the process is about to end."""
        return self._is_closed

    @property
    def waiting(self) -> int:
        """How many wait."""
        return self._waiting

    def _take_down(self, bell: Bell) -> None:
        with self._lock:
            is_hung = False
            for name in bell.names:
                hook = self._hooks.get(name)
                if hook is not None and bell in hook.bells:
                    is_hung = True
                    hook.bells.discard(bell)
                    if not hook.bells:
                        del self._hooks[name]
            self._waiting -= is_hung
