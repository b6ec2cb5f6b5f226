"""The commands on a store: `list`, `export`, and those that write into it, `import` and `fork`."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import chain, islice
from pathlib import Path

import click
import msgspec

from domain.catalogue import Catalogue, PackFile
from domain.game import Refusal
from domain.matches import Status
from events import stores
from events.chain import Stored, fresh_id, now, stamp
from events.sqlite import SqliteRecorder
from events.store import Reader, Recorder, Store, StoreError, StoreInUse, StoreMissing, Write
from replays import log as logs
from replays.checking.audit import audit
from replays.commands import Wrong, reading
from replays.commands.reading import Place, at_place, forced
from replays.files import exports
from replays.files.format import ALL, Export, proof_of, read_file
from replays.files.packs import Packs
from replays.log import Heading, Log, heading_of, status_of
from replays.printing import pour, say, say_either

FEW = 20
"""How many matches are listed by default."""

MANY = 10**9
"""The most that can be asked for, which is more than any store holds."""


class Entry(msgspec.Struct, frozen=True):
    """What is known of a match without its rules."""

    match: str
    game: str
    status: Status
    rules: int
    """The version of the game's rules."""
    pack: str
    seats: int
    version: int
    """The version of its last event."""
    opened: str
    last: str
    """`opened` and `last`: when it was opened, and when its last event was stored: UTC, RFC 3339."""


class Listing(msgspec.Struct, frozen=True):
    """What is printed as JSON."""

    matches: tuple[Entry, ...]
    more: bool
    """Whether there are further matches."""


@click.command("list")
@at_place
@click.option("--game", help="Only matches of this game, e.g. three-magic.")
@click.option("--status", type=click.Choice([*map(str, Status)]), help="Only matches with this status.")
@click.option("--limit", type=click.IntRange(1, MANY), default=FEW, show_default=True, help="The most matches to list.")
@reading.as_json
def list_(place: Place, game: str | None, status: str | None, limit: int, as_json: bool) -> None:
    """List the matches of the store, one on each line, newest first."""
    with reading.reading(place.name), reading.store(place) as (store, catalogue):
        if game is not None:
            check_game(store, catalogue, game)
        entries = tuple(islice(_fitting(store, game, status), limit + 1))
    listing = Listing(entries[:limit], more=len(entries) > limit)
    say_either(listing, _words(listing), as_json=as_json)


def check_game(store: Reader, catalogue: Catalogue, game: str) -> None:
    """Check that the game exists, or that the store has a match of it. Raises Wrong, Unreadable."""
    if game not in catalogue.rooms and game not in {opening.game for _, opening in _openings(store)}:
        raise Wrong(f"There is no game {game!r}; there is {', '.join(catalogue.rooms)}.")


def game_of(store: Reader, match_id: str) -> str:
    """Return the game of a match, without needing its rules. Raises Unreadable for a damaged match."""
    return heading_of(match_id, store.read(match_id, 0, 1)[0].public).game


def _openings(store: Reader) -> Iterator[tuple[Stored, Heading]]:
    """Yield the first event of every match, as it is stored and decoded. Raises Unreadable for a damaged one."""
    for match_id in store.matches():
        for first in store.read(match_id, 0, 1):
            yield first, heading_of(match_id, first.public)


def _fitting(store: Reader, game: str | None, status: str | None) -> Iterator[Entry]:
    opened = [(first, opening) for first, opening in _openings(store) if game is None or opening.game == game]
    for first, opening in sorted(opened, key=lambda pair: (pair[0].at, pair[0].stream), reverse=True):
        now, head = status_of(store, first.stream), store.head(first.stream)
        if status is None or now == status:
            known = (first.stream, opening.game, now, opening.version, opening.pack, opening.seats)
            yield Entry(*known, head.version, first.at, head.at)


def _words(listing: Listing) -> Iterable[str]:
    if not listing.matches:
        yield "no matches"
    wide = max((len(entry.match) for entry in listing.matches), default=0)
    game = max((len(entry.game) for entry in listing.matches), default=0)
    for entry in listing.matches:
        opened = entry.opened[:16].replace("T", " ")
        yield (
            f"{entry.match:{wide}}  {entry.game:{game}}  {entry.status:8}  {entry.seats} seats"
            f"  version {entry.version:<5}"
            f"  opened {opened}, pack {entry.pack}"
        )
    if listing.more:
        yield f"and more: --limit {2 * len(listing.matches)} lists more of them"


class Doubtful(click.ClickException):
    """A file that does not pass the audit: one line, exit code 1."""

    exit_code = 1


