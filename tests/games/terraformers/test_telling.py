"""Events, moves, cards and the table in words; the view; what is written down of each event."""

from __future__ import annotations

import re
from typing import get_args

import msgspec
import pytest

from domain.game import Lang
from domain.games.terraformers import GAME, events, moves
from domain.games.terraformers.abilities import AnyEffect
from domain.games.terraformers.components import Box, Level, Name
from domain.games.terraformers.events import TerraformersEvent
from domain.games.terraformers.evolve import WRITE
from domain.games.terraformers.moves import TerraformersMove
from domain.games.terraformers.pack import Card
from domain.games.terraformers.text.cards import card_text, cards
from tests.games.terraformers.table import PACK, given
from tests.games.terraformers.test_odd_pack import ODD

LANGS = ("en", "ja")
MOB, GIANTS = Name("Mob", "モブ族"), Name("Giants", "巨人族")

MOVES: tuple[TerraformersMove, ...] = (
    moves.UseBox(Box.WAR),
    moves.UseCard(MOB),
    moves.UseCardOn(MOB, 1),
    moves.Acquire(MOB),
    moves.Guard(MOB),
    moves.Place(1),
    moves.Place(2),
    moves.PutBack(),
    moves.Copy(MOB),
    moves.Pass(),
)
TIED = "Seat 2 wins with 9 points, as many as seat 0 and seat 3, by being nearer to the marker."
EVENTS: tuple[tuple[TerraformersEvent, str], ...] = (
    (events.PlanetLaid((MOB, GIANTS)), "The planet is laid out: Mob, Giants."),
    (events.MarkerDrawn(1), "Seat 1 is drawn to begin and has the marker."),
    (events.RoundStarted(3, 1), "Round 3 begins; seat 1 has the first turn."),
    (events.TipsDealt((4, 1)), "Everybody takes tips by city level: seat 0 takes 4 tips, seat 1 takes 1 tip."),
    (events.TurnStarted(1), "It is seat 1's turn."),
    (events.BoxChosen(1, Box.WAR), "Seat 1 chooses the war box."),
    (events.CardChosen(1, MOB, ()), "Seat 1 chooses Mob."),
    (events.CardChosen(1, MOB, (0,)), "Seat 1 chooses Mob against seat 0."),
    (events.SpeciesChosen(1, MOB, ()), "Seat 1 is about to acquire Mob."),
    (events.SpeciesChosen(1, MOB, (0,)), "Seat 1 is about to acquire Mob from seat 0."),
    (events.SpeciesChosen(1, MOB, (1,)), "Seat 1 is about to guard Mob."),
    (events.BoxUsed(1, Box.WAR, 2, 5), "Seat 1 places 2 tips on the war box."),
    (events.CardUsed(1, MOB, 1, 5), "Seat 1 places 1 tip on Mob: power 5."),
    (events.SpeciesReturned(1, MOB), "Seat 1 lays Mob back on the table."),
    (events.SpeciesAcquired(1, MOB, 2, 5, ()), "Seat 1 acquires Mob with 2 tips: power 5."),
    (events.SpeciesAcquired(1, MOB, 2, 5, (0,)), "Seat 1 acquires Mob from seat 0 with 2 tips: power 5."),
    (events.SpeciesGuarded(1, MOB, 2, 5), "Seat 1 guards Mob with 2 tips: power 5."),
    (events.SpeciesPutBack(1, MOB, 1), "Seat 1 puts Mob back on the table for 1 tip."),
    (events.AbilityCopied(1, MOB, GIANTS, 1), "Seat 1 pays 1 tip and gains the ability of Giants through Mob."),
    (events.CopyEnded(MOB, GIANTS), "The ability of Giants gained through Mob ends."),
    (events.Passed(1), "Seat 1 passes."),
    (events.LevelRaised(1, Level.CITY, 2, 6), "Seat 1 fills 2 check boxes: city is now 6."),
    (events.CardScored(1, MOB, 1), "Mob: seat 1 gains 1 point."),
    (events.CardScored(1, MOB, -5), "Mob: seat 1 loses 5 points."),
    (events.TipsTaken(1, MOB, 2), "Mob: seat 1 takes 2 tips from the stock."),
    (events.TipsPaid(1, MOB, 1), "Mob: seat 1 gives 1 tip to the stock."),
    (events.TipsAdded(1, Box.WAR, 1, MOB), "Mob: seat 1's war box gets 1 tip from the stock."),
    (events.TipsForced(1, Box.WAR, 1, MOB), "Mob: seat 1 puts 1 tip from hand on the war box."),
    (events.StarsMarked(1, MOB, 1, 3), "Mob: seat 1 marks 1 star, 3 in all."),
    (events.OxygenResolved(1, 4, 3, 2, True, 0), "Seat 1's oxygen suffices: green 3 and power 2 reach city 4."),
    (events.OxygenResolved(1, 5, 3, 2, True, 0), "Seat 1's oxygen suffices: green 3 and power 2 reach city 5."),
    (
        events.OxygenResolved(1, 6, 3, 2, True, 0),
        "Seat 1's oxygen suffices thanks to the species: green 3, power 2, city 6.",
    ),
    (
        events.OxygenResolved(1, 4, 3, 0, False, -5),
        "Seat 1's oxygen fails and costs 5 points: green 3 and power 0 stay below city 4.",
    ),
    (events.WarResolved((1, 0), (5, 3)), "War: seat 1 has power 5, seat 0 has power 3."),
    (events.WarScored(1, 1, 5), "Seat 1 is first in the war and gains 5 points."),
    (events.WarScored(1, 2, 3), "Seat 1 is second in the war and gains 3 points."),
    (events.MarkerMoved(1), "Seat 1 takes the marker."),
    (events.CarnivalScored(1, 4, 4), "Seat 1's carnival gives 4 points."),
    (events.TipsReturned(), "All tips go to the stock."),
    (events.MatchEnded((-3, 9), (2, 1)), "Seat 1 wins with 9 points."),
    (events.MatchEnded((9, 1, 9, 9), (2, 4, 1, 3)), TIED),
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
    assert GAME.describe(EVENTS[14][0], "ja") == "席1はコマ2個で「モブ族」を獲得した（パワー5）。"


def test_the_log_speaks_of_everybody_in_the_third_person() -> None:
    for told in (*MOVES, *(event for event, _ in EVENTS)):
        assert not re.search(r"\byou", GAME.describe(told, "en"), re.IGNORECASE)


@pytest.mark.parametrize("lang", LANGS)
def test_moves_name_cards_seats_and_numbers(lang: Lang) -> None:
    name = MOB.ja if lang == "ja" else MOB.name
    for move in MOVES:
        text = GAME.describe(move, lang)
        assert (name in text) == hasattr(move, "card")
    assert "1" in GAME.describe(moves.UseCardOn(MOB, 1), lang)
    assert GAME.describe(moves.Place(1), "en") == "Places 1 tip"


def test_cards_in_japanese_are_punctuated_in_full_width() -> None:
    for card in PACK.cards:
        assert not set(card_text(card.kind, card.effects, "ja")) & set(":,()+ "), card.ja


HOUSE_TEXTS = {
    "Lord of War": "In war: power + your cosmo level; you take part without tips too, with that alone.",
    "Giants": "Science counts as 3. You can't choose your carnival box.",
    "Fourth-Dimensionals": "Round start: take tips equal to your cosmo level from the stock.",
    "Space Farmers": "When acquired: fill 1 check box of green free. Round start: gain 2 points.",
    "Zombies": "Oxygen always suffices. In war, if tips lie on your war box: power + 2.",
    "Berserkers": "In war, if tips lie on your war box: power + 4. You can't let go of it.",
    "Dragon": "Science counts as 5. Turn start: give 1 tip from hand to the stock, if you have any. You can't "
    "let go of it.",
    "Mob": "For power, 3 counts instead of science.",
    "Gardeners": "When oxygen is resolved: 1 point for each 1 by which green and oxygen power exceed city.",
    "Librarians": "Once a turn, before the action: pay 1 tip, name another species and gain its ability for this "
    "round.",
    "Space Traders": "For power, your cosmo level counts instead of science.",
    "Ore Vein": "Take tips equal to your cosmo level + 1 from the stock.",
    "Emigrant Ship": "Fill 1 check box of city free. Put 1 tip from the stock on every other player's oxygen box.",
    "Protozoan Village": "Gain points equal to your green level.",
    "World Expo": "Gain 3 points. Put 1 tip from the stock on every player's war and carnival boxes, wherever "
    "tips lie already.",
    "Provocation": "Gain 2 points. Name another player, who puts 1 tip from hand, if any, on the war box.",
    "Migrant City": "Gain points equal to your city level − 2. (E) Game end: everybody who has the highest city "
    "level loses 4 points.",
    "Dark Matter": "Fill 1 check box of cosmo free. Gain 1 point. (E) Game end: everybody who has the lowest cosmo "
    "level loses 6 points.",
    "Gravity Quake": "Every other player whose cosmo level is below yours loses 2 points. Mark 1 star. (E) Game end: "
    "everybody who has the fewest stars loses 5 points.",
    "Almsgiving": "If you placed all your tips, gain points equal to the tips placed + 1.",
    "Flower Show": "If your green level is the highest, gain 6 points; if another player's is as high, 4 points; "
    "otherwise 2 points.",
    "Outer Survey": "Gain 2 points. Mark 1 star. (E) Game end: everybody who has the most stars, at least 1, gains "
    "8 points.",
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
        "Gain points equal to the tips placed − 2. Round start, for every player: gain points equal to your stars. "
        "(E) Game end, for every player: gain points equal to your city level. "
        "(E) Game end: everybody who has the highest city level loses 1 point."
    )


def test_the_view_shows_the_whole_table() -> None:
    play = given("Librarians", "Giants", "Ore Vein").with_species(0, "Librarians").with_copy("Librarians", "Giants")
    play.with_tips("Ore Vein", 2).with_levels(0, city=12, science=4).with_player(0, points=-3, stars=2)
    play.with_boxes(0, war=2).with_player(1, has_passed=True)
    shown = GAME.view(play.table, 1)
    assert (shown.round, shown.rounds, shown.marker, shown.turn, shown.step) == (1, 6, 0, (0,), "action")
    card = shown.planet[0]
    assert (card.name.en, card.kind, card.cost, card.holder) == ("Librarians", "species", 4, (0,))
    assert [copied.en for copied in card.copies] == ["Giants"]
    assert (shown.planet[2].tips, shown.planet[2].holder, shown.planet[2].copies) == (2, (), ())
    assert "鉱脈" in shown.planet[2].name.ja
    assert "コスモ" in shown.planet[2].text.ja
    sheet = shown.places[0]
    assert (sheet.points, sheet.stars, sheet.hand, sheet.base, sheet.has_passed) == (-3, 2, 4, 3, False)
    assert [level.value for level in sheet.levels] == [12, 3, 4, 1]
    assert [level.prices[:1] for level in sheet.levels] == [(), (1,), (14,), (2,)]
    assert sheet.boxes.war == 2
    assert [species.en for species in sheet.species] == ["Librarians"]
    assert shown.places[1].has_passed


def test_the_view_goes_through_json() -> None:
    shown = GAME.view(given("Mob").table, None)
    assert msgspec.json.decode(msgspec.json.encode(shown), type=type(shown)) == shown


@pytest.mark.parametrize(("lang", "row"), [("en", "| Bo 乙 | 1 | Once a turn, "), ("ja", "| 乙 | 1 | 手番に1回、")])
def test_the_cards_of_any_pack_are_listed_by_kind_in_its_order(lang: Lang, row: str) -> None:
    lines = cards(ODD, lang).split("\n")
    assert len(lines) == 2 * (2 + 11) + 1
    assert lines[3].startswith(row)
    assert lines[13] == ""
    assert all(line.count("|") == 4 for line in lines if line)
