"""`python -m replays step`: steps through a match in the terminal, event by event."""

from __future__ import annotations

import sys

import click

from replays.commands import reading
from replays.commands.place import Place, at_place
from replays.commands.reading import language
from replays.files.format import Export
from replays.log import TRUTH, Log, Viewer
from replays.show import NoSuchVersion


@click.command()
@click.argument("match_or_file")
@at_place
@click.option("--at", type=int, default=None, help="The version to begin at. Default: the last one.")
@click.option("--seat", type=int, default=None, help="Show what this seat sees, from 0. Default: what anybody sees.")
@language
def step(match_or_file: str, place: Place, at: int | None, seat: int | None, lang: str) -> None:
    """Step through a match in the terminal; ? lists the keys."""
    with reading.opened(match_or_file, place, seat) as log:
        head = log.store.head(log.id).version
        if at is not None and not 1 <= at <= head:
            raise NoSuchVersion(f"{log.id} has versions 1 to {head}, not {at}.")
        if not (sys.stdin.isatty() and sys.stdout.isatty()):
            raise reading.Wrong("Stepping needs a terminal; `show --at` prints a version anywhere.")
        # imported late, since the library takes a while to load
        from replays.step.app import Stepper

        app = Stepper(log, eyes(log, seat), at, lang)
        app.run()
    sys.exit(app.return_code or 0)


def eyes(log: Log, seat: int | None) -> Viewer:
    """Return the viewer to begin with."""
    if seat is not None:
        return seat
    if log.is_over:
        return TRUTH
    # the export of a running match belongs to a viewer
    known = log.store.header.viewer if isinstance(log.store, Export) else None
    return known if isinstance(known, int) else None
