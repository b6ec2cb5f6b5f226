"""Rounds: how a round begins, how the turn passes, and what follows when a stone is drawn."""

from __future__ import annotations

from domain.chance import Chance
from domain.game import EventBuffer, Seat
from domain.games.ttmp import events
from domain.games.ttmp.components import LEVELS, ROUNDS, TURNS, laid
from domain.games.ttmp.events import Events
from domain.games.ttmp.evolve import evolve
from domain.games.ttmp.rules.final import hold_final
from domain.games.ttmp.rules.scoring import Buffer, count_stones
from domain.games.ttmp.state import FIRST, Table, held, next_in
from domain.secrecy import known


def begin_round(buffer: Buffer, start: Seat, chance: Chance) -> None:
    """Begin a round: stocked cards come to hand, hands over the limit discard, then the first turn begins.

    Rule:    TT-11, TT-12.
    """
    buffer.tell(events.RoundBegan(buffer.state.round + 1, start))
    keep_limits(buffer, chance)


def keep_limits(buffer: Buffer, chance: Chance) -> None:
    """Ask the next seat, from the start player on, whose hand exceeds the limit; if none does, begin the first turn.

    Rule:    TT-12. A seat that has left the exam has no magic cards.
    """
    table = buffer.state
    limit, count = table.terms.limit, len(table.places)
    for i in range(count):
        seat = (table.start + i) % count
        place = table.places[seat]
        if limit and held(place) and len(place.stones) + held(place) > limit:
            buffer.tell(events.LimitExceeded(seat, limit))
            return
    _take_first_turn(buffer, chance)


def _take_first_turn(buffer: Buffer, chance: Chance) -> None:
    """Begin the first turn: the start player rolls three dice. Rule: TT-6."""
    start = buffer.state.start
    buffer.tell(events.TurnBegan(start, 1))
    rolled = (chance.roll(), chance.roll(), chance.roll())
    buffer.tell(events.DiceRolled(seat=start, action=FIRST, kept=(), rolled=rolled, dice=laid((), rolled)))


def pass_turn(table: Table, told: Events, chance: Chance) -> Events:
    """Return these events and the next seat's turn; after the last turn of a round, the round's end.

    Rule:    TT-11, TT-14.
    """
    stage = table.stage
    if stage.turn < TURNS:
        return (*told, events.TurnBegan(next_in(table, stage.seat), stage.turn + 1))
    buffer: Buffer = EventBuffer(evolve, table, told)
    _end_round(buffer, (), chance)
    return tuple(buffer.events)


def draw_stone(buffer: Buffer, seat: Seat, chance: Chance) -> None:
    """Draw the next stone; in knockout the summoning stone makes the seat summoner. Rule: TT-9, TT-23."""
    table = buffer.state
    stone = known(table.stones)[0]
    buffer.tell(events.StoneDrawn(seat, stone))
    if table.terms.goal and stone == table.terms.printed.summoning and any(mixable(buffer.state, seat)):
        buffer.tell(events.SummonerFound(seat, stone))
    else:
        gain_stone(buffer, seat, chance)


def mixable(table: Table, summoner: Seat) -> tuple[bool, ...]:
    """Return, by seat, whether the summoner may mix with its stones; the last value is for the deck of stones.

    Rule:    TT-23.
    """
    others = [seat != summoner and bool(place.stones) for seat, place in enumerate(table.places)]
    return (*others, bool(table.stones))


def take_stone(buffer: Buffer, seat: Seat, owner: Seat, chance: Chance) -> None:
    """Take one of another seat's stones by chance. Rule: TT-23."""
    mixed = chance.shuffle(known(buffer.state.places[owner].stones))
    buffer.tell(events.StonesMixed(owner, mixed))
    both = (min(seat, owner), max(seat, owner))
    buffer.tell(events.StoneTaken(seat=seat, owner=owner, both=both, stone=mixed[0]))
    gain_stone(buffer, seat, chance)


def summon(buffer: Buffer, seat: Seat, owner: tuple[Seat, ...], chance: Chance) -> None:
    """Mix the summoning stone with the owner's stones, or with the deck, and draw one. Rule: TT-23."""
    table = buffer.state
    stone = table.terms.printed.summoning
    others = known(table.places[owner[0]].stones if owner else table.stones)
    drawn, *left = chance.shuffle((*others, stone))
    buffer.tell(
        events.StoneSummoned(
            seat=seat,
            stone=stone,
            owner=owner,
            readers=tuple(sorted((seat, *owner))),
            drawn=drawn,
            left=tuple(left),
        )
    )
    gain_stone(buffer, seat, chance)


def gain_stone(buffer: Buffer, seat: Seat, chance: Chance) -> None:
    """Go on after a stone was drawn: a seat may leave the exam, or win in knockout; else the round ends.

    Rule:    TT-3, TT-12, TT-23. A summoning can raise the other's points too; the seat that drew is checked first.
    """
    table = buffer.state
    if table.terms.goal:
        count = len(table.places)
        for other in ((seat + i) % count for i in range(count)):
            if sum(known(table.places[other].stones)) >= table.terms.goal:
                count_stones(buffer, (other,))
                return
    elif len(table.places[seat].stones) == table.terms.limit:
        _leave_exam(buffer, seat)
    _end_round(buffer, (seat,), chance)


def _leave_exam(buffer: Buffer, seat: Seat) -> None:
    """Let the seat leave the exam. With two players, the other one gets the stones that are left. Rule: TT-3."""
    buffer.tell(events.ExamLeft(seat))
    table = buffer.state
    if len(table.places) == 2 and table.stones:
        buffer.tell(events.RestTaken(1 - seat, table.stones))


def _end_round(buffer: Buffer, taker: tuple[Seat, ...], chance: Chance) -> None:
    """End the round: cards go back, and decks are shuffled. With the last stone or the last round, end the exam.

    Rule:    TT-5, TT-12, TT-13, TT-14, TT-21.
    """
    table = buffer.state
    is_last = table.round == ROUNDS or not (table.stones or table.terms.goal)
    in_hand = tuple(seat for seat, place in enumerate(table.places) if held(place))
    returned = tuple(seat for seat in in_hand if seat in taker) if table.terms.is_kind and not is_last else in_hand
    buffer.tell(events.RoundEnded(table.round, taker, returned))
    if is_last:
        if table.terms.goal:
            count_stones(buffer, ())
        else:
            hold_final(buffer, chance)
        return
    for level in LEVELS:
        buffer.tell(events.CardsShuffled(level, chance.shuffle(known(buffer.state.decks[level - 1].cards))))
    begin_round(buffer, _next_start(table, taker), chance)


def _next_start(table: Table, taker: tuple[Seat, ...]) -> Seat:
    """Return the next start player: the taker of the stone, or the next seat still in the exam.

    Without a taker it is the seat after the present start player.

    Rule:    TT-5, TT-14.
    """
    for seat in taker:
        return next_in(table, seat) if table.places[seat].is_out else seat
    return next_in(table, table.start)
