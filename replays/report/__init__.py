"""`python -m replays report`: a match as one page, to be read and verified anywhere."""

from __future__ import annotations

from pathlib import Path

import click

from events.naming import is_match_id
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
@click.option("-o", "--output", type=click.Path(path_type=Path), default=None, help="The file; MATCH.html.")
@click.option("--seat", type=int, default=None, help="Whose eyes the page begins with, from 0; anybody's.")
@language
@forced
def report(match_or_file: str, place: Place, output: Path | None, seat: int | None, lang: str, is_forced: bool) -> None:
    """Write a match as one HTML file that needs no network.

    Of a running match it holds what the seat may see, or anybody; of an exported one what that file does.
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
            raise Wrong("its id can't be a file's name; name one by -o")
        text = page(log, eyes, _first(eyes, seat), lang, export, names_of(log, log.store, lang))
        name = output or Path(f"{log.id}.html")
        reading.write(name, text.encode(), place, is_forced=is_forced)
    if output is None:
        say([str(name)])


def _eyes(log: Log, seat: int | None) -> tuple[Viewer, ...]:
    """Whose views the page has: never more than the export that goes with it."""
    if log.is_over or isinstance(log.store, Export):
        return viewers(log)
    return (None,) if seat is None or log.is_open else (None, seat)


def _first(eyes: tuple[Viewer, ...], seat: int | None) -> Viewer:
    """Whose eyes the page begins with."""
    if seat is not None and seat in eyes:
        return seat
    # a page for one seat is that seat's
    return TRUTH if TRUTH in eyes else eyes[-1]
