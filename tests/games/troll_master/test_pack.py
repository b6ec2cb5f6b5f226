"""Packs: the house pack says what it should, wrong ones are refused, and no card stands in code."""

from __future__ import annotations

import pytest

from domain.game import PackError
from domain.games.troll_master import GAME
from domain.games.troll_master.abilities import ChargeAnother, Redraw
from domain.games.troll_master.bot.worth import gain_of_room
from domain.games.troll_master.components import Name, Options
from domain.games.troll_master.pack import Pack
from domain.games.troll_master.printed import printed
from domain.games.troll_master.scene import ids
from domain.games.troll_master.text.cards import cards
from tests.games.troll_master.table import HOUSE, ODD_PACK, PACK, named
from tests.rows import each

HOUSE_TEXT = HOUSE.decode()


def changed(old: str, new: str, of: str = "") -> str:
    """The house pack with one change, on the card of that name if there is one."""
    start = HOUSE_TEXT.index(f'name = "{of}"') if of else 0
    at = HOUSE_TEXT.index(old, start)
    return HOUSE_TEXT[:at] + new + HOUSE_TEXT[at + len(old) :]


def charging_another(en: str, ja: str) -> str:
    """A Raven that charges a familiar instead of gaining chips."""
    ability = f'"charge-another", familiar = {{ en = "{en}", ja = "{ja}" }}'
    return changed('"gain-chips", chips = 1', ability, "Raven")


def test_tm_1_the_house_pack_has_the_names_of_the_rulebook() -> None:
    assert PACK.name == "house"
    named_there = {familiar.name for familiar in PACK.familiars if "name" in familiar.rulebook}
    assert named_there == {
        "Will-o'-the-Wisp",
        "Homunculus",
        "Mana Bug",
        "Mischievous Fairy",
        "Mandrake",
        "Gnome",
        "Library Ghost",
        "Caladrius",
        "Raven",
        "Fairy Circle",
        "Automaton",
        "Peryton",
        "Brazen Head",
        "Valkyrie",
        "Troll",
    }
    assert PACK.black_cat.rulebook == ("name", "ja")


def test_tm_42_tm_49_a_pack_may_have_a_familiar_charge_another_and_planning_abilities_without_a_cost() -> None:
    for text, ability in each(
        (
            charging_another("Mandrake", "マンドラゴラ"),
            ChargeAnother("divination", Name("Mandrake", "マンドラゴラ")),
        ),
        (changed(", cost = 1 }", " }", "Mischievous Fairy"), Redraw("planning")),
    ):
        familiars = GAME.parse_pack(text.encode(), "own.toml").familiars
        assert ability in [ability for familiar in familiars for ability in familiar.abilities]
    cat = GAME.parse_pack(charging_another("Black Cat", "黒猫").replace("ribbons = 0", "ribbons = 1", 1).encode(), "c")
    assert cat.black_cat.ribbons == 1


def test_the_odd_pack_shares_no_name_and_no_place_with_the_house() -> None:
    houses = {familiar.name for familiar in (PACK.black_cat, *PACK.familiars)}
    assert not houses & {familiar.name for familiar in (ODD_PACK.black_cat, *ODD_PACK.familiars)}
    for ours, theirs in zip(printed(PACK).row[1:], printed(ODD_PACK).row[1:], strict=True):
        assert (ours.kind, ours.value, ours.cost) != (theirs.kind, theirs.value, theirs.cost)


BY_FIVE = """
[[by_seats]]
seats = 5

[[by_seats.familiars]]
name = "Raven"
ja = "ワタリガラス"
cost = 3
power = 0
ribbons = 0
charges = 0
points = 2
abilities = [{ at = "divination", does = "gain-chips", chips = 2 }]
"""


def own(by_seats: str) -> Pack:
    """The house pack with nothing by seats but this."""
    pack: Pack = GAME.parse_pack((HOUSE_TEXT.partition("[[by_seats]]")[0] + by_seats).encode(), "own.toml")
    return pack


def test_tm_50_what_differs_by_seats_is_checked_like_the_rest_and_not_said_twice() -> None:
    for by_seats, entry, field in each(
        (BY_FIVE.replace("seats = 5", "seats = 6"), "by_seats[0]", "seats"),
        (BY_FIVE.replace('name = "Raven"', 'name = "Rave"'), "by_seats[0]", "familiars"),
        (BY_FIVE.replace('ja = "ワタリガラス"', 'ja = "烏"'), "by_seats[0]", "familiars"),
        (BY_FIVE.replace("charges = 0", "charges = 1"), "Raven", "charges"),
        (BY_FIVE + BY_FIVE, "by_seats[1]", "seats"),
        (BY_FIVE + BY_FIVE.partition("seats = 5")[2], "by_seats[0]", "familiars"),
    ):
        with pytest.raises(PackError) as error:
            own(by_seats)
        assert (error.value.entry, error.value.field) == (entry, field)


def test_tm_50_a_match_is_played_with_the_cards_of_its_number_of_seats() -> None:
    for seats in each(*GAME.seats):
        cards = GAME.initial(Options(), seats, own(BY_FIVE)).terms.printed
        ravens = [(card.cost, card.points) for card in cards.familiars if card.name.en in ("Raven", "Troll")]
        assert ravens == [(3, 2) if seats == 5 else (4, 1), (12, 5)]
        attacks = [
            space.cost for space in GAME.initial(Options(), seats, PACK).terms.printed.row[1:] if space.kind == "attack"
        ]
        assert attacks == ([6, 7, 8] if seats == 5 else [4, 5, 6]), "the house's row"


def test_tm_50_cards_that_differ_by_seats_are_shown_and_printed_apart() -> None:
    pack = own(BY_FIVE)
    zones = {zone.id: [piece.title for piece in zone.pieces] for zone in GAME.showcase(pack, "en")}
    assert zones["printed/by-seats-5/familiars"] == ["Raven"]
    assert "printed/by-seats-5/row" not in zones
    assert cards(pack, "en").count("Raven") == 2


def test_only_charges_that_are_points_are_worth_being_filled() -> None:
    for pack, worth in each((PACK, {"Mandrake", "Dragon Egg"}), (ODD_PACK, {"Tea Cosy", "Chandelier"})):
        assert {card.name.en for card in printed(pack).familiars if gain_of_room(card, 0)} == worth


def test_names_of_any_pack_have_ids_of_their_own() -> None:
    assert ids.part(named("Dragon Egg")) == "dragon-egg"
    assert ids.part(named("Will-o'-the-Wisp")) == "will.2d.o.27..2d.the.2d.wisp"
