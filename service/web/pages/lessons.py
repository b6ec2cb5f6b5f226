"""Lessons: a page for each, and its steps as data for the page's script. Steps are the same for everybody."""

from __future__ import annotations

import gzip
import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Any

import msgspec
from flask import Response, abort, request

from domain.catalogue import Room
from domain.game import Lang
from domain.lessons import Beat, Choose, Do, Lesson, NoSuchStep, Stage, Watch, stage_of
from domain.scene import Scene, said_by
from domain.telling import tell
from domain.texts import LANGS, named
from service.web.pages import assets, examples, page
from service.web.pages.games import KEPT, about
from service.web.reply import service

WORDS = page.texts_of("games", "lessons")
NAMES = ("reader", "name-1", "name-2", "name-3", "name-4")
"""The keys of the names: the reader's, then those of the others in turn order."""
NUMBER = re.compile(r"[1-9]\d?")
CHOSEN = re.compile(r"(?:\d(?:,\d)*)?")

blueprint = page.blueprint("lessons")


class LessonMoment(msgspec.Struct, frozen=True):
    """A moment of the table, and what has led to it."""

    scene: Scene
    told: str


class LessonWay(msgspec.Struct, frozen=True, omit_defaults=True):
    """A legal move. It is wanted if it has a `text`; of a choice, `choice` is its place."""

    touches: tuple[str, ...]
    text: str = ""
    choice: int | None = None
    ways: tuple[tuple[str, ...], ...] = ()
    """Further touches that make the move."""


class LessonAsking(msgspec.Struct, frozen=True):
    """A moment in which the reader is to do something."""

    scene: Scene
    ways: tuple[LessonWay, ...]


class LessonStep(msgspec.Struct, frozen=True):
    """A step as the page's script gets it."""

    step: int
    steps: int
    chosen: tuple[int, ...]
    """The places of the choices before it."""
    kind: str
    text: str
    about: tuple[str, ...]
    otherwise: str
    """Why another legal move is not made now; "" if nothing is to be done."""
    passage: tuple[LessonMoment, ...]
    """What the reader's move before it brought about."""
    film: tuple[LessonMoment, ...]
    """What the others do, after the scene."""
    scene: Scene
    """The table at the beginning, after the passage."""
    asking: tuple[LessonAsking, ...]
    """One for each move that is to be made in turn."""


@blueprint.get("/games/<string:slug>/lesson")
def lesson(slug: str) -> Response:
    """Show a step of the lesson, with links to the next ones; the page's script plays the lesson on."""
    room = service().opener.room(slug)
    number, chosen = request.args.get("step", "1"), request.args.get("chosen", "")
    lang = page.lang()
    step = _found(room, number, chosen, lang)
    if step is None:
        return page.refused(404, WORDS[lang]["no-step"])
    told = {"game": page.data_of(room.game), "seat": lesson_of(room).seat, "names": names_of(room, lang), "first": step}
    return page.shown(
        "lesson.html.j2",
        WORDS,
        **about(room),
        step=step,
        table=tell(step.film[-1].scene if step.film else step.scene, lang),
        data=page.data({**told, "words": {key: WORDS[lang][key] for key in ("next", "no-answer", "of", "play-now")}}),
    )


@blueprint.get("/games/<string:slug>/lesson/step")
def step(slug: str) -> Response:
    """Return a step as JSON. Its language is part of the address, so that it may be cached."""
    room = service().opener.room(slug)
    lang = request.args.get("lang", "")
    found = _found(room, request.args.get("step", ""), request.args.get("chosen", ""), lang) if lang in LANGS else None
    if found is None:
        return page.refused(404, WORDS[page.lang()]["no-step"])
    return assets.answer(*encoded(room, lang, found.step, found.chosen), "application/json", KEPT)


def _found(room: Room, number: str, chosen: str, lang: Lang) -> LessonStep | None:
    """Return the step of an address; None if there is none."""
    if not (NUMBER.fullmatch(number) and CHOSEN.fullmatch(chosen)):
        return None
    try:
        return step_of(room, lang, int(number), tuple(map(int, filter(None, chosen.split(",")))))
    except NoSuchStep:
        return None


def lesson_of(room: Room) -> Lesson[Any, Any]:
    """Return the room's lesson. Raises NotFound if it has none."""
    return examples.lesson_of(room) or abort(404)


