"""Changes the table by events. No rules are applied here: each consequence of an event is another event."""

from __future__ import annotations

from msgspec.structs import replace

from domain.game import Evolve, Seat, put
from domain.games.troll_master import events
from domain.games.troll_master.abilities import (
    Chain,
    ChargeAnother,
    ChargeItself,
    GainChips,
    GainMana,
    Redraw,
    Reduce,
    Strengthen,
    charges,
)
from domain.games.troll_master.components import FAMILIAR_COPIES, HOME, SEATS, Lying, Magic, Name
from domain.games.troll_master.printed import Card
from domain.games.troll_master.state import (
    ACT,
    ATTACK,
    BREW,
    BROOM,
    CHAIN,
    CHAIN_TO,
    DEFENCE,
    DISCARD,
    DIVINATION,
    OVER,
    PLANNING,
    SUMMON,
    Cards,
    Owned,
    Pile,
    Place,
    Remade,
    Stage,
    Step,
    Table,
)
from domain.secrecy import face, faces, find, without


def _with_mana(table: Table, seat: Seat, mana: int) -> tuple[Place, ...]:
    place = table.places[seat]
    return put(table.places, seat, replace(place, mana=place.mana + mana))


def _with_chips(table: Table, seat: Seat, chips: int) -> tuple[Place, ...]:
    place = table.places[seat]
    return put(table.places, seat, replace(place, chips=place.chips + chips))


def _owned(place: Place, name: Name) -> int:
    """Return the index of the seat's uncovered familiar of that name."""
    return next(i for i, owned in enumerate(place.familiars) if owned.card.name == name)


def _charge(place: Place, name: Name, charges: int) -> tuple[Owned, ...]:
    """Return the seat's familiars after so many charges are added to one of them, or taken off it if negative."""
    at = _owned(place, name)
    owned = place.familiars[at]
    return put(place.familiars, at, replace(owned, charges=owned.charges + charges))


def _familiars_laid_out(table: Table, event: events.FamiliarsLaidOut) -> Table:
    cards = {card.name.en: card for card in table.terms.printed.familiars}
    return replace(table, supply=tuple(Pile(cards[name.en], FAMILIAR_COPIES) for name in event.familiars))


def _broom_taken(table: Table, event: events.BroomTaken) -> Table:
    return replace(table, broom=event.seat)


def _shuffled(table: Table, event: events.Shuffled) -> Table:
    cards = table.cards
    if not cards.discards:
        return replace(table, cards=replace(cards, deck=event.cards))
    hands, none = tuple([place.hand for place in table.places]), ((),) * len(table.places)
    remade = Remade(made=cards.discards, shown=cards.open, before=hands, after=none, gone=none)
    return replace(table, cards=Cards(deck=event.cards, open=cards.open, remade=remade))


def _came(cards: Cards, seat: Seat, got: Lying) -> Remade:
    remade = cards.remade
    return replace(remade, after=put(remade.after, seat, remade.after[seat] + got)) if remade.made else remade


def _left(cards: Cards, seat: Seat, card: Magic) -> Remade:
    remade = cards.remade
    return replace(remade, gone=put(remade.gone, seat, (*remade.gone[seat], card))) if remade.made else remade


def _round_started(table: Table, event: events.RoundStarted) -> Table:
    places = tuple(replace(place, has_passed=False, is_out=False, lacks=()) for place in table.places)
    return replace(table, places=places, round=event.round, start=event.start, stage=Stage())


def _from_deck(cards: Cards, count: int) -> Lying:
    if len(cards.deck) < count:
        raise ValueError(f"{count} cards are told where {len(cards.deck)} lie")
    return cards.deck[:count]


def _cards_turned(table: Table, event: events.CardsTurned) -> Table:
    cards = table.cards
    count = len(event.cards)
    faces(_from_deck(cards, count), event.cards)
    remade = cards.remade
    if remade.made:
        remade = replace(remade, turned=remade.turned + event.cards)
    return replace(table, cards=replace(cards, deck=cards.deck[count:], open=cards.open + event.cards, remade=remade))


