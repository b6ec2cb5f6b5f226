"""Passwords: kept by argon2, which is slow on purpose and so runs beside the loop, a few at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from threading import BoundedSemaphore, Lock
from typing import Any, TypeVar

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError
from gevent import monkey
from gevent.threadpool import ThreadPool
from precis_i18n import get_profile

from service.problems import TooMany

LEAST, MOST = 8, 128
"""Characters of a password."""

AT_ONCE = 2
"""Hashes that are reckoned at a time: each takes a processor and 46 MiB."""

WAITING = 100
"""Who waits for one, at most: some three seconds."""

MEMORY = 47_104
"""KiB, with one pass over them: what OWASP advises."""

NOBODYS = "$argon2id$v=19$m=47104,t=1,p=1$A2hc48ndSqR8cksZzfvB4g$0vfFUbiYNo+vMaCvghVzqfNkrP+jr3yWIhpc+XKBS7s"
"""Of a password that was drawn and forgotten: checked where there is none, so that it takes as long."""

COMMON = frozenset(
    (
        *("password", "passw0rd", "password1", "12345678", "123456789", "1234567890", "87654321", "qwertyui"),
        *("qwertyuiop", "iloveyou", "sunshine", "princess", "football", "baseball", "superman", "trustno1"),
        *("letmein1", "welcome1", "foldtable", "asdfghjk", "asdfghjkl", "1q2w3e4r", "1qaz2wsx", "abcd1234"),
        *("abc12345", "a1b2c3d4", "qwerty123", "password123"),
    )
)
"""What is guessed first."""

T = TypeVar("T")

_hasher = PasswordHasher(time_cost=1, memory_cost=MEMORY, parallelism=1)
_opaque = get_profile("OpaqueString")


class BadPassword(ValueError):
    """What is no password: the words say why."""


def enforce(password: str, *others: str | None) -> str:
    """The password as it is hashed. Raises BadPassword, also for one of the `others`, which anybody may know."""
    try:
        kept = str(_opaque.enforce(password))
    except UnicodeEncodeError:
        raise BadPassword("A password has no control characters.") from None
    if not LEAST <= len(kept) <= MOST:
        raise BadPassword(f"Length must be between {LEAST} and {MOST}.")
    told = kept.casefold()
    if told in COMMON or len(set(told)) < 3 or any(other and told == other.casefold() for other in others):
        raise BadPassword("This password is guessed first.")
    return kept


class Passwords:
    """Hashes and checks them. Any thread may ask; under gevent none is held up but whoever asks."""

    def __init__(self, at_once: int = AT_ONCE, waiting: int = WAITING) -> None:
        self._room = at_once + waiting
        self._lock = Lock()
        self._asked = 0
        self._places = BoundedSemaphore(at_once)
        self._pool = cache(lambda: ThreadPool(at_once))

    def hash(self, password: str) -> str:
        """What is kept of it. Raises TooMany."""
        return self._apart(_hasher.hash, password)

    def check(self, kept: str | None, password: str) -> bool:
        """Whether it is the one that was kept; None is nobody's, and takes as long. Raises TooMany."""
        is_right = self._apart(_verify, kept or NOBODYS, password)
        return is_right and kept is not None

    def is_old(self, kept: str) -> bool:
        """Return whether it was hashed with other costs than passwords are hashed with now."""
        return _hasher.check_needs_rehash(kept)

    def _apart(self, reckon: Callable[..., T], *args: Any) -> T:
        with self._place():
            if monkey.is_module_patched("threading"):
                # one thread is the loop's: it goes on meanwhile
                found: T = self._pool().apply(reckon, args)
                return found
            with self._places:
                return reckon(*args)

    @contextmanager
    def _place(self) -> Iterator[None]:
        with self._lock:
            if self._asked >= self._room:
                raise TooMany("too-many-passwords", after=2)
            self._asked += 1
        try:
            yield
        finally:
            with self._lock:
                self._asked -= 1


def _verify(kept: str, password: str) -> bool:
    try:
        return _hasher.verify(kept, password)
    except (VerificationError, InvalidHashError):
        return False


PASSWORDS = Passwords()
"""Those of this process."""
