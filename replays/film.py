"""A match event by event, as a viewer saw it: folded, as data, and how long seats thought."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime, timedelta
from functools import cache
from itertools import pairwise
from typing import Annotated, Any, NamedTuple

import msgspec
from msgspec.structs import replace

from domain import matches
from domain.game import Count, Lang, Maybe, Seat, Value
from domain.matches import NOT_ASKED, AnswersClosed, Cause, Forked, Match, MoveMade, Status
from domain.scene import Piece, Scene, SceneId, Score, Zone, ZoneKind, piece_said, said_by
from domain.telling import scene_of, tell
from domain.texts import named
from replays import words
from replays.files.format import Export
from replays.log import TRUTH, Log, Viewer, is_seen
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
        self.game, self.pack, self.has_own_rules = log.game, log.pack.pack, log.has_own_rules
        self.viewer = None if viewer != TRUTH and log.is_open else viewer
        self.frames = tuple(_frames(log, self.viewer))
        self.drawn = cache(lambda lang: tuple(self._drawn(lang)))
        """Returns the table as text after each event, safe for a terminal; "" before it was set up."""
        self.told = cache(
            lambda lang: tuple(plain(words.describe(log.game, frame.event, lang)) for frame in self.frames)
        )
        """Returns each event in words."""

    @property
    def head(self) -> int:
        """The version of the last event."""
        return len(self.frames)

    @property
    def status(self) -> Status:
        """The match's status."""
        return self.frames[-1].status

    @property
    def forked(self) -> Forked | None:
        """The event that says what the match continues; None if it is no fork."""
        return next((frame.event for frame in self.frames[1:2] if isinstance(frame.event, Forked)), None)

    def frame(self, version: int) -> Frame:
        """Return the frame after the event of that version."""
        return self.frames[version - 1]

    def scenes(self, frames: Iterable[Frame], lang: Lang) -> Iterator[Scene | None]:
        """Yield what is on the table after each event, the same object as long as it stays as it was; None before it
        was set up.
        """
        table, has_ended, scene = None, False, None
        for frame in frames:
            # the match's own events leave the table as it was, but for its end: then nobody is to act
            is_over = frame.status in {Status.FINISHED, Status.ABORTED}
            if frame.table is not table or is_over is not has_ended:
                table, has_ended = frame.table, is_over
                view = None if table is None else self.game.view(table, self.viewer)
                scene = None if view is None else scene_of(self.game, view, lang, is_over=is_over)
            yield scene

    def _drawn(self, lang: Lang) -> Iterator[str]:
        shown, text = None, ""
        for scene in self.scenes(self.frames, lang):
            if scene is not None and scene is not shown:
                shown, text = scene, plain_lines(tell(scene, lang).rstrip("\n"))
            yield text


def _frames(log: Log, viewer: Viewer) -> Iterator[Frame]:
    game, head, table = log.game, log.store.head(log.id).version, None
    state: Match[Any] | None = None
    points: tuple[int, ...] = ()
    ranking: tuple[int, ...] = ()
    for stored, event in zip(log.store.read(log.id, 0, head), log.events(viewer, 0, head), strict=True):
        state = matches.evolve(game, state, event) if state else matches.begin(game, log.pack.pack, event)
        if is_seen(state, viewer) and state.table is not table:
            table = state.table
            standing = game.standing(table)
            points, ranking = standing.points, standing.ranking
        if state.conceded is not None and state.ranking:
            points, ranking = state.points, state.ranking
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


Place = Annotated[int, msgspec.Meta(extra_json_schema={"minimum": 0})]
"""An index in a list, from 0."""


class FilmZone(Value, frozen=True, omit_defaults=True):
    """A zone of a scene, with its pieces by their places in `pieces`."""

    id: SceneId
    """Its place."""
    kind: ZoneKind
    """How its pieces lie."""
    title: str
    """Its name; empty where its pieces explain themselves."""
    pieces: tuple[Place, ...]
    """In their order, by their places in the film's `pieces`."""
    seat: Maybe[Seat] = ()
    """The seat that it belongs to, if any."""
    columns: Count = 0
    """Of a grid, or of a long row: how many pieces stand in a line."""
    text: str = ""
    """Further information about it."""


