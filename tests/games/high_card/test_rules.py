"""The rules and labels of the toy."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from domain.chance import Scripted, Simulation
from domain.game import PackError, Refusal, Standing, fold
from domain.secrecy import redact
from tests.domain.table import GAME, NO_PAIRS, PAIRS, ROOM, deck_of, start_match
from tests.games.play import Told
from tests.rows import each
from tests.toy.high_card.components import Options, Phase
from tests.toy.high_card.events import CardsTurned, GameEnded, PotShared, Raised, RaisesOpened
from tests.toy.high_card.moves import Pass, Raise, Roll, SetAside
from tests.toy.high_card.state import Table

PACK = ROOM.packs["house"].pack


class Play(Told):
    """A match under way, in which nothing is drawn but what a move is told."""

    game = GAME
    table: Table


def dealt(*hands: tuple[int, ...], rounds: int = 1) -> Play:
    """Given these hands."""
    empty: Table = GAME.initial(Options(rounds=rounds), len(hands), PACK)
    return Play(empty, Scripted()).fold(*GAME.setup(empty, Scripted(deck_of(hands))))


def set_aside(play: Play, *cards: int) -> Play:
    """When everybody sets that card aside, in seat order."""
    for seat, card in enumerate(cards):
        play.move(seat, SetAside(card=card))
    return play


def test_toy_1_the_deck_holds_every_rank_as_often_as_the_pack_says() -> None:
    assert sorted(PACK.deck) == [1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6]
    with pytest.raises(PackError, match=r"x\.toml: ranks: Expected `int` >= 1"):
        GAME.parse_pack(ROOM.packs["house"].data.replace(b"ranks = 6", b"ranks = 0"), "x.toml")


def test_toy_2_what_can_not_be_played_is_refused() -> None:
    for rounds, seats, code in each((0, 2, "rounds"), (4, 2, "rounds"), (1, 5, "deck")):
        with pytest.raises(Refusal) as refusal:
            GAME.check_options(Options(rounds=rounds), seats, PACK)
        assert (refusal.value.clause, refusal.value.code) == ("TOY-2", code)


def test_toy_2_a_stake_that_might_not_last_is_refused() -> None:
    poor = GAME.parse_pack(ROOM.packs["house"].data.replace(b"stake = 8", b"stake = 3"), "poor.toml")
    GAME.check_options(Options(rounds=1), 2, poor)
    with pytest.raises(Refusal) as refused:
        GAME.check_options(Options(rounds=2), 2, poor)
    assert GAME.explain(refused.value, "en") == "A stake of 3 might not last for 2 rounds."
    assert GAME.explain(refused.value, "ja") == "持ち点3では2ラウンドもたないかもしれません。"


def test_toy_3_everybody_puts_the_ante_in_and_is_dealt_three_cards_in_secret() -> None:
    play = dealt(*NO_PAIRS)
    assert (play.table.pot, [place.chips for place in play.table.places]) == (2, [7, 7])
    assert tuple(place.hand for place in play.table.places) == NO_PAIRS
    events = GAME.setup(GAME.initial(Options(), 2, PACK), Simulation(1))
    seen = fold(GAME, GAME.initial(Options(), 2, PACK), tuple(redact(event, 0) for event in events))
    assert None not in seen.places[0].hand
    assert seen.places[1].hand == (None,) * 3
    assert {*seen.stock} == {None}


def test_toy_4_a_card_is_set_aside_by_everybody_in_any_order() -> None:
    play = dealt(*NO_PAIRS)
    assert GAME.to_act(play.table) == (0, 1)
    play.move(1, SetAside(card=3))
    assert GAME.to_act(play.table) == (0,)
    assert (play.place(1).hand, play.place(1).aside) == ((4, 2), (3,))
    assert play.refusal(1, SetAside(card=4)) == ("TOY-4", "not-to-act")
    assert play.refusal(0, SetAside(card=4)) == ("TOY-4", "not-in-hand")


def test_toy_4_equal_cards_are_one_choice_which_is_not_forced() -> None:
    assert dealt((6, 6, 1), (5, 5, 2)).legal(0) == (SetAside(card=1), SetAside(card=6))
    flat = ROOM.packs["flat"].pack
    start = GAME.initial(Options(), 2, flat)
    table = fold(GAME, start, GAME.setup(start, Simulation(1)))
    assert GAME.legal(table, 0) == (SetAside(card=1),)
    assert GAME.forced(table) is None


def test_toy_6_who_raises_shows_the_pair_and_pays_for_the_bonus() -> None:
    play = set_aside(dealt(*PAIRS), 1, 2)
    play.fold(*GAME.close(play.table, (Pass(), Raise()), Scripted()))
    assert play.told[0] == Raised(seat=1, rank=5, chips=1)
    assert (play.table.pot, play.place(1).chips) == (3, 6)
    assert GAME.view(play.table, 0).places[1].hand == (5, 5)
    assert GAME.view(play.table, 1).places[0].hand == (None, None)
    play.move(0, Roll(), chance=Scripted(0)).move(1, Roll(), chance=Scripted(0))
    assert [place.chips for place in play.table.places] == [7, 6 + 3]


def test_toy_5_who_is_left_with_a_pair_is_asked_in_secret() -> None:
    play = set_aside(dealt((6, 6, 1), (5, 4, 2)), 1, 2)
    assert play.told[1] == RaisesOpened(asked=(True, False))
    assert redact(play.told[1], 1) == RaisesOpened(asked=(None, False))
    assert GAME.secret(play.table)
    assert play.legal(0) == (Raise(), Pass())
    assert GAME.decide(play.table, 0, Raise(), Scripted()) == ()
    assert play.refusal(1, Pass()) == ("TOY-4", "not-to-act")


def test_toy_5_nobody_is_asked_when_nobody_has_a_pair() -> None:
    play = set_aside(dealt(*NO_PAIRS), 6, 4)
    assert play.table.phase is Phase.ROLLING
    assert not GAME.secret(play.table)
    assert play.refusal(0, Raise()) == ("TOY-5", "no-raises")


def test_toy_7_the_dice_roll_by_themselves_in_seat_order() -> None:
    play = set_aside(dealt(*NO_PAIRS), 6, 4)
    assert GAME.forced(play.table) == (0, Roll())
    assert play.move(0, Roll(), chance=Scripted(4)).place(0).pips == 5
    assert GAME.forced(play.table) == (1, Roll())
    assert dealt(*NO_PAIRS).refusal(0, Roll()) == ("TOY-7", "no-dice")


def test_toy_8_toy_9_the_highest_sum_takes_the_pot_and_who_ties_shares_the_place() -> None:
    for roll, winners, points, ranking in each((5, (1,), (7, 9), (2, 1)), (2, (0, 1), (8, 8), (1, 1))):
        play = set_aside(dealt(*NO_PAIRS), 6, 4).move(0, Roll(), chance=Scripted(0))
        play.move(1, Roll(), chance=Scripted(roll))
        assert play.told[1:3] == (CardsTurned(cards=(6, 4)), PotShared(winners=winners, chips=2 // len(winners)))
        assert play.told[-1] == GameEnded(points=points, ranking=ranking)
        assert GAME.standing(play.table) == Standing(points, ranking, over=True)


def test_toy_8_what_a_tie_can_not_share_stays_in_the_pot() -> None:
    play = set_aside(dealt((6, 5, 1), (6, 4, 2), (5, 4, 3), rounds=2), 6, 6, 5)
    play.move(0, Roll(), chance=Scripted(2)).move(1, Roll(), chance=Scripted(2))
    play.move(2, Roll(), chance=Scripted(0, PACK.deck))
    assert play.told[2] == PotShared(winners=(0, 1), chips=1)
    assert play.table.pot == 1 + 3


def test_toy_9_the_second_round_is_dealt_before_the_game_ends() -> None:
    play = set_aside(dealt(*NO_PAIRS, rounds=2), 6, 4).move(0, Roll(), chance=Scripted(0))
    play.move(1, Roll(), chance=Scripted(2, PACK.deck))
    assert (play.table.round, play.table.phase) == (2, Phase.SETTING)
    assert not GAME.standing(play.table).over


def test_a_move_is_called_by_what_it_does_and_brings() -> None:
    pairs = start_match(PAIRS).table
    raising = replace(pairs, places=(replace(pairs.places[0], hand=(6, 6), aside=(1,), chips=9), *pairs.places[1:]))
    shows = "Show the pair of 6 and pay 1 of your 9 chips, for 2 more on your sum"
    for table, move, english, japanese in each(
        (pairs, SetAside(card=6), "Set 6 aside", "6を伏せる"),
        (pairs, SetAside(card=1), "Set 1 aside, which leaves a pair of 6", "1を伏せて、6のペアを残す"),
        (raising, Raise(), shows, "6のペアを見せ、持ち点9から1を払い、合計に2を加える"),
        (raising, Pass(), "Pass, and keep the pair of 6 to yourself", "6のペアを見せずにパスする"),
        (start_match(NO_PAIRS).table, Roll(), "Roll the die", "サイコロを振る"),
    ):
        assert [GAME.label(table, 0, move, lang) for lang in ("en", "ja")] == [english, japanese]
