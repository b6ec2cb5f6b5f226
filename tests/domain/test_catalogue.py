"""Rooms are found by themselves, with their packs and their rules."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

import pytest

import domain.games
import tests.toy
from domain.catalogue import Catalogue
from domain.game import PackError

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
