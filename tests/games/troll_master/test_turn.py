"""How a round begins, turns, and what is told. Rules TM-6 to TM-11."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from msgspec.structs import replace

from domain.chance import Scripted, Simulation
from domain.game import Refusal, fold, put
from domain.games.troll_master import GAME, events
from domain.games.troll_master.bot import imagine
from domain.games.troll_master.components import Magic, Magics, Options
from domain.games.troll_master.evolve import evolve
from domain.games.troll_master.moves import Act, Answer, Attack, ChainTo, Discard, Done, Draw, Pass, Reveal
from domain.games.troll_master.state import Cards, Place, Stage, Step, Table
from domain.games.troll_master.text.describe import WORDS
from domain.secrecy import known, redact
from tests.games.troll_master.laws import conserved
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
    magics,
    named,
    opened,
    planning,
    refused,
    reveal,
    seat_with,
    seen_by,
    use,
    with_pawns,
)
from tests.rows import each


def fired(seat: int, name: str, number: int) -> events.AbilityFired:
    return events.AbilityFired(seat, named(name, ODD_PACK), ability(name, number, ODD_PACK))


def turning(*familiars: str | tuple[str, int], deck: str = "", hand: str = "CCC") -> Play:
    """Seat 1, which holds these cards, has these familiars and the next turn; the deck begins with these cards."""
    return with_familiars(planning("FFF", hand, "CCC", pack=ODD_PACK), 1, *familiars, deck=deck)


def with_familiars(play: Play, seat: int, *familiars: str | tuple[str, int], deck: str = "") -> Play:
    left = list(play.table.cards.deck)
    for magic in magics(deck):
        left.remove(magic)
    cards = replace(play.table.cards, deck=magics(deck) + tuple(left))
    return play.with_table(cards=cards).with_place(seat, familiars=seat_with(play.table, *familiars).familiars)


def test_tm_49_it_fires_when_each_turn_of_its_owner_begins() -> None:
    play = turning("Coat Hook")
    mana = play.place(1).mana
    play.move(0, reveal("F", 6))
    begun: tuple[events.TrollMasterEvent, ...] = (events.TurnCame(1), fired(1, "Coat Hook", 3))
    assert play.told == (events.CardRevealed(0, FLASK, 6), *begun)
    play.move(1, Reveal(CRYSTAL, 1)).move(2, Reveal(CRYSTAL, 2)).move(0, Pass())
    assert play.told == (events.PlanningPassed(0), *begun)
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
    play = turning("Right Sock", "Coat Hook", deck="W").move(0, reveal("F", 6))
    hook, sock = fired(1, "Coat Hook", 3), fired(1, "Right Sock", 3)
    assert play.told[1:] == (events.TurnCame(1), hook, sock, events.CardDrawn(1, WAND))
    assert play.legal(1) == (Discard(WAND), Discard(CRYSTAL))
    play.move(1, Discard(WAND))
    assert play.told == (events.CardDiscarded(1, WAND), events.TurnCame(1)), "and does not fire again in this turn"


def test_tm_49_several_draw_one_after_the_other_and_one_that_is_paid_for_begins_no_turn() -> None:
    play = turning("Right Sock", "Chandelier", deck="WT").move(0, reveal("F", 6)).move(1, Discard(WAND))
    assert play.told == (events.CardDiscarded(1, WAND), fired(1, "Chandelier", 3), events.CardDrawn(1, TOME))
    assert play.move(1, Discard(TOME)).one(events.TurnCame) == events.TurnCame(1)
    play.move(1, Reveal(CRYSTAL, 1)).move(2, Reveal(CRYSTAL, 2)).move(0, Pass())
    assert fired(1, "Right Sock", 3) in play.told, "each turn again"
    assert play.table.stage.redrawn == 1
    play = turning("Coat Hook", ("Umbrella Stand", 2), "Right Sock", deck="WTT").move(0, reveal("F", 6))
    play.move(1, Discard(WAND)).move(1, use("Umbrella Stand", 1, ODD_PACK))
    assert play.table.stage.step is Step.DISCARD
    assert play.move(1, Discard(TOME)).told == (events.CardDiscarded(1, TOME), events.TurnCame(1))


def test_tm_49_a_turn_that_begins_may_charge() -> None:
    play = turning("Broom Cupboard", ("Umbrella Stand", 8)).move(0, reveal("F", 6))
    assert play.owned(1, "Umbrella Stand").charges == 9
    play.move(1, Reveal(CRYSTAL, 1)).move(2, Reveal(CRYSTAL, 2)).move(0, Pass())
    assert play.of(events.AbilityFired) == (), "it is full"


def test_tm_16_who_is_stuck_is_out_when_the_turn_has_begun_in_vain() -> None:
    play = turning("Coat Hook", hand="FFF").move(0, reveal("F", 6))
    out = events.WentOut(1, (TOME, WAND, CRYSTAL))
    assert play.told[1:] == (events.TurnCame(1), fired(1, "Coat Hook", 3), out, events.TurnCame(2)), "no brew is left"
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
    hidden = seen_by(play.table, None)
    play.move(0, reveal("F", 6))
    seen = fold(GAME, hidden, tuple(redact(event, 2) for event in play.told))
    assert seen.stage == play.table.stage
    assert seen.places[1].hand == (None,) * 4
    full = imagine(seen, 2, play.chance)
    assert None not in full.places[1].hand
    lacking = replace(seen, places=put(seen.places, 1, replace(seen.places[1], is_out=True, lacks=tuple(Magic))))
    with pytest.raises(ValueError, match="no hands fit"):
        imagine(lacking, 2, play.chance)


def test_nobody_is_to_act_before_the_first_deal() -> None:
    table = GAME.initial(Options(), 3, PACK)
    assert (table.stage.step, GAME.to_act(table), GAME.forced(table)) == (Step.DEALING, (), None)
    assert [GAME.legal(table, seat) for seat in range(3)] == [(), (), ()]
    assert refused(table, 0, Draw()) == ("TM-5", "not-your-turn")


CLAUSES = {
    Step.BROOM: "TM-8", Step.DISCARD: "TM-8", Step.PLANNING: "TM-10", Step.ACT: "TM-20", Step.SUMMON: "TM-25",
    Step.BREW: "TM-26", Step.ATTACK: "TM-27", Step.DEFENCE: "TM-27", Step.DIVINATION: "TM-29", Step.CHAIN: "TM-48",
    Step.CHAIN_TO: "TM-43",
}  # fmt: skip


def test_tm_46_a_move_of_another_step_or_seat_is_refused_with_the_clause_of_the_step_and_what_is_to_be_done() -> None:
    for step, clause in each(*CLAUSES.items()):
        table = replace(with_pawns(planning("TF", "FF", "WW"), 0, 1, 1).table, stage=Stage(step, 0))
        for seat, code in ((0, "wrong-step"), (1, "not-your-turn")):
            with pytest.raises(Refusal) as refusal:
                GAME.decide(table, seat, Draw() if step is Step.ACT else Act(), Scripted())
            assert (refusal.value.clause, refusal.value.code) == (clause, code)
            if seat == 0:
                named = "placing" if step is Step.PLANNING else step
                assert GAME.explain(refusal.value, "en") == f"You are to {WORDS['en'][f'step-{named}']}."
                assert GAME.explain(refusal.value, "ja") == f"今は{WORDS['ja'][f'step-{named}']}番です。"


def test_tm_8_tm_14_tm_23_tm_46_an_absent_seat_carries_on_without_paying() -> None:
    broom = Play(opened())
    start = broom.table.start
    places = tuple(replace(place, hand=magics("FTF")) for place in broom.table.places)
    broom.table = replace(broom.table, places=places, cards=replace(broom.table.cards, deck=magics("CC")))
    first = planning("CWF", "TTT", "FFF")
    brew = acting(at(12, ("Automaton", 1)), at(0), at(0), open="FFFFFFTTTT")
    attack = acting(at(3, ("Salamander", 1)), at(0, ("Gargoyle", 1)), at(0), open="WWWWTTTTTT")
    for play, seat, default, move in each(
        # the match, whose decision, the clock's move, and the move that is made
        (broom, start, Pass(), Draw()),
        (broom, start, Discard(CRYSTAL), None),
        (first, 0, reveal("F", 1), reveal("F", 1)),
        (first, 1, reveal("T", 2), reveal("T", 2)),
        (first, 2, reveal("F", 4), reveal("F", 4)),
        (first, 0, Pass(), None),
        (brew, 0, Pass(), Act()),
        (brew, 0, Done(), Done()),
        (brew, 0, Done(), use("Automaton")),
        (brew, 0, ChainTo(1), None),
        (attack, 0, Pass(), Act()),
        (attack, 0, Attack(), Attack()),
        (attack, 1, Answer(), None),
    ):
        assert GAME.default(play.table, seat) == default
        if move is not None:
            play.move(seat, move)


def test_a_hand_of_which_not_all_is_known_is_told_on() -> None:
    for hand, event, after in each(
        ((None, TOME), events.CardDrawn(0, WAND), (None, TOME, WAND)),
        ((TOME,), events.CardDrawn(0, None), (TOME, FLASK)),
        ((None, TOME, None), events.CardRevealed(0, TOME, 2), (None, None)),
        ((None, TOME), events.CardRevealed(0, FLASK, 1), (TOME,)),
        ((TOME, FLASK, None), events.CardDiscarded(0, TOME), (None, FLASK)),
        ((TOME, FLASK, None), events.CardDiscarded(0, CRYSTAL), (TOME, FLASK)),
    ):
        deck = (FLASK,) if None not in hand else (None, None)
        assert evolve(lying(hand, deck), event).places[0].hand == after


def lying(hand: tuple[object, ...], deck: tuple[object, ...] = (None, None)) -> Table:
    """Seat 0 holds a hand as somebody knows it."""
    table = opened()
    place: Place = replace(table.places[0], hand=hand)
    return replace(table, places=(place, *table.places[1:]), cards=replace(table.cards, deck=deck))


def test_a_shuffle_makes_the_deck_unknown_and_takes_the_discards() -> None:
    table = replace(opened(), cards=Cards(deck=magics("TF"), discards=magics("WC")))
    cards = evolve(table, events.Shuffled((None, None))).cards
    assert (cards.deck, cards.discards, cards.remade.made) == ((None, None), (), magics("WC"))


def test_tm_7_hands_are_imagined_of_the_cards_that_were_in_hands_and_of_the_deck_that_was_made_of_discards() -> None:
    def seen(*hands: str, told: tuple[events.TrollMasterEvent, ...]) -> Iterator[tuple[Magics, ...]]:
        """What seat 0 imagines after the discards have become the deck, and seat 1 has drawn a card of it."""
        table = planning(*hands).table
        deck = known(table.cards.deck)
        places = tuple([replace(place, hand=(None,) * 3) if seat else place for seat, place in enumerate(table.places)])
        table = replace(table, places=places, cards=Cards(deck=(), discards=deck))
        made: tuple[events.TrollMasterEvent, ...] = (events.Shuffled((None,) * len(deck)), events.CardDrawn(1, None))
        table = fold(GAME, table, (*made, *told))
        for seed in range(60):
            other = imagine(table, 0, Simulation(seed))
            conserved(other)
            yield tuple(tuple(sorted(known(place.hand))) for place in other.places)

    others = magics("TFC")
    found = {*seen("FFF", "WWW", "WWW", told=())}
    assert {hands[2] for hands in found} == {(WAND,) * 3}, "those hands held all wands"
    assert {hands[1] for hands in found} == {tuple(sorted((WAND, WAND, WAND, card))) for card in others}
    found = {*seen("FFF", "WWW", "WWW", told=(events.CardRevealed(1, TOME, 2),))}
    assert {hands[1:] for hands in found} == {((WAND,) * 3, (WAND,) * 3)}, "the tome was drawn"
    found = {*seen("FFF", "WWW", "WWW", told=(events.CardRevealed(1, WAND, 3),))}
    assert {hands[1] for hands in found} == {tuple(sorted((WAND, WAND, card))) for card in others}
    # it was drawn, or it was there before
    found = {*seen("FFF", "WWT", "TTT", told=(events.CardRevealed(1, WAND, 3),))}
    assert {sum(hand.count(WAND) for hand in hands[1:]) for hands in found} == {1, 2}
    assert {sum(hand.count(TOME) for hand in hands[1:]) for hands in found} == {4, 5}


def test_tm_16_who_went_out_is_in_the_next_round_with_a_hand_of_which_nothing_is_known_and_nobody_acts_yet() -> None:
    table = evolve(opened(), events.WentOut(1, magics("TC")))
    assert GAME.to_act(table)
    assert (table.places[1].has_passed, table.places[1].is_out, table.places[1].lacks) == (True, True, magics("TC"))
    table = evolve(table, events.RoundStarted(2, 0))
    assert GAME.to_act(table) == (), "while cards are dealt the table does not say that somebody is to do an old step"
    place = table.places[1]
    assert (place.has_passed, place.is_out, place.lacks) == (False, False, ())


def test_hands_are_dealt_one_card_at_a_time_to_those_who_are_told_and_those_who_are_not() -> None:
    table = GAME.initial(Options(), 3, PACK)
    table = replace(table, cards=Cards(deck=(None,) * 5))
    table = evolve(table, events.CardsDealt(first=1, count=4, hands=(None, magics("TF"), None)))
    assert [place.hand for place in table.places] == [(None,), (TOME, FLASK), (None,)]
    assert table.cards.deck == (None,)


def test_what_is_told_otherwise_than_it_lies_is_an_error() -> None:
    for table, event in each(
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
    ):
        with pytest.raises(ValueError, match="told where"):
            evolve(table, event)