def _cards_dealt(table: Table, event: events.CardsDealt) -> Table:
    cards = table.cards
    seats, first = len(table.places), event.first
    lying = _from_deck(cards, event.count)
    places = []
    for seat, place in enumerate(table.places):
        got = lying[(seat - first) % seats :: seats]
        if (told := event.hands[seat]) is not None:
            got = faces(got, told)
        places.append(replace(place, hand=place.hand + got))
        if cards.remade.made:
            cards = replace(cards, remade=_came(cards, seat, got))
    return replace(table, places=tuple(places), cards=replace(cards, deck=cards.deck[event.count :]))


def _broom_ready(table: Table, event: events.BroomReady) -> Table:
    return replace(table, stage=Stage(step=BROOM, seat=event.seat))


def _card_drawn(table: Table, event: events.CardDrawn) -> Table:
    place, cards, before = table.places[event.seat], table.cards, table.stage
    drawn = face(_from_deck(cards, 1)[0], event.card)
    return replace(
        table,
        places=put(table.places, event.seat, replace(place, hand=(*place.hand, drawn))),
        cards=replace(cards, deck=cards.deck[1:], remade=_came(cards, event.seat, (drawn,))),
        stage=replace(before, step=DISCARD, has_turn=before.step is not BROOM),
    )


def _card_discarded(table: Table, event: events.CardDiscarded) -> Table:
    place, cards = table.places[event.seat], table.cards
    hand = list(place.hand)
    at = find(place.hand, event.card)
    drawn = hand.pop()
    if at < len(hand):
        hand[at] = drawn
    discards, remade = (*cards.discards, event.card), _left(cards, event.seat, event.card)
    return replace(
        table,
        places=put(table.places, event.seat, replace(place, hand=tuple(hand))),
        cards=replace(cards, discards=discards, remade=remade),
    )


def _turn_came(table: Table, event: events.TurnCame) -> Table:
    stage = table.stage
    goes_on = stage.step is DISCARD and stage.has_turn and stage.seat == event.seat
    return replace(table, stage=replace(stage, step=PLANNING, has_paid=False) if goes_on else TURNS[event.seat])


TURNS = tuple(Stage(step=PLANNING, seat=seat) for seat in range(max(SEATS)))


def _card_revealed(table: Table, event: events.CardRevealed) -> Table:
    place, cards = table.places[event.seat], table.cards
    hand = without(place.hand, event.card)
    places = put(table.places, event.seat, replace(place, hand=hand, pawn=event.action))
    remade = _left(cards, event.seat, event.card)
    return replace(table, places=places, cards=replace(cards, open=(*cards.open, event.card), remade=remade))


def _planning_passed(table: Table, event: events.PlanningPassed) -> Table:
    place = table.places[event.seat]
    return replace(table, places=put(table.places, event.seat, replace(place, has_passed=True)))


def _went_out(table: Table, event: events.WentOut) -> Table:
    place = replace(table.places[event.seat], has_passed=True, is_out=True, lacks=event.lacks)
    return replace(table, places=put(table.places, event.seat, place))


def _mana_taken(table: Table, event: events.OutPaid) -> Table:
    return replace(table, places=_with_mana(table, event.seat, event.mana))


def _hand_revealed(table: Table, event: events.HandRevealed) -> Table:
    place, cards = table.places[event.seat], table.cards
    faces(place.hand, event.cards)
    places = put(table.places, event.seat, replace(place, hand=()))
    # all hands are shown, so nothing is hidden any more but the deck
    return replace(table, places=places, cards=Cards(cards.deck, cards.discards, cards.open + event.cards))


def _action_reached(table: Table, event: events.ActionReached) -> Table:
    seat = event.seat
    stage = Stage(step=ACT, seat=seat, actor=seat, action=event.action, price=event.price)
    return replace(table, stage=stage)


