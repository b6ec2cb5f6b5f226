"""Who may do what, and what it brings about."""

from __future__ import annotations

from typing import assert_never

from domain.chance import Chance
from domain.game import EventBuffer, Refusal, Seat, Standing, rank
from domain.secrecy import known
from tests.toy.high_card.components import DIE, HAND, MOST_ROUNDS, Options, Phase
from tests.toy.high_card.events import (
    CardSetAside,
    CardsTurned,
    Dealt,
    DieRolled,
    GameEnded,
    HighCardEvent,
    PotShared,
    Raised,
    RaisesClosed,
    RaisesOpened,
    RoundStarted,
    Shuffled,
)
from tests.toy.high_card.evolve import evolve
from tests.toy.high_card.moves import HighCardMove, Pass, Raise, Roll, SetAside
from tests.toy.high_card.pack import Pack
from tests.toy.high_card.state import Table, has_pair


def check_options(options: Options, seats: int, pack: Pack) -> None:
    """Refuse what can't be played to the end. Rule: TOY-2."""
    if not 1 <= options.rounds <= MOST_ROUNDS:
        raise Refusal("TOY-2", "rounds", most=MOST_ROUNDS, rounds=options.rounds)
    if pack.stake < options.rounds * (pack.ante + pack.raise_):
        raise Refusal("TOY-2", "stake", stake=pack.stake, rounds=options.rounds)
    if len(pack.deck) < HAND * seats:
        raise Refusal("TOY-2", "deck", cards=len(pack.deck), seats=seats)


def setup(table: Table, chance: Chance) -> tuple[HighCardEvent, ...]:
    """Deal the first round."""
    buffer: EventBuffer[Table, HighCardEvent] = EventBuffer(evolve, table)
    _deal(buffer, chance)
    return tuple(buffer.events)


def _deal(buffer: EventBuffer[Table, HighCardEvent], chance: Chance) -> None:
    """Ante, shuffle and deal. Rule: TOY-3."""
    pack = buffer.state.pack
    buffer.tell(RoundStarted(round=buffer.state.round + 1, ante=pack.ante))
    cards = chance.shuffle(pack.deck)
    buffer.tell(Shuffled(cards=cards))
    for seat in range(len(buffer.state.places)):
        buffer.tell(Dealt(seat=seat, cards=cards[HAND * seat : HAND * (seat + 1)]))


def to_act(table: Table) -> tuple[Seat, ...]:
    """Whoever has set nothing aside; then whoever is known to be asked; then whose die comes next."""
    match table.phase:
        case Phase.SETTING:
            return tuple(seat for seat, place in enumerate(table.places) if not place.aside)
        case Phase.RAISING:
            return tuple(seat for seat, asked in enumerate(table.asked) if asked)
        case Phase.ROLLING:
            return tuple(seat for seat, place in enumerate(table.places) if not place.pips)[:1]
        case Phase.OVER:
            return ()


def legal(table: Table, seat: Seat) -> tuple[HighCardMove, ...]:
    """Every move the seat may make now."""
    if seat not in to_act(table):
        return ()
    match table.phase:
        case Phase.SETTING:
            return tuple(SetAside(card=card) for card in sorted({*known(table.places[seat].hand)}))
        case Phase.RAISING:
            return (Raise(), Pass())
        case _:
            return (Roll(),)


def forced(table: Table) -> tuple[Seat, HighCardMove] | None:
    """The dice roll by themselves. Rule: TOY-7."""
    return next(((seat, Roll()) for seat in to_act(table)), None) if table.phase is Phase.ROLLING else None


def secret(table: Table) -> bool:
    """Raises are answered under seal. Rule: TOY-5."""
    return table.phase is Phase.RAISING


def decide(table: Table, seat: Seat, move: HighCardMove, chance: Chance) -> tuple[HighCardEvent, ...]:
    """What the move brings about; an answer under seal nothing yet, see `close`."""
    if seat not in to_act(table):
        raise Refusal("TOY-4", "not-to-act", seat=seat)
    match move:
        case SetAside(card=card):
            return _set_aside(table, seat, card)
        case Raise() | Pass():
            if table.phase is not Phase.RAISING:
                raise Refusal("TOY-5", "no-raises")
            return ()
        case Roll():
            if table.phase is not Phase.ROLLING:
                raise Refusal("TOY-7", "no-dice")
            return _roll(table, seat, chance)
        case _:
            assert_never(move)


def _set_aside(table: Table, seat: Seat, card: int | None) -> tuple[HighCardEvent, ...]:
    """Set the card aside; the last one to do so opens the raises. Rule: TOY-4, TOY-5."""
    if table.phase is not Phase.SETTING:
        raise Refusal("TOY-4", "nothing-to-set-aside")
    if card is None or card not in table.places[seat].hand:
        raise Refusal("TOY-4", "not-in-hand")
    buffer: EventBuffer[Table, HighCardEvent] = EventBuffer(evolve, table)
    after = buffer.tell(CardSetAside(seat=seat, card=card))
    asked = tuple(has_pair(place) for place in after.places)
    if after.phase is Phase.ROLLING and any(asked):
        buffer.tell(RaisesOpened(asked=asked))
    return tuple(buffer.events)


def close(table: Table, answers: tuple[HighCardMove | None, ...], chance: Chance) -> tuple[HighCardEvent, ...]:
    """Those who raise show their pair and pay. Rule: TOY-6."""
    raised = (
        Raised(seat=seat, rank=known(table.places[seat].hand)[0], chips=table.pack.raise_)
        for seat, answer in enumerate(answers)
        if isinstance(answer, Raise)
    )
    return (*raised, RaisesClosed())


def _roll(table: Table, seat: Seat, chance: Chance) -> tuple[HighCardEvent, ...]:
    """Roll; after the last die the round ends. Rule: TOY-7, TOY-8, TOY-9."""
    buffer: EventBuffer[Table, HighCardEvent] = EventBuffer(evolve, table)
    after = buffer.tell(DieRolled(seat=seat, pips=chance.roll(DIE)))
    if not all(place.pips for place in after.places):
        return tuple(buffer.events)
    after = buffer.tell(CardsTurned(cards=tuple(known(place.aside)[0] for place in after.places)))
    sums = tuple(known(place.aside)[0] + place.pips + after.pack.bonus * place.raised for place in after.places)
    winners = tuple(seat for seat, place in enumerate(rank(sums)) if place == 1)
    after = buffer.tell(PotShared(winners=winners, chips=after.pot // len(winners)))
    if after.round < after.rounds:
        _deal(buffer, chance)
    else:
        points = tuple(place.chips for place in after.places)
        buffer.tell(GameEnded(points=points, ranking=rank(points)))
    return tuple(buffer.events)


def standing(table: Table) -> Standing:
    """Chips. Rule: TOY-9."""
    points = tuple(place.chips for place in table.places)
    return Standing(points=points, ranking=rank(points), over=table.phase is Phase.OVER and table.round > 0)
