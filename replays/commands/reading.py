"""Where the commands find matches, and how they read them: a store or a file, one match or all, errors as one line."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import AbstractContextManager, ExitStack, contextmanager
from pathlib import Path
from threading import Thread
from typing import Any, TypeVar

import click
import msgspec

from domain import refusals
from domain.catalogue import Catalogue
from domain.game import Refusal
from events import stores
from events.chain import is_match_id
from events.codec import UnknownEvent, Unreadable
from events.files import AlreadyThere, drafted
from events.keyring import Keyring
from events.opening import BESIDE
from events.store import Reader, StoreError, StoreMissing, StoreUnusable, Tables
from replays.commands import Wrong
from replays.files import exports
from replays.files.exports import Busy, Lost
from replays.files.format import BadFile, Export, read_file
from replays.files.packs import Packs, look_in
from replays.log import FOREIGN, TRUTH, Log, OtherRules, UnknownMatch, Viewer
from replays.printing import NoSuchVersion

DATABASE, PACKS, KEYS = "foldtable.db", "packs", "keys"
DEFAULT = Path("data")
PRINTED = Path("-")
"""Stands for standard output, where a file is to be named."""
SECRETS = ("secret", "worker-token", "admin-token", "demo-token")
"""The other files in a service's folder that it needs."""


class Place(msgspec.Struct, frozen=True):
    """A service's store and its folder."""

    folder: Path
    url: str
    """The store's URL. It may hold a password: messages use `name`."""
    keys_file: Path | None = None
    """The file with the keys that sign receipts; None for the one in the folder."""

    @property
    def name(self) -> str:
        """The store's name for messages."""
        return stores.name_of(self.url)

    @property
    def file(self) -> Path | None:
        """The store's file; None for a store on PostgreSQL."""
        return stores.file_of(self.url)

    @property
    def packs(self) -> Path:
        """The folder of the operator's packs."""
        return self.folder / PACKS

    @property
    def keys(self) -> Path:
        """The file with the keys that sign receipts."""
        return self.keys_file or self.folder / KEYS

    def is_own(self, path: Path) -> bool:
        """Return whether the service needs that file, so that nothing else may be written there."""
        store = [Path(f"{self.file}{end}") for end in ("", *BESIDE)] if self.file else []
        own = (*store, self.keys, *(self.folder / name for name in SECRETS))
        return os.path.realpath(path) in {os.path.realpath(each) for each in own}


def in_folder(folder: Path) -> Place:
    """Return the place of the store in a folder."""
    return Place(folder, f"{stores.SQLITE}{folder / DATABASE}")


def found(named: str | None) -> Place:
    """Return the place that `--data` names, a folder or a URL; without it the place that the environment names.

    The environment's store is also that of a folder without one of its own, as the service has it.
    Raises:  StoreUnusable for a URL that is malformed, and for a folder with another store than the environment's.
    """
    folder, store = Path(os.environ.get("FOLDTABLE_DATA") or DEFAULT), os.environ.get("FOLDTABLE_STORE", "")
    if named and "://" not in named and not named.startswith(stores.SQLITE):
        folder, named = Path(named), None
        own, file = folder / DATABASE, stores.file_of(store) if store else None
        if store and own.exists() and (file is None or os.path.realpath(file) != os.path.realpath(own)):
            raise StoreUnusable(f"FOLDTABLE_STORE names another store: unset it, or say {in_folder(folder).url}")
    url = named or store or in_folder(folder).url
    stores.name_of(url)
    keys = os.environ.get("FOLDTABLE_KEYS")
    return Place(folder, url, Path(keys) if keys else None)


def _parse_place(context: click.Context, option: click.Parameter, named: str | None) -> Place:
    try:
        return found(named)
    except StoreUnusable as error:
        hint = "--data" if named else "FOLDTABLE_STORE"
        raise click.BadParameter(str(error), context, option, param_hint=hint) from error


