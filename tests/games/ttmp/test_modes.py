"""The modes. Rule: TT-19 to TT-23."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

from bots import BOTS
from bots.simulate import play_out
from domain.chance import Scripted, Simulation
from domain.games.ttmp import GAME, events, moves
from domain.games.ttmp.components import Action, Mode, Options
from domain.games.ttmp.state import Step
from events import chain
from tests import museum
from tests.games.ttmp.table import ODD_PACK, PACK, Play, after, card, given
from tests.games.ttmp.test_rounds import dice, held
from tests.rows import each

HARD, KIND, RANKING, KNOCKOUT = Mode.HARD, Mode.KIND, Mode.RANKING, Mode.KNOCKOUT


def drawing(**more: Any) -> Play:
    """Given knockout and a triple, on which seat 0 may draw a stone."""
    return after(**{"modes": (KNOCKOUT,), "dice": (2, 2, 2), **more})


@pytest.mark.parametrize("modes", [(), (HARD,), (KIND,), (RANKING,), (KNOCKOUT,), (KIND, HARD), (RANKING, KIND)])
@pytest.mark.parametrize("bot", ["random", "greedy"])
def test_tt_19_every_mode_is_played_to_its_end(bot: str, modes: tuple[Mode, ...]) -> None:
    options = Options(modes=modes)
    for seats, pack in product(GAME.seats, (PACK, ODD_PACK)):
        chance = Simulation(f"{bot} {seats} {options}")
        played = play_out(GAME, pack, options, seats, [BOTS[bot]] * seats, chance)
        ended = played.told[-1]
        assert isinstance(ended, events.MatchEnded)
        assert (ended.points, ended.ranking) == (played.points, played.ranking)
        assert played.longest_legal <= 100
        assert any(isinstance(event, events.FinalRolled) for event in played.told) == (KNOCKOUT not in modes)


@pytest.mark.parametrize("modes", [(), (HARD,), (KIND,), (RANKING,), (KNOCKOUT,)])
def test_tt_21_and_23_what_is_said_never_to_be_allowed_is_what_never_occurs(modes: tuple[Mode, ...]) -> None:
    options, made = Options(modes=modes), set[type[Any]]()
    # a summoner is rare
    for seed, seats in product(range(40 if KNOCKOUT in modes else 8), GAME.seats):
        bots = [BOTS["eager"], BOTS["random"], BOTS["eager"], BOTS["random"]][:seats]
        chance = Simulation(f"{seed} {seats}")
        play_out(GAME, PACK, options, seats, bots, chance, watch=lambda *step: made.add(type(step[2])))
    dependent = {moves.Stock, moves.StockNothing, moves.TakeStone, moves.MixWith, moves.MixWithDeck}
    assert dependent - made == {*GAME.never(options)}


def test_tt_19_every_mode_has_a_log_in_the_museum() -> None:
    logs = (museum.GAMES / "ttmp" / "museum").glob("*.jsonl")
    first = [next(iter(museum.streams_of(path).values()))[0] for path in logs]
    assert {tuple(chain.decode_canonical(event.public)["options"]["modes"]) for event in first} == {
        (),
        *((mode,) for mode in Mode),
    }


def test_tt_20_in_hard_100_passes() -> None:
    for total, others in each((9, 2), (10, 2), (11, 2), (7, 3), (8, 3), (9, 3)):
        play = held((3,), *((),) * others, deck=(1, 2, 2, 2), modes=(HARD,), script=dice(total))
        value = 3 * (others + 1) * total if others == 2 else 12 * total
        assert play.one(events.FinalRolled).needed == 100
        assert play.one(events.MatchEnded).winners == ((0,) if value >= 100 else ())


def test_tt_21_in_kind_nothing_is_stocked() -> None:
    play = given("+1", modes=(KIND,), step=Step.AFTER, action=Action.C).move(0, moves.LeaveDice())
    assert GAME.to_act(play.table) == (1,)
    assert play.refusal(0, moves.Stock(1, card("+1"))) == ("TT-7", "not-your-turn")


def test_tt_21_in_kind_everybody_but_the_taker_keeps_their_cards() -> None:
    play = given("+1", "Flip", "Copy, -1", modes=(KIND, RANKING), dice=(1, 1, 1), step=Step.AFTER, action=Action.C)
    play.move(0, moves.DrawStone())
    assert play.one(events.RoundEnded).returned == (0,)
    assert [play.hand(seat) for seat in range(3)] == [[], ["Flip"], ["-1", "Copy"]]


def test_tt_22_in_ranking_the_final_values_rank_and_equal_ones_share() -> None:
    script = (*dice(6), *dice(8), *dice(12))
    play = held((2,), (2, 2), (3,), (), deck=(1,), modes=(RANKING,), script=script)
    assert play.one(events.MatchEnded) == events.MatchEnded((96, 96, 96, 0), (1, 1, 1, 4), (0, 1, 2))
    assert {told.needed for told in play.of(events.FinalRolled)} == {0}
    play = held((2,), (2, 2), (3,), deck=(1,), modes=(RANKING,), script=(*dice(3), *dice(5), *dice(7)))
    assert play.one(events.MatchEnded) == events.MatchEnded((42, 36, 45), (2, 3, 1), (2,))
    play = held((), (), deck=(1, 2, 2, 2, 3), modes=(RANKING,))
    assert play.one(events.MatchEnded) == events.MatchEnded((0, 0), (1, 1), ()), "without a stone nobody wins"


def test_tt_23_knockout_is_won_by_the_first_with_enough_points() -> None:
    for seats, stones, deck in each((2, (2, 2), (2, 1, 3)), (3, (3,), (2, 1, 2, 2)), (4, (2,), (2, 1, 2, 3))):
        play = drawing(seats=seats, stones=(stones,), deck=deck).move(0, moves.DrawStone())
        assert play.one(events.StonesShown).stones[0] == (*stones, 2)
        ended = play.one(events.MatchEnded)
        assert (ended.winners, ended.ranking) == ((0,), (1, *(2,) * (seats - 1)))
        assert not play.of(events.RoundEnded) + play.of(events.FinalRolled)


def test_tt_23_knockout_has_no_hand_limit() -> None:
    play = given("+1, +1, -1", stones=((2, 2),), seats=4, modes=(KNOCKOUT,), dice=(2, 2, 5), step=Step.AFTER,
                 action=Action.C, stocks=("Flip, Copy",))  # fmt: skip
    play.move(0, moves.DrawCard(1))
    assert len(play.hand(0)) == 4
    play = drawing(seats=2, stones=((2,), (2,)), deck=(2, 1, 3), stocks=("Flip, Copy",))
    play.move(0, moves.DrawStone())
    assert not play.of(events.LimitExceeded)
    assert not play.of(events.ExamLeft)
    assert play.one(events.RoundBegan).start == 0
    assert play.hand(0) == ["Flip", "Copy"]


def test_tt_23_from_an_empty_deck_a_stone_is_taken_by_chance_from_whom_the_drawer_chooses() -> None:
    play = drawing(seats=3, stones=((2,), (2, 2), (1, 3)), deck=())
    assert play.legal(0, moves.DrawStone, moves.TakeStone) == (moves.TakeStone(1), moves.TakeStone(2))
    assert play.refusal(0, moves.DrawStone()) == ("TT-23", "no-stones")
    for wrong in (0, 3, -1):
        assert play.refusal(0, moves.TakeStone(wrong)) == ("TT-23", "not-from-there")
    play.move(0, moves.TakeStone(2), chance=Scripted((3, 1)))
    assert play.one(events.StonesMixed) == events.StonesMixed(2, (3, 1))
    assert play.one(events.StoneTaken) == events.StoneTaken(0, 2, (0, 2), 3)
    assert play.one(events.MatchEnded).winners == (0,)


def test_tt_23_taking_needs_a_triple_an_empty_deck_and_knockout_and_ends_the_round() -> None:
    taken = drawing(seats=3, stones=((2,), (2, 2), (1, 3)), deck=()).move(0, moves.TakeStone(1))
    assert taken.one(events.RoundEnded).taker == (0,)
    dice = drawing(dice=(2, 2, 3), deck=(), stones=((2, 2), (1, 3), (2,)))
    assert dice.refusal(0, moves.TakeStone(1)) == ("TT-9", "no-triple")
    for modes in ((KNOCKOUT,), ()):
        play = drawing(modes=modes, stones=((2, 2), (1,)))
        assert play.refusal(0, moves.TakeStone(1)) == ("TT-23", "not-from-there")
    alone = drawing(pack=ODD_PACK, seats=2, stones=((1, 1, 1, 1, 2),), deck=())
    assert alone.legal(0, moves.TakeStone, moves.DrawStone) == ()


def test_tt_23_who_draws_the_summoning_stone_from_the_deck_is_summoner() -> None:
    play = drawing(seats=3, stones=((), (2,)), deck=(1, 2, 2, 3)).move(0, moves.DrawStone())
    assert play.told == (events.StoneDrawn(0, 1), events.SummonerFound(0, 1))
    assert play.legal(0, object) == (moves.MixWith(1), moves.MixWithDeck())
    for wrong in (moves.MixWith(0), moves.MixWith(2), moves.MixWith(7), moves.MixWith(-1)):
        assert play.refusal(0, wrong) == ("TT-23", "nothing-there")
    assert play.refusal(0, moves.LeaveDice()) == ("TT-23", "wrong-step")


def test_tt_23_mixing_with_a_player_or_the_deck_draws_one_of_their_stones_or_the_same_again() -> None:
    for move, order, own, others, deck in each(
        (moves.MixWith(1), (2, 1), (2,), (1,), (2, 2, 3)),
        (moves.MixWith(1), (1, 2), (1,), (2,), (2, 2, 3)),
        (moves.MixWithDeck(), (1, 3, 2, 2), (1,), (2,), (3, 2, 2)),
    ):
        play = drawing(seats=3, stones=((), (2,)), deck=(1, 2, 2, 3)).move(0, moves.DrawStone())
        decks = (deck.cards for deck in play.table.decks)
        play.move(0, move, chance=Scripted(order, *decks, 0, 0, 0))
        assert (play.place(0).stones, play.place(1).stones, play.table.stones) == (own, others, deck)
        assert play.of(events.SummonerFound) == (), "what is drawn starts no other"
        assert play.one(events.RoundEnded).taker == (0,)


def test_tt_23_the_goal_is_looked_at_after_the_summoning() -> None:
    play = drawing(seats=3, stones=((2, 2), (2,)), deck=(1, 3)).move(0, moves.DrawStone())
    assert not GAME.standing(play.table).over, "2, 2 and the summoning stone are enough, but it is mixed first"
    play.move(0, moves.MixWith(1), chance=Scripted((2, 1)))
    assert play.one(events.MatchEnded).points == (6, 1, 0)


def test_tt_23_a_summoning_that_lifts_another_to_the_goal_lets_that_one_win_as_the_label_allows() -> None:
    play = drawing(pack=ODD_PACK, seats=4, stones=((), (1, 1, 1)), deck=(2, 1))
    for lang, unless in (("en", "the round ends, unless somebody wins"), ("ja", "これで誰も勝たなければラウンド")):
        assert unless in GAME.label(play.table, 0, moves.DrawStone(), lang)
    play.move(0, moves.DrawStone()).move(0, moves.MixWith(1), chance=Scripted((1, 1, 1, 2)))
    assert play.one(events.MatchEnded) == events.MatchEnded((1, 4, 0, 0), (2, 1, 3, 3), (1,))


def test_tt_23_with_one_thing_to_mix_with_the_engine_moves_and_with_nothing_nothing_is_summoned() -> None:
    play = drawing(seats=2, deck=(1, 2, 2, 2, 3)).move(0, moves.DrawStone())
    assert GAME.forced(play.table) == (0, moves.MixWithDeck())
    assert play.refusal(0, moves.MixWith(1)) == ("TT-23", "nothing-there")
    two = drawing(seats=2, stones=((), (2,)), deck=(1, 2, 2, 3)).move(0, moves.DrawStone())
    assert GAME.forced(two.table) is None
    assert GAME.forced(two.with_table(stones=()).table) == (0, moves.MixWith(1))
    assert two.refusal(0, moves.MixWithDeck()) == ("TT-23", "nothing-there")
    play = drawing(seats=2, deck=(1, 2, 2, 2, 3)).with_table(stones=(1,)).move(0, moves.DrawStone())
    assert (play.of(events.SummonerFound), play.one(events.RoundEnded).taker) == ((), (0,))


def test_tt_23_if_the_exam_runs_out_most_points_win_and_equal_ones_share() -> None:
    for stones, ranking, winners in each(
        (((3,), (2,), (2, 1)), (1, 3, 1), (0, 2)), (((2,), (3,), (2,)), (2, 1, 2), (1,))
    ):
        play = drawing(stones=stones, round=12, turn=120).move(0, moves.LeaveDice())
        assert play.one(events.RoundEnded).taker == ()
        assert play.one(events.MatchEnded) == events.MatchEnded(tuple(map(sum, stones)), ranking, winners)
