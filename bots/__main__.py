"""`python -m bots play`: matches that bots play among themselves, without a store."""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable, Iterable
from itertools import product
from pathlib import Path
from time import perf_counter
from typing import Any

import click
import msgspec
from rich.console import Console
from rich.progress import track

from bots import ABOUT, arena, fitting, named
from bots.choose import Bot
from bots.report import Outcome, Report, show, show_cells, show_fits, show_tried, tally
from bots.search import Searcher
from bots.simulate import Played, play_out
from domain import refusals
from domain.catalogue import Catalogue, PackFile, Room
from domain.chance import Simulation
from domain.game import Refusal
from domain.play import Stuck

MANY = 100_000
"""The most matches, or deals, that are played by several processes at once."""

TUNED = ("candidates", "depth", "doubt", "trust")
"""The numbers of a `search.toml` that matches can find."""


class Wrong(click.ClickException):
    """A request that can't be met: one line, exit code 2."""

    exit_code = 2


@click.group()
def cli() -> None:
    """Play any game by bots."""


@cli.command(epilog="\n\n".join(["Bots:", *(f"{name}: {about['en']}" for name, about in ABOUT.items())]))
@click.argument("game")
@click.option("--seats", type=int, default=None, help="Number of players. Default: the fewest that the game takes.")
@click.option(
    "--bots",
    default="random",
    show_default=True,
    help="A bot for each seat, with commas between; one alone takes all seats.",
)
@click.option("--matches", type=click.IntRange(1), default=1, show_default=True, help="How many matches to play.")
@click.option(
    "--seed",
    default="0",
    show_default=True,
    help="The seed of chance. The same seed gives the same matches, if no bot thinks for a time in seconds.",
)
@click.option("--pack", default=None, help="The pack of printed numbers to play with. Default: the game's first pack.")
@click.option("--options", default="{}", help="The game's options, as JSON.")
@click.option("--rotate", is_flag=True, help="Move each bot on by one seat after each match.")
@click.option(
    "--save",
    type=click.Path(),
    metavar="FOLDER",
    help="Write each match into the folder, as a file that `./foldtable replays` reads and audits. The chance of these"
    " matches can be verified, so they differ from those that are played without --save.",
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
    save: str | None,
    as_json: bool,
) -> None:
    """Play matches of GAME, and print who won how often and how fast they were played."""
    room = _room(game)
    names = _names(bots, _seats(room, seats))
    _check_seed(seed)
    table = Table(room, names, _pack(room, pack), _options(room, options))
    files: list[Path] = []
    if save is not None and saving is None:
        raise Wrong("This command can't write logs: use ./foldtable bots play --save.")
    play_one = _playing(table) if save is None or saving is None else saving(table, save, files)
    results: list[Outcome] = []
    try:
        _run(table, matches, seed, rotate, play_one, results)
    finally:
        # after Ctrl-C, what was played until then
        if results:
            _tell(tally(room.game.slug, len(names), results), files, as_json)


def _tell(report: Report, files: list[Path], as_json: bool) -> None:
    if as_json:
        click.echo(msgspec.json.encode(report))
        return
    show(report)
    if files:
        more = f", and {len(files) - 1} more there" if len(files) > 1 else ""
        click.echo(f"saved: {files[0]}{more}")


