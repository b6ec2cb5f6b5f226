"""Packs: the house's, those that are refused, and one like no other: what it prints is what happens."""

from __future__ import annotations

from collections import Counter
from typing import Any

from msgspec.structs import replace

from bots.choose import Random
from bots.simulate import play_out
from domain.chance import Simulation
from domain.game import fold
from domain.games.terraformers import GAME, events
from domain.games.terraformers.abilities import (
    AddTips,
    Amount,
    AnyEffect,
    GainPoints,
    Of,
    PayTips,
    Provoke,
    TakeTips,
    When,
    Whose,
)
from domain.games.terraformers.components import Box, Kind, Level, Options
from domain.games.terraformers.events import CardUsed, SpeciesAcquired, TurnStarted
from domain.games.terraformers.moves import Copy, UseBox
from domain.games.terraformers.pack import Pack
from domain.games.terraformers.text.cards import card_text
from tests.games.terraformers.table import HOUSE, ODD, PACK, given, odd
from tests.rows import each


def test_a_hand_may_grow_by_a_plain_number_of_tips() -> None:
    assert HOUSE.count(b'{ of = "cosmo", plus = 1 }') == 1
    pack = GAME.parse_pack(HOUSE.replace(b'{ of = "cosmo", plus = 1 }', b"{ plus = 20 }"), "more.toml")
    assert given("Ore Vein", pack=pack).card(0, "Ore Vein", 4).player(0).hand == 20


def test_the_end_is_judged_by_places() -> None:
    play = given("Mob", seats=2, marker=1).end_match()
    assert GAME.standing(play.table).points[0] == GAME.standing(play.table).points[1]
    assert GAME.evaluate(play.table, 1) > GAME.evaluate(play.table, 0)


def test_a_match_is_counted_by_its_cards() -> None:
    planet = ("Librarians", "Giants", "Mob", "Zombies", "Ore Vein", "World Expo", "Almsgiving", "Dragon")
    counted = Counter[str]()
    for seed in range(20):
        told: tuple[Any, ...] = play_out(GAME, PACK, Options(planet), 2, [Random()] * 2, Simulation(seed)).told
        told = ("not an event of the game", *told)
        measured = GAME.measure(told)
        assert (measured.rounds, [name for name, _ in measured.uses]) == (6, list(planet))
        assert measured.first == next(event.seat for event in told if isinstance(event, TurnStarted))
        used = {(event.card.name, event.seat) for event in told if isinstance(event, CardUsed | SpeciesAcquired)}
        assert {(name, seat) for name, seats in measured.uses for seat in seats} == used
        counted.update(name for name, seats in measured.uses if seats)
    assert set(counted) == set(planet)


def test_tf_2_scenarios_are_those_of_the_pack() -> None:
    GAME.check_options(Options(planet="upside-down"), 2, ODD)
    table = GAME.initial(Options(planet="upside-down"), 2, ODD)
    table = fold(GAME, table, GAME.setup(table, Simulation(1)))
    assert [laid.name.name for laid in table.planet][:5] == ["Ai", "Bo", "Cu", "De", "Red A"]


def test_tf_3_tf_15_tf_16_tf_17_levels_and_points_are_those_of_the_pack() -> None:
    assert odd("Ai").player(0).levels == (2, 0, 1, 3)
    assert odd("Ko Ko").with_hand(0, 9).box(0, Box.COSMO, 4).of(events.LevelRaised) == (), "an empty column"
    assert odd("Ko Ko").with_hand(0, 9).acquire(0, "Ko Ko", 2).of(events.LevelRaised) == ()
    play = odd("Ai", seats=2).with_boxes(0, war=1).with_boxes(1, war=2).end_round()
    assert play.points() == (9 - 1 + 1, 2 - 1 + 1), "and carnival"


def test_tf_34_two_effects_of_one_kind_add_up() -> None:
    for war, power, stars in each((1, 8, 6), (0, 4, 6)):
        play = odd("De", seats=2).with_species(0, "De").with_player(0, stars=4).with_boxes(0, war=war)
        play.with_boxes(1, war=1).end_round()
        assert play.one(events.WarResolved) == events.WarResolved((0, 1), (power, 2))
        assert play.of(events.StarsMarked)[0].total == stars


