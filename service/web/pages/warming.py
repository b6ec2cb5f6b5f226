"""Makes what pages of games show, once a process: little by little after its start, before anybody asks for it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from threading import Event
from time import perf_counter
from typing import Any

import structlog

from domain.catalogue import Catalogue, Room
from service.web.pages import examples, games
from service.web.reply import LANGS

REST = 9.0
"""The rest after each piece, as a multiple of the time that it took; requests are served then."""

LEAST = 0.02
"""The least seconds between two pieces."""

logger = structlog.get_logger(__name__)


def warm(catalogue: Catalogue, stop: Event, rest: float = REST) -> None:
    """Make everything, unless `stop` is set."""
    begun = perf_counter()
    for room in tuple(catalogue.rooms.values()):
        for make in _pieces(room):
            started = perf_counter()
            try:
                make()
            except Exception as error:
                # who asks for that page gets the error; the other pages must be made
                logger.warning("a page can't be made", game=room.game.slug, exc_info=error)
            if stop.wait(max(LEAST, rest * (perf_counter() - started)) if rest else 0):
                return
    logger.info("pages are made", seconds=round(perf_counter() - begun, 1))


def _pieces(room: Room) -> Iterator[Callable[[], Any]]:
    """Yield functions that make one piece each; none takes more than some hundredths of a second."""
    for name in room.examples():
        yield partial(examples.moment_of, room, name)
    for lang in LANGS:
        for name in room.examples():
            yield partial(examples.figure_of, room, name, lang)
        if examples.has_film(room):
            yield partial(examples.film_of, room, lang)
        yield partial(games.rules_of, room, "", lang)
        yield partial(games.howto, room, lang)
        yield partial(games.rules_of, room, next(iter(room.kept)), lang)
