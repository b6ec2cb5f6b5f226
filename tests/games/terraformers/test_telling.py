"""Events, moves, cards and the table in words; the view; what is written down of each event."""

from __future__ import annotations

from string import Formatter
from typing import get_args

import msgspec
import pytest

from domain.chance import Simulation
from domain.game import Lang, fold
from domain.games.terraformers import GAME
from domain.games.terraformers.components import Box, Level, Name, Options
from domain.games.terraformers.effects import AnyEffect
from domain.games.terraformers.events import (
    AbilityCopied,
    BoxChosen,
    BoxUsed,
    CardChosen,
    CardScored,
    CardUsed,
    CarnivalScored,
    CopyEnded,
    LevelRaised,
    MarkerDrawn,
    MarkerMoved,
    MatchEnded,
    OxygenResolved,
    Passed,
    PlanetLaid,
    RoundStarted,
    SpeciesAcquired,
    SpeciesChosen,
    SpeciesGuarded,
    SpeciesPutBack,
    SpeciesReturned,
    StarsMarked,
    TerraformersEvent,
    TipsAdded,
    TipsDealt,
    TipsForced,
    TipsPaid,
    TipsReturned,
    TipsTaken,
    TurnStarted,
    WarResolved,
    WarScored,
)
from domain.games.terraformers.evolve import WRITE
from domain.games.terraformers.moves import (
    Acquire,
    Copy,
    Guard,
    Pass,
    Place,
    PutBack,
    TerraformersMove,
    UseBox,
    UseCard,
    UseCardOn,
)
from domain.games.terraformers.pack import Card
from domain.games.terraformers.text.phrases import WORDS
from domain.games.terraformers.text.printing import card_text, cards
from tests.games.terraformers.table import PACK, given
from tests.games.terraformers.test_odd_pack import ODD

LANGS = ("en", "ja")
MOB, GIANTS = Name("Mob", "モブ族"), Name("Giants", "巨人族")

