"""The rules and labels of the toy."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from domain.chance import Scripted, Simulation
from domain.game import PackError, Refusal, fold
from domain.secrecy import redact
from tests.domain.table import GAME, NO_PAIRS, PAIRS, ROOM, deck_of, start_match
from tests.rows import each
from tests.toy.high_card.components import Options, Phase
from tests.toy.high_card.events import CardsTurned, GameEnded, PotShared, Raised, RaisesOpened
from tests.toy.high_card.moves import Pass, Raise, Roll, SetAside
from tests.toy.high_card.state import Table

PACK = ROOM.packs["house"].pack


def dealt(*hands: tuple[int, ...], rounds: int = 1) -> Table:
    """A table with these hands."""
    empty: Table = GAME.initial(Options(rounds=rounds), len(hands), PACK)
    table: Table = fold(GAME, empty, GAME.setup(empty, Scripted(deck_of(hands))))
    return table


def after(table: Table, seat: int, move: Any, *draws: Any) -> Table:
    """The table after the move."""
    moved: Table = fold(GAME, table, GAME.decide(table, seat, move, Scripted(*draws)))
    return moved


def set_aside(table: Table, *cards: int) -> Table:
    """The table after everybody has set that card aside, in seat order."""
    for seat, card in enumerate(cards):
        table = after(table, seat, SetAside(card=card))
    return table


def refused(table: Table, seat: int, move: Any) -> tuple[str, str]:
    """The clause and the code of the refusal."""
    with pytest.raises(Refusal) as refusal:
        GAME.decide(table, seat, move, Scripted())
    return refusal.value.clause, refusal.value.code


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
    table = dealt(*NO_PAIRS)
    assert (table.pot, [place.chips for place in table.places]) == (2, [7, 7])
    assert tuple(place.hand for place in table.places) == NO_PAIRS
    events = GAME.setup(GAME.initial(Options(), 2, PACK), Simulation(1))
    seen = fold(GAME, GAME.initial(Options(), 2, PACK), tuple(redact(event, 0) for event in events))
    assert None not in seen.places[0].hand
    assert seen.places[1].hand == (None,) * 3
    assert {*seen.stock} == {None}


def test_toy_4_a_card_is_set_aside_by_everybody_in_any_order() -> None:
    table = dealt(*NO_PAIRS)
    assert GAME.to_act(table) == (0, 1)
    table = after(table, 1, SetAside(card=3))
    assert GAME.to_act(table) == (0,)
    assert table.places[1].hand == (4, 2)
    assert table.places[1].aside == (3,)
    assert refused(table, 1, SetAside(card=4)) == ("TOY-4", "not-to-act")
    assert refused(table, 0, SetAside(card=4)) == ("TOY-4", "not-in-hand")


def test_toy_4_equal_cards_are_one_choice_which_is_not_forced() -> None:
    table = dealt((6, 6, 1), (5, 5, 2))
    assert GAME.legal(table, 0) == (SetAside(card=1), SetAside(card=6))
    flat = ROOM.packs["flat"].pack
    start = GAME.initial(Options(), 2, flat)
    table = fold(GAME, start, GAME.setup(start, Simulation(1)))
    assert GAME.legal(table, 0) == (SetAside(card=1),)
    assert GAME.forced(table) is None


def test_toy_6_who_raises_shows_the_pair_and_pays_for_the_bonus() -> None:
    table = set_aside(dealt(*PAIRS), 1, 2)
    told = GAME.close(table, (Pass(), Raise()), Scripted())
    assert told[0] == Raised(seat=1, rank=5, chips=1)
    table = fold(GAME, table, told)
    assert (table.pot, table.places[1].chips) == (3, 6)
    assert GAME.view(table, 0).places[1].hand == (5, 5)
    assert GAME.view(table, 1).places[0].hand == (None, None)
    table = after(after(table, 0, Roll(), 0), 1, Roll(), 0)
    assert [place.chips for place in table.places] == [7, 6 + 3]


def test_toy_5_who_is_left_with_a_pair_is_asked_in_secret() -> None:
    table = dealt((6, 6, 1), (5, 4, 2))
    told = GAME.decide(after(table, 0, SetAside(card=1)), 1, SetAside(card=2), Scripted())
    assert told[1] == RaisesOpened(asked=(True, False))
    assert redact(told[1], 1) == RaisesOpened(asked=(None, False))
    table = set_aside(table, 1, 2)
    assert GAME.secret(table)
    assert GAME.legal(table, 0) == (Raise(), Pass())
    assert GAME.decide(table, 0, Raise(), Scripted()) == ()
    assert refused(table, 1, Pass()) == ("TOY-4", "not-to-act")


def test_toy_5_nobody_is_asked_when_nobody_has_a_pair() -> None:
    table = set_aside(dealt(*NO_PAIRS), 6, 4)
    assert table.phase is Phase.ROLLING
    assert not GAME.secret(table)
    assert refused(table, 0, Raise()) == ("TOY-5", "no-raises")


def test_toy_7_the_dice_roll_by_themselves_in_seat_order() -> None:
    table = set_aside(dealt(*NO_PAIRS), 6, 4)
    assert GAME.forced(table) == (0, Roll())
    table = after(table, 0, Roll(), 4)
    assert table.places[0].pips == 5
    assert GAME.forced(table) == (1, Roll())
    assert refused(dealt(*NO_PAIRS), 0, Roll()) == ("TOY-7", "no-dice")


def test_toy_8_toy_9_the_highest_sum_takes_the_pot_and_who_ties_shares_the_place() -> None:
    for roll, winners, points, ranking in each((5, (1,), (7, 9), (2, 1)), (2, (0, 1), (8, 8), (1, 1))):
        table = after(set_aside(dealt(*NO_PAIRS), 6, 4), 0, Roll(), 0)
        told = GAME.decide(table, 1, Roll(), Scripted(roll))
        assert told[1:3] == (CardsTurned(cards=(6, 4)), PotShared(winners=winners, chips=2 // len(winners)))
        assert told[-1] == GameEnded(points=points, ranking=ranking)
        standing = GAME.standing(fold(GAME, table, told))
        assert (standing.points, standing.ranking, standing.over) == (points, ranking, True)


def test_toy_8_what_a_tie_can_not_share_stays_in_the_pot() -> None:
    table = set_aside(dealt((6, 5, 1), (6, 4, 2), (5, 4, 3), rounds=2), 6, 6, 5)
    table = after(after(table, 0, Roll(), 2), 1, Roll(), 2)
    told = GAME.decide(table, 2, Roll(), Scripted(0, PACK.deck))
    assert told[2] == PotShared(winners=(0, 1), chips=1)
    assert fold(GAME, table, told).pot == 1 + 3


def test_toy_9_the_second_round_is_dealt_before_the_game_ends() -> None:
    table = after(set_aside(dealt(*NO_PAIRS, rounds=2), 6, 4), 0, Roll(), 0)
    table = after(table, 1, Roll(), 2, PACK.deck)
    assert (table.round, table.phase) == (2, Phase.SETTING)
    assert not GAME.standing(table).over


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
