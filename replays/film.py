"""A match run through event by event, as somebody saw it: what the terminal viewer and the report show."""

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
    """Moves made until now."""
    event: Any
    """As the viewer was told it."""
    table: Any
    """The game's state as the viewer knows it; None before it was set up."""
    points: tuple[int, ...]
    """A number a seat; none before the table was set up."""
    ranking: tuple[int, ...]
    to_act: tuple[int, ...]
    """Seats that owe an answer, as far as the viewer knows."""


class Film:
    """All of a match, folded once."""

    def __init__(self, log: Log, viewer: Viewer) -> None:
        """Raises what folding an untrue log raises."""
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
        """Where the match is in its life."""
        return self.frames[-1].status

    def frame(self, version: int) -> Frame:
        """The match after the event of that version."""
        return self.frames[version - 1]

    def drawn(self, lang: Lang) -> tuple[str, ...]:
        """The table as text after each event, with nothing in it that a terminal obeys; "" before it was set up."""
        if lang not in self._drawn:
            self._drawn[lang] = tuple(self._draw(lang))
        return self._drawn[lang]

    def told(self, lang: Lang) -> tuple[str, ...]:
        """Each event in words."""
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
    """Whether there is a table for the viewer to see.

    An aborted match may never have had one. A fork's lies there before anybody sits down: seats that can be left are
    told of it when it starts.
    """
    is_set_up = state.is_fork or (state.status != Status.OPEN and all(state.taken))
    return is_set_up and (state.status != Status.OPEN or viewer == TRUTH)


def viewers(log: Log) -> tuple[Viewer, ...]:
    """Whose eyes the log can be looked at with: of a match that is over everybody's, and with all cards open.

    A running match of a store has all seats' knowledge, its export that of one seat or of nobody in particular.
    """
    seats: tuple[Viewer, ...] = tuple(range(log.opening.seats))
    if log.is_over:
        return (TRUTH, None, *seats)
    if isinstance(log.store, Export):
        known = log.store.header.viewer
        seats = (known,) if isinstance(known, int) else ()
    return (None, *seats)
