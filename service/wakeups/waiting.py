"""Wakes requests that wait: for a match to move on, as a player, or with a token that is no longer valid."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from itertools import count, islice
from threading import Event, Lock, Thread
from time import monotonic

import structlog

from events.store import match_of
from service.problems import TooMany
from service.store import Entry
from service.wakeups.commits import Backlog

WAITING = 8000
"""The most requests that wait at once, streams among them: each holds a connection."""

FEW = 16
"""The most bells that ring at once. More ring in groups: the player who moved is answered before the first one."""

BEFORE = 0.005
"""Seconds until the first group, in which the player who moved is answered."""

BETWEEN = 0.001
"""Seconds from one group to the next."""

CLOSING = 5.0
"""Seconds that the last group, or the last look, may take."""


def table_name(match_id: str) -> str:
    """Return the name that is called when something was said at the table; it wakes nobody who waits for the match."""
    return f"{match_id}/table"


class Bell:
    """Rings when one of its names is called, until it is taken down."""

    def __init__(self, bells: Bells, names: tuple[str, ...], over: Callable[[], object]) -> None:
        self.names = names
        self._over = over
        self._bells = bells
        self._rung = Event()
        self._about: set[str] = set()

    def ring(self, about: str = "") -> None:
        """Ring, because something was written or the process ends. `about`: the match, for a bell with another name."""
        self.note(about)
        self._rung.set()

    def note(self, about: str) -> None:
        """Note the match about which the bell rings soon."""
        if about:
            self._about.add(about)

    def silence(self) -> None:
        """Forget that it has rung."""
        self._rung.clear()

    def about(self) -> set[str]:
        """Return the matches that were noted since the last call."""
        about, self._about = self._about, set()
        return about

    def wait(self, seconds: float) -> bool:
        """Wait until it rings, at most so long. Returns whether it has rung."""
        return self._rung.wait(max(0.0, seconds))

    def take_down(self) -> None:
        """Stop waiting: another may wait in the bell's place. A second call does nothing but call `over` again."""
        self._bells._take_down(self)
        self._over()


class Hook:
    """The bells of a name, and the number of the name's last call, or of the moment when the first of them was hung."""

    def __init__(self, call: int) -> None:
        self.bells: set[Bell] = set()
        self.call = call


class Bells:
    """One bell for each request that waits. Any thread may use them.

    A bell hangs by names of streams: of a match, or of a seat's private stream, which wakes nobody else. It may also
    hang by a player's name (see `Players`), or by a token's (see `WaitingTokens`).
    """

    def __init__(self, most: int = WAITING) -> None:
        self.most = most
        self._lock = Lock()
        self._hooks: dict[str, Hook] = {}
        self._calls = count(1)
        self.waiting = 0
        """How many bells hang."""
        self.is_closed = False
        """Whether the process is about to end."""
        self._due: dict[Bell, None] = {}
        """Of a crowd, the bells to ring, in order. A bell that is already among them is not added again."""
        self._crowd: Backlog[tuple[list[Bell], str]] = Backlog(
            "crowd", self._ring_few, lambda: BETWEEN if self._due else BEFORE
        )

    def hang(self, *names: str, over: Callable[[], object] = lambda: None) -> Bell:
        """Return a bell that rings when one of the names is called. Raises TooMany.

        Shape:   `over` is called, once or more often, when the bell is taken down, and before TooMany is raised.
        """
        bell = Bell(self, names, over)
        with self._lock:
            if self.waiting >= self.most:
                over()
                raise TooMany("too-many-wait", limit="waiting", most=self.most)
            self.waiting += 1
            for name in names:
                self._hang(bell, name)
        if self.is_closed:
            bell.ring()
        return bell

    def hang_also(self, bell: Bell, name: str) -> None:
        """Make a bell that hangs ring also when that name is called."""
        with self._lock:
            hook = self._hooks.get(bell.names[0])
            if hook is not None and bell in hook.bells:
                bell.names += (name,)
                self._hang(bell, name)

    def _hang(self, bell: Bell, name: str) -> None:
        if name not in self._hooks:
            self._hooks[name] = Hook(next(self._calls))
        self._hooks[name].bells.add(bell)

    def ring(self, names: Iterable[str], about: str = "") -> None:
        """Call these names: ring all their bells."""
        rung: list[Bell] = []
        with self._lock:
            for name in names:
                if (hook := self._hooks.get(name)) is not None:
                    hook.call = next(self._calls)
                    rung += hook.bells
        if len(rung) > FEW and not self.is_closed:
            self._crowd.add([(rung, about)])
            return
        for bell in rung:
            bell.ring(about)

    def close(self) -> None:
        """Ring all bells, since the process ends. Bells that are hung later ring at once."""
        self.is_closed = True
        self.ring(self.awaited())
        self._crowd.close(CLOSING)

    def _ring_few(self, rung: list[tuple[list[Bell], str]]) -> bool:
        """Ring the first few of a crowd's bells that are due. Returns whether any are left."""
        for bells, about in rung:
            for bell in bells:
                bell.note(about)
                self._due[bell] = None
        for bell in list(islice(self._due, FEW)):
            del self._due[bell]
            bell.ring()
        return bool(self._due)

    def awaited(self) -> tuple[str, ...]:
        """Return the names by which bells hang."""
        with self._lock:
            return tuple(self._hooks)

    def call(self, name: str) -> int:
        """Return a number that is another one after each call of the name, and after a time without a bell there.

        While no bell hangs there calls are not noticed, and the number is 0.
        """
        hook = self._hooks.get(name)
        return hook.call if hook is not None else 0

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
            self.waiting -= is_hung


