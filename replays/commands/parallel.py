"""Asks one question about every match of a store, on all cores, with a progress bar on a terminal."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import AbstractContextManager, contextmanager
from threading import Thread
from typing import Any, TypeVar

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from domain.catalogue import Catalogue
from events.store import Reader
from replays.commands import reading
from replays.commands.place import Place

T = TypeVar("T")

Question = Callable[[Place, Reader, Catalogue, str], T]
"""(where the store is, the store, the games, a match) -> the answer.

It must be a function of a module, since it is sent to other processes by name.
"""

BATCH = 8
"""The number of matches that a process gets at a time."""

AHEAD = 4
"""How many batches a process may be ahead of the reader of the answers."""

_here: list[tuple[Place, AbstractContextManager[Any], Reader, Catalogue]] = []
"""In a process that answers: what it reads from."""


def ask_all(question: Question[T], place: Place, ids: tuple[str, ...], what: str) -> Iterator[T]:
    """Yield the answers in the order of the ids."""
    return shown(_answers(question, place, ids), len(ids), what)


def shown(answers: Iterator[T], count: int, what: str) -> Iterator[T]:
    """Yield the answers, `count` in all, and show the progress."""
    console = Console(stderr=True)
    columns = (TextColumn(what), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True, disable=not sys.stderr.isatty()) as progress:
        task = progress.add_task(what, total=count)
        for answer in answers:
            progress.advance(task)
            yield answer


def _answers(question: Question[T], place: Place, ids: tuple[str, ...]) -> Iterator[T]:
    workers = min(os.cpu_count() or 1, (len(ids) + BATCH - 1) // BATCH)
    if workers < 2:
        with reading.store(place) as (store, catalogue):
            for match_id in ids:
                yield question(place, store, catalogue, match_id)
        return
    # threads and open files don't survive a fork
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(workers, context, _open, (place,)) as pool:
        waiting: deque[Future[list[T]]] = deque()
        try:
            for start in range(0, len(ids), BATCH):
                with _undisturbed():
                    waiting.append(pool.submit(_answer, question, ids[start : start + BATCH]))
                # the reader may be slower than the processes that answer
                if len(waiting) > AHEAD * workers:
                    yield from waiting.popleft().result()
            while waiting:
                yield from waiting.popleft().result()
        finally:
            pool.shutdown(cancel_futures=True)


@contextmanager
def _undisturbed() -> Iterator[None]:
    """Delay Ctrl-C until after the block, so that a process which is started in it gets everything that it needs."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _open(place: Place) -> None:
    # the asking process handles Ctrl-C: when it ends, all end
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_end_with_whoever_asks, daemon=True).start()
    opened = reading.store(place)
    _here.append((place, opened, *opened.__enter__()))


def _end_with_whoever_asks() -> None:
    """End this process when the asking one ends: one that is killed can't tell its children."""
    if asker := multiprocessing.parent_process():
        asker.join()
        os._exit(1)


def _answer(question: Question[T], ids: tuple[str, ...]) -> list[T]:
    place, _, store, catalogue = _here[0]
    return [question(place, store, catalogue, match_id) for match_id in ids]
