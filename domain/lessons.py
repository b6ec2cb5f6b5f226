"""Lessons: a match of a few moves, fixed beforehand, in which the reader learns a game by playing.

A room tells its lesson in `lesson.toml`: what fixes the deal, and at most twelve steps. In each the reader is told
something, makes a move that is wanted, watches what the others do, or chooses. A lesson is played here by the game's
own rules as a match without a log: a step is found by playing all that comes before it, so nothing is kept.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import count, product
from typing import Annotated, Any, Generic, TypeVar

import msgspec
from msgspec import Meta

from domain.chance import Chance, Simulation
from domain.game import Game, PackError, Seat, Value
from domain.pack import read_pack
from domain.play import advance
from domain.scene import SceneId
from domain.secrecy import redact

M = TypeVar("M")
Opt = TypeVar("Opt")

FILE = "lesson.toml"
MOST = 12
"""The most steps of a lesson, whatever the reader chooses."""

Said = Annotated[str, Meta(min_length=1, max_length=200)]
"""A sentence or two."""


class Sentence(Value, frozen=True):
    """A sentence or two, in each language."""

    en: Said
    ja: Said


Clauses = Annotated[tuple[str, ...], Meta(description="The clauses of the rules that the step shows.")]


class Telling(Sentence, frozen=True, kw_only=True):
    """What all steps have: a text, and what it shows and speaks of."""

    shows: Clauses = ()
    about: tuple[SceneId, ...] = ()
    """The ids of the scene that the text speaks of; where the others are watched, of the scene after their turns."""


class Say(Telling, frozen=True, tag_field="kind", tag="say", kw_only=True):
    """The reader is told something."""

    at: str = ""
    """The class of the event, of those that the move before it brought about, after which it is said; the others
    follow afterwards. Empty: after all of them."""


class Do(Telling, Generic[M], frozen=True, tag_field="kind", tag="do", kw_only=True):
    """The reader makes these moves, one after the other."""

    moves: Annotated[tuple[M, ...], Meta(min_length=1, max_length=3)]
    otherwise: Sentence
    """Why another legal move is not made now."""


class Turn(Value, Generic[M], frozen=True):
    """A move of another seat."""

    seat: Seat
    move: M


class Watch(Telling, Generic[M], frozen=True, tag_field="kind", tag="watch", kw_only=True):
    """The others make these moves, and are seen doing so one by one."""

    turns: Annotated[tuple[Turn[M], ...], Meta(min_length=1)]
    at: str = ""
    """As for something said: of what the last turn brings about, the event after which the step ends."""


class Choice(Sentence, Generic[M], frozen=True, kw_only=True):
    """A move that the reader may choose, and what it means."""

    move: M
    then: tuple[Say | Do[M] | Watch[M], ...] = ()
    """The steps that follow only if it was chosen."""


class Choose(Telling, Generic[M], frozen=True, tag_field="kind", tag="choose", kw_only=True):
    """The reader makes one of several moves."""

    choices: Annotated[tuple[Choice[M], ...], Meta(min_length=2)]
    otherwise: Sentence
    """Why none of the other legal moves is made now."""


class Lesson(Value, Generic[M, Opt], frozen=True, kw_only=True):
    """A lesson, as its file has it."""

    rules: int
    """The version of the rules by which it is played."""
    pack: str
    """The name of the room's pack with which it is played."""
    seats: int
    seat: Seat
    """The reader's seat."""
    seed: str
    """The seed of chance."""
    options: Opt
    steps: Annotated[tuple[Say | Do[M] | Watch[M] | Choose[M], ...], Meta(min_length=1, max_length=MOST)]


Step = Say | Do[Any] | Watch[Any] | Choose[Any]


Way = tuple[int, tuple[int, ...]]
"""The number of a step, and the choices that lead to it."""


def shown_in(lesson: Lesson[Any, Any]) -> dict[str, Way]:
    """Return for each clause that a step shows how the first such step is reached."""
    found: dict[str, Way] = {}
    number = 0
    chosen: tuple[int, ...] = ()
    for step in lesson.steps:
        number += 1
        reached: list[tuple[Step, Way]] = [(step, (number, chosen))]
        if isinstance(step, Choose):
            for at, choice in enumerate(step.choices):
                reached += ((then, (after, (*chosen, at))) for after, then in enumerate(choice.then, number + 1))
            # whoever comes from a clause has made the first choice
            number, chosen = number + len(step.choices[0].then), (*chosen, 0)
        for shown, way in reached:
            for clause in shown.shows:
                found.setdefault(clause, way)
    return found


