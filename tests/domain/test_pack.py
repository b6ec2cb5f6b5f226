"""Reading packs: every mistake is named by file, entry and field."""

from __future__ import annotations

from typing import Annotated

import msgspec
import pytest

from domain.game import PackError, Value
from domain.pack import read_pack
from tests.rows import each


class Card(Value, frozen=True):
    """An entry with a name."""

    name: str
    cost: Annotated[int, msgspec.Meta(ge=0, le=20)]


class Table(Value, frozen=True):
    """An entry without one."""

    row: tuple[int, ...]


class Pack(Value, frozen=True):
    """What is printed."""

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
        [
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
        ]
    ):
        with pytest.raises(PackError) as error:
            read_pack(GOOD.replace(old, new), "bad.toml", Pack)
        found = (error.value.file, error.value.entry, error.value.field)
        assert found == ("bad.toml", entry, field), str(error.value)
