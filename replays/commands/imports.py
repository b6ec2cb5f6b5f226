"""The commands that write into a store, `import` and `fork`. On SQLite no service may use it at the same time."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import click

from domain import matches
from domain.catalogue import Catalogue
from domain.game import Refusal
from domain.matches import Match
from domain.play import Told
from events import stores
from events.chain import fresh_id, stamp
from events.postgres import PostgresRecorder
from events.sqlite import SqliteRecorder
from events.store import Store, StoreError, StoreInUse, StoreMissing, Write
from replays import log as logs
from replays.commands import reading
from replays.commands.place import Place, at_place
from replays.commands.reading import Wrong
from replays.files import forks
from replays.files.format import BadFile, read_file
from replays.files.imports import AlreadyHere, NotProven, NotWhole, import_file
from replays.files.packs import Packs
from replays.log import Log
from replays.printing import say


class Doubtful(click.ClickException):
    """A file that does not pass the audit: one line, exit code 1."""

    exit_code = 1


@contextmanager
def _written(place: Place, instead: str) -> Iterator[Store]:
    """Yield the store for writing; it is made if there is none."""
    with reading.reading(place.name):
        try:
            place.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        except OSError as error:
            raise Wrong(f"{place.folder} can't be made: {error.strerror}") from error
        try:
            recorder: Store = SqliteRecorder(place.file, alone=True) if place.file else PostgresRecorder(place.url)
        except StoreInUse as error:
            raise Wrong(f"{error}. {instead}") from error
        try:
            yield recorder
        finally:
            recorder.close()


@click.command("import")
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
@at_place
@click.option("--unaudited", is_flag=True, help="Import the file even if it does not pass the audit.")
def import_(files: tuple[Path, ...], place: Place, unaudited: bool) -> None:
    """Import exported matches into the store. They keep their ids; nothing is overwritten.

    Exit code 1: a file does not pass the audit. 2: it could not be read or stored. Files before it were imported.
    """
    with _written(place, "Stop it, then import; matches are there when it starts again.") as recorder:
        packs = Packs(Catalogue(), place.packs, recorder)
        for path in files:
            try:
                file = read_file(path)
                events = import_file(file, recorder, packs, is_trusted=unaudited)
            except NotProven as error:
                raise Doubtful(f"{path} does not audit: {reading.in_one_line(error)}") from error
            except (AlreadyHere, NotWhole, BadFile) as error:
                raise Wrong(reading.in_one_line(error)) from error
            say([f"{file.header.match}: {events} events"])


@click.command()
@click.argument("match_id", metavar="MATCH")
@at_place
@click.option("--at", type=int, required=True, help="The version from which to continue.")
def fork(match_id: str, place: Place, at: int) -> None:
    """Open a new match that continues a finished one, with all its seats free, and print its id."""
    if reading.is_file(match_id):
        raise Wrong(f"{match_id} is a file: import it first, then name the match.")
    _need(place)
    with _written(place, f"Ask it: POST /api/matches/{match_id}/fork.") as recorder:
        log = Log(recorder, match_id, reading.catalogue_of(place, recorder))
        secret = secrets.token_hex(32)
        entries, state = _forked(log, at, secret)
        assert state.status is matches.Status.OPEN, "its seats are yet to be taken"
        now, new = stamp(datetime.now(UTC)), fresh_id("m")
        stored = logs.seal(log.codec, recorder.head(new), new, entries, now, bytes.fromhex(secret))
        recorder.append(new, [Write(new, 0, stored)], decisions=())
    say([new])


def _need(place: Place) -> None:
    """Check that there is a store, so that none is made for a match that can't be in it. Raises Wrong."""
    try:
        stores.open_to_read(place.url).close()
    except StoreMissing as error:
        raise Wrong(str(error)) from error
    except StoreError:
        # opening it to write reports what is wrong
        return


def _forked(log: Log, at: int, secret: str) -> tuple[tuple[Told, ...], Match[Any]]:
    """See `forks.fork`. Raises Wrong, which names the nearest versions from which one can continue."""
    try:
        return forks.fork(log, at, secret)
    except Refusal as refusal:
        if refusal.code != "fork-point":
            raise
        instead = " or ".join(f"--at {version}" for version in forks.nearest(log, at))
        advice = f" Nearest is {instead}." if instead else ""
        raise Wrong(f"{reading.in_one_line(refusal)}{advice}") from refusal