at_place = click.option(
    "--data",
    "place",
    metavar="DIR_OR_URL",
    callback=_parse_place,
    help="The service's folder, or the URL of its store; else FOLDTABLE_STORE and FOLDTABLE_DATA, or ./data.",
)
language = click.option(
    "--lang", type=click.Choice(["en", "ja"]), default="en", show_default=True, help="Language of texts."
)
as_json = click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
forced = click.option("--force", "is_forced", is_flag=True, help="Overwrite the file if there is one.")

TOLD = (BadFile, Busy, Lost, NoSuchVersion, OtherRules, Refusal, StoreError, UnknownEvent, UnknownMatch, Unreadable)
"""The errors of reading, each with a message of one line."""


@contextmanager
def reading(name: str) -> Iterator[None]:
    """Turn every error of reading the log into one line. Raises Wrong."""
    try:
        yield
    except TOLD as error:
        raise Wrong(in_one_line(error)) from error
    except FOREIGN as error:
        # evolve accepts all events that the rules make, so something else made this one
        raise Wrong(f"{name} can't be folded: {type(error).__name__}: {in_one_line(error)}") from error


def in_one_line(error: BaseException) -> str:
    """Return the error's message without line breaks."""
    message = refusals.plain(error, "en") if isinstance(error, Refusal) and not error.clause else str(error)
    return " ".join(message.split())


def is_file(name: str) -> bool:
    """Return whether the name is that of a file rather than of a match in the store."""
    return Path(name).exists() or not is_match_id(name)


@contextmanager
def opened(name: str, place: Place, seat: int | None = None) -> Iterator[Log]:
    """Yield the log of a match in the store or in a file, for a viewer on that seat, which it must have."""
    with reading(name), ExitStack() as closing:
        if is_file(name):
            export = Export(read_file(Path(name)), name)
            export.check_viewer(seat)
            catalogue = Catalogue()
            export.pack_for(catalogue)
            log = Log(export, export.header.match, catalogue)
        else:
            source, catalogue = closing.enter_context(store(place, name))
            log = Log(source, name, catalogue)
        check_seat(log, seat)
        yield log


@contextmanager
def store(place: Place, name: str = "") -> Iterator[tuple[Reader, Catalogue]]:
    """Yield the store for reading, and the games with the packs of its matches. `name`: of the match sought."""
    try:
        reader = stores.open_to_read(place.url)
    except StoreMissing as error:
        if not name:
            raise
        raise Wrong(f"{name} is no file, and there is no store to look for it in: {error}") from error
    try:
        yield reader, catalogue_of(place, reader)
    finally:
        reader.close()


def catalogue_of(place: Place, store: Tables | None = None) -> Catalogue:
    """Return the games with the packs in the service's folder and, if a store is given, those that it keeps."""
    catalogue = Catalogue()
    # a pack that can't be played with belongs to no match
    Packs(catalogue, place.packs).refresh()
    if store is not None:
        look_in(store, catalogue)
    return catalogue


def export_of(log: Log, place: Place, seat: int | None) -> Iterator[bytes]:
    """Yield the lines of the match's export. Its receipts are signed now, unless it was imported with its own."""
    return exports.lines(log, None if log.store.proof(log.id) else Keyring(place.keys), seat)


def check_seat(log: Log, seat: int | None) -> None:
    """Check that the match has the seat, if one is named. Raises Wrong."""
    if seat is not None and not 0 <= seat < log.opening.seats:
        raise Wrong(f"{log.id} has {log.opening.seats} seats, from 0; there is no seat {seat}.")


def viewer_of(log: Log, seat: int | None) -> Viewer:
    """Return the viewer who looks: that seat, or all of a match that is over, or the reader of a file."""
    if seat is None and log.is_over:
        return TRUTH
    if seat is None and isinstance(log.store, Export) and isinstance(log.store.header.viewer, int):
        seat = log.store.header.viewer
    check_seat(log, seat)
    return seat


