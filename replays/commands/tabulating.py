"""The command `tabulate`: matches as an SQLite database, for analysis."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path

import click
import msgspec

from domain.catalogue import Catalogue
from domain.matches import Status
from events.store import Reader
from replays.commands import Wrong, conclude, counted, reading
from replays.commands.reading import Place, at_place, forced
from replays.commands.store import check_game, game_of
from replays.log import Log, status_of
from replays.printing import say, say_either
from replays.tables import Rows, Tables, rows_of

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


@click.command()
@click.argument("matches_or_files", nargs=-1)
@at_place
@click.option(
    "-o", "--output", type=click.Path(path_type=Path), default=NAME, show_default=True, help="The file to write."
)
@click.option("--game", help="Take only matches of this game from the store, e.g. three-magic.")
@click.option(
    "--status",
    "statuses",
    type=click.Choice([*map(str, Status)]),
    multiple=True,
    help="Take matches with this status from the store, instead of finished ones; may be given more than once.",
)
@click.option("--seat", type=int, help="Take what this seat sees, from 0.")
@forced
@reading.as_json
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
            named = _named(matches_or_files, place, seat)
            results: Iterator[Rows | LeftOut] = reading.shown(named, len(matches_or_files), "tabulating")
        else:
            results = _stored(place, game, statuses or (Status.FINISHED,), seat)
        for result in results:
            if isinstance(result, LeftOut):
                left_out.append(result)
            elif (match := result["matches"][0]["match"]) in tables.matches:
                raise Wrong(f"{match} is named twice")
            else:
                tables.add(result)
    done = Tabulated(str(output), len(tables.matches), tables.events, tuple(left_out))
    if not as_json:
        say((f"{left.match} is left out: {left.reason}" for left in left_out), is_error=True)
    conclude(context, code := 1 if left_out else 0)
    say_either(done, [f"{output}: {counted(done.matches, done.events)}"], as_json=as_json)
    context.exit(code)


@contextmanager
def _tables(output: Path, place: Place, *, is_forced: bool) -> Iterator[Tables]:
    """Yield the tables. They become the file when they are complete; until then, or if not, it stays as it was."""
    written = reading.written(output, place, is_forced=is_forced)
    try:
        with written as draft, closing(sqlite3.connect(draft)) as database:
            tables = Tables(database)
            yield tables
            tables.finish()
    except sqlite3.Error as error:
        raise Wrong(f"{output}: {error}") from error


def _named(names: tuple[str, ...], place: Place, seat: int | None) -> Iterator[Rows | LeftOut]:
    for name in names:
        with reading.opened(name, place, seat) as log:
            yield rows_of(log, reading.viewer_of(log, seat))


def _stored(place: Place, game: str | None, statuses: Sequence[str], seat: int | None) -> Iterator[Rows | LeftOut]:
    with reading.reading(place.name), reading.store(place) as (store, catalogue):
        if game is not None:
            check_game(store, catalogue, game)
        ids = store.matches()
    question = partial(_tabulated, game, statuses, seat)
    yield from filter(None, reading.ask_all(question, place, ids, "tabulating"))


def _tabulated(
    game: str | None,
    statuses: Sequence[str],
    seat: int | None,
    place: Place,
    store: Reader,
    catalogue: Catalogue,
    match_id: str,
) -> Rows | LeftOut | None:
    """Return the match's rows; None if it is not wanted."""
    try:
        with reading.reading(match_id):
            is_other = game is not None and game_of(store, match_id) != game
            if is_other or status_of(store, match_id) not in statuses:
                return None
            log = Log(store, match_id, catalogue)
            return rows_of(log, reading.viewer_of(log, seat))
    except Wrong as error:
        return LeftOut(match_id, error.message)