def test_tf_32_two_barred_boxes() -> None:
    play = odd("Cu").with_species(0, "Cu").with_levels(0, green=4)
    boxes = {move.box for move in play.legal(0) if isinstance(move, UseBox)}
    assert boxes == set(Box) - {Box.CITY, Box.WAR}
    assert play.box(0, Box.OXYGEN, 1).one(events.BoxUsed).power == 6


def test_tf_38_a_copy_is_added_to_what_the_copier_has_itself() -> None:
    play = odd("Ai", "Cu", "De").with_species(0, "Ai").with_hand(0, 9).with_levels(0, green=2)
    play.copy(0, "Cu").box(0, Box.OXYGEN, 1)
    assert play.one(events.BoxUsed).power == 4
    assert play.player(0).hand == 6
    play.with_turn(0).copy(0, "De").with_boxes(0, war=1).with_player(0, stars=2).end_round()
    assert play.one(events.WarResolved) == events.WarResolved((0,), (1 + 3 + 2 + 2,))


def test_tf_38_of_two_words_on_science_the_copied_one_counts() -> None:
    play = odd("Bo", "Jo").with_species(0, "Bo").with_hand(0, 9)
    assert play.box(0, Box.OXYGEN, 1).one(events.BoxUsed).power == 8
    play.with_turn(0).copy(0, "Jo").box(0, Box.WAR, 1)
    assert play.one(events.BoxUsed).power == 1


def test_tf_37_tf_38_a_copier_is_not_copied_and_naming_may_cost_more_than_one_has() -> None:
    play = odd("Ai", "Bo").with_species(0, "Ai").with_hand(0, 9).copy(0, "Bo")
    assert play.box(0, Box.OXYGEN, 1).one(events.BoxUsed).power == 8
    play.with_turn(0)
    assert any(isinstance(move, Copy) for move in play.legal(0))
    assert play.copy(0, "Bo").player(0).hand == 4, "still for two tips"
    play = odd("Ai", "Bo").with_species(0, "Ai").with_hand(0, 1)
    assert not any(isinstance(move, Copy) for move in play.legal(0))
    assert play.refusal(0, Copy(play.called("Bo"))) == ("TF-37", "cannot-pay")


def with_effects(name: str, *effects: AnyEffect) -> Pack:
    return replace(PACK, cards=tuple(replace(c, effects=effects) if c.name == name else c for c in PACK.cards))


def test_tf_41_whether_tips_are_left_is_seen_after_what_the_card_took_or_gave_before() -> None:
    points = GainPoints(when=When.USED, amount=Amount(of=Of.PLACED, plus=1), all_placed=True)
    take, pay = TakeTips(when=When.USED, amount=Amount(plus=2)), PayTips(when=When.USED, tips=1)
    for first, second, tips, scored in each(
        (take, points, 9, 0), (points, take, 9, 10), (pay, points, 8, 9), (points, pay, 8, 0)
    ):
        play = given("Almsgiving", pack=with_effects("Almsgiving", first, second)).with_hand(0, 9)
        assert play.card(0, "Almsgiving", tips).points() == (scored, 0, 0)
    said = "If no tip is left in your hand, gain points equal to the tips placed + 1."
    assert card_text(Kind.BOX, (points,), "en") == said
    assert (
        card_text(Kind.BOX, (points,), "ja") == "手元にコマが残っていなければ、「置いたコマの数＋1」と同じ点数を得る。"
    )