@lru_cache(maxsize=1024)
def encoded(room: Room, lang: Lang, number: int, chosen: tuple[int, ...]) -> tuple[bytes, bytes]:
    """Return a step as JSON, and that compressed: there is no secret in it."""
    plain = msgspec.json.encode(step_of(room, lang, number, chosen))
    return plain, gzip.compress(plain, mtime=0)


@lru_cache(maxsize=256)
def step_of(room: Room, lang: Lang, number: int, chosen: tuple[int, ...]) -> LessonStep:
    """Return a step of a room's lesson. Raises NoSuchStep."""
    lesson = lesson_of(room)
    pack = next(pack.pack for pack in room.kept.values() if pack.name == lesson.pack)
    stage = stage_of(room.game, pack, lesson, number, chosen)
    drawn = _Drawn(room, lesson, lang)
    step = stage.step
    return LessonStep(
        step=number,
        steps=stage.steps,
        chosen=chosen,
        kind=type(step).__name__.lower(),
        text=drawn.say(_in(step, lang)),
        about=step.about,
        otherwise=drawn.say(_in(step.otherwise, lang)) if isinstance(step, Do | Choose) else "",
        passage=drawn.film(stage.passage),
        film=drawn.film(stage.beats[1:]) if isinstance(step, Watch) else (),
        scene=drawn.scene(stage.beats[0]),
        asking=tuple(drawn.asking(stage)),
    )


def names_of(room: Room, lang: Lang) -> tuple[str, ...]:
    """Return the names of the lesson's players by seat."""
    lesson = lesson_of(room)
    return tuple(WORDS[lang][NAMES[(seat - lesson.seat) % lesson.seats]] for seat in range(lesson.seats))


def _in(said: Any, lang: Lang) -> str:
    return str(getattr(said, lang))


class _Drawn:
    """What the reader of a lesson sees, in a language."""

    def __init__(self, room: Room, lesson: Lesson[Any, Any], lang: Lang) -> None:
        self._game, self._seat, self._lang = room.game, lesson.seat, lang
        self._names = names_of(room, lang)

    def say(self, text: str) -> str:
        """Return the text with the players' names, and "you" for the reader."""
        return named(text, self._names, self._seat)

    def scene(self, beat: Beat) -> Scene:
        """Return the table at that moment."""
        return said_by(self._game.scene(self._game.view(beat.seen, self._seat), self._lang), self.say)

    def film(self, beats: Iterable[Beat]) -> tuple[LessonMoment, ...]:
        """Return what can be seen of what happens; where nothing changes, the sentences stand together."""
        films: list[LessonMoment] = []
        for beat in beats:
            scene, told = self.scene(beat), self.say(self._game.describe(beat.event, self._lang))
            if films and films[-1].scene == scene:
                films[-1] = LessonMoment(
                    scene, f"{films[-1].told} {told}" if self._lang == "en" else films[-1].told + told
                )
            else:
                films.append(LessonMoment(scene, told))
        return tuple(films)

    def asking(self, stage: Stage) -> Iterable[LessonAsking]:
        """Yield the moments in which a move is wanted, with all legal moves."""
        if isinstance(stage.step, Do):
            for move, beat in zip(stage.step.moves, stage.beats, strict=True):
                text = self._game.label(beat.seen, self._seat, move, self._lang)
                yield self._asking(beat, [self._way(beat, move, text)])
        elif isinstance(stage.step, Choose):
            (beat, *_), choices = stage.beats, enumerate(stage.step.choices)
            yield self._asking(beat, [self._way(beat, one.move, _in(one, self._lang), at) for at, one in choices])

    def _asking(self, beat: Beat, wanted: list[LessonWay]) -> LessonAsking:
        known = {way.touches for way in wanted}
        others = [way for way in (self._way(beat, one) for one in beat.legal) if way.touches not in known]
        return LessonAsking(self.scene(beat), (*wanted, *others))

    def _way(self, beat: Beat, move: Any, text: str = "", choice: int | None = None) -> LessonWay:
        game, seen, seat = self._game, beat.seen, self._seat
        return LessonWay(game.touches(seen, seat, move), self.say(text), choice, game.ways(seen, seat, move))