class FilmScene(Value, frozen=True):
    """A scene, with its zones by their places in `zones`. It has no buttons, since nobody moves in a film."""

    line: str
    """What is going on, in one line."""
    turn: tuple[Seat, ...]
    """The seats that are to act, as far as the viewer may know."""
    zones: tuple[Place, ...]
    """In reading order, by their places in the film's `zones`."""
    scores: tuple[Score, ...]
    """In seat order."""


class FilmFrame(Value, frozen=True, omit_defaults=True):
    """An event, and what the table showed after it."""

    version: int
    """The event's version in the match's log, from 1."""
    at: str
    """When it was stored: UTC, RFC 3339 with milliseconds."""
    actor: str
    """Who made it happen."""
    type: str
    """The event's type in the log."""
    text: str
    """The event in words."""
    moves: Count
    """The number of moves made so far."""
    scene: Place | None
    """By its place in the film's `scenes`; null where there was no table yet."""
    chapter: str | None
    """The name of the part of the match that begins here: "Round 2"; usually null."""
    aside: bool = False
    """Whether a list of texts can leave the event out: a deadline, or a move that the next event tells."""


class Reel(Value, frozen=True):
    """Consecutive events of a match, and the table after each as one viewer knew it then."""

    frames: tuple[FilmFrame, ...]
    """One for each event."""
    scenes: tuple[FilmScene, ...]
    """Each scene once."""
    zones: tuple[FilmZone, ...]
    """Each zone once, as it was at some time."""
    pieces: tuple[Piece, ...]
    """Each piece once, as it was at some time."""


def namer(names: Sequence[str]) -> Callable[[str], str]:
    """Return a function that puts names in the place of seats, and escapes what a terminal or a page would obey."""
    by_seat = tuple(names)
    return cache(lambda text: plain(named(text, by_seat)))


def reel(film: Film, lang: Lang, names: Sequence[str] = (), frames: Iterable[Frame] | None = None) -> Reel:
    """Return the film, or these frames of it, in that language; seats without a name keep their number."""
    cutter = Cutter(lang, names)
    cut = cutter.cut(film, film.frames if frames is None else frames)
    return Reel(cut, tuple(cutter.scenes), tuple(cutter.zones), tuple(cutter.pieces))


class Cutter:
    """Makes frames of films in one language; their scenes, zones and pieces are kept once each, with their places."""

    def __init__(self, lang: Lang, names: Sequence[str] = ()) -> None:
        self._lang, self._say = lang, namer(names)
        self.scenes: dict[FilmScene, Place] = {}
        self.zones: dict[FilmZone, Place] = {}
        self.pieces: dict[Piece, Place] = {}
        # zones and pieces that are the same in many scenes are put into words once
        self._zone, self._piece, self._printed = cache(self._zone_of), cache(self._piece_of), cache(self._plain)

    def cut(self, film: Film, frames: Iterable[Frame]) -> tuple[FilmFrame, ...]:
        """Return these frames of the film."""
        shown, place = None, None
        cut, frames = [], tuple(frames)
        for frame, scene in zip(frames, film.scenes(frames, self._lang), strict=True):
            if scene is not None and scene is not shown:
                shown, place = scene, self._place(scene)
            cut.append(self._frame(film, frame, place))
        return tuple(cut)

    def _frame(self, film: Film, frame: Frame, scene: int | None) -> FilmFrame:
        game, event, lang = film.game, frame.event, self._lang
        text = words.describe(game, event, lang)
        is_own = not isinstance(event, matches.EVENTS)
        following = film.frame(frame.version + 1).event if frame.version < film.head else None
        return FilmFrame(
            version=frame.version,
            at=frame.at,
            actor=plain(frame.actor),
            type=plain(frame.type),
            text=plain(text) if isinstance(event, words.UNNAMED) else self._say(text),
            moves=frame.move,
            scene=scene,
            chapter=game.chapter(event, lang) if is_own else None,
            aside=words.is_aside(game, event, following),
        )

    def _place(self, scene: Scene) -> Place:
        zones = tuple(map(self._zone, scene.zones))
        said = said_by(replace(scene, zones=(), buttons=()), self._say)
        return self.scenes.setdefault(FilmScene(said.line, said.turn, zones, said.scores), len(self.scenes))

    def _zone_of(self, zone: Zone) -> Place:
        title, text, pieces = self._say(zone.title), self._say(zone.text), tuple(map(self._piece, zone.pieces))
        said = FilmZone(zone.id, zone.kind, title, pieces, zone.seat, zone.columns, text)
        return self.zones.setdefault(said, len(self.zones))

    def _piece_of(self, piece: Piece) -> Place:
        return self.pieces.setdefault(self._printed(piece_said(piece, self._say)), len(self.pieces))

    def _plain(self, piece: Piece) -> Piece:
        """Return the piece with what is printed on it escaped; its other texts are escaped already."""
        return replace(
            piece,
            label=plain(piece.label),
            facts=tuple(replace(fact, value=plain(fact.value)) for fact in piece.facts),
            on=tuple(map(self._printed, piece.on)),
        )