def test_tf_43_a_named_player_puts_tips_on_a_box_last_wherever_that_is_printed() -> None:
    adds = AddTips(when=When.USED, boxes=(Box.WAR,), tips=1, whose=Whose.ALL, occupied=True)
    effects = (Provoke(box=Box.WAR, tips=1), adds)
    play = given("Provocation", pack=with_effects("Provocation", *effects)).card(0, "Provocation", 3, on=1)
    assert (play.of(events.TipsAdded), play.on(1, Box.WAR)) == ((), 1), "no box had tips yet"
    assert card_text(Kind.BOX, effects, "en") == card_text(Kind.BOX, effects[::-1], "en")
    assert card_text(Kind.BOX, effects, "en").endswith("puts 1 tip from hand, if any, on the war box.")


def test_tf_40_provoking_twice_takes_what_there_is() -> None:
    play = odd("Red A", seats=2).with_hand(1, 2).with_player(0, stars=3).card(0, "Red A", 1, on=1)
    assert play.of(events.TipsForced) == (events.TipsForced(1, Box.CARNIVAL, 2, play.called("Red A")),)
    assert play.points() == (3, 0)


def test_effects_at_turn_start_tf_8() -> None:
    play = odd("Ga", "Ai", seats=2).with_species(1, "Ga").box(0, Box.WAR, 1)
    assert play.one(events.LevelRaised) == events.LevelRaised(1, Level.GREEN, 1, 1)
    play = odd("Ga", "Ai", seats=2).with_species(1, "Ai").box(0, Box.WAR, 1)
    assert play.one(events.CardScored).points == 1


def test_effects_at_acquisition_tf_20() -> None:
    assert odd("Em").acquire(0, "Em", 1).one(events.TipsTaken).tips == 3
    assert odd("Jo").acquire(0, "Jo", 2).one(events.CardScored).points == 4
    assert odd("Jo").with_hand(0, 3).acquire(0, "Jo", 2).of(events.CardScored) == ()
    play = odd("Ha").with_levels(0, green=1).with_levels(1, green=1).with_levels(2, green=0).acquire(0, "Ha", 2)
    assert play.points() == (0, 0, -4)


def test_effects_at_round_start_tf_7() -> None:
    play = odd("In", seats=3).with_species(0, "In").end_round()
    added = tuple(events.TipsAdded(seat, Box.CARNIVAL, 2, play.called("In")) for seat in (1, 2))
    assert (play.of(events.TipsAdded), play.one(events.TipsPaid).tips) == (added, 1)
    assert odd("Ha", seats=2).with_species(0, "Ha").end_round().of(events.CardScored) == (), "tied, for nothing"
    assert odd("Em", seats=2).with_species(0, "Em").end_round().of(events.TipsTaken) == (), "science 1 less 1"


def test_tf_7_a_box_card_does_something_for_everybody_at_the_rounds_start() -> None:
    play = odd("Red G", "De", "Red J", seats=3).with_player(1, stars=1).with_species(1, "De").with_levels(2, science=4)
    play.with_levels(1, cosmo=5).pass_(0, 1, 2)
    first, second, third = (play.called(card) for card in ("Red G", "De", "Red J"))
    # for each from the marker's holder: the box cards in table order, then the species
    assert play.told[play.told.index(events.RoundStarted(2, 1)) + 2 :] == (
        events.TipsTaken(1, first, 1),
        events.CardScored(0, first, -2),
        events.CardScored(2, first, -2),
        events.CardScored(1, third, 1),
        events.StarsMarked(1, second, 2, 3),
        events.TipsTaken(2, first, 5),
        events.TipsTaken(0, first, 2),
        events.CardScored(2, first, -2),
        events.TurnStarted(1),
    )