class NoSuchStep(LookupError):
    """A lesson has no such step, or none that is reached by these choices."""


def read_lesson(data: bytes, game: Game[Any, Any, Any], packs: Sequence[str]) -> Lesson[Any, Any]:
    """Return a room's lesson. `packs`: the names of the room's packs.

    Raises:  PackError for what the file lacks or can't have, for an impossible number of seats or options, and for a
             lesson that does not end with something said; it names the file, the step and the field.
    """
    lesson: Lesson[Any, Any] = read_pack(data, FILE, Lesson[game.Move, game.Options])  # type: ignore[name-defined]
    if lesson.seats not in game.seats:
        raise PackError(FILE, "", "seats", f"{game.slug} is played by {game.seats}")
    if not 0 <= lesson.seat < lesson.seats:
        raise PackError(FILE, "", "seat", f"there are the seats 0 to {lesson.seats - 1}")
    if lesson.pack not in packs:
        raise PackError(FILE, "", "pack", f"{game.slug} has the packs {', '.join(packs)}")
    if game.by(lesson.rules) is None:
        raise PackError(FILE, "", "rules", f"{game.slug} has the versions {game.versions}")
    last = lesson.steps[-1]
    if not isinstance(last, Say):
        raise PackError(FILE, f"steps[{len(lesson.steps) - 1}]", "kind", "the last step is one that says something")
    return lesson


class Beat(msgspec.Struct, frozen=True):
    """A moment of a step."""

    seen: Any
    """The table as the reader knows it."""
    event: Any
    """What led to it, as the reader is told it; None at the beginning of a step."""
    legal: tuple[Any, ...]
    """The reader's legal moves."""


class Stage(msgspec.Struct, frozen=True):
    """A step as it is played."""

    entry: str
    """Its place in the file."""
    step: Step
    passage: tuple[Beat, ...]
    """What the move before it brought about, event by event."""
    beats: tuple[Beat, ...]
    """Something said has one, and so has a choice. Of several wanted moves each has one, from which it is made. What
    is watched follows the first one event by event."""
    steps: int
    """The number of steps on the way that was chosen, the longest one if something is still to be chosen."""


def stage_of(
    game: Game[Any, Any, Any], pack: Any, lesson: Lesson[Any, Any], number: int, chosen: tuple[int, ...]
) -> Stage:
    """Return a step, counted from 1. `chosen`: the place of each choice before it.

    Raises:  NoSuchStep; PackError if the game does not allow what the lesson plays.
    """
    way = tuple(_way(lesson, chosen))
    before = way[: max(0, number - 1)]
    if not 0 < number <= len(way) or sum(isinstance(step, Choose) for _, step in before) != len(chosen):
        raise NoSuchStep(number, chosen)
    table, choices = _Table(game, pack, lesson), iter(chosen)
    for entry, step in before:
        _pass(table, entry, step, choices)
    entry, step = way[number - 1]
    passage = table.follow(entry, _at(step))
    return Stage(entry, step, passage, tuple(_beats(table, entry, step)), _length(lesson, way, chosen))


def ways_of(lesson: Lesson[Any, Any]) -> Iterator[tuple[int, ...]]:
    """Yield everything that can be chosen in a lesson from its beginning to its end."""
    return product(*(range(len(step.choices)) for step in lesson.steps if isinstance(step, Choose)))


def _way(lesson: Lesson[Any, Any], chosen: tuple[int, ...]) -> Iterator[tuple[str, Step]]:
    """Yield the steps with their places in the file, up to the first choice that is not made. Raises NoSuchStep."""
    choices = list(chosen)
    for place, step in enumerate(lesson.steps):
        yield f"steps[{place}]", step
        if not isinstance(step, Choose):
            continue
        if not choices:
            return
        choice = choices.pop(0)
        if not 0 <= choice < len(step.choices):
            raise NoSuchStep(place, chosen)
        for at, own in enumerate(step.choices[choice].then):
            yield f"steps[{place}].choices[{choice}].then[{at}]", own


