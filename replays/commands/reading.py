"""What the commands share: opening a match of a store or a file, and reporting errors as one line."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from domain import refusals
from domain.catalogue import Catalogue
from domain.game import Refusal
from events import stores
from events.codec import UnknownEvent, Unreadable
from events.files import write_whole
from events.keyring import Keyring
from events.store import Reader, StoreError, Tables
from replays.commands.place import Place
from replays.files.exports import Busy, Lost
from replays.files.format import BadFile, Export, read_file
from replays.files.packs import Packs, look_in
from replays.log import FOREIGN, Log, OtherRules, UnknownMatch
from replays.show import NoSuchVersion

TOLD = (BadFile, Busy, Lost, NoSuchVersion, OtherRules, Refusal, StoreError, UnknownEvent, UnknownMatch, Unreadable)
"""The errors of reading, each with a message of one line."""


class Wrong(click.ClickException):
    """The request can't be carried out: one line, exit code 2."""

    exit_code = 2


def language(command: click.decorators.FC) -> click.decorators.FC:
    """Add the option for the language of texts."""
    choice = click.Choice(["en", "ja"])
    return click.option("--lang", type=choice, default="en", show_default=True, help="Language of texts.")(command)


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
    path = Path(name)
    return path.is_file() or path.suffix == ".jsonl" or len(path.parts) > 1


@contextmanager
def opened(name: str, place: Place, seat: int | None = None) -> Iterator[Log]:
    """Yield the log of a match in the store or in a file, for a viewer on that seat."""
    with reading(name):
        if is_file(name):
            export = Export(read_file(Path(name)), name)
            export.check_viewer(seat)
            catalogue = Catalogue()
            export.pack_for(catalogue)
            yield seated(Log(export, export.header.match, catalogue), seat)
            return
        with store(place) as (source, catalogue):
            yield seated(Log(source, name, catalogue), seat)


@contextmanager
def store(place: Place) -> Iterator[tuple[Reader, Catalogue]]:
    """Yield the store for reading, and the games with the packs of its matches."""
    reader = stores.open_to_read(place.url)
    try:
        yield reader, catalogue_of(place, reader)
    finally:
        reader.close()


def catalogue_of(place: Place, store: Tables) -> Catalogue:
    """Return the games with the packs in the service's folder and those that its store keeps."""
    catalogue = Catalogue()
    # a pack that can't be played with belongs to no match
    Packs(catalogue, place.packs).refresh()
    look_in(store, catalogue)
    return catalogue


def keyring(place: Place) -> Keyring:
    """Return the keys of the service. Raises KeysUnusable."""
    return Keyring(place.keys)


def seated(log: Log, seat: int | None) -> Log:
    """Return the log after checking that it has the seat. Raises Wrong."""
    if seat is not None and not 0 <= seat < log.opening.seats:
        raise Wrong(f"{log.id} has {log.opening.seats} seats, from 0; there is no seat {seat}.")
    return log


def forced(command: click.decorators.FC) -> click.decorators.FC:
    """Add the option to overwrite a file."""
    return click.option("--force", "is_forced", is_flag=True, help="Overwrite the file if there is one.")(command)


def check_apart(output: Path, place: Place) -> None:
    """Refuse a file that the service needs: not even --force overwrites it. Raises Wrong."""
    if place.is_own(output):
        raise Wrong(f"{output} is a file of the service's own: name another one")


def write(output: Path, text: bytes, place: Place, *, is_forced: bool = False) -> None:
    """Write the file as a whole, or leave it as it was; an existing one is overwritten only if forced. Raises Wrong."""
    check_apart(output, place)
    try:
        if not write_whole(output, text, mode=0o666, is_first=not is_forced):
            raise Wrong(f"{output}: it is there already. --force overwrites a file.")
    except OSError as error:
        raise Wrong(f"{output}: {error.strerror}") from error


def ids(place: Place) -> tuple[str, ...]:
    """Return the ids of all matches in the store."""
    with reading(place.name), store(place) as (reader, _):
        return reader.matches()
