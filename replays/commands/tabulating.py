"""The command `tabulate`: matches as an SQLite database, for analysis."""

from __future__ import annotations

import os
import signal
import sqlite3
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click
import msgspec

from domain.catalogue import Catalogue
from domain.matches import Status
from events.files import AlreadyThere, drafted
from events.store import Reader
from replays.commands import reading
from replays.commands import store as stores
from replays.commands.reading import Place, Wrong, at_place, forced
from replays.files.format import Export
from replays.log import TRUTH, Log, Viewer
from replays.printing import say, say_json
from replays.tables import Rows, rows_of

if TYPE_CHECKING:
    from replays.tables import Tables

NAME = Path("tables.db")


class LeftOut(msgspec.Struct, frozen=True):
    """A match of the store that can't be read, and the reason."""

    match: str
    reason: str


class Tabulated(msgspec.Struct, frozen=True):
    """The result of the command."""

    output: str
    matches: int
    events: int
    left_out: tuple[LeftOut, ...]


class _Picked(msgspec.Struct, frozen=True):
    """Which matches of the store are wanted, and the seat that looks at them."""

    game: str | None
    statuses: frozenset[str]
    seat: int | None


@click.command()
@click.argument("matches_or_files", nargs=-1)
@at_place
@click.option(
    "-o", "--output", type=click.Path(path_type=Path), default=NAME, show_default=True, help="The file to write."
)
@click.option("--game", default=None, help="Take only matches of this game from the store, e.g. three-magic.")
@click.option(
    "--status",
    "statuses",
    type=click.Choice([one.value for one in Status]),
    multiple=True,
    help="Take matches with this status from the store, instead of finished ones; may be given more than once.",
)
@click.option("--seat", type=int, default=None, help="Take what this seat sees, from 0.")
@forced
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.pass_context
def tabulate(
    context: click.Context,
    matches_or_files: tuple[str, ...],
    place: Place,
    output: Path,
    game: str | None,
    statuses: tuple[str, ...],
    seat: int | None,
    is_forced: bool,
    as_json: bool,
) -> None:
    """Write matches into an SQLite database: those that are named, or all finished ones of the store.

    Without a seat the database has all of a match that is over, what anybody may see of a running one, and what a
    file's reader may see of that. docs/tables.md describes the tables.

    Exit code 0: all matches are in it. 1: some of the store can't be read and are left out. 2: nothing is written.
    """
    if matches_or_files and (game or statuses):
        raise Wrong("either name matches, or select them by --game and --status")
    left_out: list[LeftOut] = []
    with _tables(output, place, is_forced=is_forced) as tables:
        if matches_or_files:
            for rows in reading.shown(_named(matches_or_files, place, seat), len(matches_or_files), "tabulating"):
                _add(tables, rows)
        else:
            for result in _stored(place, _Picked(game, frozenset(statuses or {Status.FINISHED}), seat)):
                if isinstance(result, LeftOut):
                    left_out.append(result)
                else:
                    _add(tables, result)
    done = Tabulated(str(output), len(tables.matches), tables.events, tuple(left_out))
    if as_json:
        say_json(done)
    else:
        say((f"{left.match} is left out: {left.reason}" for left in left_out), is_error=True)
        say([f"{output}: {done.matches} matches, {done.events} events"])
    context.exit(1 if left_out else 0)


@contextmanager
def _tables(output: Path, place: Place, *, is_forced: bool) -> Iterator[Tables]:
    """Yield the tables. They become the file when they are complete; until then, or if not, it stays as it was."""
    # imported late, since the library takes a while to load
    from replays.tables import Tables

    reading.check_apart(output, place)
    try:
        if not is_forced and os.path.lexists(output):
            raise AlreadyThere
        with _stoppable(), drafted(output, mode=0o666, is_first=not is_forced) as draft:
            tables = Tables(draft)
            try:
                yield tables
                tables.finish()
            finally:
                tables.close()
    except AlreadyThere as error:
        raise Wrong(f"{output}: it is there already. --force overwrites a file.") from error
    except OSError as error:
        raise Wrong(f"{output}: {error.strerror}") from error
    except sqlite3.Error as error:
        raise Wrong(f"{output}: {error}") from error


@contextmanager
def _stoppable() -> Iterator[None]:
    """Turn signals to end into SystemExit, so that no draft is left behind, as after Ctrl-C."""
    asked = (signal.SIGTERM, signal.SIGHUP)
    before = [signal.signal(number, lambda received, _: sys.exit(128 + received)) for number in asked]
    try:
        yield
    finally:
        for number, handler in zip(asked, before, strict=True):
            signal.signal(number, handler)


def _add(tables: Tables, rows: Rows) -> None:
    if rows.match.match in tables.matches:
        raise Wrong(f"{rows.match.match} is named twice")
    tables.add(rows)


def _named(names: tuple[str, ...], place: Place, seat: int | None) -> Iterator[Rows]:
    for name in names:
        with reading.opened(name, place, seat) as log:
            yield rows_of(log, _viewer(log, seat))


def _viewer(log: Log, seat: int | None) -> Viewer:
    """Return the viewer who looks at a match."""
    if seat is None and log.is_over:
        return TRUTH
    if seat is None and isinstance(log.store, Export) and isinstance(log.store.header.viewer, int):
        seat = log.store.header.viewer
    reading.seated(log, seat)
    return seat


def _stored(place: Place, picked: _Picked) -> Iterator[Rows | LeftOut]:
    """Yield the wanted matches of the store."""
    with reading.reading(place.name), reading.store(place) as (store, catalogue):
        if picked.game is not None:
            stores.check_game(store, catalogue, picked.game)
        ids = store.matches()
    for rows in reading.ask_all(partial(_tabulated, picked), place, ids, "tabulating"):
        if rows is not None:
            yield rows


def _tabulated(
    picked: _Picked, place: Place, store: Reader, catalogue: Catalogue, match_id: str
) -> Rows | LeftOut | None:
    """Return the match's rows; None if it is not wanted."""
    try:
        with reading.reading(match_id):
            if picked.game is not None and stores.game_of(store, match_id) != picked.game:
                return None
            if stores.status_of(store, match_id) not in picked.statuses:
                return None
            log = Log(store, match_id, catalogue)
            return rows_of(log, _viewer(log, picked.seat))
    except Wrong as error:
        return LeftOut(match_id, error.message)
