"""What `service follow` runs: the loop of all sweeps, and beside it the followers of the log, on threads."""

from __future__ import annotations

from collections.abc import Callable
from threading import Event, Thread

import structlog

from events.store import Reader, StoreError, StoreMissing
from service.config import Config
from service.followers import Counting, Follower, Handler, claims_of, lines, status
from service.followers import try_again as ask_again
from service.jobs import Sweeper
from service.outbox import Noting
from service.store import Effects, open_effects
from service.wakeups import Commits

HANDLERS: dict[str, Callable[[Config, Reader], Handler]] = {
    Counting.name: lambda _, log: Counting(log),
    Noting.name: lambda _, log: Noting(log),
}
"""The followers that there are."""


PAUSE = 0.5
"""Seconds between two looks whether there is a store."""

logger = structlog.get_logger(__name__)


class FollowerEnded(Exception):
    """A follower ended by an error that nobody foresaw; the process is to be started again."""


def follow(config: Config, stop: Event) -> None:
    """Sweep and follow until it is stopped. Raises ValueError for a URL of Redis that is none, and FollowerEnded."""
    sweeper = Sweeper(config, stop)
    errors: list[tuple[str, BaseException]] = []

    def run(name: str) -> None:
        try:
            _follow(config, name, stop)
        except BaseException as error:
            errors.append((name, error))
            logger.exception("a follower has ended", follower=name)
            stop.set()

    threads = [Thread(target=run, args=(name,), name=name) for name in HANDLERS]
    for thread in threads:
        thread.start()
    try:
        sweeper.run()
    finally:
        stop.set()
        for thread in threads:
            thread.join()
    for name, error in errors:
        raise FollowerEnded(f"{name} has ended: {error}") from error


def _follow(config: Config, name: str, stop: Event) -> None:
    """Follow the log for one handler."""
    if (store := wait_for_store(config, stop)) is None:
        return
    # each is woken by itself: one that had heard it would keep it from the others
    wake = Commits(config.redis, stop)
    try:
        Follower(HANDLERS[name](config, store.log), store, claims_of(config.store_url, name)).run(wake, stop)
    finally:
        wake.close()
        store.close()


def wait_for_store(config: Config, stop: Event) -> Effects | None:
    """The store, waited for: the web process makes it when it starts; None when it is to stop before that."""
    said = ""
    while not stop.is_set():
        try:
            return open_effects(config.store_url)
        except StoreMissing:
            pass
        except StoreError as error:
            if said != str(error):
                said = str(error)
                logger.warning("the store can't be opened; trying again until it can", error=said)
        stop.wait(PAUSE)
    return None


def tell(config: Config, say: Callable[[str], None]) -> None:
    """Say how far followers are behind, and what they have set aside. Raises StoreError, by its kinds."""
    store = open_effects(config.store_url)
    try:
        for line in lines(status(store, tuple(HANDLERS))):
            say(line)
    finally:
        store.close()


def try_again(config: Config, match: str | None) -> int:
    """Have what is set aside tried again, one match's or all: how many logs. Raises StoreError, by its kinds."""
    store = open_effects(config.store_url)
    try:
        return ask_again(store, match)
    finally:
        store.close()
