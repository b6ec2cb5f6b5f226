"""Every mark in the house is needed: taken off, or with another reader, it breaks the law that holds what is told.

The rooms say apart from the marks who may know what, so a wrong mark and a forgotten one are both noticed.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any, NamedTuple

import pytest

from domain import matches, secrecy
from domain.matches import MoveMade
from domain.secrecy import Carries, Hidden, HiddenEach, Mark, marks
from tests.laws.alike import everybody_is_told_just_what_the_room_says_they_may_know as law
from tests.laws.knowledge import MATCH, field_of, told_to
from tests.laws.rooms import SLUGS, classes_of, known_of, table_of
from tests.laws.table import BOTS, Played, play_match
from tests.rows import each
from tests.toy.high_card.moves import SetAside

TOY = "high-card"
MOST = 40
"""Matches of a kind of bot that are looked through for an event at most."""
SHORTEST = sorted(BOTS, key=("eager", "greedy", "random").index)
"""Whose matches are looked through first: a random bot may need a thousand moves where others need a hundred."""


class Marked(NamedTuple):
    """A mark that stands on a field."""

    slug: str
    cls: type[Any]
    field: str
    mark: Mark

    def __str__(self) -> str:
        return f"{self.slug}-{self.cls.__name__}.{self.field}"


def every_mark() -> Iterator[Marked]:
    """All of the house; the match's own are tried in the toy, which has sealed answers."""
    for slug in SLUGS:
        for cls in (*classes_of(slug), *(matches.EVENTS if slug == TOY else ())):
            yield from (Marked(slug, cls, field, mark) for field, mark in marks(cls))


MARKS = tuple(every_mark())


def shows(event: Any, one: Marked, seats: int) -> bool:
    """Whether the event has the field, with a reader if it ever has one, who is not each seat but the first."""
    part = event.move if type(event) is MoveMade and one.cls is not MoveMade else event
    if type(part) is not one.cls or not isinstance(one.mark, Hidden) or not one.mark.reader:
        return type(part) is one.cls
    return secrecy._readers(event, one.mark) not in ((), tuple(range(1, seats)))


def matches_with(ones: list[Marked]) -> dict[Marked, Played]:
    """The first match in which each mark's field occurs: all are looked for in a match while it is at hand. Play does
    not depend on marks, so that a match serves all that is tried on one.
    """
    found: dict[Marked, Played] = {}
    for seed, kind in product(range(MOST), SHORTEST):
        if missing := [one for one in ones if one not in found]:
            played = play_match(missing[0].slug, seed, kind)
            told, seats = [told.event for told in played.told], len(played.truth.taken)
            found |= {one: played for one in missing if any(shows(event, one, seats) for event in told)}
    missing = [one for one in ones if one not in found]
    never = f"occur in none of {MOST} matches of each kind of bot (a move that is only made under seal needs no mark)"
    assert not missing, f"{', '.join(map(str, missing))} {never}"
    return found


def wrong_marks(one: Marked) -> Iterator[tuple[str, Mark | None]]:
    """What might stand there instead: no mark, nobody as its reader, all seats but the first as its readers."""
    yield "taken off", None
    if one.mark not in (Hidden(), Carries()):
        yield "told to nobody", Hidden()
    if not isinstance(one.mark, Carries):
        yield "told to others", Hidden("others")


@pytest.mark.parametrize("slug", SLUGS)
def test_a_mark_that_is_taken_off_or_changed_breaks_the_law(slug: str, monkeypatch: pytest.MonkeyPatch) -> None:
    found = matches_with([one for one in MARKS if one.slug == slug])
    for played in dict.fromkeys(found.values()):
        law(played)
    for one, played in found.items():
        with monkeypatch.context() as patched:
            is_needed(one, played, patched)


def is_needed(one: Marked, played: Played, monkeypatch: pytest.MonkeyPatch) -> None:
    """The law, which holds with the mark as it stands, holds with no other."""
    right = marks(one.cls)
    readers_of = secrecy._readers

    def readers(event: Any, mark: Hidden) -> tuple[int, ...]:
        return tuple(range(1, len(played.truth.taken))) if mark.reader == "others" else readers_of(event, mark)

    monkeypatch.setattr(secrecy, "_readers", readers)
    for how, wrong in wrong_marks(one):
        changed = tuple((field, wrong if field == one.field else mark) for field, mark in right)
        left = tuple((field, mark) for field, mark in changed if mark is not None)
        monkeypatch.setitem(secrecy._marks, one.cls, left)
        noticed = ""
        try:
            law(played)
        except AssertionError as error:
            noticed = str(error)
        assert "may be told" in noticed, f"{one} {how}, and the law does not notice"


@pytest.mark.parametrize("slug", SLUGS)
def test_the_room_says_of_every_field_of_every_class_who_may_know_it(slug: str) -> None:
    table = table_of(slug)
    fields = {cls: set(cls.__struct_fields__) for cls in (*classes_of(slug), *matches.EVENTS)}
    assert {cls: set(entry) for cls, entry in table.items()} == fields
    assert not set(MATCH) & set(known_of(slug).fields), "the match's own events are no room's to speak of"


def test_every_mark_of_the_house_is_tried() -> None:
    found = {(one.cls, one.field) for one in MARKS}
    every = (*matches.EVENTS, *(cls for slug in SLUGS for cls in classes_of(slug)))
    assert found == {(cls, field) for cls in every for field, _ in marks(cls)}
    assert {type(one.mark) for one in MARKS} == {Hidden, HiddenEach, Carries}


def test_what_is_open_hidden_kept_and_shown_is_told_and_foreseen_as_it_says() -> None:
    event = matches.SeatTaken(seat=1, nonce="abc")
    for words, told, foreseen in each(
        ("open", ["abc"] * 3, [True] * 3),
        ("news", ["abc"] * 3, [False] * 3),
        ("shown by seat", ["abc"] * 3, [False, True, False]),
        ("drawn by seat", [None, "abc", None], [True, False, True]),
        ("kept by seat", [None, "abc", None], [True] * 3),
    ):
        field = field_of(words)
        assert [field.told("abc", event, viewer) for viewer in (0, 1, None)] == told
        assert [field.foreseen("abc", event, viewer) == "abc" for viewer in (0, 1, None)] == foreseen
    own, shown = field_of("own each"), field_of("shown each")
    assert [own.told((5, 6), event, viewer) for viewer in (0, 1, None)] == [(5, None), (None, 6), (None, None)]
    assert [shown.foreseen((5, 6), event, viewer)[1] for viewer in (0, 1)] == ["learned here", 6]


def test_a_move_is_told_as_its_own_entry_says() -> None:
    table = table_of(TOY)
    made: MoveMade[Any] = MoveMade(seat=1, decision=5, move=SetAside(card=9), cause=matches.Cause.SEAT)
    assert told_to(table, made, 1) == made
    assert told_to(table, made, 0).move == told_to(table, made, None).move == SetAside(card=None)
