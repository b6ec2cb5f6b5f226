"""`python -m replays report`: a match as a single page that can be read and verified anywhere."""

from __future__ import annotations

from pathlib import Path

import click

from events.chain import is_match_id
from replays.commands import reading
from replays.commands.place import Place, at_place
from replays.commands.reading import Wrong, forced, language
from replays.files import exports
from replays.files.format import Export
from replays.film import viewers
from replays.log import TRUTH, Log, Viewer
from replays.printing import say


@click.command()
@click.argument("match_or_file")
@at_place
@click.option(
    "-o", "--output", type=click.Path(path_type=Path), default=None, help="The file to write. Default: MATCH.html."
)
@click.option(
    "--seat", type=int, default=None, help="Begin with what this seat sees, from 0. Default: what anybody sees."
)
@language
@forced
def report(match_or_file: str, place: Place, output: Path | None, seat: int | None, lang: str, is_forced: bool) -> None:
    """Write a match as a single HTML file that needs no network.

    It holds what the seat, or anybody, may see of a running match, and what an exported file holds.
    """
    # the library takes a while to load
    from replays.report.names import names_of
    from replays.report.page import page

    with reading.opened(match_or_file, place, seat) as log:
        if isinstance(log.store, Export):
            export = Path(match_or_file).read_bytes()
        else:
            export = b"".join(exports.lines(log, reading.keyring(place), seat))
        eyes = _eyes(log, seat)
        if output is None and not is_match_id(log.id):
            raise Wrong("the match's id can't be a file's name: name a file with -o")
        text = page(log, eyes, _first(eyes, seat), lang, export, names_of(log, log.store, lang))
        name = output or Path(f"{log.id}.html")
        reading.write(name, text.encode(), place, is_forced=is_forced)
    if output is None:
        say([str(name)])


def _eyes(log: Log, seat: int | None) -> tuple[Viewer, ...]:
    """Return the viewers of the page: never one who sees more than the export in the page."""
    if log.is_over or isinstance(log.store, Export):
        return viewers(log)
    return (None,) if seat is None or log.is_open else (None, seat)


def _first(eyes: tuple[Viewer, ...], seat: int | None) -> Viewer:
    """Return the viewer with which the page begins."""
    if seat is not None and seat in eyes:
        return seat
    # a page for one seat begins with what that seat sees
    return TRUTH if TRUTH in eyes else eyes[-1]
