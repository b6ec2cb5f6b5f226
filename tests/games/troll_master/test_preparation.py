"""Packs and what they print, components, setup and the beginning of a round: TM-1 to TM-9, TM-50."""

from __future__ import annotations

from collections import Counter

import pytest
from msgspec.structs import replace

from domain.chance import Scripted, Simulation
from domain.game import PackError, fold
from domain.games.troll_master import GAME, events
from domain.games.troll_master.abilities import ChargeAnother, Redraw
from domain.games.troll_master.bot.worth import gain_of_room
from domain.games.troll_master.components import DECK, Name, Options
from domain.games.troll_master.moves import Discard, Draw, Pass
from domain.games.troll_master.pack import Pack
from domain.games.troll_master.printed import printed
from domain.games.troll_master.scene import ids
from domain.games.troll_master.state import Cards, Step, Table
from domain.games.troll_master.text.cards import cards
from domain.secrecy import redact
from tests.games.troll_master.table import (
    CRYSTAL,
    FLASK,
    HOUSE,
    NAMES,
    ODD_PACK,
    PACK,
    TOME,
    WAND,
    Play,
    magics,
    named,
    opened,
    refused,
    reveal,
)
from tests.rows import each


def holding(hand: str, deck: str) -> Play:
    """A first decision where everybody holds these cards."""
    table = opened()
    places = tuple(replace(place, hand=magics(hand)) for place in table.places)
    return Play(replace(table, places=places, cards=replace(table.cards, deck=magics(deck), discards=())))


def test_tm_8_the_broom_draws_a_card_that_takes_the_place_of_any_that_is_then_discarded() -> None:
    for letter, hand in each(("T", "CFW"), ("F", "TCW"), ("W", "TFC"), ("C", "TFW")):
        play, (card,) = holding("TFW", "CTFWCTFWCTFWC"), magics(letter)
        start = play.table.start
        assert play.legal(start) == (Draw(), Pass())
        play.move(start, Draw())
        assert play.one(events.CardDrawn) == events.CardDrawn(start, CRYSTAL)
        assert play.place(start).hand == magics("TFWC")
        assert play.legal(start) == (Discard(TOME), Discard(FLASK), Discard(WAND), Discard(CRYSTAL))
        play.move(start, Discard(card))
        assert play.told == (events.CardDiscarded(start, card), events.TurnCame(start))
        assert play.table.cards.discards == (card,)
        assert play.place(start).hand == magics(hand)


def test_tm_1_there_are_24_magic_cards_and_a_row_of_14_actions() -> None:
    assert Counter(DECK) == {TOME: 6, FLASK: 6, WAND: 6, CRYSTAL: 6}
    assert len(PACK.workshop) == 7
    assert len(PACK.familiars) == 22
    table = opened()
    cards = table.cards
    assert Counter((*cards.deck, *cards.open, *(card for place in table.places for card in place.hand))) == Counter(
        DECK
    )
    assert [action.number for action in GAME.view(table, None).row] == list(range(1, 15))


def test_tm_2_ten_kinds_are_drawn_and_lie_by_cost_then_in_the_packs_order() -> None:
    table = GAME.initial(Options(), 3, PACK)
    first = (21, 3, 5, 4, 0, 20, 11, 12, 13, 7)
    told = GAME.setup(table, Scripted((*first, *(n for n in range(22) if n not in first)), 1, DECK))
    assert isinstance(told[0], events.FamiliarsLaidOut)
    costs = {familiar.name: familiar.cost for familiar in PACK.familiars}
    drawn = [NAMES[n] for n in sorted(first)]
    assert [name.en for name in told[0].familiars] == sorted(drawn, key=lambda name: costs[name])
    table = fold(GAME, table, told)
    assert [pile.left for pile in table.supply] == [2] * 10


def test_tm_2_chosen_familiars_are_laid_out_whatever_their_order() -> None:
    chosen = tuple(reversed(NAMES[8:18]))
    GAME.check_options(Options(familiars=chosen), 5, PACK)
    supply = opened(options=Options(familiars=chosen)).supply
    costs = {familiar.name: familiar.cost for familiar in PACK.familiars}
    assert [pile.card.name.en for pile in supply] == sorted(NAMES[8:18], key=lambda name: costs[name])


def test_tm_3_everybody_starts_with_mana_a_black_cat_and_a_pawn() -> None:
    for pack in (PACK, ODD_PACK):
        cat = pack.black_cat
        for place in GAME.initial(Options(), 4, pack).places:
            assert (place.mana, place.chips, place.pawn) == (4, 0, 0)
            assert [(one.card.name.en, one.charges) for one in place.familiars] == [(cat.name, cat.charges)]


def test_tm_4_the_first_start_player_is_drawn() -> None:
    table = GAME.initial(Options(), 4, PACK)
    for seat in range(4):
        told = GAME.setup(table, Scripted(tuple(range(22)), seat, DECK))
        assert events.BroomTaken(seat) in told
        assert events.RoundStarted(round=1, start=seat) in told
        assert told[-1] == events.BroomReady(seat)


