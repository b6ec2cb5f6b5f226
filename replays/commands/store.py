"""The commands on a store: `list`, `export`, and those that write into it, `import` and `fork`."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from typing import Any

import click
import msgspec

from domain import matches
from domain.catalogue import Catalogue, PackFile
from domain.game import Refusal
from domain.matches import LAST, Match, Status
from domain.play import Told
from events import stores
from events.chain import Stored, fresh_id, stamp
from events.postgres import PostgresRecorder
from events.sqlite import SqliteRecorder
from events.store import Reader, Recorder, Store, StoreError, StoreInUse, StoreMissing, Write
from replays import log as logs
from replays.checking.audit import Report, audit
from replays.commands import reading
from replays.commands.reading import Place, Wrong, at_place, forced
from replays.files import exports
from replays.files.format import ALL, BadFile, Export, File, proof_of, read_file
from replays.files.packs import Packs
from replays.log import Log
from replays.printing import pour, say, say_json

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


class _Opened(msgspec.Struct, frozen=True):
    game: str
    version: int
    pack: str
    seats: int


_opened = msgspec.json.Decoder(_Opened)


@click.command("list")
@at_place
@click.option("--game", default=None, help="Only matches of this game, e.g. three-magic.")
@click.option(
    "--status", type=click.Choice([one.value for one in Status]), default=None, help="Only matches with this status."
)
@click.option("--limit", type=click.IntRange(1, MANY), default=FEW, show_default=True, help="The most matches to list.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def list_(place: Place, game: str | None, status: str | None, limit: int, as_json: bool) -> None:
    """List the matches of the store, one on each line, newest first."""
    with reading.reading(place.name), reading.store(place) as (store, catalogue):
        if game is not None:
            check_game(store, catalogue, game)
        entries = tuple(islice(_fitting(store, game, status), limit + 1))
    listing = Listing(entries[:limit], more=len(entries) > limit)
    if as_json:
        say_json(listing)
    else:
        say(_words(listing))


def check_game(store: Reader, catalogue: Catalogue, game: str) -> None:
    """Check that the game exists, or that the store has a match of it. Raises Wrong, StoreError."""
    if game not in catalogue.rooms and game not in {opening.game for _, opening in _openings(store)}:
        raise Wrong(f"There is no game {game!r}; there is {', '.join(catalogue.rooms)}.")


def game_of(store: Reader, match_id: str) -> str:
    """Return the game of a match, without needing its rules. Raises StoreError for a damaged match."""
    return _opening(store.read(match_id, 0, 1)[0]).game


def status_of(store: Reader, match_id: str) -> Status:
    """Return the status of a match, without needing its rules."""
    last = store.read(match_id, store.head(match_id).version - 1)[0]
    # the whole log is needed only for a match that is not over
    return matches.status_of([last.type] if last.type in LAST else [kind for kind, *_ in store.facts(match_id)])


def _openings(store: Reader) -> Iterator[tuple[Stored, _Opened]]:
    """Yield the first event of every match, as it is stored and decoded. Raises StoreError for a damaged one."""
    for match_id in store.matches():
        for first in store.read(match_id, 0, 1):
            yield first, _opening(first)


def _opening(first: Stored) -> _Opened:
    try:
        return _opened.decode(first.public)
    except msgspec.DecodeError as error:
        raise StoreError(f"The opening event of {first.stream}: {error}") from error


def _fitting(store: Reader, game: str | None, status: str | None) -> Iterator[Entry]:
    """Yield the matches of that game and status, newest first."""
    opened = [(first, opening) for first, opening in _openings(store) if game is None or opening.game == game]
    for first, opening in sorted(opened, key=lambda pair: (pair[0].at, pair[0].stream), reverse=True):
        now = status_of(store, first.stream)
        if status is None or now == status:
            head = store.head(first.stream)
            yield Entry(
                match=first.stream,
                game=opening.game,
                status=now,
                rules=opening.version,
                pack=opening.pack,
                seats=opening.seats,
                version=head.version,
                opened=first.at,
                last=head.at,
            )


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


class AlreadyHere(ValueError):
    """The store has a match with that id, which is not overwritten."""


class NotWhole(ValueError):
    """The file holds only what a seat may see of a running match, which is not enough to store it."""


class NotProven(ValueError):
    """The file does not pass the audit."""

    def __init__(self, report: Report) -> None:
        if not report.failures:
            super().__init__(report.why_not)
            return
        first = report.failures[0]
        super().__init__(f"version {first.version} of {first.stream}, {first.check} ({first.clause}): {first.reason}")
        self.report = report


def import_file(file: File, recorder: Recorder, packs: Packs, *, is_trusted: bool = False) -> int:
    """Store the match of the file with its id and all that its export needs. Returns the number of its events.

    Shape:   `is_trusted`: store it even if it does not pass the audit.
    Raises:  AlreadyHere, NotWhole, NotProven, BadFile, StoreError.
    """
    header = file.header
    if header.viewer != ALL:
        raise NotWhole(f"{header.match} is not over: the file holds only what its reader may see.")
    export = Export(file, header.match)
    own = [header.match, *export.private_streams(header.match)]
    if any(recorder.head(stream).version for stream in own):
        raise AlreadyHere(f"{header.match} is in the store already.")
    if not is_trusted:
        report = audit(file, Catalogue())
        if not report.ok or report.not_checked:
            raise NotProven(report)
    data = header.pack.text.encode()
    packs.keep(header.game, PackFile(name=header.pack.name, data=data, hash=header.pack.hash, pack=None))
    writes = [Write(stream, 0, export.read(stream)) for stream in own]
    recorder.append(header.match, writes, decisions=(), proof=proof_of(file))
    return sum(len(write.events) for write in writes)


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
    """See `exports.fork`. Raises Wrong, which names the nearest versions from which one can continue."""
    try:
        return exports.fork(log, at, secret)
    except Refusal as refusal:
        if refusal.code != "fork-point":
            raise
        instead = " or ".join(f"--at {version}" for version in exports.nearest_fork_points(log, at))
        advice = f" Nearest is {instead}." if instead else ""
        raise Wrong(f"{reading.in_one_line(refusal)}{advice}") from refusal


@click.command()
@click.argument("match")
@at_place
@click.option("--seat", type=int, default=None, help="Include what this seat may read, from 0.")
@click.option("-o", "--output", type=click.Path(path_type=Path), default=None, help="The file to write.")
@forced
def export(match: str, place: Place, seat: int | None, output: Path | None, is_forced: bool) -> None:
    """Write a match as JSON Lines: all of it if it is over, else what the seat (or anybody) may see."""
    if reading.is_file(match):
        raise Wrong(f"{match} is a file already; name a match of the store.")
    with reading.opened(match, place, seat) as log:
        # an imported match has its own receipts; for others they are signed now
        signer = None if log.store.proof(log.id) else reading.keyring(place)
        lines = exports.lines(log, signer, seat)
        if output is None:
            pour(lines)
        else:
            reading.write(output, b"".join(lines), place, is_forced=is_forced)
