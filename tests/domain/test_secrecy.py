"""What is hidden is told to its readers, and to nobody else."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

import domain.games
from domain.catalogue import Catalogue
from domain.game import Event, Move
from domain.happenings import Answer, AnswersClosed, Cause, MoveMade
from domain.secrecy import Carries, Hidden, HiddenEach, hides, marks, redact, secrets, unknown
from tests.rows import each

SEATS = 3


class Open(Event, frozen=True):
    seat: int


class Drawn(Event, frozen=True):
    seat: int
    card: Annotated[int | None, Hidden("seat")]


class Row(Event, frozen=True):
    seats: tuple[int, ...]
    cards: Annotated[tuple[int | None, ...], Hidden("seats")]
    rest: Annotated[tuple[int | None, ...], Hidden()]


class Asked(Event, frozen=True):
    asked: Annotated[tuple[bool | None, ...], HiddenEach()]


class Lay(Move, frozen=True):
    at: int
    card: Annotated[int | None, Hidden("seat")]


class Give(Move, frozen=True):
    cards: Annotated[tuple[int | None, ...], Hidden()]


class Look(Move, frozen=True):
    """A move that hides nothing."""


class Bad(Move, frozen=True):
    """A move may not hide an element a seat: whose log would tell it?"""

    each: Annotated[tuple[int | None, ...], HiddenEach()]


class Made(Event, frozen=True):
    seat: int
    move: Annotated[Lay | Give | Look | Bad, Carries()]


class Noted(Event, frozen=True):
    """Annotated, but not by a mark."""

    text: Annotated[str, "a note"]


def test_the_marks_of_a_class_are_found_in_their_order_and_other_annotations_are_none() -> None:
    assert marks(Row) == (("cards", Hidden("seats")), ("rest", Hidden()))
    assert marks(Asked) == (("asked", HiddenEach()),)
    assert marks(Made) == (("move", Carries()),)
    assert marks(Lay) == (("card", Hidden("seat")),)
    assert marks(Noted) == marks(Open) == ()


def test_what_is_hidden_is_told_to_its_readers_and_a_tuple_keeps_its_length() -> None:
    assert [unknown(one) for one in (7, "face", (1, 2, 3), ())] == [None, None, (None,) * 3, ()]
    made = MoveMade(seat=2, decision=5, move=Lay(at=4, card=9), cause=Cause.SEAT)
    own, others = (Answer(answer=Look(), sealed=f"0{seat}") for seat in (1, 0))
    row = Row(seats=(0, 2), cards=(5, 6), rest=(7, 8, 9))
    for event, viewer, told in each(
        (Drawn(seat=1, card=42), 1, Drawn(seat=1, card=42)),
        (Drawn(seat=1, card=42), 0, Drawn(seat=1, card=None)),
        (Drawn(seat=1, card=42), None, Drawn(seat=1, card=None)),
        (row, 2, Row(seats=(0, 2), cards=(5, 6), rest=(None,) * 3)),
        (row, 1, Row(seats=(0, 2), cards=(None,) * 2, rest=(None,) * 3)),
        (Asked(asked=(True, False, True)), 1, Asked(asked=(None, False, None))),
        (Asked(asked=(True, False, True)), None, Asked(asked=(None,) * 3)),
        (Made(seat=2, move=Lay(at=4, card=9)), 2, Made(seat=2, move=Lay(at=4, card=9))),
        (Made(seat=2, move=Lay(at=4, card=9)), 0, Made(seat=2, move=Lay(at=4, card=None))),
        (Made(seat=2, move=Lay(at=4, card=9)), None, Made(seat=2, move=Lay(at=4, card=None))),
        (Made(seat=2, move=Give(cards=(1, 2))), 2, Made(seat=2, move=Give(cards=(None,) * 2))),
        (made, 2, made),
        (made, 0, msgspec.structs.replace(made, move=Lay(at=4, card=None))),
        (AnswersClosed(decision=5, answers=(others, own)), 1, AnswersClosed(decision=5, answers=(None, own))),
    ):
        assert redact(event, viewer) == told


def test_what_hides_nothing_is_told_as_it_is() -> None:
    for event in (Open(seat=1), Noted(text="a"), Made(seat=1, move=Look())):
        assert redact(event, None) is event
        assert list(secrets(event)) == []


def test_secrets_are_told_by_path_readers_and_value() -> None:
    assert list(secrets(Drawn(seat=1, card=42))) == [("card", (1,), 42)]
    row = Row(seats=(2, 0), cards=(5,), rest=(6, 7))
    assert list(secrets(row)) == [("cards", (2, 0), (5,)), ("rest", (), (6, 7))]
    assert list(secrets(Asked(asked=(True, False)))) == [("asked.0", (0,), True), ("asked.1", (1,), False)]
    assert list(secrets(Made(seat=2, move=Lay(at=4, card=9)))) == [("move.card", (2,), 9)]


def test_a_move_that_hides_an_element_a_seat_is_refused() -> None:
    with pytest.raises(AssertionError, match=r"Bad\.each: a move hides whole fields"):
        list(secrets(Made(seat=0, move=Bad(each=(1,)))))


cards = st.integers(0, 9)
seats = st.integers(0, SEATS - 1)
events = st.one_of(
    st.builds(Open, seats),
    st.builds(Drawn, seats, cards),
    st.builds(Row, st.sets(seats).map(lambda found: tuple(sorted(found))), st.tuples(cards, cards), st.tuples(cards)),
    st.builds(Asked, st.tuples(st.booleans(), st.booleans(), st.booleans())),
    st.builds(Made, seats, st.builds(Lay, cards, cards) | st.builds(Give, st.tuples(cards)) | st.builds(Look)),
)
viewers = seats | st.none()


@given(events, viewers)
def test_redacting_twice_takes_no_more_away(event: msgspec.Struct, viewer: int | None) -> None:
    assert redact(redact(event, viewer), viewer) == redact(event, viewer)


@given(events, viewers, viewers)
def test_somebody_without_a_seat_is_told_what_everybody_is_told(
    event: msgspec.Struct, viewer: int | None, other: int | None
) -> None:
    assert redact(redact(event, viewer), None) == redact(event, None)
    if viewer != other:
        assert redact(redact(event, viewer), other) == redact(event, None) or shared(event, viewer, other)


def shared(event: msgspec.Struct, viewer: int | None, other: int | None) -> bool:
    """Whether both may read some field."""
    return any({viewer, other} <= set(readers) for _, readers, _ in secrets(event))


@given(events, viewers)
def test_a_seat_is_told_exactly_the_secrets_that_it_reads(event: msgspec.Struct, viewer: int | None) -> None:
    told = redact(event, viewer)
    for path, readers, value in secrets(event):
        assert at(told, path) == (value if viewer in readers else unknown(value))
    hidden = {path.split(".")[0] for path, _, _ in secrets(event)}
    for name in event.__struct_fields__:
        assert name in hidden or getattr(told, name) == getattr(event, name)


def at(event: Any, path: str) -> Any:
    """The value at a path of `secrets`."""
    for part in path.split("."):
        event = event[int(part)] if isinstance(event, tuple) else getattr(event, part)
    return event


def test_a_game_of_which_all_is_open_hides_nothing() -> None:
    rooms = Catalogue((domain.games,)).rooms
    assert {slug: hides(room.game) for slug, room in rooms.items()} == {slug: slug != "terraformers" for slug in rooms}