KEPT = 5.0
"""Seconds for which the players of a match are remembered. Who is brought in meanwhile has to be told by name."""

logger = structlog.get_logger(__name__)


PLAYER = "player:"


def name_of(player: str) -> str:
    """Return the name under which a player's bells are kept; no match has it."""
    return f"{PLAYER}{player}"


class Players:
    """Wakes, when streams have grown, at once those who wait for a match, and soon those who wait as a player."""

    def __init__(self, bells: Bells) -> None:
        self.find: Callable[[str], Entry | None] = lambda match_id: None
        """Returns a match with its seats."""
        self.bells = bells
        self._backlog: Backlog[str] = Backlog("players", self._call_all)
        self._is_awaited = False
        """Whether anybody has waited as a player; until then nothing is looked up."""
        self._known: dict[str, tuple[float, tuple[tuple[str, ...], ...]]] = {}
        """By match: until when this is used, and by seat the players whom its news concern."""

    def hang(self, player: str, over: Callable[[], object] = lambda: None) -> Bell:
        """Return a bell that rings when something is written that may concern the player. Raises TooMany."""
        bell = self.bells.hang(name_of(player), over=over)
        self._is_awaited = True
        return bell

    def tell(self, streams: Iterable[str]) -> None:
        """Wake those whom these streams concern, which have grown. It does not wait for anything."""
        streams = tuple(streams)
        if any(stream.startswith(PLAYER) for stream in streams):
            # players who are told by name have come to a match
            self._known.clear()
        self.bells.ring(streams)
        if self._is_awaited:
            self._backlog.add(streams)

    def close(self) -> None:
        """Stop waking those who wait as a player."""
        self._backlog.close(CLOSING)

    def _call_all(self, streams: list[str]) -> None:
        for stream in sorted(set(streams)):
            try:
                self._call(stream)
            except Exception as error:  # requests that need the store answer with the error
                logger.warning("the players of a match can't be looked up", error=str(error))

    def _call(self, stream: str) -> None:
        match_id = match_of(stream)
        by_seat = self._concerned(match_id)
        if stream != match_id:
            # a seat's private stream wakes nobody else
            number = stream.rpartition(":")[2]
            by_seat = by_seat[int(number) : int(number) + 1] if number.isdecimal() else ()
        for player in {player for players in by_seat for player in players}:
            self.bells.ring([name_of(player)], match_id)

    def _concerned(self, match_id: str) -> tuple[tuple[str, ...], ...]:
        now = monotonic()
        until, known = self._known.get(match_id, (0.0, ()))
        if now < until:
            return known
        entry = self.find(match_id)
        chairs = entry.chairs if entry is not None else ()
        now_there = tuple(tuple(filter(None, (chair.player, chair.reserved))) for chair in chairs)
        if len(self._known) >= 10_000:  # all are forgotten at once
            self._known.clear()
        # before the start players come and go
        is_settled = entry is not None and entry.status != "open"
        self._known[match_id] = (now + KEPT if is_settled else 0.0), now_there
        if len(known) != len(now_there):
            return now_there
        # with those who were there before: a player for whom a seat was kept learns that it is not kept any more
        return tuple(before + here for before, here in zip(known, now_there, strict=True))


PREFIX = "token:"


def token_name(hashed: str) -> str:
    """Return the name by which the bells of a token hang, given the token's hash; no match has it."""
    return f"{PREFIX}{hashed}"


class WaitingTokens:
    """Checks the tokens of all who wait."""

    def __init__(self, bells: Bells, lost: Callable[[Collection[str]], set[str]]) -> None:
        """Start to check, twice a second. `lost` takes hashes of tokens, and returns those no longer valid."""
        self._bells = bells
        self._lost = lost
        self._soon = Event()
        self._is_closed = False
        self._thread = Thread(target=self._work, name="tokens", daemon=True)
        self._thread.start()

    def look_soon(self) -> None:
        """Check soon, because a token was revoked. It does not wait for anything."""
        self._soon.set()

    def close(self) -> None:
        """Stop checking."""
        self._is_closed = True
        self._soon.set()
        self._thread.join(CLOSING)

    def _work(self) -> None:
        while not self._is_closed:
            self._soon.wait(0.5)
            self._soon.clear()
            try:
                self.look()
            except Exception as error:  # requests that need the store answer with the error
                logger.warning("tokens can't be checked", kind=type(error).__name__)

    def look(self) -> None:
        """Wake those whose tokens are no longer valid."""
        waiting = [name.removeprefix(PREFIX) for name in self._bells.awaited() if name.startswith(PREFIX)]
        if waiting and (lost := self._lost(waiting)):
            self._bells.ring(map(token_name, lost))
