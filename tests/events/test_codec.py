"""The codec: typed events to stored bytes and back, redacted on the way, and old ones brought up to date."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from domain.game import Event, Move, Value
from domain.secrecy import Carries, Hidden, HiddenEach, redact, secrets
from events import chain, codec
from events.chain import Draft, Head, Stored, secrets_of
from events.codec import Codec, UnknownEvent, Unreadable, tell
from events.store import briefs_of
from tests.events.streams import AT, SECRET


class Card(Value, frozen=True):
    back: str
    face: int


class Passed(Move, frozen=True):
    """A move that hides nothing."""


class Aside(Move, frozen=True):
    count: int
    card: Annotated[Card | None, Hidden("seat")]
    mark: Annotated[tuple[int | None, ...], Hidden()]


class Dealt(Event, frozen=True):
    seat: int
    seats: tuple[int, ...]
    card: Annotated[Card | None, Hidden("seat")]
    hand: Annotated[tuple[Card | None, ...], Hidden("seats")]
    rest: Annotated[tuple[int | None, ...], Hidden()]


class Closed(Event, frozen=True):
    answers: Annotated[tuple[Card | None, ...], HiddenEach()]


class Made(Event, frozen=True):
    seat: int
    move: Annotated[Passed | Aside, Carries()]


class Said(Event, frozen=True):
    schema = 3
    text: str
    loud: bool


CLASSES: dict[str, tuple[type[Any], Any]] = {f"test/{cls.__name__}": (cls, cls) for cls in (Dealt, Closed, Made, Said)}


def first_to_second(fields: dict[str, Any]) -> tuple[str, int, dict[str, Any]]:
    return "test/Spoke", 2, {"text": fields["words"]}


def second_to_third(fields: dict[str, Any]) -> tuple[str, int, dict[str, Any]]:
    return "test/Said", 3, {"loud": False, **fields}


CODEC = Codec(
    CLASSES,
    split=secrets,
    conceal=lambda event: redact(event, None),
    upcasters={("test/Spoke", 1): first_to_second, ("test/Spoke", 2): second_to_third},
)

CARDS = st.builds(Card, back=st.sampled_from(["red", "blüe"]), face=st.integers(0, 9))
SEATS = st.integers(0, 3)
NUMBERS = st.lists(st.integers(-99, 99), max_size=3).map(tuple)
MOVES = st.just(Passed()) | st.builds(Aside, count=st.integers(0, 9), card=CARDS, mark=NUMBERS)
EVENTS: st.SearchStrategy[Any] = st.one_of(
    st.builds(
        Dealt,
        seat=SEATS,
        seats=st.sets(SEATS).map(lambda seats: tuple(sorted(seats))),
        card=CARDS,
        hand=st.lists(CARDS, max_size=3).map(tuple),
        rest=NUMBERS,
    ),
    st.builds(Closed, answers=st.lists(CARDS, max_size=4).map(tuple)),
    st.builds(Made, seat=SEATS, move=MOVES),
    st.builds(Said, text=st.sampled_from(["", 'a "word"', "é"]), loud=st.booleans()),
)


def stored(event: Any) -> Stored:
    (sealed,) = chain.seal(Head(version=4), "m", (CODEC.encode(event, "service", 1),), AT, SECRET)
    return sealed


@given(EVENTS)
@settings(max_examples=100)
def test_an_event_comes_back_from_its_stored_bytes_of_which_the_public_ones_are_for_everybody(event: Any) -> None:
    draft = CODEC.encode(event, "seat:1", 7)
    assert (draft.actor, draft.move, draft.schema) == ("seat:1", 7, type(event).schema)
    assert CODEC.decode(draft.type, draft.schema, draft.public, draft.secret) == event
    for data in (draft.public, draft.secret):
        assert chain.encode_canonical(chain.decode_canonical(data)) == data
    assert draft.public == chain.encode_canonical(redact(event, None))
    assert CODEC.decode(draft.type, draft.schema, draft.public) == redact(event, None)
    # telling by splicing bytes is telling by merging fields
    told = secrets_of(draft)
    merged = msgspec.json.decode(codec._tell_inside(draft.public, told))
    assert msgspec.json.decode(tell(draft.public, told)) == merged == msgspec.json.decode(msgspec.json.encode(event))


@given(EVENTS, st.none() | SEATS)
@settings(max_examples=150)
def test_redacting_stored_events_agrees_with_redacting_typed_ones(event: Any, seat: int | None) -> None:
    shown = chain.show(stored(event), seat, SECRET)
    assert CODEC.read_all([shown, chain.show(stored(event), None, SECRET)]) == [
        redact(event, seat),
        redact(event, None),
    ]
    assert sorted(shown.secret) == sorted(path for path, readers, _ in secrets(event) if seat in readers)


def test_hidden_fields_are_null_or_as_many_nulls_and_without_any_there_is_no_secret() -> None:
    hand = (Card("red", 1), Card("red", 2))
    draft = CODEC.encode(Dealt(seat=1, seats=(1, 2), card=hand[0], hand=hand, rest=(7,)), "service", 0)
    assert draft.public == b'{"card":null,"hand":[null,null],"rest":[null],"seat":1,"seats":[1,2]}'
    assert chain.decode_canonical(draft.secret) == {
        "card": {"readers": [1], "value": {"back": "red", "face": 1}},
        "hand": {"readers": [1, 2], "value": [{"back": "red", "face": 1}, {"back": "red", "face": 2}]},
        "rest": {"readers": [], "value": [7]},
    }
    draft = CODEC.encode(Made(seat=2, move=Aside(count=1, card=hand[0], mark=())), "seat:2", 1)
    assert draft.public == b'{"move":{"card":null,"count":1,"mark":[],"type":"Aside"},"seat":2}'
    assert list(chain.decode_canonical(draft.secret)) == ["move.card", "move.mark"]
    draft = CODEC.encode(Closed(answers=hand), "service", 1)
    assert draft.public == b'{"answers":[null,null]}'
    assert list(chain.decode_canonical(draft.secret)) == ["answers.0", "answers.1"]
    said = Said(text="hello", loud=True)
    assert CODEC.encode(said, "service", 0) == Draft(
        type="test/Said", schema=3, public=b'{"loud":true,"text":"hello"}', secret=b"{}", actor="service", move=0
    )


@pytest.mark.parametrize(
    "event",
    [
        Said(text="\ud800", loud=True),  # half a character
        Made(seat=1 << 53, move=Passed()),
        Made(seat=1.5, move=Passed()),  # type: ignore[arg-type]  # nothing checks types when a struct is made
        Made(seat=1e300, move=Passed()),  # type: ignore[arg-type]
        Dealt(seat=0, seats=(0,), card=Card(back="é\udfff", face=1), hand=(), rest=()),
        Dealt(seat=0, seats=(0,), card=None, hand=(), rest=(-(1 << 53),)),
    ],
)
def test_what_could_never_be_verified_is_not_encoded(event: Any) -> None:
    with pytest.raises(chain.NotCanonical):
        CODEC.encode(event, "service", 1)
    said = Said(text="1.5e3 9007199254740993 é", loud=True)  # it only looks doubtful
    assert CODEC.decode("test/Said", 3, CODEC.encode(said, "service", 1).public) == said


def test_an_old_event_is_brought_up_to_date_step_by_step() -> None:
    assert CODEC.decode("test/Spoke", 1, b'{"words":"hi"}') == Said(text="hi", loud=False)
    assert CODEC.decode("test/Spoke", 2, b'{"text":"hi"}') == Said(text="hi", loud=False)
    secret = b'{"words":{"readers":[],"value":"hi"}}'
    assert CODEC.decode("test/Spoke", 1, b'{"words":null}', secret) == Said(text="hi", loud=False)


def test_a_log_is_read_alike_by_each_seat_however_it_comes_also_with_an_old_event_in_it() -> None:
    new = CODEC.encode(Said(text="ho", loud=True), "service", 1)
    long = "hi" * codec.SHORT
    facts = [
        (new.type, new.schema, new.public, new.secret),
        ("test/Spoke", 1, b'{"words":"hi"}', b"{}"),
        *(
            ("test/Spoke", schema, b'{"%b":null}' % field, b'{"%b":{"readers":[1],"value":"%b"}}' % (field, value))
            for schema, field in ((1, b"words"), (2, b"text"))
            for value in (b"short", long.encode())
        ),
    ]
    briefs = briefs_of(facts)
    for reader in (1, None, 1):
        read = CODEC.decode_all(facts, reader)
        assert CODEC.decode_briefs(briefs, reader) == CODEC.decode_all(iter(facts), reader) == read
    assert [one.text for one in CODEC.decode_briefs(briefs, 1)] == ["ho", "hi", "short", long, "short", long]


@given(st.lists(EVENTS, max_size=5))
@settings(max_examples=30)
def test_each_seat_is_told_of_a_log_in_fewer_values_what_it_may_know(events: list[Any]) -> None:
    drafts = [CODEC.encode(event, "service", 1) for event in events]
    briefs = briefs_of([(one.type, one.schema, one.public, one.secret) for one in drafts])
    for seat in (0, 1, 2, 3, 0):
        assert CODEC.decode_briefs(briefs, seat) == [redact(event, seat) for event in events]
    assert CODEC.decode_briefs(briefs) == events


def test_an_unknown_event_is_refused() -> None:
    for name, schema in (("test/Sung", 1), ("test/Said", 2), ("test/Spoke", 3)):
        with pytest.raises(UnknownEvent, match=f"no class and no upcaster for {name}, schema {schema}"):
            CODEC.decode(name, schema, b"{}")


@pytest.mark.parametrize(
    ("name", "schema", "public"),
    [
        ("test/Said", 3, b'{"loud":true}'),
        ("test/Said", 3, b'{"loud":true,"text":"","tone":1}'),
        ("test/Said", 3, b"{"),
        ("test/Spoke", 2, b'{"text":1}'),
        ("test/Spoke", 2, b'{"text":"hi","loud":"true"}'),
    ],
)
def test_an_event_whose_fields_are_others_is_unreadable(name: str, schema: int, public: bytes) -> None:
    with pytest.raises(Unreadable, match="test/Said: "):
        CODEC.decode(name, schema, public)


@pytest.mark.parametrize(
    ("public", "secret", "told"),
    [
        # all elements, in the order of their places and, from eleven on, in the order of their names
        ('{"a":[null,null]}', {"a.0": 7, "a.1": 8}, {"a": [7, 8]}),
        ({"a": [None] * 11}, {f"a.{place}": place for place in sorted(range(11), key=str)}, {"a": [*range(11)]}),
        # an export brings only what its reader may know
        ('{"a":[null,null]}', {"a.0": 7}, {"a": [7, None]}),
        ('{"a":[null,null]}', {"a.1": 7}, {"a": [None, 7]}),
        ('{"a":[null,null],"b":null}', {"a.0": 7, "b": 8}, {"a": [7, None], "b": 8}),
        ('{"a":null,"b":null}', {"a": 7, "b": 8}, {"a": 7, "b": 8}),
        ('{"a":{"0":null,"b":1}}', {"a.0": 7}, {"a": {"0": 7, "b": 1}}),
        ('{"a":{"b":null,"c":1}}', {"a.b": 7}, {"a": {"b": 7, "c": 1}}),
        ('{"a":{"b":[null,null]}}', {"a.b.1": 7}, {"a": {"b": [None, 7]}}),
    ],
)
def test_what_a_seat_may_read_is_told_where_it_lies(public: Any, secret: dict[str, int], told: Any) -> None:
    stored = public.encode() if isinstance(public, str) else chain.encode_canonical(public)
    hidden = msgspec.json.encode({path: {"readers": [1], "value": value} for path, value in secret.items()})
    for reader in (None, 1):
        assert msgspec.json.decode(codec.told(stored, hidden, reader)) == told
    assert msgspec.json.decode(codec.told(stored, hidden, 0)) == msgspec.json.decode(stored)


def test_it_is_known_whether_an_event_has_a_class_of_its_own() -> None:
    kinds = (("test/Said", 3), ("test/Said", 2), ("test/Spoke", 2), ("test/Dealt", 1))
    assert [CODEC.is_current(*kind) for kind in kinds] == [True, False, False, True]
