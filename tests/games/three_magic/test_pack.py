"""The pack: the numbers of 3M-29, checked when read."""

from __future__ import annotations

import pytest

from domain.game import PackError
from domain.games.three_magic import GAME
from domain.games.three_magic.events import OdPaid
from domain.games.three_magic.moves import Tsumo
from domain.games.three_magic.pack import Pack, Prices, Scores
from tests.games.three_magic.table import HOUSE, NOTHING_A, given

TEXT = HOUSE.decode()


def read(text: str) -> Pack:
    pack = GAME.parse_pack(text.encode(), "mine.toml")
    assert isinstance(pack, Pack)
    return pack


def test_3m_29_the_house_pack_holds_the_numbers_of_the_rules() -> None:
    assert read(TEXT) == Pack(
        name="house",
        prices=Prices(start=270, reach=10, pledge_own=(10, 30), pledge_other=(30, 90), manager=10),
        scores=Scores(
            attribute=(10, 30, 90),
            equal=(60, 180),
            one_direction=(40, 120),
            mixed=(20, 60),
            star=(10, 30, 90),
            catalyst=10,
            catalyst_from=10,
        ),
    )


def test_3m_29_a_pack_is_what_is_scored_by() -> None:
    pack = read(TEXT.replace("one_direction = [40, 120]", "one_direction = [44, 120]"))
    hands = ("火1 火2* 火3* 火1* 火2 火3* 水4 水4*", NOTHING_A, "木2 木3* 木0 木1 水3* 水2* 木4* 水1*")
    play = given(*hands, wall="水4*", pack=pack).move(0, Tsumo())
    assert play.of(OdPaid) == (OdPaid(1, 0, 37), OdPaid(2, 0, 37))


@pytest.mark.parametrize(
    ("printed", "wrong", "entry", "field", "message"),
    [
        ('name = "house"', "", "", "name", "missing"),
        ('name = "house"', 'name = ""', "", "name", "length >= 1"),
        ('name = "house"', "name = 3", "", "name", "got `int`"),
        ('name = "house"', 'name = "house"\ncolour = 1', "", "colour", "unknown"),
        ('name = "house"', 'name = "house', "", "toml", "line"),
        ("[prices]", "[costs]", "", "costs", "unknown"),
        ("reach = 10", "", "prices", "reach", "missing"),
        ("reach = 10", "reach = 10\nrich = 1", "prices", "rich", "unknown"),
        ("reach = 10", "reach = -1", "prices", "reach", ">= 0"),
        ("reach = 10", "reach = 100001", "prices", "reach", "<= 100000"),
        ("reach = 10", "reach = 10.0", "prices", "reach", "got `float`"),
        ("reach = 10", "reach = true", "prices", "reach", "got `bool`"),
        ("reach = 10", "reach = [10]", "prices", "reach", "got `array`"),
        ("pledge_own = [10, 30]", "pledge_own = [10]", "prices", "pledge_own", "length 2"),
        ("pledge_own = [10, 30]", "pledge_own = 10", "prices", "pledge_own", "`array`"),
        ("pledge_own = [10, 30]", 'pledge_own = [10, "x"]', "prices.pledge_own", "1", "got `str`"),
        ("attribute = [10, 30, 90]", "attribute = [10, 30]", "scores", "attribute", "length 3"),
        ("attribute = [10, 30, 90]", "attribute = [10, 31, 90]", "scores.attribute", "1", "a multiple of 2"),
        ("catalyst = 10", "catalyst = 5", "scores", "catalyst", "a multiple of 2"),
    ],
)
def test_3m_29_what_is_wrong_with_a_pack_is_named(
    printed: str, wrong: str, entry: str, field: str, message: str
) -> None:
    assert printed in TEXT
    with pytest.raises(PackError) as error:
        read(TEXT.replace(printed, wrong))
    assert (error.value.file, error.value.entry, error.value.field) == ("mine.toml", entry, field)
    assert message in str(error.value)


def test_3m_29_a_table_that_is_no_table_and_bytes_that_are_no_text_are_named() -> None:
    with pytest.raises(PackError, match="Expected `object`, got `int`") as error:
        read('name = "x"\nprices = 3\nscores = 4')
    assert error.value.field == "prices"
    with pytest.raises(PackError, match="utf-8") as error:
        GAME.parse_pack(b"name = '\xff'", "mine.toml")
    assert error.value.field == "toml"


def test_3m_29_a_price_may_be_odd_and_an_amount_nothing() -> None:
    assert read(TEXT.replace("reach = 10", "reach = 5")).prices.reach == 5
    assert read(TEXT.replace("manager = 10", "manager = 0")).prices.manager == 0
