"""What the commands share: a match of a store or of a file, opened; what is wrong with it, told in one line."""

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
"""What can be wrong with what is read; each says so in one line."""


class Wrong(click.ClickException):
    """What was asked for can't be done, or not read: one line, exit code 2."""

    exit_code = 2


def language(command: click.decorators.FC) -> click.decorators.FC:
    """The option that says in which language texts are."""
    choice = click.Choice(["en", "ja"])
    return click.option("--lang", type=choice, default="en", show_default=True, help="Language of texts.")(command)


@contextmanager
def reading(name: str) -> Iterator[None]:
    """Whatever is wrong with the log is told in one line."""
    try:
        yield
    except TOLD as error:
        raise Wrong(in_one_line(error)) from error
    except FOREIGN as error:
        # evolve is total on what the rules told; this was told by something else
        raise Wrong(f"{name} can't be folded: {type(error).__name__}: {in_one_line(error)}") from error


def in_one_line(error: BaseException) -> str:
    """Its message without line breaks."""
    said = refusals.plain(error, "en") if isinstance(error, Refusal) and not error.clause else str(error)
    return " ".join(said.split())


def is_file(name: str) -> bool:
    """Whether a file is meant, and no match of the store."""
    path = Path(name)
    return path.is_file() or path.suffix == ".jsonl" or len(path.parts) > 1


@contextmanager
def opened(name: str, place: Place, seat: int | None = None) -> Iterator[Log]:
    """The log of a match in the store, or in a file, for whoever looks from the seat."""
    with reading(name):
        if is_file(name):
            export = Export(read_file(Path(name)), name)
            export.check_viewer(seat)
            catalogue = Catalogue()
            export.pack_for(catalogue)
            yield seated(Log(export, export.header.match, catalogue), seat)
            return
        with store(place) as (found, catalogue):
            yield seated(Log(found, name, catalogue), seat)


@contextmanager
def store(place: Place) -> Iterator[tuple[Reader, Catalogue]]:
    """The store, to be read, and the games with the packs that its matches are played with."""
    found = stores.open_to_read(place.url)
    try:
        yield found, catalogue_of(place, found)
    finally:
        found.close()


def catalogue_of(place: Place, store: Tables) -> Catalogue:
    """The games, with the packs of the service's folder, and those that its store keeps."""
    catalogue = Catalogue()
    # one that can't be played with is of no match
    Packs(catalogue, place.packs).refresh()
    look_in(store, catalogue)
    return catalogue


def keyring(place: Place) -> Keyring:
    """The keys of the service. Raises KeysUnusable."""
    return Keyring(place.keys)


def seated(log: Log, seat: int | None) -> Log:
    """The log, to be looked at from that seat, or from none. Raises Wrong where there is no such seat."""
    if seat is not None and not 0 <= seat < log.opening.seats:
        raise Wrong(f"{log.id} has {log.opening.seats} seats, from 0; there is no seat {seat}.")
    return log


def forced(command: click.decorators.FC) -> click.decorators.FC:
    """The option to overwrite a file."""
    return click.option("--force", "is_forced", is_flag=True, help="Overwrite the file if there is one.")(command)


def check_apart(output: Path, place: Place) -> None:
    """Raises Wrong for a file that the service lives by: no force overwrites that."""
    if place.is_own(output):
        raise Wrong(f"{output} is a file of the service's own: name another one")


def write(output: Path, text: bytes, place: Place, *, is_forced: bool = False) -> None:
    """The file is there whole, or as it was before; one that is there is only overwritten by force. Raises Wrong."""
    check_apart(output, place)
    try:
        if not write_whole(output, text, mode=0o666, is_first=not is_forced):
            raise Wrong(f"{output}: it is there already. --force overwrites a file.")
    except OSError as error:
        raise Wrong(f"{output}: {error.strerror}") from error


def ids(place: Place) -> tuple[str, ...]:
    """Of all matches in the store."""
    with reading(place.name), store(place) as (found, _):
        return found.matches()