def checked(path: Path, *, is_trusted: bool = False) -> Export:
    """Return the match of the file, checked as far as that needs no store. It is read once: it may be a pipe.

    Shape:   `is_trusted`: it is returned even if it does not pass the audit.
    Raises:  Doubtful; Wrong if the file does not hold all of the match; BadFile.
    """
    file = read_file(path)
    if file.header.viewer != ALL:
        raise Wrong(f"{file.header.match} is not over: the file holds only what its reader may see.")
    export = Export(file, str(path))
    report = None if is_trusted else audit(file, Catalogue())
    if report is not None and (not report.ok or report.not_checked):
        reason = report.failures[0].line if report.failures else report.why_not
        raise Doubtful(f"{path} does not audit: {' '.join(reason.split())}")
    return export


def import_match(export: Export, recorder: Recorder, packs: Packs) -> tuple[str, int]:
    """Store the match of the file completely and once, with its id. Returns the id and the number of its events.

    Raises:  Wrong if the store has the match; StoreError.
    """
    header = export.header
    own = [header.match, *export.private_streams(header.match)]
    if any(recorder.head(stream).version for stream in own):
        raise Wrong(f"{header.match} is in the store already.")
    data = header.pack.text.encode()
    packs.keep(header.game, PackFile(name=header.pack.name, data=data, hash=header.pack.hash, pack=None))
    writes = [Write(stream, 0, export.read(stream)) for stream in own]
    recorder.append(header.match, writes, decisions=(), proof=proof_of(export.file))
    return header.match, sum(len(write.events) for write in writes)


@contextmanager
def _written(place: Place, instead: str) -> Iterator[Store]:
    """Yield the store for writing; it is made if there is none."""
    with reading.reading(place.name):
        try:
            place.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        except OSError as error:
            raise Wrong(f"{place.folder} can't be made: {error.strerror}") from error
        try:
            recorder: Store
            recorder = SqliteRecorder(place.file, alone=True) if place.file else stores.open_to_write(place.url)
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
    with reading.reading(place.name):
        first = checked(files[0], is_trusted=unaudited)  # so that no store is made for a file that can't be in it
    with _written(place, "Stop it, then import; matches are there when it starts again.") as recorder:
        packs = Packs(Catalogue(), place.packs, recorder)
        for export in chain([first], (checked(path, is_trusted=unaudited) for path in files[1:])):
            match_id, events = import_match(export, recorder, packs)
            say([f"{match_id}: {events} events"])


@click.command()
@click.argument("match_id", metavar="MATCH")
@at_place
@click.option("--at", type=int, required=True, help="The version from which to continue.")
def fork(match_id: str, place: Place, at: int) -> None:
    """Open a new match that continues a finished one, with all its seats free, and print its id."""
    if reading.is_file(match_id):
        raise Wrong(f"{match_id} names a file: import it first, then name the match.")
    # so that no store is made for a match that can't be in it; opening it to write reports anything else that is wrong
    try:
        stores.open_to_read(place.url).close()
    except StoreMissing as error:
        raise Wrong(str(error)) from error
    except StoreError:
        pass
    with _written(place, f"Ask it: POST /api/matches/{match_id}/fork.") as recorder:
        log = Log(recorder, match_id, reading.catalogue_of(place, recorder))
        secret = secrets.token_hex(32)
        try:
            entries, _ = exports.fork(log, at, secret)
        except Refusal as refusal:
            if refusal.code != "fork-point":
                raise
            nearest = " or ".join(f"--at {version}" for version in exports.nearest_fork_points(log, at))
            advice = f" Nearest is {nearest}." if nearest else ""
            raise Wrong(f"{reading.in_one_line(refusal)}{advice}") from refusal
        made, new = stamp(now()), fresh_id("m")
        stored = logs.seal(log.codec, recorder.head(new), new, entries, made, bytes.fromhex(secret))
        recorder.append(new, [Write(new, 0, stored)], decisions=())
    say([new])


@click.command()
@click.argument("match")
@at_place
@click.option("--seat", type=int, help="Include what this seat may read, from 0.")
@click.option("-o", "--output", type=click.Path(path_type=Path), help="The file to write. Default: -, which prints it.")
@forced
def export(match: str, place: Place, seat: int | None, output: Path | None, is_forced: bool) -> None:
    """Write a match as JSON Lines: all of it if it is over, else what the seat (or anybody) may see."""
    if reading.is_file(match):
        raise Wrong(f"{match} names a file: name a match of the store.")
    with reading.opened(match, place, seat) as log:
        lines = reading.export_of(log, place, seat)
        if output in {None, reading.PRINTED}:
            pour(lines)
        else:
            with reading.written(output, place, is_forced=is_forced) as draft:
                draft.write_bytes(b"".join(lines))