@pytest.mark.parametrize(("seats", "turned", "hand"), [(3, 1, 3), (4, 2, 2), (5, 0, 2)])
def test_tm_5_cards_are_turned_up_and_dealt_one_at_a_time_clockwise_from_the_start_player(
    seats: int, turned: int, hand: int
) -> None:
    deck = Simulation(7).shuffle(DECK)
    table = GAME.initial(Options(), seats, PACK)
    told = GAME.setup(table, Scripted(tuple(range(22)), 2, deck))
    table = fold(GAME, table, told)
    assert table.cards.open == deck[:turned]
    for step in range(seats):
        place = table.places[(2 + step) % seats]
        assert place.hand == deck[turned + step : 10 : seats]
        assert len(place.hand) == hand
    assert table.cards.deck == deck[10:]
    assert any(isinstance(event, events.CardsTurned) for event in told) == bool(turned)


def test_tm_6_a_hand_is_told_to_its_holder_only() -> None:
    table = GAME.initial(Options(), 3, PACK)
    told = GAME.setup(table, Simulation(3))
    for viewer in (0, 1, 2, None):
        seen = fold(GAME, table, tuple(redact(event, viewer) for event in told))
        for seat, place in enumerate(seen.places):
            truth = fold(GAME, table, told).places[seat].hand
            assert place.hand == (truth if seat == viewer else (None,) * 3)
        assert seen.cards.deck == (None,) * 14


def next_round(deck: str, discards: str) -> tuple[Table, Scripted]:
    """The last pass of a round in which nothing was planned but one brew, with this deck left."""
    table = opened(3)
    lying = tuple((Counter(DECK) - Counter(magics(deck + discards))).elements())
    places = tuple(
        replace(place, hand=(), has_passed=seat != 0, pawn=int(seat == 0)) for seat, place in enumerate(table.places)
    )
    cards = Cards(deck=magics(deck), discards=magics(discards), open=lying)
    stage = replace(table.stage, step=Step.ACT, seat=0, actor=0, action=1)
    order = tuple(reversed((*magics(discards), *sorted(lying, key=DECK.index))))
    return replace(table, places=places, cards=cards, stage=stage), Scripted(order)


def test_tm_7_what_is_left_of_the_deck_is_drawn_first_then_the_discards_are_the_new_deck() -> None:
    for deck, dealt in each(("", ()), ("F", ()), ("FW", (1,)), ("FWTF", (3,)), ("FWTFWTFWT", (8,))):
        table, chance = next_round(deck, "TCTTCC")
        play = Play(table, chance).move(0, Pass())
        (shuffled,) = play.of(events.Shuffled)
        assert chance.is_spent
        # all cards that were not in the deck had come to the discard pile by then
        assert sorted(card for card in shuffled.cards if card) == sorted(
            (Counter(DECK) - Counter(magics(deck))).elements()
        )
        run = (*magics(deck), *(card for card in shuffled.cards if card))
        assert play.table.cards.open == run[:1]
        for step in range(3):
            assert play.place((play.table.start + step) % 3).hand == run[1 + step : 10 : 3]
        deals = play.of(events.CardsDealt)
        assert tuple(event.count for event in deals) == (*dealt, 9 - sum(dealt))
        assert play.table.cards.deck == run[10:]
        assert play.table.cards.discards == ()


def test_tm_7_a_deck_that_runs_out_exactly_is_not_shuffled_before_it_is_needed() -> None:
    play = Play(*next_round("FWTFWTFWTF", "TCTTCC")).move(0, Pass())
    assert (play.of(events.Shuffled), play.table.cards.deck) == ((), ())
    start = play.table.start
    play.chance = Scripted(tuple(reversed(play.table.cards.discards)))
    play.move(start, Draw())
    assert play.one(events.CardDrawn).card == play.one(events.Shuffled).cards[0]
    assert len(play.place(start).hand) == 4


def test_tm_8_the_broom_may_be_left_alone_and_serves_once() -> None:
    table = opened()
    start = table.start
    left = Play(table).move(start, Pass())
    assert left.told == (events.TurnCame(start),)
    assert refused(left.table, start, Draw()) == ("TM-10", "wrong-step")
    used = Play(table).move(start, Draw())
    used.move(start, used.legal(start)[0])
    assert refused(used.table, start, Draw()) == ("TM-10", "wrong-step")


def test_tm_8_only_the_brooms_holder_draws_and_only_what_is_held_is_discarded() -> None:
    play = holding("TTT", "TT")
    start = play.table.start
    assert refused(play.table, (start + 1) % 3, Draw()) == ("TM-8", "not-your-turn")
    assert refused(play.table, start, reveal("T", 2)) == ("TM-8", "wrong-step")
    assert play.move(start, Draw()).legal(start) == (Discard(TOME),)
    assert refused(play.table, start, Discard(CRYSTAL)) == ("TM-8", "no-such-card")


def test_tm_9_a_view_shows_the_top_of_the_discard_pile_and_its_count() -> None:
    table = opened()
    view = GAME.view(table, 0)
    assert (view.discards, view.top) == (0, ())
    view = GAME.view(replace(table, cards=replace(table.cards, discards=magics("TFW"))), 0)
    assert (view.discards, view.top) == (3, (WAND,))


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