ENDING = (signal.SIGTERM, signal.SIGHUP)
"""The signals to end besides that of Ctrl-C."""


@contextmanager
def stoppable() -> Iterator[None]:
    """Turn signals to end into SystemExit, so that no draft is left behind, as after Ctrl-C."""
    # what `nohup` has ignored stays ignored
    asked = [one for one in ENDING if signal.getsignal(one) is not signal.SIG_IGN]
    before = [signal.signal(number, lambda received, _: sys.exit(128 + received)) for number in asked]
    try:
        yield
    finally:
        for number, handler in zip(asked, before, strict=True):
            signal.signal(number, handler)


@contextmanager
def written(output: Path, place: Place, *, is_forced: bool = False) -> Iterator[Path]:
    """Yield a draft that becomes the file as a whole when the block is done; until then, or if not, it stays as it was.

    An existing file is overwritten only if forced, and a file that the service needs not even then. Raises Wrong.
    """
    if output == PRINTED:
        raise Wrong("- is no file: name one")
    if place.is_own(output):
        raise Wrong(f"{output} is a file of the service's own: name another one")
    try:
        if not is_forced and os.path.lexists(output):
            raise AlreadyThere
        with stoppable(), drafted(output, mode=0o666, is_first=not is_forced) as draft:
            yield draft
    except AlreadyThere as error:
        raise Wrong(f"{output}: it is there already. --force overwrites a file.") from error
    except OSError as error:
        raise Wrong(f"{output}: {error.strerror}") from error


def ids(place: Place) -> tuple[str, ...]:
    """Return the ids of all matches in the store."""
    with reading(place.name), store(place) as (reader, _):
        return reader.matches()


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
    """Yield the answers in the order of the ids. Raises Wrong if a process that answers is killed."""
    return shown(_answers(question, place, ids), len(ids), what)


def shown(answers: Iterator[T], count: int, what: str) -> Iterator[T]:
    """Yield the answers, `count` in all, and show the progress."""
    # the library takes a while to load
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    console = Console(stderr=True)
    columns = (TextColumn(what), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True, disable=not sys.stderr.isatty()) as progress:
        task = progress.add_task(what, total=count)
        # `track` would start a thread, and a signal that comes to it would disturb the start of a process
        for answer in answers:
            progress.advance(task)
            yield answer


def _answers(question: Question[T], place: Place, ids: tuple[str, ...]) -> Iterator[T]:
    workers = min(os.cpu_count() or 1, (len(ids) + BATCH - 1) // BATCH)
    if workers < 2:
        with store(place) as (reader, catalogue):
            for match_id in ids:
                yield question(place, reader, catalogue, match_id)
        return
    # threads and open files don't survive a fork
    context = multiprocessing.get_context("spawn")
    # a signal to end raises, so that the pool tidies up and says nothing of it
    with stoppable(), ProcessPoolExecutor(workers, context, _open, (place,)) as pool:
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
        except BrokenProcessPool as error:
            raise Wrong("a process that was reading matches was killed: the memory may be short") from error
        finally:
            pool.shutdown(cancel_futures=True)


@contextmanager
def _undisturbed() -> Iterator[None]:
    """Delay signals to end until after the block, so that a process which is started in it gets all that it needs."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, *ENDING})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _open(place: Place) -> None:
    # the asking process handles Ctrl-C: when it ends, all end
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, ENDING)  # delayed by whoever has started it
    Thread(target=_end_with_whoever_asks, daemon=True).start()
    entered = store(place)
    _here.append((place, entered, *entered.__enter__()))


def _end_with_whoever_asks() -> None:
    """End this process when the asking one ends: one that is killed can't tell its children."""
    if asker := multiprocessing.parent_process():
        asker.join()
        os._exit(1)


def _answer(question: Question[T], ids: tuple[str, ...]) -> list[T]:
    place, _, reader, catalogue = _here[0]
    return [question(place, reader, catalogue, match_id) for match_id in ids]