def answer_of(event: Any, seat: Seat) -> Any:
    """Return the move with which the seat answered a decision by this event, as the seat reads it; None if by none."""
    if isinstance(event, MoveMade) and event.seat == seat and event.cause is not Cause.FORCED:
        return event.move
    if isinstance(event, AnswersClosed) and (own := event.answers[seat]) is not None and own.answer != NOT_ASKED:
        return own.answer
    return None


def answers(film: Film, seat: Seat, after: int) -> Iterator[tuple[Frame, Frame, Any]]:
    """Yield each answer of the seat after that version: the frame before it, the one that tells it, and the move."""
    for before, frame in pairwise(film.frames):
        if frame.version > after and (move := answer_of(frame.event, seat)) is not None:
            yield before, frame, move


class Gain(NamedTuple):
    """What an event gave to a seat."""

    version: int
    """The event's version."""
    points: int
    """Below 0 if it took them away."""


def gains(film: Film) -> tuple[tuple[Gain, ...], ...]:
    """Return for each seat where its points came from after the start, in the order of events."""
    scored = [frame for frame in film.frames if frame.points]
    found: tuple[list[Gain], ...] = tuple([] for _ in film.frames[-1].points)
    for before, after in pairwise(scored):
        for own, was, now in zip(found, before.points, after.points, strict=True):
            if now != was:
                own.append(Gain(after.version, now - was))
    return tuple(map(tuple, found))


def ahead_since(film: Film) -> int:
    """Return the version of the event after which those who won at last were always in front, and nobody else."""
    since = film.head
    for frame in reversed(film.frames):
        if _first(frame.ranking) != _first(film.frames[-1].ranking):
            break
        since = frame.version
    return since


def _first(ranking: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(seat for seat, place in enumerate(ranking) if place == 1)


class Thought(msgspec.Struct, frozen=True):
    """A decision that was answered."""

    seat: int
    asked: int
    """The version at which the seat was asked."""
    milliseconds: int
    """The time from the question to the answer, in milliseconds."""
    is_late: bool
    """Whether the clock answered because the seat did not."""


def thoughts(log: Log, film: Film) -> tuple[Thought, ...]:
    """Return every decision whose answer the film's viewer knows, in the order in which they were asked.

    Who answered under seal is known when the match is over; until then each seat knows only its own answers.
    """
    # a forced move answers no decision
    moves = [(frame.event, frame.at) for frame in film.frames if isinstance(frame.event, MoveMade)]
    answers = [(move.seat, move.decision, at, move.cause) for move, at in moves if move.cause is not Cause.FORCED]
    for seat in own_seats(log, film.viewer):
        for stored in log.answers(seat):
            event = log.decoded(stored)
            answers.append((seat, event.decision, stored.at, event.cause))
    found = (
        Thought(seat=seat, asked=asked, milliseconds=waited, is_late=cause is Cause.CLOCK)
        for seat, asked, at, cause in answers
        # an answer that came meanwhile may belong to a version after the film's end
        if (waited := waited_for(film, asked, at)) is not None
    )
    return tuple(sorted(found, key=lambda thought: (thought.asked, thought.seat)))


def own_seats(log: Log, viewer: Viewer) -> tuple[int, ...]:
    """Return the seats whose private logs the viewer may read."""
    return tuple(range(log.opening.seats)) if viewer == TRUTH else () if viewer is None else (viewer,)


def waited_for(film: Film, asked: int, at: str) -> int | None:
    """Return the milliseconds from the version at which a seat was asked to its answer; None beyond the film."""
    if not 1 <= asked <= film.head:
        return None
    # moments of a private log and of the match's log are not in one order, so the difference may be below 0
    since = datetime.fromisoformat(film.frame(asked).at)
    return max(0, round((datetime.fromisoformat(at) - since) / timedelta(milliseconds=1)))