def _action_passed(table: Table, event: events.ActionPassed) -> Table:
    place = table.places[event.seat]
    places = put(table.places, event.seat, replace(place, mana=place.mana + event.mana, pawn=HOME))
    return replace(table, places=places)


def _cards_bought(table: Table, event: events.CardsBought) -> Table:
    return replace(table, places=_with_mana(table, event.seat, -event.mana))


def _begin(step: Step, seat: Seat, action: int, bonus: int = 0) -> Stage:
    return Stage(step=step, seat=seat, actor=seat, action=action, bonus=bonus)


def _summon_begun(table: Table, event: events.SummonBegun) -> Table:
    return replace(table, stage=_begin(SUMMON, event.seat, event.action, event.reduction))


def _brew_begun(table: Table, event: events.BrewBegun) -> Table:
    stage = _begin(BREW, event.seat, event.action)
    return replace(table, places=_with_mana(table, event.seat, event.mana), stage=stage)


def _attack_begun(table: Table, event: events.AttackBegun) -> Table:
    return replace(table, stage=_begin(ATTACK, event.seat, event.action, event.power))


def _divination_begun(table: Table, event: events.DivinationBegun) -> Table:
    stage = _begin(DIVINATION, event.seat, event.action)
    return replace(table, places=_with_chips(table, event.seat, event.chips), stage=stage)


def _ability_fired(table: Table, event: events.AbilityFired | events.AbilityUsed) -> Table:
    seat, stage = event.seat, table.stage
    match event.ability:
        case GainMana(mana=mana):
            return replace(table, places=_with_mana(table, seat, mana))
        case GainChips(chips=chips):
            return replace(table, places=_with_chips(table, seat, chips))
        case Reduce(mana=more) | Strengthen(power=more):
            return replace(table, stage=replace(stage, bonus=stage.bonus + more))
        case Chain(to=to):
            return replace(table, stage=replace(stage, step=CHAIN_TO, to=(to,)))
        case ChargeItself() | ChargeAnother() as ability:
            place = table.places[seat]
            familiars = _charge(place, charges(ability, event.familiar), 1)
            return replace(table, places=put(table.places, seat, replace(place, familiars=familiars)))
        case Redraw(cost=0):
            return replace(table, stage=replace(stage, redrawn=stage.redrawn + 1))
        case _:
            return table


def _ability_used(table: Table, event: events.AbilityUsed) -> Table:
    place, stage = table.places[event.seat], table.stage
    familiars = _charge(place, event.familiar, -event.ability.cost)
    if stage.is_charging and stage.step is BREW:
        stage = replace(stage, is_charged=True)
    elif stage.step is PLANNING:
        stage = replace(stage, has_paid=True)
    places = put(table.places, event.seat, replace(place, familiars=familiars))
    return _ability_fired(replace(table, places=places, stage=stage), event)


def _from_supply(table: Table, name: Name) -> tuple[Card, tuple[Pile, ...]]:
    """Return the familiar's card, and the supply with one copy less."""
    supply = table.supply
    at = next(i for i, pile in enumerate(supply) if pile.card.name == name)
    pile = supply[at]
    return pile.card, put(supply, at, replace(pile, left=pile.left - 1))


def _familiar_summoned(table: Table, event: events.FamiliarSummoned) -> Table:
    card, supply = _from_supply(table, event.familiar)
    place = table.places[event.seat]
    familiars = (*place.familiars, Owned(card, event.charges))
    after = replace(place, mana=place.mana - event.mana, familiars=familiars)
    stage = replace(table.stage, has_acquired=True)
    return replace(table, places=put(table.places, event.seat, after), supply=supply, stage=stage)


def _familiar_trained(table: Table, event: events.FamiliarTrained) -> Table:
    card, supply = _from_supply(table, event.familiar)
    place = table.places[event.seat]
    at = _owned(place, event.own)
    covered = (*place.familiars[at].covered, event.own)
    familiars = put(place.familiars, at, Owned(card, event.charges, covered))
    after = replace(place, mana=place.mana - event.mana, familiars=familiars)
    stage = replace(table.stage, has_acquired=True)
    return replace(table, places=put(table.places, event.seat, after), supply=supply, stage=stage)


