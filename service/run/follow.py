"""What `service follow` runs: the loop of all sweeps, and beside it the followers of the log, on threads."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing, contextmanager
from functools import partial
from threading import Event

import structlog
from click.exceptions import Exit

from events.store import Reader, StoreError, StoreMissing
from service.config import Config
from service.folder import check_restored
from service.followers import Counting, Follower, Handler, claims_of
from service.jobs import Sweeper
from service.outbox import Noting
from service.store import Effects, open_effects
from service.wakeups import news_of_commits

HANDLERS: dict[str, Callable[[Reader], Handler]] = {Counting.name: Counting, Noting.name: Noting}
"""The followers that there are."""

PAUSE = 0.5
"""Seconds between two looks whether there is a store."""

NOT_MADE = "there is no store yet; waiting until a web process has made it"
NOT_OPENED = "the store can't be opened; trying again until it can"

logger = structlog.get_logger(__name__)


@contextmanager
def beside(deeds: Mapping[str, Callable[[], object]], stop: Event) -> Iterator[None]:
    """Run these functions, by their names, on threads of their own. When the block ends, set `stop` and wait for them.

    Raises:  Exit if one ended by an error that nobody foresaw, which is logged; the process is to be started again.
    """
    with ThreadPoolExecutor(len(deeds)) as threads:
        done = {name: threads.submit(deed) for name, deed in deeds.items()}
        for name, future in done.items():
            future.add_done_callback(partial(_ended, stop, name))
        try:
            yield
        finally:
            stop.set()
    if any(future.exception() for future in done.values()):
        raise Exit(1)


def _ended(stop: Event, name: str, thread: Future[object]) -> None:
    """Have the others stop if the thread ended by an error. Log it at once: another one may hang."""
    if (error := thread.exception()) is not None:
        logger.error("a thread has ended", thread=name, exc_info=error)
        stop.set()


def follow(config: Config, stop: Event) -> None:
    """Sweep and follow until it is stopped. Raises ValueError for a URL of Redis that is none, and Exit."""
    if (store := wait_for_store(config, stop)) is None:
        return
    with closing(store), beside({name: partial(_follow, config, store, name, stop) for name in HANDLERS}, stop):
        Sweeper(config, store.log, stop).run()


def _follow(config: Config, store: Effects, name: str, stop: Event) -> None:
    # each is woken by itself: one that had heard it would keep it from the others
    with news_of_commits(config.redis) as wake:
        Follower(HANDLERS[name](store.log), store, claims_of(config.store_url, name)).run(wake, stop)


def wait_for_store(config: Config, stop: Event) -> Effects | None:
    """Return the store once the web process has made it; None if it is to stop before that. Log what it waits for."""
    said = ""
    while not stop.is_set():
        try:
            check_restored(config.data)
            return open_effects(config.store_url)
        except StoreError as error:
            if said != str(error):
                said = str(error)
                logger.warning(NOT_MADE if isinstance(error, StoreMissing) else NOT_OPENED, error=said)
        stop.wait(PAUSE)
    return None