@cli.command(
    "arena",
    epilog="A searcher's budget may follow its name: thinker@0.1s in seconds, thinker@40w in imagined worlds. "
    "clairvoyant@0.1s is the same searcher, but it sees all cards: it shows how much more knowledge would gain.",
)
@click.argument("game")
@click.option("--seats", type=int, default=None, help="Number of players. Default: the fewest that the game takes.")
@click.option("--bots", required=True, help="The bots that are measured, with commas between.")
@click.option("--against", default="greedy", show_default=True, help="The bot at all other seats.")
@click.option(
    "--seeds",
    type=click.IntRange(2, MANY),
    default=20,
    show_default=True,
    help="How many deals; each is played once for each seat that the measured bot may have.",
)
@click.option("--seed", default="0", show_default=True, help="The seed of chance, as of `play`.")
@click.option("--pack", default=None, help="The pack of printed numbers. Default: the game's first pack.")
@click.option("--options", default="{}", help="The game's options, as JSON.")
@click.option(
    "--processes", type=click.IntRange(1, 256), default=None, help="How many matches at a time. Default: one a core."
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a bot.")
def measure(
    game: str,
    seats: int | None,
    bots: str,
    against: str,
    seeds: int,
    seed: str,
    pack: str | None,
    options: str,
    processes: int | None,
    as_json: bool,
) -> None:
    """Measure how strong bots are at GAME: each plays against copies of one other bot.

    Prints the share of first places with its interval (95 %), the fair share, and the time and work of a decision.
    """
    room = _room(game)
    names = tuple(name.strip() for name in bots.split(","))
    for name in names:
        _named(name, arena.challenger)
    _named(against)
    _check_seed(seed)
    setting = _setting(room, _seats(room, seats), _pack(room, pack), options)
    cells: list[arena.Cell] = []
    try:
        with arena.processes(processes) as pool:
            for name in names:
                results: list[arena.Result] = []
                playing = arena.play(setting, name, against, seed, range(seeds), pool)
                try:
                    results.extend(_shown(playing, name, seeds * setting.seats))
                finally:
                    # after Ctrl-C, the deals that were played from every seat until then
                    whole = results[: len(results) // setting.seats * setting.seats]
                    if whole:
                        cells.append(arena.cell(setting, name, against, whole))
                        if as_json:
                            click.echo(msgspec.json.encode(cells[-1]))
    finally:
        if cells and not as_json:
            show_cells(f"{game}, {setting.seats} seats, against {against}", cells)


def _setting(room: Room, seats: int, pack: PackFile, options: str) -> arena.Setting:
    """Return what an arena plays. Raises Wrong for options that can't be played."""
    try:
        room.game.check_options(_options(room, options), seats, pack.pack)
    except Refusal as error:
        raise Wrong(refusals.say(room.game, error, "en")) from error
    return arena.Setting(room.game.slug, pack.name, options.encode(), seats)


@cli.command("odds")
@click.argument("game")
@click.option(
    "--matches", type=click.IntRange(10, MANY), default=200, show_default=True, help="How many, by number of seats."
)
@click.option("--seed", default="0", show_default=True, help="The seed of chance, as of `play`.")
def fit(game: str, matches: int, seed: str) -> None:
    """Fit the curve that turns evaluations of GAME into shares of first places, on matches of greedy bots.

    Prints `scale` in the form of the room's `search.toml`. One half of the matches is used to fit, the other to check.
    """
    room = _room(game)
    _check_seed(seed)
    with arena.processes() as pool:
        show_fits(game, [fitting.fit(room.game.slug, seats, seed, matches, pool) for seats in room.game.seats])


@cli.command("tune")
@click.argument("game")
@click.option("--seats", type=int, default=None, help="Number of players. Default: the fewest that the game takes.")
@click.option("--bot", default="thinker@24w", show_default=True, help="The searcher, with its budget.")
@click.option("--against", default="greedy", show_default=True, help="The bot at all other seats.")
@click.option(
    "--try",
    "tries",
    multiple=True,
    required=True,
    metavar="NAME=A,B,…",
    help="A number of search.toml (candidates, depth, doubt, trust) and what to try for it. Of several, all"
    " combinations are tried.",
)
@click.option(
    "--seeds",
    type=click.IntRange(2, MANY),
    default=8,
    show_default=True,
    help="Deals of the first round, each rotated.",
)
@click.option("--seed", default="0", show_default=True, help="The seed of chance, as of `play`.")
def tune(game: str, seats: int | None, bot: str, against: str, tries: tuple[str, ...], seeds: int, seed: str) -> None:
    """Find numbers with which a searcher plays GAME better: after each round the better half is kept, and plays twice
    as many deals, until one is left beside the game's own numbers.

    The printed gain of the best is too large, because the same deals chose it: measure it again with another --seed.
    """
    room = _room(game)
    _named(bot)
    if not isinstance(named(bot), Searcher):
        raise Wrong(f"{bot} does not search: no number makes it another player.")
    _named(against)
    _check_seed(seed)
    setting = _setting(room, _seats(room, seats), _pack(room, None), "{}")
    combinations = _combinations(room, tries)
    with arena.processes() as pool:
        for tried in arena.tune(setting, bot, against, seed, seeds, combinations, pool):
            show_tried(f"{game}, {setting.seats} seats, {bot} against {against}", tried)


def _combinations(room: Room, tries: tuple[str, ...]) -> list[dict[str, float]]:
    """Return all combinations of the numbers to try. Raises Wrong."""
    by_name: dict[str, list[float]] = {}
    for one in tries:
        name, _, values = one.partition("=")
        if name not in TUNED or name in by_name:
            raise Wrong(f"--try {one}: name one of {', '.join(TUNED)}, each once.")
        try:
            said = (msgspec.json.decode(value.strip(), type=int | float) for value in values.split(","))
            by_name[name] = [*dict.fromkeys(said)]
            for value in by_name[name]:
                arena.tuned(room.game, msgspec.json.encode({name: value}))
        except (msgspec.DecodeError, UnicodeEncodeError) as error:
            how = error if isinstance(error, msgspec.ValidationError) else f"write numbers, as in {name}=1,2."
            raise Wrong(f"--try {one}: {how}") from error
    return [dict(zip(by_name, values, strict=True)) for values in product(*by_name.values())]


class Table(msgspec.Struct, frozen=True):
    """A game to play, and the bots that play it."""

    room: Room
    names: tuple[str, ...]
    pack: PackFile
    options: Any


Play = Callable[[tuple[str, ...], str], Played]
"""Plays one match. (the bots in their seats' order, the match's seed) -> how the match went."""

Save = Callable[[Table, str, list[Path]], Play]
"""Makes a `Play` that also writes its matches. (the table, a folder, a list to which it adds the files) -> the `Play`.

This package knows no logs, so the program that runs the commands passes it in.
"""


def _playing(table: Table) -> Play:
    """Return a `Play` that writes nothing."""
    game, pack = table.room.game, table.pack.pack

    def played(order: tuple[str, ...], seed: str) -> Played:
        return play_out(game, pack, table.options, len(order), [named(name) for name in order], Simulation(seed))

    return played


def _run(table: Table, matches: int, seed: str, rotate: bool, play_one: Play, results: list[Outcome]) -> None:
    """Add the result of each match. Raises Wrong."""
    game, seats = table.room.game, len(table.names)
    try:
        for k in _shown(range(matches), "Playing", matches):
            # the bot of seat 0 gets seat 1 next
            turn = -k % seats if rotate else 0
            order = table.names[turn:] + table.names[:turn]
            start = perf_counter()
            # each match has its own seed, so that the hundredth can be played again without the others
            played = play_one(order, f"{seed}:{k}")
            seconds = perf_counter() - start
            results.append(Outcome(order, msgspec.structs.replace(played, told=()), game.measure(played.told), seconds))
    except Refusal as error:
        raise Wrong(refusals.say(game, error, "en")) from error


def _shown(results: Iterable[Any], name: str, count: int) -> Iterable[Any]:
    """Return the results, `count` in all, and show the progress in a terminal as they come."""
    screen = Console(stderr=True)
    return track(results, name, total=count, console=screen, disable=not screen.is_terminal, transient=True)


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
    for name in names:
        _named(name)
    if len(names) == 1:
        return names * seats
    if len(names) != seats:
        raise Wrong(f"{len(names)} bots for {seats} seats: name one a seat, or a single one for all.")
    return names


def _named(name: str, find: Callable[[str], Bot] = named) -> None:
    """Raises Wrong if there is no such bot."""
    try:
        find(name)
    except ValueError as error:
        raise Wrong(str(error)) from error


def _check_seed(seed: str) -> None:
    """Raises Wrong: a command line may hold bytes that are not text."""
    if any("\ud800" <= letter <= "\udfff" for letter in seed):
        raise Wrong("The seed must be valid text.")


def _pack(room: Room, name: str | None) -> PackFile:
    if name is None:
        return next(iter(room.packs.values()))
    if name not in room.packs:
        raise Wrong(f"{room.game.title['en']} has no pack {name!r}; it has {', '.join(room.packs)}.")
    return room.packs[name]


def _options(room: Room, given: str) -> Any:
    try:
        return msgspec.json.decode(given.encode(), type=room.game.Options)
    except (msgspec.DecodeError, UnicodeEncodeError) as error:
        raise Wrong(f"The options {given}: {error}") from error


def main(saving: Save | None = None, group: click.Group = cli) -> None:
    """Run the command. An error is printed as one line.

    `saving`: makes a `Play` that writes matches; without it `--save` is refused. `group`: of the commands.
    """
    try:
        code = group(prog_name="./foldtable bots", standalone_mode=False, obj=saving)
    except click.exceptions.NoArgsIsHelpError as error:
        # called without a command: print the help
        click.echo(error.format_message(), err=True)
        sys.exit(error.exit_code)
    except click.ClickException as error:
        click.echo(f"error: {error.format_message()}", err=True)
        sys.exit(error.exit_code)
    except (arena.Ended, Stuck) as error:
        click.echo(f"error: {error}", err=True)
        sys.exit(1)
    except (click.Abort, KeyboardInterrupt):
        sys.exit(130)
    sys.exit(code)


if __name__ == "__main__":
    # values form no cycles, so the collector finds nothing, and would take a twentieth of the time
    gc.set_threshold(100_000)
    main()
