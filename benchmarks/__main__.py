"""`python -m benchmarks`: measure how fast foldtable is on this machine."""

from __future__ import annotations

import os
import platform
import sys
from collections.abc import Callable, Iterable, Iterator
from importlib import import_module
from pathlib import Path

import click
import msgspec
from rich.console import Console

from benchmarks import Figures
from benchmarks.places import NotAtHand

NAMES = (
    "engine", "fold", "replays", "store", "http", "views", "pages", "crowd", "paint", "frames", "live", "bots", "sizes",
    "start", "filters", "trace", "mail", "steps",
)  # fmt: skip
SERVED = (("http",), ("pages",))
"""The arguments with which `--on` may name the stores to measure on."""


def _figures(name: str, matches: int | None = None) -> Figures:
    if name == "bots":
        engine = import_module("benchmarks.engine")
        return {**engine.run(("greedy", "eager")), **engine.search(), **_run("bots")()}
    if name in {"start", "filters"} and matches is not None:
        return _run(name)(matches)
    return _run(name)()


def _run(name: str) -> Callable[..., Figures]:
    run: Callable[..., Figures] = import_module(f"benchmarks.{name}").run
    return run


def machine() -> str:
    """Return one line about this machine: its Python, system, processor, cores and memory."""
    model = platform.processor() or platform.machine()
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as info:
            model = next((line.partition(":")[2].strip() for line in info if line.startswith("model name")), model)
        memory = f", {os.sysconf('SC_PAGE_SIZE') * os.sysconf('SC_PHYS_PAGES') / 2**30:.0f} GiB"
    except (OSError, ValueError):
        memory = ""
    return (
        f"{platform.python_implementation()} {platform.python_version()}, {platform.system()} {platform.release()}, "
        f"{model}, {os.cpu_count()} cores{memory}"
    )


@click.command()
@click.argument("names", nargs=-1, type=click.Choice(NAMES))
@click.option(
    "--events", type=click.IntRange(10_000), default=None, help="store: let the stores grow to this number of events."
)
@click.option(
    "--on",
    "stores",
    type=click.Choice(["sqlite", "postgres"]),
    multiple=True,
    help="store --events, http, pages: the stores to measure on (--against: sqlite).",
)
@click.option(
    "--matches", type=click.IntRange(1), default=None, help="start, filters: how many matches the store holds."
)
@click.option(
    "--against",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    default=None,
    help="http: compare with the release in this folder, in turns.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def cli(
    names: tuple[str, ...],
    events: int | None,
    stores: tuple[str, ...],
    matches: int | None,
    against: Path | None,
    as_json: bool,
) -> None:
    """Run the named benchmarks, or all of them, and print their figures.

    `store --events N` compares a store of N events with one of 10,000, and prints the storage that an event needs;
    `http --against FOLDER` divides the moves a second of this release by those of an earlier one; `trace` lists the
    files of foldtable that a request of each kind enters, in their order.
    """
    if against and names != ("http",):
        raise click.UsageError("--against is for http: `http --against ../earlier`")
    if (events and names != ("store",)) or (stores and not events and names not in SERVED):
        raise click.UsageError("--events is for the store: `store --events 1000000`, and --on for that, http and pages")
    if names == ("trace",) and not as_json:
        for line in import_module("benchmarks.trace").lines():
            click.echo(line)
        return
    figures: Figures = {}
    if not as_json:
        click.echo(machine())
    for found in (
        _beside(against, stores or ("sqlite",)) if against else _found(names or NAMES, events or 0, stores, matches)
    ):
        figures.update(found)
        if not as_json:
            for what, figure in found.items():
                click.echo(f"{what:<40} {figure['value']:>14,} {figure['unit']}")
    if as_json:
        click.echo(msgspec.json.encode(figures))


def _found(names: Iterable[str], events: int, stores: tuple[str, ...], matches: int | None) -> Iterator[Figures]:
    if events:
        return _grown(events, stores)
    return _served(next(iter(names)), stores) if stores else _measured(names, matches)


def _beside(tree: Path, stores: tuple[str, ...]) -> Iterator[Figures]:
    from benchmarks import against

    try:
        for store in stores:
            yield against.run(tree.absolute(), store=store)
    except NotAtHand as error:
        raise click.ClickException(str(error)) from error


def _served(name: str, stores: tuple[str, ...]) -> Iterator[Figures]:
    for store in stores:
        _say(f"measuring {name} on {store} ...")
        try:
            yield {f"{store}: {what}": figure for what, figure in _run(name)(store=store).items()}
        except NotAtHand as error:
            raise click.ClickException(str(error)) from error


def _measured(names: Iterable[str], matches: int | None) -> Iterator[Figures]:
    for name in names:
        _say(f"measuring {name} ...")
        try:
            yield _figures(name, matches)
        except NotAtHand as error:
            click.echo(f"{name} is not measured: {error}", err=True)


def _grown(events: int, stores: tuple[str, ...]) -> Iterator[Figures]:
    from benchmarks.growth import grown

    for store in stores or ("sqlite", "postgres"):
        _say(f"filling {store} ...")
        try:
            yield from grown(store, events)
        except NotAtHand as error:
            if stores:
                raise click.ClickException(str(error)) from error
            click.echo(f"{store} is not measured: {error}", err=True)


def _say(line: str) -> None:
    console = Console(stderr=True)
    if console.is_terminal:
        console.print(line, style="dim")


def main() -> None:
    """Run the command. An error is printed in one line."""
    try:
        code = cli(standalone_mode=False)
    except click.ClickException as error:
        click.echo(f"error: {error.format_message()}", err=True)
        sys.exit(error.exit_code)
    except (click.Abort, KeyboardInterrupt):
        sys.exit(130)
    sys.exit(code)


if __name__ == "__main__":
    main()
