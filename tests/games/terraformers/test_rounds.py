"""Rounds and the end of the match. Rules TF-6 to TF-13, TF-24 to TF-29."""

from __future__ import annotations

from msgspec.structs import replace

from domain.game import Standing, move_id
from domain.games.terraformers import GAME, events, moves
from domain.games.terraformers.components import Box
from tests.games.terraformers.table import Play, given, name
from tests.rows import each


def test_tf_6_turns_go_clockwise_from_the_markers_holder_for_six_rounds() -> None:
    play = given("Mob", marker=1)
    for at, seat in enumerate((1, 2, 0, 1)):
        assert GAME.to_act(play.table) == (seat,)
        assert play.legal((seat + 1) % 3) == ()
        assert play.refusal((seat + 1) % 3, moves.Pass()) == ("TF-6", "not-your-turn")
        play.box(seat, tuple(Box)[at // 3], 1)
    begun = GAME.evolve(play.table, events.RoundStarted(1, 0))
    assert (GAME.to_act(begun), GAME.forced(begun)) == ((), None)
    for number in range(1, 7):
        assert (play.table.round, GAME.standing(play.table).over) == (number, False)
        play.end_round()
    assert GAME.standing(play.table).over
    assert (GAME.to_act(play.table), GAME.forced(play.table), play.legal(0)) == ((), None, ())
    assert play.refusal(0, moves.Pass()) == ("TF-25", "over")


def test_tf_7_tips_by_city_level_before_any_round_start_effect() -> None:
    play = given("Fourth-Dimensionals", "Space Farmers", seats=3, marker=2)
    play.with_levels(0, city=6).with_species(0, "Space Farmers")
    play.with_levels(1, cosmo=3).with_species(1, "Fourth-Dimensionals")
    play.end_round()
    start = play.told.index(events.RoundStarted(2, 2))
    assert play.told[start:] == (
        events.RoundStarted(2, 2),
        events.TipsDealt((6, 4, 4)),
        events.CardScored(0, name("Space Farmers"), 2),
        events.TipsTaken(1, name("Fourth-Dimensionals"), 3),
        events.TurnStarted(2),
    )


def test_tf_8_tf_9_without_tips_only_passing_is_possible() -> None:
    play = given("Ore Vein", "Mob").with_species(0, "Mob").with_hand(0, 0)
    assert (play.legal(0), GAME.forced(play.table)) == ((moves.Pass(),), (0, moves.Pass()))


def test_tf_8_turn_start_effects_come_first() -> None:
    play = given("Dragon").with_species(1, "Dragon").box(0, Box.WAR, 1)
    assert play.told[-2:] == (events.TurnStarted(1), events.TipsPaid(1, name("Dragon"), 1))
    assert play.player(1).hand == 3


def test_tf_8_all_five_kinds_of_action_and_naming() -> None:
    play = given("Librarians", "Ore Vein", "Provocation", "Mob").with_species(0, "Librarians").with_hand(0, 6)
    legal = play.legal(0)
    for move in (
        moves.UseBox(Box.CITY),
        moves.UseCard(name("Ore Vein")),
        moves.UseCardOn(name("Provocation"), 2),
        moves.Acquire(name("Mob")),
        moves.Guard(name("Librarians")),
        moves.Copy(name("Mob")),
        moves.PutBack(),
        moves.Pass(),
    ):
        assert move in legal
    assert len(legal) == len({move_id(move) for move in legal})


def test_tf_9_who_passed_plays_no_more_this_round() -> None:
    play = given("Mob").pass_(0)
    assert play.told == (events.Passed(0), events.TurnStarted(1))
    play.box(1, Box.WAR, 1).box(2, Box.WAR, 1)
    assert GAME.to_act(play.table) == (1,)
    play.pass_(1).box(2, Box.CITY, 1)
    assert GAME.to_act(play.table) == (2,)
    play.pass_(2)
    assert play.of(events.RoundStarted) == (events.RoundStarted(2, 1),)


def test_tf_10_power_is_science_and_tips_of_which_every_action_takes_one_at_least() -> None:
    play = given("Mob").with_levels(0, science=2).box(0, Box.WAR, 3)
    assert play.one(events.BoxUsed) == events.BoxUsed(0, Box.WAR, 3, 5)
    assert (play.player(0).hand, play.on(0, Box.WAR)) == (1, 3)
    play = given("Ore Vein").with_levels(0, science=9).move(0, moves.UseCard(name("Ore Vein")))
    assert play.places(0) == (1, 2, 3, 4)
    assert play.refusal(0, moves.Place(0)) == ("TF-19", "tips")


def test_tf_11_a_box_with_tips_on_it_cant_be_chosen() -> None:
    play = given("Mob", seats=2).box(0, Box.CITY, 1)
    assert moves.UseBox(Box.CITY) in play.legal(1), "another sheet's box is another box"
    play.box(1, Box.WAR, 1)
    assert moves.UseBox(Box.CITY) not in play.legal(0)
    assert play.refusal(0, moves.UseBox(Box.CITY)) == ("TF-11", "box-occupied")


def test_tf_11_a_card_with_tips_on_it_cant_be_chosen_nor_a_box_however_they_came_there() -> None:
    play = given("Ore Vein", "Mob").with_tips("Ore Vein", 1).with_tips("Mob", 2)
    assert play.refusal(0, moves.UseCard(name("Ore Vein"))) == ("TF-11", "card-occupied")
    assert play.refusal(0, moves.Acquire(name("Mob"))) == ("TF-11", "card-occupied")
    assert play.with_species(0, "Mob").refusal(0, moves.Guard(name("Mob"))) == ("TF-11", "card-occupied")
    play = given("Emigrant Ship", seats=2).card(0, "Emigrant Ship", 4)
    assert play.refusal(1, moves.UseBox(Box.OXYGEN)) == ("TF-11", "box-occupied")


def test_tf_11_cards_place_tips_on_occupied_boxes_too() -> None:
    play = given("Emigrant Ship", "Provocation", "World Expo", seats=2)
    play.with_boxes(1, oxygen=2, war=3, carnival=1).with_hand(0, 20)
    play.card(0, "Emigrant Ship", 5).pass_(1)
    play.card(0, "Provocation", 5, on=1).card(0, "World Expo", 5)
    assert [play.on(1, box) for box in (Box.OXYGEN, Box.WAR, Box.CARNIVAL)] == [3, 5, 2]


def test_tf_12_a_card_beats_the_rules() -> None:
    play = given("Giants", "Zombies").with_species(0, "Giants").with_species(1, "Zombies").with_levels(1, city=9)
    assert moves.UseBox(Box.CARNIVAL) not in play.legal(0), "TF-13 has seven boxes to choose from"
    assert play.with_turn(1).end_round().of(events.OxygenResolved)[1].succeeds, "TF-16 loses points"


def test_tf_24_oxygen_war_carnival_and_tips_in_that_order() -> None:
    play = given("Mob", seats=2).with_boxes(0, war=1, carnival=2).with_boxes(1, war=2, oxygen=1)
    play.with_hand(0, 3).with_tips("Mob", 4).end_round()
    kinds = [
        *(events.OxygenResolved, events.OxygenResolved, events.WarResolved, events.WarScored, events.WarScored),
        *(events.MarkerMoved, events.CarnivalScored, events.TipsReturned),
    ]
    assert [type(event) for event in play.told[1:9]] == kinds
    assert play.player(0).hand == 4, "the new round's tips alone"
    assert play.player(0).boxes == play.player(1).boxes == (0,) * 7
    assert play.lying_on("Mob") == 0


def test_tf_29_the_engine_makes_the_only_move() -> None:
    boxes = {box.value: 1 for box in Box}
    chosen = moves.UseCard(name("Ore Vein"))
    for play, forced in each(
        (given("Ore Vein").move(0, chosen), moves.Place(4)),
        (given("Ore Vein").with_hand(0, 5).move(0, chosen), None),
        (given("Ore Vein").with_boxes(0, **boxes).with_hand(0, 1), moves.Pass()),
        (given("Ore Vein").with_boxes(0, **boxes).with_hand(0, 4), None),
        (given("Giants").with_species(0, "Giants").with_boxes(0, city=1), None),
    ):
        assert GAME.forced(play.table) == (None if forced is None else (0, forced))


def test_tf_29_tf_32_the_engine_passes_when_the_only_free_box_is_barred() -> None:
    play = given("Giants").with_species(0, "Giants").with_tips("Giants", 1).with_hand(0, 1)
    play.with_boxes(0, city=1, green=1, science=1, cosmo=1, oxygen=1, war=1)
    laid = play.table.planet[0]
    clinging = replace(laid, ability=replace(laid.ability, clings=True))
    assert [box.value for box in laid.ability.barred] == ["carnival"]
    assert GAME.forced(play.table) is None
    play.table = replace(play.table, planet=(clinging, *play.table.planet[1:]), tips=(1,) * 8)
    assert play.legal(0) == (moves.Pass(),)
    assert GAME.forced(play.table) == (0, moves.Pass())


def test_an_absent_seat_passes_or_places_as_few_tips_as_it_takes() -> None:
    play = given("Ore Vein").with_hand(0, 6)
    assert GAME.default(play.table, 0) == moves.Pass()
    assert GAME.default(play.move(0, moves.UseCard(name("Ore Vein"))).table, 0) == moves.Place(4)


def test_tf_8_after_an_action_nobody_is_to_act_until_the_next_turn_begins() -> None:
    table = given("Mob").with_species(0, "Mob").table
    for event in (
        events.Passed(0),
        events.BoxUsed(0, Box.CITY, 1, 1),
        events.SpeciesGuarded(0, name("Mob"), 1, 3),
        events.SpeciesPutBack(0, name("Mob"), 1),
    ):
        assert GAME.to_act(GAME.evolve(table, event)) == (), event


def last_round(*cards: str, seats: int = 3, marker: int = 0) -> Play:
    """Given the sixth round, with enough oxygen for all."""
    play = given(*cards, seats=seats, marker=marker).with_table(round=6)
    for seat in range(seats):
        play.with_levels(seat, green=12)
    return play


def with_stars(play: Play, *stars: int) -> Play:
    for seat, number in enumerate(stars):
        play.with_player(seat, stars=number)
    return play


def test_tf_25_game_end_effects_in_table_order() -> None:
    play = last_round("Outer Survey", "Dark Matter", "Migrant City", marker=1)
    with_stars(play, 1, 0, 0).with_levels(2, green=12, cosmo=2).with_levels(1, green=12, city=5).end_round()
    assert play.of(events.CardScored) == (
        events.CardScored(0, name("Outer Survey"), 8),
        events.CardScored(0, name("Dark Matter"), -6),
        events.CardScored(1, name("Dark Matter"), -6),
        events.CardScored(1, name("Migrant City"), -4),
    )
    assert play.told[-1] == events.MatchEnded((2, -10, 0), (1, 3, 2))


def test_tf_25_nothing_of_it_before_the_sixth_round() -> None:
    play = given("Migrant City", "Dark Matter", "Gravity Quake").with_levels(0, green=9).end_round()
    assert play.of(events.CardScored) == ()


def test_tf_25_tf_27_tf_42_at_the_end_all_who_tie_pay_and_most_stars_score_but_none_do_not() -> None:
    for cards, stars, levels, points in each(
        (("Migrant City",), (0, 0, 0), {"city": 3}, (-4, -4, 0)),
        (("Dark Matter",), (0, 0, 0), {"cosmo": 2}, (-6, -6, 0)),
        (("Gravity Quake",), (1, 2, 1), {}, (-5, 0, -5)),
        (("Gravity Quake",), (0, 0, 0), {}, (-5, -5, -5)),
        (("Outer Survey",), (1, 2, 2), {}, (0, 8, 8)),
        (("Outer Survey",), (0, 0, 0), {}, (0, 0, 0)),
        (("Outer Survey",), (0, 1, 0), {}, (0, 8, 0)),
        (("Outer Survey", "Gravity Quake"), (2, 1, 0), {}, (8, 0, -5)),
    ):
        play = with_stars(last_round(*cards).with_levels(2, green=12, **levels), *stars)
        assert play.end_round().points() == points


def test_tf_26_most_points_win_and_ties_go_to_whoever_is_nearer_to_the_marker() -> None:
    for points, marker, ranking in each(
        ((3, 9, -2), 0, (2, 1, 3)),
        ((5, 4, 5, 5), 0, (1, 4, 2, 3)),
        ((5, 4, 5, 5), 1, (3, 4, 1, 2)),
        ((5, 4, 5, 5), 2, (3, 4, 1, 2)),
        ((5, 4, 5, 5), 3, (2, 4, 3, 1)),
    ):
        play = last_round("Mob", seats=len(points), marker=marker)
        for seat, number in enumerate(points):
            play.with_player(seat, points=number)
        assert play.end_round().one(events.MatchEnded) == events.MatchEnded(points, ranking)
        assert GAME.standing(play.table) == Standing(points, ranking, over=True)


def test_tf_26_the_war_of_the_last_round_moves_the_marker_first() -> None:
    play = last_round("Mob", marker=0).with_boxes(2, war=1).with_player(0, points=5).end_round()
    assert play.points() == (5, 0, 5)
    assert GAME.standing(play.table).ranking == (2, 3, 1)
