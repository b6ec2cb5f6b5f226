"""What is told, what the clock plays, and what bots think."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from bots import BOTS
from bots.simulate import play_out
from domain.chance import Scripted, Simulation
from domain.game import Measure, move_id
from domain.games.ttmp import GAME, events, moves
from domain.games.ttmp.abilities import Copy, RollAgain, Shift, Turn
from domain.games.ttmp.bot.imagine import could_be
from domain.games.ttmp.bot.prospects import after_action, best_action, finish
from domain.games.ttmp.components import Action, Mode, Options
from domain.games.ttmp.state import Place, Stage, Step, Table
from domain.secrecy import redact, unknown
from tests.games.ttmp.table import PACK, Play, card, given, names
from tests.rows import each

PLUS, COPY = card("+1"), card("Copy")

LIES: tuple[events.TtmpEvent, ...] = (
    events.StonesShuffled((1, 2, 3)),
    events.StonesShuffled((2, 2)),
    events.CardsShuffled(1, (PLUS,)),
    events.CardsShuffled(2, (PLUS,) * 9),
    events.CardDrawn(0, 2, PLUS),
    events.CardDiscarded(0, 1, COPY),
    events.CardUsed(1, 1, PLUS, (1,), (2,), False, (2, 3, 6)),
    events.StoneDrawn(0, 3),
    events.StoneTaken(0, 1, (0, 1), 3),
    events.StoneSummoned(0, 1, (1,), (0, 1), 2, (1, 2)),
    events.StoneSummoned(1, 3, (), (1,), 2, (1, 2)),
    events.StoneSummoned(0, 1, (), (0,), 2, (2, 2, 1)),
    events.FamiliarSummoned(0, 1, 1, 2, (3,)),
    events.RestTaken(0, (3, 2)),
    events.RestTaken(0, (2,)),
    events.StonesShown(((1,), (3,), ())),
)


def test_what_is_told_otherwise_than_it_lies_is_an_error() -> None:
    for lie in each(*LIES):
        play = given("+1", "Copy", stones=((1,), (2,)), deck=(2, 3, 2))
        with pytest.raises(ValueError, match=r"told|leaves"):
            play.fold(lie)


def test_of_stones_that_are_not_known_what_is_told_fills_in_and_a_known_one_leaves_first() -> None:
    summoned = events.StoneSummoned(0, 1, (1,), (0, 1), None, (None,))
    for mine, others, deck, event, after in each(
        ((1,), (2,), (None, 3, 2), events.StoneDrawn(0, 2), ((1, 2), (2,))),
        ((1,), (None,), (2, 2, 3), events.StonesShown(((1,), (2,), ())), ((1,), (2,))),
        ((None, 1), (2,), (2, 3), summoned, ((None, None), (None,))),
        ((None, None), (2,), (2, 3), summoned, ((None, None), (None,))),
    ):
        play = given(stones=(mine, others), deck=deck).fold(event)
        assert (play.place(0).stones, play.place(1).stones) == after


@pytest.mark.parametrize(("seats", "share"), [(2, 2.7), (4, 1.6)])
def test_greedy_beats_random(seats: int, share: float) -> None:
    """Alone against random players it gets nearly as many stones as one can get."""
    stones = 0
    for i in range(20):
        bots = [BOTS["greedy" if seat == i % seats else "random"] for seat in range(seats)]
        told = play_out(GAME, PACK, Options(), seats, bots, Simulation(i)).told
        stones += sum(isinstance(event, events.StoneDrawn) and event.seat == i % seats for event in told)
    assert stones > share * 20


def test_for_an_absent_seat_the_clock_does_as_little_as_it_can() -> None:
    for step, move in each(
        (Step.ACTION, "keepdice"),
        (Step.AFTER, "leavedice"),
        (Step.STOCK, "stocknothing"),
        (Step.DISCARD, "discard-+1"),
        (Step.LIMIT, "discard-+1"),
    ):
        table = given("+1", step=step, action=Action.C).table
        assert move_id(GAME.default(table, 0)) == move
        assert GAME.default(table, 0) in GAME.legal(table, 0)


def test_an_event_alone_says_who_is_to_act_after_it() -> None:
    for event, owing in each(
        (events.RoundEnded(1, (), ()), ()),
        (events.RoundBegan(2, 1), ()),
        (events.StonesShown(((1,), (2,), ())), ()),
        (events.TurnBegan(1, 6), (1,)),
        (events.LimitExceeded(2, 3), (2,)),
        (events.SummonerFound(1, 2), (1,)),
    ):
        assert GAME.to_act(given(stones=((1,), (2,))).fold(event).table) == owing


ONE_MORE, ANY = Shift((1,)), Turn((1, 2, 3, 4, 5, 6))


def test_how_likely_cards_and_dice_bring_a_stone() -> None:
    assert finish((3, 3, 3), ()) == 1.0
    assert finish((2, 3, 3), (ONE_MORE,)) == 1.0
    assert finish((1, 3, 3), (ONE_MORE,)) == 0.0
    assert finish((1, 3, 3), (ONE_MORE, ONE_MORE)) == 1.0
    assert finish((1, 3, 5), (Copy(), ANY)) == 1.0
    assert finish((1, 3, 3), (RollAgain(),)) == pytest.approx(1 / 6)
    assert best_action((1, 3, 3), ()) == pytest.approx(1 / 6)
    assert best_action((1, 3, 6), ()) == pytest.approx(1 / 36)
    assert best_action((4, 4, 4), ()) == 1.0
    assert after_action((3, 3), (), False) > after_action((1, 6), (), False)


def test_of_cards_that_are_not_known_nothing_is_legal() -> None:
    play = given("", "+1, Copy", seat=1)
    assert {type(move) for move in GAME.legal(seen_of(play, 0), 1)} == {moves.Roll, moves.KeepDice}
    assert {type(move) for move in GAME.legal(seen_of(play, 1), 1)} == {moves.Roll, moves.KeepDice, moves.Use}
    for step in (Step.STOCK, Step.DISCARD):
        asked = given("", "+1, Copy", seat=1, step=step)
        assert set(GAME.legal(seen_of(asked, 0), 1)) <= {moves.StockNothing()}


def seen_of(play: Play, seat: int | None) -> Table:
    """The table as the seat sees it, if all it was told is that decks were shuffled."""

    def hidden(place: Place) -> Place:
        hand, stock = (tuple(map(unknown, cards)) for cards in (place.hand, place.stock))
        return replace(place, stones=unknown(place.stones), hand=hand, stock=stock)

    table = play.table
    decks = tuple(replace(deck, cards=unknown(deck.cards)) for deck in table.decks)
    places = tuple(place if other == seat else hidden(place) for other, place in enumerate(table.places))
    return replace(table, stones=unknown(table.stones), decks=decks, places=places)


def test_an_imagined_table_keeps_the_backs() -> None:
    play = given("+1, Copy", "Flip, -1", stones=((2,), (3, 1)), stocks=("", "Any face"))
    found = set()
    for i in range(60):
        table = GAME.imagine(seen_of(play, 0), 0, Simulation(i))
        first, second = table.places[1].hand
        found.add((*names(first), *names(second)))
        assert set(first) <= set(table.terms.printed.decks[0])
        assert set(second) <= set(table.terms.printed.decks[1])
    assert len(found) == 12, "any card of a level may be there"


def test_tt_23_in_knockout_nobody_is_imagined_to_have_won_and_the_summoning_stone_lies_in_its_deck() -> None:
    play = given(seats=4, modes=(Mode.KNOCKOUT,), stones=((2,), (3,), (2,)), deck=(1, 2))
    stones = set()
    for i in range(60):
        table = GAME.imagine(seen_of(play, 0), 0, Simulation(i))
        assert could_be(table)
        stones.add(tuple(place.stones for place in table.places))
    assert stones == {((2,), (a,), (b,), ()) for a, b in ((2, 2), (2, 3), (3, 2))}
    seen = seen_of(play, 0)
    called = replace(seen, places=tuple(replace(place, plain=(False,) * len(place.stones)) for place in seen.places))
    tables = [GAME.imagine(called, 0, Simulation(i)) for i in range(60)]
    assert any(1 in place.stones for table in tables for place in table.places)


def test_tt_23_a_stone_that_was_drawn_after_a_summoning_and_made_no_other_is_not_the_summoning_stone() -> None:
    play = given(
        seats=3, modes=(Mode.KNOCKOUT,), deck=(1, 2, 2, 2, 3), dice=(1, 1, 1), step=Step.AFTER, action=Action.C
    )
    decks = (deck.cards for deck in play.table.decks)
    play.move(0, moves.DrawStone()).move(0, moves.MixWithDeck(), chance=Scripted((2, 2, 1, 2, 3), *decks, 0, 0, 0))
    play.table = replace(play.table, dice=(1, 1, 1), stage=Stage(step=Step.AFTER, seat=1, turn=2, action=Action.C))
    play.move(1, moves.DrawStone())
    found = {GAME.imagine(seen_of(play, 2), 2, Simulation(i)).places[1].stones for i in range(60)}
    assert found == {(2,), (3,)}
    found = {GAME.imagine(seen_of(play, 2), 2, Simulation(i)).places[0].stones for i in range(60)}
    assert (1,) in found, "what was drawn in a summoning may be that stone again"


def test_tt_23_a_summoner_may_hold_enough_before_the_stone_is_mixed() -> None:
    play = given(
        seats=3, modes=(Mode.KNOCKOUT,), stones=((2, 2), (2,)), deck=(1, 3), dice=(1, 1, 1), step=Step.AFTER,
        action=Action.C,
    )  # fmt: skip
    play.move(0, moves.DrawStone())
    assert could_be(play.table)
    assert play.legal(0, moves.MixWith) == (moves.MixWith(1),)
    assert not could_be(replace(play.table, stage=replace(play.table.stage, step=Step.ACTION)))
    over = replace(play.table, stage=replace(play.table.stage, step=Step.OVER))
    assert could_be(over)


def test_a_match_tells_how_long_it_was_and_what_was_used() -> None:
    told = (
        events.RoundBegan(1, 2),
        events.CardUsed(0, 1, card("+1"), (1,), (2,), False, (2, 2, 2)),
        events.StoneDrawn(0, None),
        events.RoundBegan(2, 0),
        events.StoneTaken(1, 0, (0, 1), None),
        redact(events.StoneDrawn(1, 2), 0),
        events.FinalRolled(1, 4, 3, (1, 2, 3), 72, 80),
    )
    shuffled, stocked = events.CardsShuffled(1, (card("-1"), card("+1"))), events.CardStocked(2, 1, None)
    assert GAME.measure((shuffled, *told, stocked)) == Measure(
        rounds=2, uses=(("+1", (0,)), ("-1", ()), ("stock", (2,)), ("stone", (0, 1))), first=2
    )
