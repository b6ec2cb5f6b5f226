"""Rooms are found by themselves, with their rules and their packs, in which every mistake is named."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path
from typing import Annotated

import msgspec
import pytest

import domain.games
import tests.toy
from domain.catalogue import Catalogue, Example, looked_at, seat_of
from domain.game import PackError, Value
from domain.pack import read_pack
from domain.scene import Scene, Score, Zone, ZoneKind
from tests.rows import each
from tests.toy.high_card.events import Raised, RaisesClosed

HOUSE = Catalogue((domain.games,))
TOYS = Catalogue((tests.toy,))
ROOM = TOYS.rooms["high-card"]
FOLDER = Path(__file__).parent.parent / "toy" / "high_card"


def test_every_folder_that_names_a_game_is_a_room() -> None:
    assert TOYS.rooms.keys() == {"high-card"}
    assert TOYS.game("high-card") is ROOM.game


def test_rooms_are_found_in_every_package_given_and_nowhere_else() -> None:
    both = Catalogue((domain.games, tests.toy)).rooms.keys()
    assert both == Catalogue().rooms.keys() | TOYS.rooms.keys()
    assert Catalogue(()).rooms == Catalogue((domain,)).rooms == {}
    with pytest.raises(KeyError):
        TOYS.game("chess")


def test_a_pack_is_kept_as_printed_and_as_read_and_the_houses_comes_first() -> None:
    assert list(ROOM.packs) == ["house", "flat"]
    found = ROOM.packs["flat"]
    data = (FOLDER / "packs" / "flat.toml").read_bytes()
    assert (found.name, found.data, found.hash) == ("flat", data, sha256(data).hexdigest())
    assert found.pack.deck == (1,) * 12


def test_a_pack_can_be_added_by_its_bytes() -> None:
    room = Catalogue((tests.toy,)).rooms["high-card"]
    added = room.add_pack("some/where/mine.toml", ROOM.packs["flat"].data.replace(b"copies = 12", b"copies = 9"))
    assert room.packs["mine"] is added
    assert added.pack.copies == 9
    assert "mine" not in ROOM.packs


def test_packs_that_are_not_offered_stay_at_hand() -> None:
    room = Catalogue((tests.toy,)).rooms["high-card"]
    room.offer_only(("flat", "nobody's"))
    assert list(room.packs) == ["flat"]
    assert room.pack_of(ROOM.packs["house"].hash) is not None


@pytest.mark.parametrize("slug", [*HOUSE.rooms, "high-card"])
def test_an_example_shows_the_part_of_a_table_that_it_names(slug: str) -> None:
    examples = (HOUSE.rooms.get(slug) or ROOM).examples()
    assert bool(examples) == bool((HOUSE.rooms.get(slug) or ROOM).howto()) == (slug != "high-card")
    for example in examples.values():
        names = [name.format(seat=1) for name in (*example.zones, "elsewhere")]
        zones = tuple(Zone(name, ZoneKind.ROW, "", (), seat=(1,)) for name in names)
        scene = Scene(line="a", turn=(0,), zones=zones, scores=(Score(1, 3, "3"), Score(0, 5, "5")))
        shown = looked_at(scene, example, 1)
        if not example.zones:
            assert shown == scene
            continue
        assert [zone.id for zone in shown.zones] == names[:-1]
        assert {zone.seat for zone in shown.zones} == {()}, "what belongs to one seat alone needs no heading"
        assert (shown.line, shown.turn, shown.scores) == ("", (), ())


def test_zones_of_several_seats_are_shown_with_their_headings() -> None:
    zones = tuple(Zone(f"seat.{seat}/hand", ZoneKind.HAND, "", (), seat=(seat,)) for seat in (0, 1))
    example = Example("Dealt", zones=("seat.0/hand", "seat.1/hand"))
    assert looked_at(Scene(line="a", turn=(), zones=zones), example, 0).zones == zones


def test_an_event_is_about_its_seat_or_the_first_one() -> None:
    assert (seat_of(Raised(seat=1, rank=3, chips=1)), seat_of(RaisesClosed()), seat_of(None)) == (1, 0, 0)


def test_a_bad_pack_is_refused_by_file_and_field_and_not_added() -> None:
    room = Catalogue((tests.toy,)).rooms["high-card"]
    with pytest.raises(PackError, match=r"bad\.toml") as error:
        room.add_pack("bad.toml", ROOM.packs["flat"].data.replace(b"copies = 12", b"copies = 0"))
    assert (error.value.file, error.value.field) == ("bad.toml", "copies")
    assert "bad" not in room.packs


def test_the_rules_are_told_in_the_languages_that_there_are_and_else_in_english() -> None:
    english = (FOLDER / "RULES.md").read_text(encoding="utf-8")
    assert ROOM.rules() == ROOM.rules("en") == ROOM.rules("fr") == english
    assert ROOM.rules("ja") == (FOLDER / "RULES.ja.md").read_text(encoding="utf-8")


def test_a_pack_that_is_not_at_hand_is_asked_for_elsewhere_and_then_at_hand() -> None:
    room = Catalogue((domain.games,)).rooms["three-magic"]
    data = room.packs["house"].data + b"\n"
    contents = {sha256(data).hexdigest(): data, sha256(b"name = 1").hexdigest(): b"name = 1", "0" * 64: data}
    asked = []

    def elsewhere(hash: str) -> bytes | None:
        asked.append(hash)
        return contents.get(hash)

    room.elsewhere = elsewhere
    found, spoilt, forged = (room.pack_of(hash) for hash in contents)
    assert found is not None
    assert (found.data, spoilt, forged, room.pack_of("none")) == (data, None, None, None)
    assert room.pack_of(found.hash) is found
    assert asked == [*contents, "none"]


class Card(Value, frozen=True):
    name: str
    cost: Annotated[int, msgspec.Meta(ge=0, le=20)]


class Table(Value, frozen=True):
    row: tuple[int, ...]


class Pack(Value, frozen=True):
    name: str
    cards: tuple[Card, ...]
    table: Table


GOOD = b"""
name = "good"
cards = [{ name = "Elf", cost = 3 }, { name = "Troll", cost = 20 }]
table = { row = [1, 2] }
"""


def test_a_pack_is_read_as_its_struct() -> None:
    cards = (Card(name="Elf", cost=3), Card(name="Troll", cost=20))
    assert read_pack(GOOD, "good.toml", Pack) == Pack(name="good", cards=cards, table=Table(row=(1, 2)))


def test_a_mistake_is_named_by_file_entry_and_field() -> None:
    for old, new, entry, field in each(
        (b"cost = 20", b"cost = 21", "Troll", "cost"),
        (b"cost = 3 ", b'cost = "3" ', "Elf", "cost"),
        (b", cost = 3 ", b"", "Elf", "cost"),
        (b"cost = 3 ", b"cost = 3, colour = 1 ", "Elf", "colour"),
        (b'name = "Elf"', b"name = 4", "cards[0]", "name"),
        (b'name = "Elf", ', b"", "cards[0]", "name"),
        (b"[1, 2]", b"[1, true]", "table.row", "1"),
        (b"[1, 2]", b"3", "table", "row"),
        (b'name = "good"', b"", "", "name"),
        (b'name = "good"', b'name = "good"\nprice = 1', "", "price"),
        (b'name = "good"', b"name = = 3", "", "toml"),
        (b'name = "good"', b'name = "\xff"', "", "toml"),
        (b'name = "good"', b"name = " + b"9" * 5000, "", "toml"),
        (b'name = "good"', b"a." * 300_000 + b"a = 1", "", "toml"),
    ):
        with pytest.raises(PackError) as error:
            read_pack(GOOD.replace(old, new), "bad.toml", Pack)
        found = (error.value.file, error.value.entry, error.value.field)
        assert found == ("bad.toml", entry, field), str(error.value)
