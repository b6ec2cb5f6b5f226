"""A match event by event, as a viewer saw it: for the terminal viewer and the report."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from domain import matches
from domain.game import Lang
from domain.matches import Match, Status
from domain.telling import drawn
from replays import words
from replays.files.format import Export
from replays.log import TRUTH, Log, Viewer
from replays.printing import plain, plain_lines


class Frame(msgspec.Struct, frozen=True, gc=False):
    """The match after one event."""

    version: int
    type: str
    at: str
    """UTC, RFC 3339 with milliseconds."""
    actor: str
    status: Status
    move: int
    """The number of moves made so far."""
    event: Any
    """The event as the viewer may read it."""
    table: Any
    """The game's state as the viewer knows it; None before it was set up."""
    points: tuple[int, ...]
    """One number for each seat; empty before the table was set up."""
    ranking: tuple[int, ...]
    to_act: tuple[int, ...]
    """The seats that owe an answer, as far as the viewer knows."""


class Film:
    """All events of a match, folded once."""

    def __init__(self, log: Log, viewer: Viewer) -> None:
        """Fold the match. Raises any of FOREIGN for a log that the rules did not make."""
        self.game = log.game
        self.viewer = None if viewer != TRUTH and log.is_open else viewer
        self.frames = tuple(_frames(log, self.viewer))
        self._drawn: dict[Lang, tuple[str, ...]] = {}
        self._told: dict[Lang, tuple[str, ...]] = {}

    @property
    def head(self) -> int:
        """The version of the last event."""
        return len(self.frames)

    @property
    def status(self) -> Status:
        """The match's status."""
        return self.frames[-1].status

    def frame(self, version: int) -> Frame:
        """Return the frame after the event of that version."""
        return self.frames[version - 1]

    def drawn(self, lang: Lang) -> tuple[str, ...]:
        """Return the table as text after each event, safe for a terminal; "" before it was set up."""
        if lang not in self._drawn:
            self._drawn[lang] = tuple(self._draw(lang))
        return self._drawn[lang]

    def told(self, lang: Lang) -> tuple[str, ...]:
        """Return each event in words."""
        if lang not in self._told:
            self._told[lang] = tuple(plain(words.describe(self.game, frame.event, lang)) for frame in self.frames)
        return self._told[lang]

    def _draw(self, lang: Lang) -> Iterator[str]:
        table, text = None, ""
        for frame in self.frames:
            # the match's own events leave the table as it was
            if frame.table is not table:
                table = frame.table
                text = plain_lines(drawn(self.game, self.game.view(table, self.viewer), lang).rstrip("\n"))
            yield text


def _frames(log: Log, viewer: Viewer) -> Iterator[Frame]:
    game, head, table = log.game, log.store.head(log.id).version, None
    state: Match[Any] | None = None
    points: tuple[int, ...] = ()
    ranking: tuple[int, ...] = ()
    for stored, event in zip(log.store.read(log.id, 0, head), log.events(viewer, 0, head), strict=True):
        if state is None:
            state = matches.begin(game, log.pack.pack, event)
        else:
            state = matches.evolve(game, state, event)
        if is_seen(state, viewer) and state.table is not table:
            table = state.table
            standing = game.standing(table)
            points, ranking = standing.points, standing.ranking
        if stored.version == head:
            state = log.on_top(state, viewer)
        yield Frame(
            version=stored.version,
            type=stored.type,
            at=stored.at,
            actor=stored.actor,
            status=state.status,
            move=state.moves,
            event=event,
            table=table,
            points=points,
            ranking=ranking,
            to_act=matches.to_act(game, state),
        )


def is_seen(state: Match[Any], viewer: Viewer) -> bool:
    """Return whether there is a table for the viewer to see.

    An aborted match may never have had one. A fork's table is set up before anybody sits down, but seats that can still
    be left may see it only after the start.
    """
    is_set_up = state.is_fork or (state.status != Status.OPEN and all(state.taken))
    return is_set_up and (state.status != Status.OPEN or viewer == TRUTH)


def viewers(log: Log) -> tuple[Viewer, ...]:
    """Return the viewers that the log can be shown to: for a finished match everybody, and one who sees all cards.

    A running match in a store is known as all its seats see it; its export as one seat or as nobody sees it.
    """
    seats: tuple[Viewer, ...] = tuple(range(log.opening.seats))
    if log.is_over:
        return (TRUTH, None, *seats)
    if isinstance(log.store, Export):
        known = log.store.header.viewer
        seats = (known,) if isinstance(known, int) else ()
    return (None, *seats)