def _familiar_charged(table: Table, event: events.FamiliarCharged) -> Table:
    place = table.places[event.seat]
    after = replace(place, mana=place.mana - 1, familiars=_charge(place, event.familiar, 1))
    stage = replace(table.stage, is_charging=True)
    return replace(table, places=put(table.places, event.seat, after), stage=stage)


def _attack_declared(table: Table, event: events.AttackDeclared) -> Table:
    return replace(table, stage=replace(table.stage, strength=event.strength))


def _defender_asked(table: Table, event: events.DefenderAsked) -> Table:
    return replace(table, stage=replace(table.stage, step=DEFENCE, seat=event.seat, bonus=0))


def _attack_succeeded(table: Table, event: events.AttackSucceeded) -> Table:
    return replace(table, places=_with_chips(table, event.seat, event.chips))


def _nothing(table: Table, event: events.AttackFailed | events.PointsCounted) -> Table:
    """Leave the table as it is: the event reports what the table shows already."""
    return table


def _chain_offered(table: Table, event: events.ChainOffered) -> Table:
    return replace(table, stage=replace(table.stage, step=CHAIN, seat=event.seat))


def _pawn_moved(table: Table, event: events.PawnChained) -> Table:
    place = table.places[event.seat]
    return replace(table, places=put(table.places, event.seat, replace(place, pawn=event.action)))


def _pawn_returned(table: Table, event: events.PawnReturned) -> Table:
    place = table.places[event.seat]
    return replace(table, places=put(table.places, event.seat, replace(place, pawn=HOME)))


def _cards_cleared(table: Table, event: events.CardsCleared) -> Table:
    cards = table.cards
    return replace(table, cards=Cards(deck=cards.deck, discards=cards.discards + cards.open))


def _match_ended(table: Table, event: events.MatchEnded) -> Table:
    return replace(table, stage=Stage(step=OVER))


evolve: Evolve[Table] = Evolve(
    {
        events.FamiliarsLaidOut: _familiars_laid_out,
        events.BroomTaken: _broom_taken,
        events.Shuffled: _shuffled,
        events.RoundStarted: _round_started,
        events.CardsTurned: _cards_turned,
        events.CardsDealt: _cards_dealt,
        events.BroomReady: _broom_ready,
        events.CardDrawn: _card_drawn,
        events.CardDiscarded: _card_discarded,
        events.TurnCame: _turn_came,
        events.CardRevealed: _card_revealed,
        events.PlanningPassed: _planning_passed,
        events.WentOut: _went_out,
        events.OutPaid: _mana_taken,
        events.HandRevealed: _hand_revealed,
        events.ActionReached: _action_reached,
        events.ActionPassed: _action_passed,
        events.CardsBought: _cards_bought,
        events.SummonBegun: _summon_begun,
        events.BrewBegun: _brew_begun,
        events.AttackBegun: _attack_begun,
        events.DivinationBegun: _divination_begun,
        events.AbilityFired: _ability_fired,
        events.AbilityUsed: _ability_used,
        events.FamiliarSummoned: _familiar_summoned,
        events.FamiliarTrained: _familiar_trained,
        events.FamiliarCharged: _familiar_charged,
        events.AttackDeclared: _attack_declared,
        events.DefenderAsked: _defender_asked,
        events.AttackSucceeded: _attack_succeeded,
        events.AttackFailed: _nothing,
        events.ChainOffered: _chain_offered,
        events.PawnChained: _pawn_moved,
        events.PawnReturned: _pawn_returned,
        events.PointsCounted: _nothing,
        events.CardsCleared: _cards_cleared,
        events.MatchEnded: _match_ended,
    }
)
"""Returns the table after an event.

Raises:  ValueError when an event has a card other than the one that is known to be there, or more than the deck has.
"""
