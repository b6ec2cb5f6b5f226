"""`python -m replays`: commands that read matches from a store, or from files that were exported from one."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from events.chain import is_match_id
from replays.commands import Commands, Wrong, checking, reading, run, store
from replays.commands.reading import Place, at_place, forced, language
from replays.commands.tabulating import tabulate
from replays.files import exports
from replays.files.format import Export
from replays.film import viewers
from replays.log import TRUTH, Log, Viewer
from replays.printing import NoSuchVersion, draw, picture, pour, say, say_either


@click.group(cls=Commands)
def cli() -> None:
    """Read, replay and check matches."""


for command in (store.list_, store.export, store.import_, store.fork, checking.audit, checking.validate, tabulate):
    cli.add_command(command)


@cli.command()
@click.argument("match_or_file")
@at_place
@click.option("--at", type=int, help="The version to show. Default: the last one.")
@click.option("--seat", type=int, help="Show what this seat sees, from 0. Default: what anybody sees.")
@language
@reading.as_json
def show(match_or_file: str, place: Place, at: int | None, seat: int | None, lang: str, as_json: bool) -> None:
    """Show the table of a match, and what has just happened."""
    with reading.opened(match_or_file, place, seat) as log:
        shown = picture(log, seat, at, lang)
        say_either(shown, draw(log, shown, lang), as_json=as_json)


@cli.command()
@click.argument("match_or_file")
@at_place
@click.option("--at", type=int, help="The version to begin at. Default: the last one.")
@click.option("--seat", type=int, help="Show what this seat sees, from 0. Default: what anybody sees.")
@language
def step(match_or_file: str, place: Place, at: int | None, seat: int | None, lang: str) -> None:
    """Step through a match in the terminal; ? lists the keys."""
    with reading.opened(match_or_file, place, seat) as log:
        head = log.store.head(log.id).version
        if at is not None and not 1 <= at <= head:
            raise NoSuchVersion(f"{log.id} has versions 1 to {head}, not {at}.")
        if not (sys.stdin.isatty() and sys.stdout.isatty()):
            raise Wrong("Stepping needs a terminal; `show --at` prints a version anywhere.")
        # imported late, since the library takes a while to load
        from replays.step import Stepper

        app = Stepper(log, reading.viewer_of(log, seat), at, lang)
        app.run()
    sys.exit(app.return_code or 0)


@cli.command()
@click.argument("match_or_file")
@at_place
@click.option(
    "-o", "--output", type=click.Path(path_type=Path), help="The file to write; - prints it. Default: MATCH.html."
)
@click.option("--seat", type=int, help="Begin with what this seat sees, from 0. Default: what anybody sees.")
@language
@forced
def report(match_or_file: str, place: Place, output: Path | None, seat: int | None, lang: str, is_forced: bool) -> None:
    """Write a match as a single HTML file that needs no network.

    It holds what the seat, or anybody, may see of a running match, and what an exported file holds.
    """
    # the library takes a while to load
    from replays.report import names_of, page

    with reading.opened(match_or_file, place, seat) as log:
        if isinstance(log.store, Export):
            # not read once more: it may be a pipe
            export = b"".join(exports.again(log.store.file))
        else:
            export = b"".join(reading.export_of(log, place, seat))
        eyes = _eyes(log, seat)
        # a page for one seat begins with what that seat sees
        first = seat if seat is not None and seat in eyes else TRUTH if TRUTH in eyes else eyes[-1]
        if output is None and not is_match_id(log.id):
            raise Wrong("the match's id can't be a file's name: name a file with -o")
        text = page(log, eyes, first, lang, export, names_of(log, lang))
        if output == reading.PRINTED:
            pour(text.encode().splitlines(keepends=True))
            return
        name = output or Path(f"{log.id}.html")
        with reading.written(name, place, is_forced=is_forced) as draft:
            draft.write_text(text, encoding="utf-8")
    if output is None:
        say([str(name)])


def _eyes(log: Log, seat: int | None) -> tuple[Viewer, ...]:
    """Return the viewers of the page: never one who sees more than the export in the page."""
    if log.is_over or isinstance(log.store, Export):
        return viewers(log)
    return (None,) if seat is None or log.is_open else (None, seat)


def main() -> None:
    """Run the command."""
    run(cli, "replays")


if __name__ == "__main__":
    main()
