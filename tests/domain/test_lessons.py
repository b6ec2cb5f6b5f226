"""Lessons: each is played to its end, whatever is chosen, and fails here when rules or packs change under it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest

from domain import lessons
from domain.catalogue import Room
from domain.game import PackError
from domain.lessons import Choose, Do, Lesson, NoSuchStep, Say, Stage, Watch, read_lesson, stage_of, ways_of
from domain.scene import ids_of
from domain.secrecy import redact
from domain.texts import LANGS
from tests.laws.rooms import SLUGS, room_of
from tests.toy.high_card.events import Raised, RaisesClosed

LEARNT = tuple(slug for slug in SLUGS if room_of(slug).lesson() is not None)
every_lesson = pytest.mark.parametrize("slug", LEARNT)


def pack_of(room: Room, name: str) -> Any:
    return next(pack.pack for pack in room.kept.values() if pack.name == name)


def lesson_of(slug: str) -> tuple[Room, Lesson[Any, Any]]:
    room = room_of(slug)
    lesson = room.lesson()
    assert lesson is not None
    return room, lesson


def stages(room: Room, lesson: Lesson[Any, Any], chosen: tuple[int, ...]) -> Iterator[Stage]:
    """The steps of a lesson with these choices, up to its end."""
    made, number = 0, 0
    while True:
        number += 1
        try:
            stage = stage_of(room.game, pack_of(room, lesson.pack), lesson, number, chosen[:made])
        except NoSuchStep:
            return
        yield stage
        made += isinstance(stage.step, Choose)


def test_every_game_has_a_lesson() -> None:
    assert {*SLUGS} - {*LEARNT} == {"high-card"}


@every_lesson
def test_a_lesson_is_played_by_todays_rules_to_its_end_in_at_most_twelve_steps(slug: str) -> None:
    room, lesson = lesson_of(slug)
    assert lesson.rules == room.game.version
    for chosen in ways_of(lesson):
        played = list(stages(room, lesson, chosen))
        assert isinstance(played[-1].step, Say)
        assert [stage.steps for stage in played][-1] == len(played) <= lessons.MOST
        assert sum(isinstance(stage.step, Do | Choose) for stage in played) >= 3, "who learns makes the moves"


@every_lesson
def test_what_a_step_wants_is_legal_and_what_it_speaks_of_lies_there(slug: str) -> None:
    room, lesson = lesson_of(slug)
    for chosen in ways_of(lesson):
        for stage in stages(room, lesson, chosen):
            step, beats = stage.step, stage.beats
            if isinstance(step, Do):
                assert [move in beat.legal for move, beat in zip(step.moves, beats, strict=True)] == [True] * len(beats)
            if isinstance(step, Choose):
                assert {choice.move for choice in step.choices} <= set(beats[0].legal)
            at = beats[-1] if isinstance(step, Watch) else beats[0]
            for lang in LANGS:
                lying = set(ids_of(room.game.scene(room.game.view(at.seen, lesson.seat), lang)))
                assert set(step.about) <= lying, (stage.entry, lang, sorted(lying))


@every_lesson
def test_the_reader_of_a_lesson_is_told_no_more_than_the_seat_may_know(slug: str) -> None:
    room, lesson = lesson_of(slug)
    for chosen in ways_of(lesson):
        for stage in stages(room, lesson, chosen):
            told = [beat.event for beat in (*stage.passage, *stage.beats) if beat.event is not None]
            assert [redact(event, lesson.seat) for event in told] == told


WHOLE = """
rules = 1
pack = "house"
seats = 2
seat = 0
seed = "1"
options = {}
[[steps]]
kind = "do"
en = "Set the card aside."
ja = "伏せる。"
moves = [{ type = "SetAside", card = 1 }]
otherwise = { en = "Not now.", ja = "今は待って。" }
"""
END = """[[steps]]
kind = "say"
en = "That is all."
ja = "以上。"
"""
WHOLE += END
BROKEN = {
    "no language may lack": ('ja = "以上。"\n', "", "steps[1]", "ja"),
    "an unknown kind": ('kind = "say"', 'kind = "sing"', "steps[1]", "kind"),
    "an unknown move": ('"SetAside"', '"Sing"', "steps[0].moves[0]", "type"),
    "a field that no move has": ("card = 1", "cart = 1", "steps[0].moves[0]", "cart"),
    "a text that is too long": ("That is all.", "la " * 70, "steps[1]", "en"),
    "an id that is none": ('en = "That is all."', 'about = ["A B"]\nen = "a"', "steps[1].about", "0"),
    "too few moves": ('[{ type = "SetAside", card = 1 }]', "[]", "steps[0]", "moves"),
    "a pack that nobody has": ('"house"', '"nobody"', "", "pack"),
    "too many seats": ("seats = 2", "seats = 9", "", "seats"),
    "a seat beyond them": ("seat = 0", "seat = 2", "", "seat"),
    "rules that nobody has": ("rules = 1", "rules = 99", "", "rules"),
    "an end at which nothing is said": (END, "", "steps[0]", "kind"),
    "no TOML": ("[[steps]]", "[[steps", "", "toml"),
}  # fmt: skip


@pytest.mark.parametrize("what", BROKEN)
def test_a_malformed_lesson_is_refused_with_file_entry_and_field(what: str) -> None:
    game = room_of("high-card").game
    assert len(read_lesson(WHOLE.encode(), game, ["house"]).steps) == 2
    old, new, entry, field = BROKEN[what]
    with pytest.raises(PackError) as refused:
        read_lesson(WHOLE.replace(old, new).encode(), game, ["house"])
    assert (refused.value.file, refused.value.entry, refused.value.field) == ("lesson.toml", entry, field)


def test_a_lesson_whose_moves_the_rules_refuse_says_at_which_step() -> None:
    room = room_of("high-card")
    lesson = read_lesson(WHOLE.replace("card = 1", "card = 99").encode(), room.game, ["house"])
    with pytest.raises(PackError, match=r"lesson\.toml: steps\[0\]: move: not legal for seat 0"):
        stage_of(room.game, pack_of(room, "house"), lesson, 2, ())


WATCH = """[[steps]]
kind = "watch"
en = "Look."
ja = "見て。"
"""


@pytest.mark.parametrize(
    ("step", "says"),
    [
        ("turns = [{ seat = 0, move = { type = 'SetAside', card = 5 } }]", "seat: seat 0 is not to act"),
        ("turns = [{ seat = 1, move = { type = 'SetAside', card = 2 } }]\nat = 'MatchEnded'", "at: what happened is"),
    ],
)
def test_what_can_not_be_watched_is_told_with_its_step(step: str, says: str) -> None:
    room = room_of("high-card")
    text = WHOLE.removesuffix(END).replace("card = 1", "card = 2") + WATCH + step + "\n" + END
    lesson = read_lesson(text.encode(), room.game, ["house"])
    with pytest.raises(PackError, match=rf"lesson\.toml: steps\[1\].*{says}"):
        stage_of(room.game, pack_of(room, "house"), lesson, 3, ())


def test_answers_under_seal_are_kept_until_all_are_given() -> None:
    room = room_of("high-card")
    moves = [(0, "type = 'SetAside', card = 2"), (1, "type = 'SetAside', card = 4"), (0, "type = 'Raise'")]
    turns = [*moves, (1, "type = 'Pass'")]
    told = [f"{{ seat = {seat}, move = {{ {move} }} }}" for seat, move in turns]
    # with this seed both are left with a pair, and so both are asked
    begun = WHOLE[: WHOLE.index("[[steps]]")].replace('seed = "1"', 'seed = "60"')
    steps = [f"{WATCH}turns = [{', '.join(part)}]\n" for part in (told[:3], told[3:])]
    lesson = read_lesson((begun + "".join(steps) + END).encode(), room.game, ["house"])
    first, second = (stage_of(room.game, pack_of(room, "house"), lesson, number, ()).beats for number in (1, 2))
    assert not any(isinstance(beat.event, Raised | RaisesClosed) for beat in first)
    assert [beat.event.seat for beat in second if isinstance(beat.event, Raised)] == [0]


@pytest.mark.parametrize(
    ("number", "chosen"), [(0, ()), (-1, ()), (99, ()), (1, (0,)), (7, ()), (7, (9,)), (7, (0, 0))]
)
def test_there_is_no_step_that_the_choices_do_not_lead_to(number: int, chosen: tuple[int, ...]) -> None:
    room, lesson = lesson_of("three-magic")
    with pytest.raises(NoSuchStep):
        stage_of(room.game, pack_of(room, lesson.pack), lesson, number, chosen)


@every_lesson
def test_the_clauses_that_a_lesson_shows_are_of_the_rules_and_lead_to_the_step_that_shows_them(slug: str) -> None:
    room, lesson = lesson_of(slug)
    found = lessons.shown_in(lesson)
    rules = {lang: set(re.findall(r"^- ([0-9A-Z]+-[0-9]+) ", room.rules(lang), re.MULTILINE)) for lang in LANGS}
    assert found.keys() <= rules["en"] & rules["ja"]
    assert len(found) >= min(8, len(rules["en"]) // 2)
    for clause, (number, chosen) in found.items():
        stage = stage_of(room.game, pack_of(room, lesson.pack), lesson, number, chosen)
        assert clause in stage.step.shows
    every = {clause for way in ways_of(lesson) for stage in stages(room, lesson, way) for clause in stage.step.shows}
    assert found.keys() == every
