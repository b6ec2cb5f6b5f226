"""`python -m benchmarks`: what the house does in a second, on this machine."""

from __future__ import annotations

import os
import platform
import sys
from collections.abc import Callable
from importlib import import_module

import click
import msgspec
from rich.console import Console

Figures = dict[str, dict[str, float | str]]
NAMES = ("engine", "fold", "replays", "store", "http", "bots")


def _figures(name: str) -> Figures:
    if name == "bots":
        return _run("engine")(("greedy", "eager"))
    return _run(name)()


def _run(name: str) -> Callable[..., Figures]:
    run: Callable[..., Figures] = import_module(f"benchmarks.{name}").run
    return run


def machine() -> str:
    """The machine that the figures come from, in a line."""
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
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def cli(names: tuple[str, ...], as_json: bool) -> None:
    """Measure what is named, or everything."""
    console = Console(stderr=True)
    figures: Figures = {}
    if not as_json:
        click.echo(machine())
    for name in names or NAMES:
        if console.is_terminal:
            console.print(f"measuring {name} ...", style="dim")
        found = _figures(name)
        figures.update(found)
        if not as_json:
            for what, figure in found.items():
                click.echo(f"{what:<40} {figure['value']:>14,} {figure['unit']}")
    if as_json:
        click.echo(msgspec.json.encode(figures))


def main() -> None:
    """Run the command; what goes wrong is told in one line."""
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
