"""Packs: the house's, an odd one, and those that are refused. Rule: TT-1."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from domain.game import PackError
from domain.games.ttmp import GAME
from domain.games.ttmp.abilities import Copy, Flip, RollAgain, Shift, Turn, ways
from domain.games.ttmp.components import ALL_DICE, Action
from domain.games.ttmp.events import CardUsed
from domain.games.ttmp.moves import KeepDice, Use
from domain.games.ttmp.pack import WAYS
from domain.games.ttmp.state import Step
from tests.games.ttmp.table import HOUSE, ODD_PACK, PACK, card, given

TEXT = HOUSE.decode()
Change = Callable[[str], str]


def test_tt_1_the_house_pack_holds_five_stones_and_ten_cards_of_each_level() -> None:
    assert [(stone.points, stone.copies, stone.summons) for stone in PACK.stones] == [
        (1, 1, True),
        (2, 3, False),
        (3, 1, False),
    ]
    assert {card.name: (card.level, card.copies) for card in PACK.cards} == {
        "+1": (1, 4),
        "-1": (1, 4),
        "Re-roll": (1, 2),
        "Any face": (2, 3),
        "Copy": (2, 3),
        "Flip": (2, 2),
        "+2 or -2": (2, 2),
    }


def test_tt_1_a_card_says_which_of_its_fields_the_source_says() -> None:
    said = {card.name: card.rulebook for card in PACK.cards if card.rulebook}
    assert said == {"+1": ("name", "ja", "level", "effect")}
    assert [stone.rulebook for stone in PACK.stones] == [("points", "summons"), ("points",), ()]


@pytest.mark.parametrize(
    ("effect", "dice", "found"),
    [
        (Shift((1,)), (2, 2, 6), [((2,), (3,))]),
        (Shift((-1,)), (1, 1, 2), [((2,), (1,))]),
        (Shift((2, -2)), (1, 3, 6), [((1,), (3,)), ((3,), (5,)), ((3,), (1,)), ((6,), (4,))]),
        (Shift((0,)), (1, 3, 6), []),
        (Shift((1, -1), dice="all"), (1, 2, 3), [((1, 2, 3), (2, 3, 4))]),
        (Turn((1, 6)), (1, 1, 4), [((1,), (6,)), ((4,), (1,)), ((4,), (6,))]),
        (Copy(), (2, 2, 5), [((2,), (5,)), ((5,), (2,))]),
        (Copy(), (2, 2, 2), []),
        (Flip(), (1, 3, 3), [((1,), (6,)), ((3,), (4,))]),
        (Flip(dice="all"), (1, 3, 3), [((1, 3, 3), (6, 4, 4))]),
        (RollAgain(), (1, 3, 3), [((1,), ()), ((3,), ())]),
        (RollAgain(dice=2), (1, 3, 3), [((1, 3), ()), ((3, 3), ())]),
        (RollAgain(dice=3), (1, 3, 3), [((1, 3, 3), ())]),
    ],
)
def test_tt_7_what_an_effect_can_do_and_what_it_cannot(effect: object, dice: tuple[int, ...], found: object) -> None:
    assert list(ways(effect, dice)) == found  # type: ignore[arg-type]


def test_tt_7_cards_act_on_as_many_dice_as_they_say() -> None:
    tide, twins = card("Tide", ODD_PACK), card("Twins", ODD_PACK)
    play = given("Tide, Twins", pack=ODD_PACK, dice=(1, 1, 3), step=Step.ACTION)
    assert play.legal(0, Use) == (Use(tide, (1, 1, 3), (2, 2, 4)), Use(twins, (1, 1), ()), Use(twins, (1, 3), ()))
    play.move(0, Use(tide, (1, 1, 3), (2, 2, 4)))
    assert play.table.dice == (2, 2, 4)
    play.move(0, Use(twins, (2, 4), ()))
    told = play.one(CardUsed)
    assert told.dice == tuple(sorted((2, *told.to)))
    assert play.move(0, KeepDice()).table.stage.action is Action.C


def test_tt_1_no_list_of_legal_moves_can_be_too_long() -> None:
    for pack in (PACK, ODD_PACK):
        assert max(sum(len(ways(card.effect, dice)) for card in pack.cards) for dice in ALL_DICE) <= WAYS


def replaced(old: str, new: str, count: int = 1) -> Change:
    assert old in TEXT
    return lambda text: text.replace(old, new, count)


def house_of(name: str) -> str:
    """A card of level 1 as it stands in the pack."""
    start = TEXT.index(f'[[cards]]\nname = "{name}"')
    return TEXT[start : TEXT.find("[[cards]]", start + 1)]


def many_faces(text: str) -> str:
    """Ten cards of level 2 each of which turns a die to any face."""
    start = text.index('[[cards]]\nname = "Any face"')
    any_face = 'ja = "x"\nlevel = 2\ncopies = 1\neffect = { does = "turn", to = [1, 2, 3, 4, 5, 6] }\n'
    return text[:start] + "".join(f'[[cards]]\nname = "Any {i}"\n{any_face}' for i in range(10))


REFUSED: tuple[tuple[Change, str, str], ...] = (
    (lambda _: "name = ", "", "toml"),
    (replaced('name = "house"', ""), "", "name"),
    (replaced('name = "house"', 'name = "house"\nfun = 1'), "", "fun"),
    (replaced('does = "flip"', 'does = "fly"'), "Flip.effect", "does"),
    (replaced('does = "flip"', 'does = "flip", height = 3'), "Flip.effect", "height"),
    (replaced("by = [1]", "by = [6]"), "+1.effect.by", "0"),
    (replaced("by = [1]", 'by = ["1"]'), "+1.effect.by", "0"),
    (replaced("by = [1]", "by = []"), "+1.effect", "by"),
    (replaced("by = [1]", "by = [0]"), "+1", "effect"),
    (replaced("level = 2", "level = 3"), "Any face", "level"),
    (replaced("copies = 4", "copies = 0"), "+1", "copies"),
    (replaced("copies = 4", "copies = 5"), "", "cards"),
    (replaced('name = "-1"', 'name = "+1"'), "+1", "name"),
    (replaced(house_of("-1"), ""), "", "cards"),
    (replaced('"level", "effect"]', '"level", "weight"]'), "+1", "rulebook"),
    (replaced("points = 3", "points = 2"), "stone 2", "points"),
    (replaced("points = 3", "points = 0"), "stones[2]", "points"),
    (replaced("points = 3", "points = 3\nsummons = true"), "", "stones"),
    (replaced("summons = true", "summons = false"), "", "stones"),
    (replaced("copies = 1\nsummons", "copies = 2\nsummons"), "stone 1", "copies"),
    (replaced("copies = 3", "copies = 2"), "", "stones"),
    (replaced('rulebook = ["points"]', 'rulebook = ["value"]'), "stone 2", "rulebook"),
    (many_faces, "", "cards"),
)


@pytest.mark.parametrize(("change", "entry", "field"), REFUSED)
def test_tt_1_a_pack_that_cannot_be_played_is_refused_by_card_and_field(change: Change, entry: str, field: str) -> None:
    changed = change(TEXT)
    assert changed != TEXT
    with pytest.raises(PackError) as refused:
        GAME.parse_pack(changed.encode(), "other.toml")
    assert (refused.value.file, refused.value.entry, refused.value.field) == ("other.toml", entry, field)
