"""`python -m replays`: commands that read matches from a store, or from files that were exported from one."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from replays.commands import auditing, imports, listing, reading, validating
from replays.commands.outermost import Commands
from replays.commands.place import Place, at_place
from replays.commands.reading import forced, language
from replays.files import exports
from replays.printing import pour, say, say_json
from replays.report import report
from replays.show import draw, picture
from replays.step import step
from replays.tabulate import tabulate


@click.group(cls=Commands)
def cli() -> None:
    """Read, replay and check matches."""


cli.add_command(listing.list_)
cli.add_command(auditing.audit)
cli.add_command(validating.validate)
cli.add_command(imports.import_)
cli.add_command(imports.fork)
cli.add_command(step)
cli.add_command(report)
cli.add_command(tabulate)


@cli.command()
@click.argument("match_or_file")
@at_place
@click.option("--at", type=int, default=None, help="The version to show. Default: the last one.")
@click.option("--seat", type=int, default=None, help="Show what this seat sees, from 0. Default: what anybody sees.")
@language
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def show(match_or_file: str, place: Place, at: int | None, seat: int | None, lang: str, as_json: bool) -> None:
    """Show the table of a match, and what has just happened."""
    with reading.opened(match_or_file, place, seat) as log:
        shown = picture(log, seat, at, lang)
        if as_json:
            say_json(shown)
        else:
            say(draw(log, shown, lang))


@cli.command()
@click.argument("match")
@at_place
@click.option("--seat", type=int, default=None, help="Include what this seat may read, from 0.")
@click.option("-o", "--output", type=click.Path(path_type=Path), default=None, help="The file to write.")
@forced
def export(match: str, place: Place, seat: int | None, output: Path | None, is_forced: bool) -> None:
    """Write a match as JSON Lines: all of it if it is over, else what the seat (or anybody) may see."""
    if reading.is_file(match):
        raise reading.Wrong(f"{match} is a file already; name a match of the store.")
    with reading.opened(match, place, seat) as log:
        # an imported match has its own receipts; for others they are signed now
        signer = None if log.store.proof(log.id) else reading.keyring(place)
        lines = exports.lines(log, signer, seat)
        if output is None:
            pour(lines)
        else:
            reading.write(output, b"".join(lines), place, is_forced=is_forced)


def main() -> None:
    """Run the command. An error is printed as one line."""
    try:
        code = cli(prog_name="./foldtable replays", standalone_mode=False)
    except click.exceptions.NoArgsIsHelpError as error:
        # called without a command: print the help
        click.echo(error.format_message(), err=True)
        sys.exit(error.exit_code)
    except click.ClickException as error:
        say([f"error: {error.format_message()}"], is_error=True)
        sys.exit(error.exit_code)
    except (click.Abort, KeyboardInterrupt):
        sys.exit(130)
    sys.exit(code)


if __name__ == "__main__":
    main()