def test_tf_7_what_a_box_card_puts_on_everybodys_boxes_it_puts_there_once_and_tells_once() -> None:
    gift = AddTips(when=When.ROUND_START, boxes=(Box.WAR,), tips=1, whose=Whose.ALL, occupied=False)
    cards = tuple(replace(card, effects=(gift,)) if card.name == "Red G" else card for card in ODD.cards)
    pack = replace(ODD, cards=cards)
    play = given("Red G", *(card.name for card in ODD.cards[:7]), seats=3, pack=pack)
    assert [play.on(seat, Box.WAR) for seat in range(3)] == [1, 1, 1]
    play.end_round()
    card = play.called("Red G")
    assert play.of(events.TipsAdded) == tuple(events.TipsAdded(seat, Box.WAR, 1, card) for seat in range(3))
    (kind,) = {card.kind for card in cards if card.name == "Red G"}
    said = "Round start: put 1 tip from the stock on every player's war box."
    assert card_text(kind, (gift,), "en") == said
    assert card_text(kind, (gift,), "ja") == "ラウンド開始時：全員の「戦争」に、ストックからコマ1個ずつ置く。"
    second = GAME.by(2)
    assert second
    play.table = replace(play.table, terms=second.initial(Options(), 3, pack).terms)
    assert [event.seat for event in play.end_round().of(events.TipsAdded)] == [0, 1, 2] * 3, "by version 2"


def test_tf_7_the_first_round_has_a_start_too_and_an_occupied_card_works_at_it() -> None:
    play = odd("Red G", seats=2)
    assert [event.tips for event in play.of(events.TipsTaken)] == [2, 2]
    assert [play.player(seat).hand for seat in (0, 1)] == [4, 4]
    play.with_tips("Red G", 3).pass_(0, 1)
    assert [event.seat for event in play.of(events.TipsTaken)] == [0, 1]


def test_tf_25_a_box_card_gives_everybody_points_at_the_end() -> None:
    play = odd("Red J", "Ga", seats=2).with_table(round=6).with_levels(0, city=3).with_levels(1, city=2, green=1)
    play.with_species(1, "Ga").end_round()
    card, species = play.called("Red J"), play.called("Ga")
    assert play.of(events.CardScored) == (
        events.CardScored(0, card, -1),
        events.CardScored(0, card, 3),
        events.CardScored(1, card, 2),
        events.CardScored(1, species, 2),
    )


def test_tips_on_everybodys_boxes_or_only_where_some_lie_tf_11() -> None:
    play = odd("Red D", seats=2).with_hand(0, 5).card(0, "Red D", 2)
    added = [(event.seat, event.box) for event in play.of(events.TipsAdded)]
    assert added == [(seat, box) for seat in (0, 1) for box in (Box.GREEN, Box.OXYGEN)]
    play = odd("Red E").with_boxes(0, war=1).with_boxes(2, war=1).card(0, "Red E", 1)
    assert play.one(events.TipsAdded) == events.TipsAdded(2, Box.WAR, 3, play.called("Red E"))


def test_tf_42_science_counts_where_levels_are_compared() -> None:
    play = odd("Red I", "Jo", seats=2).with_species(0, "Jo").with_hand(0, 5)
    assert play.card(0, "Red I", 5).one(events.CardScored).points == 7
    play = odd("Red K", "Bo", seats=2).with_species(0, "Bo")
    assert play.card(0, "Red K", 1).one(events.CardScored).points == 7


def test_amounts_of_zero_are_not_told_tf_28() -> None:
    play = odd("Red G", seats=2).with_levels(0, city=2, science=2).with_levels(1, city=2, science=1)
    assert play.card(0, "Red G", 1).of(events.CardScored) == ()
    play = odd("Red J", seats=2)
    assert play.card(0, "Red J", 2).of(events.CardScored) == ()
    play = odd("Red H", seats=2).with_table(round=6).with_levels(0, city=1, green=9).with_levels(1, green=9).end_round()
    assert play.of(events.CardScored) == (events.CardScored(0, play.called("Red H"), 2),)


def test_game_end_of_a_species_is_its_owners_tf_25() -> None:
    play = odd("Ga", "Red C", seats=2).with_species(1, "Ga").with_table(round=6).with_levels(1, green=7)
    play.with_player(0, stars=1).with_player(1, stars=2).with_levels(0, green=9, science=0).end_round()
    assert play.of(events.CardScored) == (
        events.CardScored(0, play.called("Red C"), 4),
        events.CardScored(0, play.called("Red C"), -3),
        events.CardScored(1, play.called("Red C"), -3),
        events.CardScored(1, play.called("Ga"), 8),
    )
