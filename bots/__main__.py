"""`python -m bots play`: matches of bots among themselves, without a store."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Callable
from pathlib import Path
from time import perf_counter
from typing import Any

import click
import msgspec
from rich.console import Console
from rich.progress import track

from bots import ABOUT, BOTS
from bots.report import Report, Result, show, tally
from bots.simulate import Played, play_out
from domain import refusals
from domain.catalogue import Catalogue, PackFile, Room
from domain.chance import Simulation
from domain.game import Refusal
from domain.step import Stuck


class Wrong(click.ClickException):
    """What was asked for can't be done: one line, exit code 2."""

    exit_code = 2


@click.group()
def cli() -> None:
    """Bots that play any game of the house."""


@cli.command(epilog="\n\n".join(["Bots:", *(f"{name}: {about['en']}" for name, about in ABOUT.items())]))
@click.argument("game")
@click.option("--seats", type=int, default=None, help="Players at the table; the fewest that the game takes.")
@click.option("--bots", default="random", show_default=True, help="A bot a seat, by commas; a single one sits on all.")
@click.option("--matches", type=click.IntRange(1), default=1, show_default=True, help="How many matches to play.")
@click.option("--seed", default="0", show_default=True, help="Where chance comes from: same seed, same matches.")
@click.option("--pack", default=None, help="The printed numbers to play with; the game's first pack.")
@click.option("--options", default="{}", help="The game's options, as JSON.")
@click.option("--rotate", is_flag=True, help="Everybody moves on by a seat after each match.")
@click.option(
    "--save",
    type=click.Path(path_type=Path),
    default=None,
    metavar="FOLDER",
    help="Write each match into the folder, as a file that `./foldtable replays` reads and audits. Their chance can be"
    " verified: they are other matches than those that are not saved.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.pass_obj
def play(
    saving: Save | None,
    game: str,
    seats: int | None,
    bots: str,
    matches: int,
    seed: str,
    pack: str | None,
    options: str,
    rotate: bool,
    save: Path | None,
    as_json: bool,
) -> None:
    """Play matches of GAME, and print who won how often and how fast they were played."""
    room = _room(game)
    names = _names(bots, _seats(room, seats))
    if not _is_text(seed):
        raise Wrong("The seed is no text.")
    table = Table(room, names, _pack(room, pack), _options(room, options))
    files: list[Path] = []
    if save is not None and saving is None:
        raise Wrong("Here nothing is known of logs: ./foldtable bots play can --save matches.")
    one = _playing(table) if save is None or saving is None else saving(table, save, files)
    report = _run(table, matches, seed, rotate, one)
    if as_json:
        click.echo(msgspec.json.encode(report))
        return
    show(report)
    if files:
        more = f", and {len(files) - 1} more there" if len(files) > 1 else ""
        click.echo(f"saved: {files[0]}{more}")


class Table(msgspec.Struct, frozen=True):
    """What is played, and by whom."""

    room: Room
    names: tuple[str, ...]
    pack: PackFile
    options: Any


Play = Callable[[tuple[str, ...], str], Played]
"""(the bots in their seats' order, the match's seed) -> how it went."""

Save = Callable[[Table, Path, list[Path]], Play]
"""(what is played, a folder, a list to which files are added) -> how to play and write down. What is written are logs,
which are not known here: whoever runs the commands brings it."""


def _playing(table: Table) -> Play:
    """Play and forget."""
    game, pack = table.room.game, table.pack.pack

    def played(order: tuple[str, ...], seed: str) -> Played:
        return play_out(game, pack, table.options, len(order), [BOTS[name] for name in order], Simulation(seed))

    return played


def _run(table: Table, matches: int, seed: str, rotate: bool, play_one: Play) -> Report:
    game, seats = table.room.game, len(table.names)
    screen = Console(stderr=True)
    results: list[Result] = []
    seconds = 0.0
    try:
        for k in track(range(matches), "Playing", console=screen, disable=not screen.is_terminal, transient=True):
            # whoever sat on seat 0 sits on seat 1 next
            turn = -k % seats if rotate else 0
            order = table.names[turn:] + table.names[:turn]
            start = perf_counter()
            # a stream of its own for each match: the hundredth can be played again without the others
            played = play_one(order, f"{seed}:{k}")
            seconds += perf_counter() - start
            results.append((order, msgspec.structs.replace(played, told=()), game.measure(played.told)))
    except Refusal as error:
        raise Wrong(refusals.say(game, error, "en")) from error
    except Stuck as error:
        raise click.ClickException(str(error)) from error
    return tally(game.slug, seats, results, seconds)


def _room(slug: str) -> Room:
    rooms = Catalogue().rooms
    if slug not in rooms:
        raise Wrong(f"There is no game {slug!r}; there is {', '.join(rooms) or 'none'}.")
    return rooms[slug]


def _seats(room: Room, seats: int | None) -> int:
    if seats is None:
        return room.game.seats[0]
    if seats not in room.game.seats:
        wanted = ", ".join(map(str, room.game.seats))
        raise Wrong(f"{room.game.title['en']} is played with {wanted} seats, not with {seats}.")
    return seats


def _names(bots: str, seats: int) -> tuple[str, ...]:
    names = tuple(name.strip() for name in bots.split(","))
    if unknown := [name for name in names if name not in BOTS]:
        raise Wrong(f"There is no bot {unknown[0]!r}; there is {', '.join(BOTS)}.")
    if len(names) == 1:
        return names * seats
    if len(names) != seats:
        raise Wrong(f"{len(names)} bots for {seats} seats: name one a seat, or a single one for all.")
    return names


def _pack(room: Room, name: str | None) -> PackFile:
    if name is None:
        return next(iter(room.packs.values()))
    if name not in room.packs:
        raise Wrong(f"{room.game.title['en']} has no pack {name!r}; it has {', '.join(room.packs)}.")
    return room.packs[name]


def _is_text(said: str) -> bool:
    """Whether it can be encoded: what is typed may be bytes of no text."""
    return not any("\ud800" <= letter <= "\udfff" for letter in said)


def _options(room: Room, given: str) -> Any:
    try:
        return msgspec.json.decode(given.encode(), type=room.game.Options)
    except (msgspec.DecodeError, UnicodeEncodeError) as error:
        raise Wrong(f"The options {given}: {error}") from error


def main(saving: Save | None = None) -> None:
    """Run the command; what goes wrong is told in one line."""
    try:
        code = cli(prog_name="./foldtable bots", standalone_mode=False, obj=saving)
    except click.exceptions.NoArgsIsHelpError as error:
        # nothing was asked for: what there is
        click.echo(error.format_message(), err=True)
        sys.exit(error.exit_code)
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
    # values refer to no cycle: a collector that looks for cycles in every match finds none, for a twentieth of the time
    gc.set_threshold(100_000)
    main()