MOVES: tuple[TerraformersMove, ...] = (
    UseBox(Box.WAR),
    UseCard(MOB),
    UseCardOn(MOB, 1),
    Acquire(MOB),
    Guard(MOB),
    Place(1),
    Place(2),
    PutBack(),
    Copy(MOB),
    Pass(),
)
EVENTS: tuple[tuple[TerraformersEvent, str], ...] = (
    (PlanetLaid((MOB, GIANTS)), "The planet is laid out: Mob, Giants."),
    (MarkerDrawn(1), "Seat 1 is drawn to begin and has the marker."),
    (RoundStarted(3, 1), "Round 3 begins; seat 1 has the first turn."),
    (TipsDealt((4, 1)), "Tips are taken by city level: seat 0 4 tips, seat 1 1 tip."),
    (TurnStarted(1), "Seat 1 is in turn."),
    (BoxChosen(1, Box.WAR), "Seat 1 chooses the war box of the sheet."),
    (CardChosen(1, MOB, ()), "Seat 1 chooses Mob."),
    (CardChosen(1, MOB, (0,)), "Seat 1 chooses Mob, against seat 0."),
    (SpeciesChosen(1, MOB, ()), "Seat 1 reaches for Mob."),
    (SpeciesChosen(1, MOB, (0,)), "Seat 1 reaches for Mob of seat 0."),
    (SpeciesChosen(1, MOB, (1,)), "Seat 1 is to guard Mob."),
    (BoxUsed(1, Box.WAR, 2, 5), "Seat 1 places 2 tips on war: power 5."),
    (CardUsed(1, MOB, 1, 5), "Seat 1 places 1 tip on Mob: power 5."),
    (SpeciesReturned(1, MOB), "Mob of seat 1 goes back to the table."),
    (SpeciesAcquired(1, MOB, 2, 5, ()), "Seat 1 acquires Mob with 2 tips: power 5."),
    (SpeciesAcquired(1, MOB, 2, 5, (0,)), "Seat 1 acquires Mob from seat 0 with 2 tips: power 5."),
    (SpeciesGuarded(1, MOB, 2, 5), "Seat 1 guards Mob with 2 tips: power 5."),
    (SpeciesPutBack(1, MOB, 1), "Seat 1 puts Mob back on the table, for 1 tip."),
    (AbilityCopied(1, MOB, GIANTS, 1), "Seat 1 pays 1 tip: Mob gains the ability of Giants."),
    (CopyEnded(MOB, GIANTS), "Mob loses the ability of Giants."),
    (Passed(1), "Seat 1 passes."),
    (LevelRaised(1, Level.CITY, 2, 6), "Seat 1 fills 2 check boxes: city is now 6."),
    (CardScored(1, MOB, 1), "Mob: seat 1 gains 1 point."),
    (CardScored(1, MOB, -5), "Mob: seat 1 loses 5 points."),
    (TipsTaken(1, MOB, 2), "Mob: seat 1 takes 2 tips from the stock."),
    (TipsPaid(1, MOB, 1), "Mob: seat 1 gives 1 tip to the stock."),
    (TipsAdded(1, Box.WAR, 1, MOB), "Mob: 1 tip from the stock on war of seat 1."),
    (TipsForced(1, Box.WAR, 1, MOB), "Mob: seat 1 puts 1 tip from hand on war."),
    (StarsMarked(1, MOB, 1, 3), "Mob: seat 1 marks 1 star, 3 in all."),
    (OxygenResolved(1, 4, 3, 2, True, 0), "Oxygen of seat 1 suffices: green 3, power 2, city 4."),
    (OxygenResolved(1, 4, 3, 0, False, -5), "Oxygen of seat 1 fails and costs 5 points: green 3, power 0, city 4."),
    (WarResolved((1, 0), (5, 3)), "War: seat 1 has 5, seat 0 has 3."),
    (WarScored(1, 1, 5), "Seat 1 is number 1 in the war and gains 5 points."),
    (MarkerMoved(1), "Seat 1 takes the marker."),
    (CarnivalScored(1, 4, 4), "Seat 1 gains 4 points by carnival."),
    (TipsReturned(), "All tips go to the stock."),
    (MatchEnded((-3, 9), (2, 1)), "The match is over: 1. seat 1 with 9 points, 2. seat 0 with -3 points."),
)


def test_every_event_is_written_down_and_none_else() -> None:
    assert set(WRITE) == set(get_args(TerraformersEvent))


@pytest.mark.parametrize("lang", LANGS)
def test_every_move_has_words_of_its_own(lang: Lang) -> None:
    assert {type(move) for move in MOVES} == set(get_args(TerraformersMove))
    assert len({GAME.describe(move, lang) for move in MOVES}) == len(MOVES)


@pytest.mark.parametrize(("event", "text"), EVENTS, ids=lambda value: type(value).__name__)
def test_every_event_is_told_in_english(event: TerraformersEvent, text: str) -> None:
    assert GAME.describe(event, "en") == text


def test_every_event_is_told_in_japanese() -> None:
    assert {type(event) for event, _ in EVENTS} == set(get_args(TerraformersEvent))
    texts = [GAME.describe(event, "ja") for event, _ in EVENTS]
    assert len(set(texts)) == len(texts)
    for text in texts:
        assert text.endswith("。")
        assert not any(letter.isascii() and letter.isalpha() for letter in text), text
    assert GAME.describe(EVENTS[14][0], "ja") == "席1はコマ2個で「モブ族」を獲得した(パワー5)。"


@pytest.mark.parametrize("lang", LANGS)
def test_moves_name_cards_seats_and_numbers(lang: Lang) -> None:
    name = MOB.ja if lang == "ja" else MOB.name
    for move in MOVES:
        text = GAME.describe(move, lang)
        assert (name in text) == hasattr(move, "card")
    assert "1" in GAME.describe(UseCardOn(MOB, 1), lang)
    assert GAME.describe(Place(1), "en") == "Place 1 tip"


