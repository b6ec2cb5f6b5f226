"""What `service follow` runs: the sweeps for bots and clocks, and beside them the followers of the log, on threads."""

from __future__ import annotations

from collections.abc import Callable
from threading import Event, Thread

import structlog

from events.store import StoreError, StoreMissing
from service.bots import Follower as Sweep
from service.clocks import sweep as clock_sweep
from service.config import Config
from service.followers import Commits, Counting, Follower, claims_of, lines, status
from service.followers import try_again as ask_again
from service.store import Effects, open_effects

NAMES = (Counting.name,)
"""The followers that there are."""

PAUSE = 0.5
"""Seconds between two looks whether there is a store."""

logger = structlog.get_logger(__name__)


class Ended(Exception):
    """A follower ended by an error that nobody foresaw; the process is to be started again."""


def follow(config: Config, stop: Event) -> None:
    """Sweep and follow until it is stopped. Raises ValueError for a URL of Redis that is none, and Ended."""
    sweep, wake = Sweep(config, stop), Commits(config.redis, stop)
    errors: list[BaseException] = []

    def keep(name: str, deed: Callable[[], None]) -> Thread:
        """Do it on a thread of its own; when it ends by an error all ends."""

        def run() -> None:
            try:
                deed()
            except BaseException as error:
                errors.append(error)
                logger.exception("a follower has ended", follower=name)
                stop.set()

        thread = Thread(target=run, name=name)
        thread.start()
        return thread

    clocks = clock_sweep.Follower(config, stop)
    threads = [
        keep(Counting.name, lambda: _count(config, wake, stop)),
        keep(clock_sweep.NAME, clocks.run),
    ]
    try:
        sweep.run()
    finally:
        stop.set()
        for thread in threads:
            thread.join()
        wake.close()
    if errors:
        raise Ended(f"a follower has ended: {errors[0]}") from errors[0]


def _count(config: Config, wake: Commits, stop: Event) -> None:
    """Count finished matches."""
    if (store := _store(config, stop)) is None:
        return
    try:
        shares = claims_of(config.store_url, Counting.name)
        Follower(Counting(store.log), store, shares).run(wake, stop)
    finally:
        store.close()


def _store(config: Config, stop: Event) -> Effects | None:
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
        for line in lines(status(store, NAMES)):
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