def _length(lesson: Lesson[Any, Any], way: tuple[tuple[str, Step], ...], chosen: tuple[int, ...]) -> int:
    open_choices = [step for step in lesson.steps if isinstance(step, Choose)][len(chosen) :]
    if not open_choices:
        return len(way)
    rest = lesson.steps[lesson.steps.index(open_choices[0]) + 1 :]
    return len(way) + len(rest) + sum(max(len(one.then) for one in step.choices) for step in open_choices)


class _Table:
    """The match, as it is and as the reader knows it."""

    def __init__(self, game: Game[Any, Any, Any], pack: Any, lesson: Lesson[Any, Any]) -> None:
        own = game.by(lesson.rules)
        assert own is not None, "read_lesson has checked it"
        self.game, self.reader = own, lesson.seat
        own.check_options(lesson.options, lesson.seats, pack)
        self.state = self.seen = self.shown = own.initial(lesson.options, lesson.seats, pack)
        self.coming: list[Beat] = []
        # a source for each move, so that what one draws changes nothing of what the next ones draw
        self.chances: Iterator[Chance] = (Simulation(f"{lesson.seed} {number}") for number in count())
        self.answers: list[Any] = [None] * lesson.seats
        self._happen(own.setup(self.state, next(self.chances)))
        self.follow("")

    def _happen(self, events: tuple[Any, ...]) -> None:
        """Fold events with those of the forced moves after them, and keep them as the reader is told them."""
        self.state, _, forced = advance(self.game, self.state, events, self.chances)
        for event in (*events, *(one for *_, more in forced for one in more)):
            told = redact(event, self.reader)
            self.seen = self.game.evolve(self.seen, told)
            self.coming.append(Beat(self.seen, told, ()))

    def play(self, seat: Seat, move: Any, entry: str) -> None:
        """Make a move. An answer under seal is kept until all are given.

        Raises:  PackError when the seat is not to act, or the move is not legal.
        """
        game, state = self.game, self.state
        if seat not in game.to_act(state) or self.answers[seat] is not None:
            raise PackError(FILE, entry, "seat", f"seat {seat} is not to act, but {game.to_act(state)}")
        if move not in game.legal(state, seat):
            legal = ", ".join(map(str, game.legal(state, seat)))
            raise PackError(FILE, entry, "move", f"not legal for seat {seat}: {move}. Legal: {legal}")
        if not game.secret(state):
            self._happen(game.decide(state, seat, move, next(self.chances)))
            return
        self.answers[seat] = move
        if all(self.answers[one] is not None for one in game.to_act(state)):
            answers, self.answers = tuple(self.answers), [None] * len(self.answers)
            self._happen(game.close(state, answers, next(self.chances)))

    def follow(self, entry: str, at: str = "") -> tuple[Beat, ...]:
        """Return what has happened and was not returned yet, up to an event of the class `at`. Raises PackError."""
        kinds = [type(beat.event).__name__ for beat in self.coming]
        if at and at not in kinds:
            raise PackError(FILE, entry, "at", f"what happened is {', '.join(kinds) or 'nothing'}")
        end = kinds.index(at) + 1 if at else len(kinds)
        followed, self.coming = tuple(self.coming[:end]), self.coming[end:]
        self.shown = followed[-1].seen if followed else self.shown
        return followed

    def now(self) -> Beat:
        """Return the moment up to which all was followed."""
        is_asked = self.reader in self.game.to_act(self.state) and self.answers[self.reader] is None
        legal = self.game.legal(self.seen, self.reader) if is_asked and not self.coming else ()
        return Beat(self.shown, None, legal)


def _at(step: Step) -> str:
    return step.at if isinstance(step, Say) else ""


def _pass(table: _Table, entry: str, step: Step, choices: Iterator[int]) -> None:
    table.follow(entry, _at(step))
    for _ in _beats(table, entry, step):
        pass
    if isinstance(step, Choose):
        table.play(table.reader, step.choices[next(choices)].move, entry)
    elif isinstance(step, Do):
        table.play(table.reader, step.moves[-1], entry)


def _beats(table: _Table, entry: str, step: Step) -> Iterator[Beat]:
    """Yield the moments of a step, but not what its last wanted move brings about: that is for the next step."""
    yield table.now()
    if isinstance(step, Do):
        for move in step.moves[:-1]:
            table.play(table.reader, move, entry)
            table.follow(entry)
            yield table.now()
    elif isinstance(step, Watch):
        for place, turn in enumerate(step.turns, 1):
            table.play(turn.seat, turn.move, entry)
            yield from table.follow(entry, step.at if place == len(step.turns) else "")
