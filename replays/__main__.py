"""`python -m replays`: looks at matches in a store, or in files that were exported from one."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click
import msgspec

from domain.catalogue import Catalogue
from events.codec import UnknownEvent, Unreadable
from events.sqlite import SqliteRecorder
from events.store import StoreError
from replays import exports
from replays.exports import BadFile, Export
from replays.log import Log, OtherRules, UnknownMatch
from replays.packs import Packs
from replays.show import NoSuchVersion, draw, picture

DATABASE, PACKS = "foldtable.db", "packs"
TOLD = (BadFile, NoSuchVersion, OtherRules, StoreError, UnknownEvent, UnknownMatch, Unreadable)
"""What can be wrong with what is read; each says so in one line."""


class Wrong(click.ClickException):
    """What was asked for can't be done, or not read: one line, exit code 2."""

    exit_code = 2


@click.group()
def cli() -> None:
    """Reads matches back."""


def _folder(command: click.decorators.FC) -> click.decorators.FC:
    folder = click.Path(path_type=Path)
    return click.option("--data", type=folder, default=Path("data"), show_default=True, help="The service's folder.")(
        command
    )


@contextmanager
def _reading(name: str) -> Iterator[None]:
    """Whatever is wrong with the log is told in one line."""
    try:
        yield
    except TOLD as error:
        raise Wrong(" ".join(str(error).split())) from error
    except (AssertionError, ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
        # evolve is total on what the rules told; this was told by something else
        raise Wrong(f"{name} can't be folded: {type(error).__name__}: {' '.join(str(error).split())}") from error


@contextmanager
def _opened(name: str, data: Path, seat: int | None) -> Iterator[Log]:
    """The log of a match in the store, or in a file, for whoever looks from the seat."""
    file = Path(name)
    with _reading(name):
        if file.is_file() or file.suffix == ".jsonl" or len(file.parts) > 1:
            export = _export(file)
            export.check_viewer(seat)
            catalogue = Catalogue()
            export.pack_for(catalogue)
            yield _seated(Log(export, export.header.match, catalogue), seat)
            return
        store = SqliteRecorder.open_to_read(data / DATABASE)
        catalogue = Catalogue()
        # one that can't be played with is of no match
        Packs(catalogue, data / PACKS).refresh()
        try:
            yield _seated(Log(store, name, catalogue), seat)
        finally:
            store.close()


def _export(file: Path) -> Export:
    try:
        return Export(file.read_bytes(), str(file))
    except OSError as error:
        raise BadFile(f"{file}: {error.strerror}") from error


def _seated(log: Log, seat: int | None) -> Log:
    if seat is not None and not 0 <= seat < log.opening.seats:
        raise Wrong(f"{log.id} has {log.opening.seats} seats, from 0; there is no seat {seat}.")
    return log


@cli.command()
@click.argument("match_or_file")
@_folder
@click.option("--at", type=int, default=None, help="The version to look at; the last one.")
@click.option("--seat", type=int, default=None, help="Whose eyes to look with, from 0; anybody's.")
@click.option("--lang", type=click.Choice(["en", "ja"]), default="en", show_default=True, help="Language of texts.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def show(match_or_file: str, data: Path, at: int | None, seat: int | None, lang: str, as_json: bool) -> None:
    """Show the table of a match, and what has just happened."""
    with _opened(match_or_file, data, seat) as log:
        shown = picture(log, seat, at, lang)
        click.echo(msgspec.json.encode(shown) if as_json else draw(log, shown, lang))


@cli.command()
@click.argument("match")
@_folder
@click.option("--seat", type=int, default=None, help="Add what this seat may read, from 0.")
@click.option("-o", "--output", type=click.Path(path_type=Path), default=None, help="The file to write.")
def export(match: str, data: Path, seat: int | None, output: Path | None) -> None:
    """Write a match as JSON Lines: all of it when it is over, else what the seat may see, or anybody."""
    with _opened(match, data, seat) as log:
        lines = exports.lines(log, seat)
        if output is None:
            for line in lines:
                click.echo(line, nl=False)
        else:
            _write(output, b"".join(lines))


def _write(output: Path, text: bytes) -> None:
    """The file is there whole, or as it was before."""
    draft = None
    try:
        with tempfile.NamedTemporaryFile(dir=output.absolute().parent, delete=False) as draft:
            draft.write(text)
        os.chmod(draft.name, 0o644)
        os.replace(draft.name, output)
    except OSError as error:
        if draft is not None:
            Path(draft.name).unlink(missing_ok=True)
        raise Wrong(f"{output}: {error.strerror}") from error


def main() -> None:
    """Run the command; what goes wrong is told in one line."""
    try:
        code = cli(standalone_mode=False)
    except click.ClickException as error:
        click.echo(f"error: {error.format_message()}", err=True)
        sys.exit(error.exit_code)
    except (click.Abort, KeyboardInterrupt):
        sys.exit(130)
    except BrokenPipeError:
        # whoever reads has seen enough; nothing is left to be flushed into the pipe
        os._exit(0)
    sys.exit(code)


if __name__ == "__main__":
    main()