@pytest.mark.parametrize(
    "field", [name for name in WORDS["en"].__struct_fields__ if isinstance(getattr(WORDS["en"], name), str)]
)
def test_both_languages_fill_in_the_same(field: str) -> None:
    def filled(text: str) -> set[str]:
        return {name for _, name, _, _ in Formatter().parse(text) if name}

    assert filled(getattr(WORDS["en"], field)) == filled(getattr(WORDS["ja"], field))


HOUSE_TEXTS = {
    "Lord of War": "War power: + your cosmo; you take part without tips too, with that alone.",
    "Giants": "Science counts as 3. You can't choose your carnival box.",
    "Fourth-Dimensionals": "Round start: take tips from the stock: your cosmo.",
    "Space Farmers": "When acquired: fill 1 check box of green free. Round start: points: 2.",
    "Zombies": "Oxygen always succeeds. War power, where tips lie: + 2.",
    "Berserkers": "War power, where tips lie: + 4. You can't let go of it.",
    "Dragon": "Science counts as 5. Turn start: give 1 tip from hand to the stock, if you have any. "
    "You can't let go of it.",
    "Mob": "Power is counted from 3 instead of science.",
    "Gardeners": "At oxygen: 1 point for each by which green and oxygen power exceed city.",
    "Librarians": "Once a turn, before the action: pay 1 tip, name another species "
    "and gain its ability for this round.",
    "Space Traders": "Power is counted from your cosmo instead of science.",
    "Ore Vein": "Take tips from the stock: your cosmo + 1.",
    "Emigrant Ship": "Fill 1 check box of city free. 1 tip from the stock on every other player's oxygen.",
    "Protozoan Village": "Points: your green.",
    "World Expo": "Points: 3. 1 tip more from the stock on everybody's war, carnival, where tips lie.",
    "Provocation": "Points: 2. Name another player: they put 1 tip from hand, if any, on their war box.",
    "Migrant City": "Points: your city − 2. (E) Whoever has the most city loses 4 points; all of them, if several.",
    "Dark Matter": "Fill 1 check box of cosmo free. Points: 1. "
    "(E) Whoever has the least cosmo loses 6 points; all of them, if several.",
    "Gravity Quake": "Every other player whose cosmo is below yours loses 2 points. Mark 1 star. "
    "(E) Whoever has the least stars loses 5 points; all of them, if several.",
    "Almsgiving": "If you placed all your tips, points: the tips placed + 1.",
    "Flower Show": "Your green is the highest: 6 points; as high as another: 4 points; else 2 points.",
    "Outer Survey": "Points: 2. Mark 1 star. "
    "(E) Whoever has the most stars, at least 1, gains 8 points; all of them, if several.",
}


@pytest.mark.parametrize("card", PACK.cards, ids=lambda card: card.name)
def test_each_card_says_what_it_does(card: Card) -> None:
    assert card_text(card.kind, card.effects, "en") == HOUSE_TEXTS[card.name]


@pytest.mark.parametrize("lang", LANGS)
def test_all_effects_have_words(lang: Lang) -> None:
    cards = (*PACK.cards, *ODD.cards)
    assert {type(effect) for card in cards for effect in card.effects} == set(get_args(AnyEffect))
    effects = {(card.kind, effect) for card in cards for effect in card.effects}
    bare = {(kind, msgspec.structs.replace(effect, rulebook=())) for kind, effect in effects}
    texts = {(kind, card_text(kind, (effect,), lang)) for kind, effect in bare}
    assert len(texts) == len(bare)


def test_what_a_box_card_does_for_everybody_says_so() -> None:
    card = next(card for card in ODD.cards if card.name == "Red J")
    assert card_text(card.kind, card.effects, "en") == (
        "Points: the tips placed − 2. Round start, every player: points: your stars. "
        "(E) Every player: points: your city. "
        "(E) Whoever has the most city loses 1 point; all of them, if several."
    )


