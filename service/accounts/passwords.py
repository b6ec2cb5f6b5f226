"""Passwords, hashed by argon2. It is slow on purpose, so it runs in threads outside the event loop, a few at a time."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from threading import BoundedSemaphore
from typing import Any, TypeVar

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError
from gevent import monkey
from gevent.threadpool import ThreadPool
from precis_i18n import get_profile

from service.accounts.names import Unsuitable
from service.problems import TooMany

LEAST, MOST = 8, 128
"""The least and the most characters of a password."""

AT_ONCE = 2
"""The number of hashes that are computed at the same time; each takes a processor and 46 MiB."""

WAITING = 100
"""The most requests that wait for a hash, for about three seconds."""

MEMORY = 47_104
"""The memory in KiB, with one pass over it, as OWASP advises."""

NOBODYS = "$argon2id$v=19$m=47104,t=1,p=1$A2hc48ndSqR8cksZzfvB4g$0vfFUbiYNo+vMaCvghVzqfNkrP+jr3yWIhpc+XKBS7s"
"""The hash of a forgotten random password. It is checked if an account has no password, so that it takes as long."""

COMMON = frozenset(
    (
        *("password", "passw0rd", "password1", "12345678", "123456789", "1234567890", "87654321", "qwertyui"),
        *("qwertyuiop", "iloveyou", "sunshine", "princess", "football", "baseball", "superman", "trustno1"),
        *("letmein1", "welcome1", "foldtable", "asdfghjk", "asdfghjkl", "1q2w3e4r", "1qaz2wsx", "abcd1234"),
        *("abc12345", "a1b2c3d4", "qwerty123", "password123"),
    )
)
"""Passwords that are guessed first."""

T = TypeVar("T")

_hasher = PasswordHasher(time_cost=1, memory_cost=MEMORY, parallelism=1)
_opaque = get_profile("OpaqueString")


def enforce(password: str, *others: str | None) -> str:
    """Return the password as it is hashed. Raises Unsuitable, also for one of the `others`, which anybody may know."""
    try:
        kept = str(_opaque.enforce(password))
    except UnicodeEncodeError:
        raise Unsuitable("A password can't contain control characters.") from None
    if not LEAST <= len(kept) <= MOST:
        raise Unsuitable(f"Length must be between {LEAST} and {MOST}.")
    folded = kept.casefold()
    if folded in COMMON or len(set(folded)) < 3 or any(other and folded == other.casefold() for other in others):
        raise Unsuitable("This password is too easy to guess.")
    return kept


class Passwords:
    """Hashes and checks passwords. Any thread may use it; under gevent only the calling greenlet waits."""

    def __init__(self) -> None:
        self._room = BoundedSemaphore(AT_ONCE + WAITING)
        self._places = BoundedSemaphore(AT_ONCE)
        self._pool = cache(lambda: ThreadPool(AT_ONCE))

    def hash(self, password: str) -> str:
        """Return the password's hash. Raises TooMany."""
        return self._apart(_hasher.hash, password)

    def check(self, kept: str | None, password: str) -> bool:
        """Return whether the password has the hash `kept`; False for None, after the same time. Raises TooMany."""
        is_right = self._apart(_verify, kept or NOBODYS, password)
        return is_right and kept is not None

    def is_old(self, kept: str) -> bool:
        """Return whether it was hashed with other costs than those of today."""
        return _hasher.check_needs_rehash(kept)

    def _apart(self, reckon: Callable[..., T], *args: Any) -> T:
        if not self._room.acquire(blocking=False):
            raise TooMany("too-many-passwords", after=2)
        try:
            if monkey.is_module_patched("threading"):
                # in a thread of its own, so that the event loop goes on meanwhile
                result: T = self._pool().apply(reckon, args)
                return result
            with self._places:
                return reckon(*args)
        finally:
            self._room.release()


def _verify(kept: str, password: str) -> bool:
    try:
        return _hasher.verify(kept, password)
    except (VerificationError, InvalidHashError):
        return False


PASSWORDS = Passwords()
"""The one of this process."""
