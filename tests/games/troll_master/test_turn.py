"""How a round begins, turns, and what is told. Rules TM-6 to TM-11."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from domain.chance import Scripted
from domain.game import Refusal, fold
from domain.games.troll_master import GAME, events
from domain.games.troll_master.bot import imagine
from domain.games.troll_master.components import Options
from domain.games.troll_master.evolve import evolve
from domain.games.troll_master.moves import Act, Answer, Attack, ChainTo, Discard, Done, Draw, Pass, Reveal
from domain.games.troll_master.state import Cards, Owned, Place, Stage, Step, Table
from domain.games.troll_master.text.phrases import WORDS
from domain.secrecy import known, redact
from tests.games.troll_master.table import (
    CRYSTAL,
    FLASK,
    ODD_PACK,
    PACK,
    TOME,
    WAND,
    Play,
    ability,
    acting,
    at,
    card,
    magics,
    named,
    opened,
    planning,
    reveal,
    use,
)
from tests.rows import each


def fired(seat: int, name: str, number: int) -> events.AbilityFired:
    return events.AbilityFired(seat, named(name, ODD_PACK), ability(name, number, ODD_PACK))


def with_familiars(play: Play, seat: int, *names: str | tuple[str, int], deck: str = "") -> Play:
    """The seat has these familiars, each with its charges or none; the deck begins with these cards."""
    owned = tuple(
        Owned(card(play.table, one), 0) if isinstance(one, str) else Owned(card(play.table, one[0]), one[1])
        for one in names
    )
    places = list(play.table.places)
    places[seat] = replace(places[seat], familiars=owned)
    cards = play.table.cards
    left = list(cards.deck)
    for magic in magics(deck):
        left.remove(magic)
    play.table = replace(play.table, places=tuple(places), cards=replace(cards, deck=magics(deck) + tuple(left)))
    return play


def test_tm_49_it_fires_when_each_turn_of_its_owner_begins() -> None:
    play = with_familiars(planning("FFF", "CCC", "CCC", pack=ODD_PACK), 1, "Coat Hook")
    mana = play.place(1).mana
    play.move(0, reveal("F", 6))
    assert play.one(events.CardRevealed) == events.CardRevealed(0, FLASK, 6)
    assert play.told[1:] == (events.TurnCame(1), fired(1, "Coat Hook", 3))
    assert GAME.to_act(play.table) == (1,)
    play.move(1, Reveal(CRYSTAL, 1)).move(2, Reveal(CRYSTAL, 2)).move(0, Pass())
    assert play.one(events.PlanningPassed) == events.PlanningPassed(0)
    assert play.told[1:] == (events.TurnCame(1), fired(1, "Coat Hook", 3))
    assert play.place(1).mana == mana + 2
    play.move(1, Pass()).move(2, Reveal(CRYSTAL, 4))
    assert play.of(events.AbilityFired) == (), "who has passed has no turn"


def test_tm_49_it_fires_when_the_turn_after_the_broom_begins() -> None:
    table = opened(3, pack=ODD_PACK)
    start = table.start
    for move in (Pass(), Draw()):
        play = with_familiars(Play(table), start, "Coat Hook").move(start, move)
        if move == Draw():
            assert play.of(events.AbilityFired) == ()
            play.move(start, Discard(known(play.place(start).hand)[0]))
        assert play.told[-2:] == (events.TurnCame(start), fired(start, "Coat Hook", 3))


def test_tm_49_what_draws_comes_after_what_gains_and_asks_for_a_discard() -> None:
    play = with_familiars(planning("FFF", "CCC", "CCC", pack=ODD_PACK), 1, "Right Sock", "Coat Hook", deck="W")
    play.move(0, reveal("F", 6))
    assert play.told[1:] == (
        events.TurnCame(1),
        fired(1, "Coat Hook", 3),
        fired(1, "Right Sock", 3),
        events.CardDrawn(1, WAND),
    )
    assert play.legal(1) == (Discard(WAND), Discard(CRYSTAL))
    play.move(1, Discard(WAND))
    assert play.told == (events.CardDiscarded(1, WAND), events.TurnCame(1)), "and does not fire again in this turn"


def test_tm_49_several_draw_one_after_the_other() -> None:
    play = with_familiars(planning("FFF", "CCC", "CCC", pack=ODD_PACK), 1, "Right Sock", "Chandelier", deck="WT")
    play.move(0, reveal("F", 6)).move(1, Discard(WAND))
    assert play.told == (events.CardDiscarded(1, WAND), fired(1, "Chandelier", 3), events.CardDrawn(1, TOME))
    play.move(1, Discard(TOME))
    assert play.one(events.TurnCame) == events.TurnCame(1)
    play.move(1, Reveal(CRYSTAL, 1)).move(2, Reveal(CRYSTAL, 2)).move(0, Pass())
    assert fired(1, "Right Sock", 3) in play.told, "each turn again"
    assert play.table.stage.redrawn == 1


def test_tm_49_a_draw_that_is_paid_for_begins_no_turn() -> None:
    pays = ("Umbrella Stand", 2)
    play = with_familiars(planning("FFF", "CCC", "CCC", pack=ODD_PACK), 1, "Coat Hook", pays, "Right Sock", deck="WTT")
    play.move(0, reveal("F", 6)).move(1, Discard(WAND)).move(1, use("Umbrella Stand", 1, ODD_PACK))
    assert play.table.stage.step is Step.DISCARD
    play.move(1, Discard(TOME))
    assert play.told == (events.CardDiscarded(1, TOME), events.TurnCame(1))


def test_tm_49_a_turn_that_begins_may_charge() -> None:
    play = with_familiars(planning("FFF", "CCC", "CCC", pack=ODD_PACK), 1, "Broom Cupboard", ("Umbrella Stand", 8))
    play.move(0, reveal("F", 6))
    assert play.owned(1, "Umbrella Stand").charges == 9
    play.move(1, Reveal(CRYSTAL, 1)).move(2, Reveal(CRYSTAL, 2)).move(0, Pass())
    assert play.of(events.AbilityFired) == (), "it is full"


def test_tm_16_who_is_stuck_is_out_when_the_turn_has_begun_in_vain() -> None:
    play = with_familiars(planning("FFF", "FFF", "CCC", pack=ODD_PACK), 1, "Coat Hook")
    play.move(0, reveal("F", 6))
    assert play.told[1:] == (
        events.TurnCame(1),
        fired(1, "Coat Hook", 3),
        events.WentOut(1, (TOME, WAND, CRYSTAL)),
        events.TurnCame(2),
    ), "the only brew is taken"
    play.move(2, Reveal(CRYSTAL, 1)).move(0, Pass()).move(2, Pass())
    assert play.one(events.OutPaid) == events.OutPaid(1, 2)


def test_tm_16_a_draw_without_a_cost_may_help() -> None:
    for drawn, place in ((WAND, True), (FLASK, False)):
        letter = "W" if place else "F"
        play = with_familiars(planning("FF", "FF", "CC", "TT", pack=ODD_PACK), 1, "Right Sock", deck=letter)
        play.move(0, reveal("F", 6))
        assert play.one(events.CardDrawn).card is drawn
        play.move(1, Discard(FLASK))
        assert play.told[-1] == events.TurnCame(1 if place else 2)
        assert GAME.to_act(play.table) == (1 if place else 2,)
        assert play.place(1).is_out is not place


def test_tm_49_a_seat_that_draws_at_its_turn_is_imagined_with_any_hand() -> None:
    play = with_familiars(planning("FFF", "FFF", "CCC", pack=ODD_PACK), 1, "Right Sock")
    places = tuple(replace(place, hand=(None,) * len(place.hand)) for place in play.table.places)
    cards = replace(play.table.cards, deck=(None,) * len(play.table.cards.deck))
    hidden = replace(play.table, places=places, cards=cards)
    play.move(0, reveal("F", 6))
    seen = fold(GAME, hidden, tuple(redact(event, 2) for event in play.told))
    assert seen.stage == play.table.stage
    assert seen.places[1].hand == (None,) * 4
    full = imagine(seen, 2, play.chance)
    assert None not in full.places[1].hand


def test_no_decision_is_sealed() -> None:
    assert not GAME.secret(opened())


def test_nothing_is_decided_while_cards_are_dealt() -> None:
    with pytest.raises(Refusal) as refusal:
        GAME.decide(GAME.initial(Options(), 3, PACK), 0, Draw(), Scripted())
    assert (refusal.value.clause, refusal.value.code) == ("TM-5", "not-your-turn")


CLAUSES = {
    Step.BROOM: "TM-8", Step.DISCARD: "TM-8", Step.PLANNING: "TM-10", Step.ACT: "TM-20", Step.SUMMON: "TM-25",
    Step.BREW: "TM-26", Step.ATTACK: "TM-27", Step.DEFENCE: "TM-27", Step.DIVINATION: "TM-29", Step.CHAIN: "TM-48",
    Step.CHAIN_TO: "TM-43",
}  # fmt: skip


@pytest.mark.parametrize(("step", "clause"), CLAUSES.items())
def test_tm_46_a_move_of_another_step_or_seat_is_refused_with_the_clause_of_the_step(step: Step, clause: str) -> None:
    table = replace(planning("TF", "FF", "WW").table, stage=Stage(step, 0))
    move = Draw() if step is Step.ACT else Act()
    for seat, code in ((0, "wrong-step"), (1, "not-your-turn")):
        with pytest.raises(Refusal) as refusal:
            GAME.decide(table, seat, move, Scripted())
        assert (refusal.value.clause, refusal.value.code) == (clause, code)


def test_tm_8_an_absent_seat_leaves_the_broom_alone_and_discards_the_last_card() -> None:
    table = opened()
    start = table.start
    assert GAME.default(table, start) == Pass()
    places = tuple(replace(place, hand=magics("FTF")) for place in table.places)
    play = Play(replace(table, places=places, cards=replace(table.cards, deck=magics("CC")))).move(start, Draw())
    assert GAME.default(play.table, start) == Discard(CRYSTAL)


def test_tm_14_an_absent_seat_places_its_pawn_leftmost_and_passes_as_soon_as_it_may() -> None:
    play = planning("CWF", "TTT", "FFF")
    assert GAME.default(play.table, 0) == reveal("F", 1)
    play.move(0, Reveal(FLASK, 1))
    assert GAME.default(play.table, 1) == reveal("T", 2)
    play.move(1, reveal("T", 2)).move(2, reveal("F", 4))
    assert GAME.default(play.table, 0) == Pass()


def test_tm_23_an_absent_seat_passes_its_action() -> None:
    assert GAME.default(acting(at(8, "Black Cat"), at(0), at(0), open="FFFFFTTTTT").table, 0) == Pass()


def test_tm_46_an_absent_seat_carries_on_without_paying() -> None:
    brew = acting(at(12, ("Automaton", 1)), at(0), at(0), open="FFFFFFTTTT").move(0, Act())
    assert GAME.default(brew.table, 0) == Done()
    chain = brew.move(0, Done())
    assert chain.table.stage.step is Step.CHAIN
    assert GAME.default(chain.table, 0) == Done()
    assert GAME.default(chain.move(0, use("Automaton")).table, 0) == ChainTo(1)
    attack = acting(at(3, ("Salamander", 1)), at(0, ("Gargoyle", 1)), at(0), open="WWWWTTTTTT").move(0, Act())
    assert GAME.default(attack.table, 0) == Attack()
    assert GAME.default(attack.move(0, Attack()).table, 1) == Answer()


def test_what_is_to_be_done_is_said_of_every_step_at_which_somebody_acts() -> None:
    table = opened()
    for step in set(Step) - {Step.DEALING, Step.OVER}:
        with pytest.raises(Refusal) as refused:
            GAME.decide(
                replace(table, stage=replace(table.stage, step=step)),
                table.start,
                Attack() if step is not Step.ATTACK else Answer(),
                Scripted(),
            )
        assert GAME.explain(refused.value, "en") == f"You are to {WORDS['en'].step[step]}."
        assert GAME.explain(refused.value, "ja") == f"いまは{WORDS['ja'].step[step]}ところです。"


def lying(hand: tuple[object, ...], deck: tuple[object, ...] = (None, None)) -> Table:
    """Seat 0 holds a hand as somebody knows it."""
    table = opened()
    place: Place = replace(table.places[0], hand=hand)
    return replace(table, places=(place, *table.places[1:]), cards=replace(table.cards, deck=deck))


def test_a_told_card_fills_an_unknown_one_in() -> None:
    table = evolve(lying((None, TOME)), events.CardDrawn(0, WAND))
    assert table.places[0].hand == (None, TOME, WAND)
    assert table.cards.deck == (None,)


def test_an_unknown_draw_leaves_a_known_card_known() -> None:
    assert evolve(lying((TOME,), (FLASK,)), events.CardDrawn(0, None)).places[0].hand == (TOME, FLASK)


def test_a_known_copy_leaves_a_hand_first() -> None:
    assert evolve(lying((None, TOME, None)), events.CardRevealed(0, TOME, 2)).places[0].hand == (None, None)
    assert evolve(lying((None, TOME)), events.CardRevealed(0, FLASK, 1)).places[0].hand == (TOME,)


def test_an_unknown_card_takes_the_place_of_the_discarded_one() -> None:
    assert evolve(lying((TOME, FLASK, None)), events.CardDiscarded(0, TOME)).places[0].hand == (None, FLASK)
    assert evolve(lying((TOME, FLASK, None)), events.CardDiscarded(0, CRYSTAL)).places[0].hand == (TOME, FLASK)


def test_a_shuffle_makes_the_deck_unknown_and_takes_the_discards() -> None:
    table = replace(opened(), cards=Cards(deck=magics("TF"), discards=magics("WC")))
    assert evolve(table, events.Shuffled((None, None))).cards == Cards(deck=(None, None), discards=())


def test_tm_16_who_went_out_is_in_the_next_round_with_a_hand_of_which_nothing_is_known() -> None:
    table = evolve(opened(), events.WentOut(1, magics("TC")))
    assert (table.places[1].has_passed, table.places[1].is_out, table.places[1].lacks) == (True, True, magics("TC"))
    place = evolve(table, events.RoundStarted(2, 0)).places[1]
    assert (place.has_passed, place.is_out, place.lacks) == (False, False, ())


def test_hands_are_dealt_one_card_at_a_time_to_those_who_are_told_and_those_who_are_not() -> None:
    table = GAME.initial(Options(), 3, PACK)
    table = replace(table, cards=Cards(deck=(None,) * 5))
    table = evolve(table, events.CardsDealt(first=1, count=4, hands=(None, magics("TF"), None)))
    assert [place.hand for place in table.places] == [(None,), (TOME, FLASK), (None,)]
    assert table.cards.deck == (None,)


def test_what_is_told_otherwise_than_it_lies_is_an_error() -> None:
    for table, event in each(
        [
            (lying((TOME,), (TOME,)), events.CardDrawn(0, FLASK)),
            (lying((TOME,), ()), events.CardDrawn(0, FLASK)),
            (lying((TOME,)), events.CardRevealed(0, FLASK, 1)),
            (lying((TOME,)), events.CardDiscarded(0, FLASK)),
            (lying((TOME, None)), events.HandRevealed(0, magics("FT"))),
            (lying((TOME, None)), events.HandRevealed(0, magics("T"))),
            (lying((), (TOME, None)), events.CardsTurned(magics("FF"))),
            (lying((), (TOME,)), events.CardsTurned(magics("TF"))),
            (lying((), magics("TFW")), events.CardsDealt(first=0, count=3, hands=(magics("F"), None, None))),
            (lying((), magics("TFW")), events.CardsDealt(first=0, count=3, hands=(magics("TF"), None, None))),
            (lying((), magics("TFW")), events.CardsDealt(first=0, count=4, hands=(None, None, None))),
        ]
    ):
        with pytest.raises(ValueError, match="told where"):
            evolve(table, event)


def test_nobody_is_to_act_before_the_first_deal() -> None:
    table = GAME.initial(Options(), 3, PACK)
    assert table.stage.step is Step.DEALING
    assert GAME.to_act(table) == ()
    assert [GAME.legal(table, seat) for seat in range(3)] == [(), (), ()]
    assert GAME.forced(table) is None
    assert fold(GAME, table, ()) == table