def test_the_view_shows_the_whole_table() -> None:
    play = given("Librarians", "Giants", "Ore Vein").with_species(0, "Librarians").with_copy("Librarians", "Giants")
    play.with_tips("Ore Vein", 2).with_levels(0, city=12, science=4).with_player(0, points=-3, stars=2)
    play.with_boxes(0, war=2).with_player(1, has_passed=True)
    shown = GAME.view(play.table, 1)
    assert (shown.round, shown.rounds, shown.marker, shown.turn, shown.phase) == (1, 6, 0, 0, "action")
    card = shown.planet[0]
    assert (card.card.name, card.kind, card.cost, card.holder) == ("Librarians", "species", 4, (0,))
    assert [copied.name for copied in card.copies] == ["Giants"]
    assert (shown.planet[2].tips, shown.planet[2].holder, shown.planet[2].copies) == (2, (), ())
    assert "鉱脈" in shown.planet[2].card.ja
    assert "コスモ" in shown.planet[2].ja
    sheet = shown.sheets[0]
    assert (sheet.points, sheet.stars, sheet.hand, sheet.base, sheet.has_passed) == (-3, 2, 4, 3, False)
    assert [level.value for level in sheet.levels] == [12, 3, 4, 1]
    assert [level.prices[:1] for level in sheet.levels] == [(), (1,), (14,), (2,)]
    assert sheet.boxes.war == 2
    assert [species.name for species in sheet.species] == ["Librarians"]
    assert shown.sheets[1].has_passed


def test_the_view_goes_through_json() -> None:
    shown = GAME.view(given("Mob").table, None)
    assert msgspec.json.decode(msgspec.json.encode(shown), type=type(shown)) == shown


@pytest.mark.parametrize(
    ("lang", "lines"),
    [
        (
            "en",
            (
                "Round 1 of 6 · marker: seat 0",
                "Now: seat 0 chooses an action.",
                "> Seat 0: -3 points, 0 stars, 4 tips in hand, marker",
                "Seat 1: 0 points, 0 stars, 4 tips in hand, passed",
                "  levels: city 12, green 3 (next 1), science 0 (next 2), cosmo 1 (next 2) · power from 3",
                "  tips: war 2",
                "  species: Librarians",
            ),
        ),
        (
            "ja",
            (
                "第1/6ラウンド マーカー 席0",
                "現在:席0がアクションを選ぶ。",
                "  コマ: 戦争 2",
                "  宇宙種族: ライブラリ族",
            ),
        ),
    ],
)
def test_the_table_is_drawn(lang: Lang, lines: tuple[str, ...]) -> None:
    play = given("Librarians", "Giants").with_species(0, "Librarians").with_copy("Librarians", "Giants")
    play.with_tips("Librarians", 5).with_levels(0, city=12).with_player(0, points=-3).with_boxes(0, war=2)
    play.with_player(1, has_passed=True)
    drawn = GAME.draw(GAME.view(play.table, None), lang).splitlines()
    for line in lines:
        assert line in drawn
    card = drawn[3]
    assert "5" in card
    assert ("as Giants" in card) or ("「巨人族」の能力" in card)


@pytest.mark.parametrize("lang", LANGS)
def test_a_table_without_a_planet_and_one_that_is_over_are_drawn(lang: Lang) -> None:
    table = GAME.initial(Options(), 2, PACK)
    assert len(GAME.draw(GAME.view(table, None), lang).splitlines()) == 1
    table = fold(GAME, table, GAME.setup(table, Simulation(1)))
    over = GAME.evolve(table, MatchEnded((0, 0), (1, 2)))
    assert WORDS[lang].turn_mark not in GAME.draw(GAME.view(over, None), lang)


@pytest.mark.parametrize(("lang", "row"), [("en", "| Bo 乙 | 1 | Once a turn, "), ("ja", "| 乙 | 1 | 手番に1回、")])
def test_the_cards_of_any_pack_are_listed_by_kind_in_its_order(lang: Lang, row: str) -> None:
    lines = cards(ODD, lang).split("\n")
    assert len(lines) == 2 * (2 + 11) + 1
    assert lines[3].startswith(row)
    assert lines[13] == ""
    assert all(line.count("|") == 4 for line in lines if line)
