"""Planning abilities without a cost: TM-49."""

from __future__ import annotations

from msgspec.structs import replace

from domain.game import fold
from domain.games.troll_master import GAME, events
from domain.games.troll_master.bot import imagine
from domain.games.troll_master.moves import Discard, Draw, Pass, Reveal
from domain.games.troll_master.state import Owned, Step
from domain.secrecy import known, redact
from tests.games.troll_master.table import (
    CRYSTAL,
    FLASK,
    ODD_PACK,
    TOME,
    WAND,
    Play,
    ability,
    card,
    magics,
    named,
    opened,
    planning,
    reveal,
    use,
)


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
