"""What a move is called for the seat that may choose it."""

from __future__ import annotations

from msgspec.structs import replace

from tests.domain.table import GAME, NO_PAIRS, PAIRS, start_match
from tests.toy.high_card.moves import HighCardMove, Pass, Raise, Roll, SetAside
from tests.toy.high_card.state import Table


def says(table: Table, move: HighCardMove, english: str, japanese: str) -> bool:
    """Whether the move of seat 0 is called so in both languages."""
    return [GAME.label(table, 0, move, lang) for lang in ("en", "ja")] == [english, japanese]


def test_toy_4_a_card_is_named_and_the_pair_that_it_leaves() -> None:
    table = start_match(PAIRS).table
    assert says(table, SetAside(card=6), "Set 6 aside", "6を伏せる")
    assert says(table, SetAside(card=1), "Set 1 aside, which leaves a pair of 6", "1を伏せて、6のペアを残す")
    assert says(start_match(NO_PAIRS).table, SetAside(card=1), "Set 1 aside", "1を伏せる")


def test_toy_6_a_raise_says_what_it_shows_costs_and_brings() -> None:
    table = start_match(PAIRS).table
    place = replace(table.places[0], hand=(6, 6), aside=(1,), chips=9)
    table = replace(table, places=(place, *table.places[1:]))
    assert says(
        table,
        Raise(),
        "Show the pair of 6 and pay 1 of your 9 chips, for 2 more on your sum",
        "6のペアを見せ、持ち点9から1を払い、合計に2を加える",
    )
    assert says(table, Pass(), "Pass, and keep the pair of 6 to yourself", "6のペアを見せずにパスする")


def test_toy_7_a_die_is_rolled() -> None:
    assert says(start_match(NO_PAIRS).table, Roll(), "Roll the die", "サイコロを振る")
