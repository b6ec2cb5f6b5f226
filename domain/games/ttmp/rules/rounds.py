"""Rounds: how one begins, how the turn passes, and what drawing a stone brings about."""

from __future__ import annotations

from domain.chance import Chance
from domain.facedown import known
from domain.game import EventBuffer, Seat
from domain.games.ttmp import events
from domain.games.ttmp.components import LEVELS, ROUNDS, TURNS, laid
from domain.games.ttmp.events import TtmpEvent
from domain.games.ttmp.evolve import evolve
from domain.games.ttmp.rules.final import hold_final
from domain.games.ttmp.rules.scoring import count_stones
from domain.games.ttmp.state import FIRST, Table, held, next_in

Buffer = EventBuffer[Table, TtmpEvent]


def begin_round(buffer: Buffer, start: Seat, chance: Chance) -> None:
    """Stocked cards come to hand; hands over the limit are asked, then the first turn begins. Rule: TT-11, TT-12."""
    buffer.tell(events.RoundBegan(buffer.state.round + 1, start))
    keep_limits(buffer, chance)


def keep_limits(buffer: Buffer, chance: Chance) -> None:
    """Ask the next one, from the start player on, whose hand exceeds the limit; the first turn when there is none.

    Rule:    TT-12. Whoever left the exam holds no magic cards.
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
    """The start player rolls three dice. Rule: TT-6."""
    start = buffer.state.start
    buffer.tell(events.TurnBegan(start, 1))
    rolled = (chance.roll(), chance.roll(), chance.roll())
    buffer.tell(events.DiceRolled(seat=start, action=FIRST, kept=(), rolled=rolled, dice=laid((), rolled)))


def pass_turn(table: Table, told: tuple[TtmpEvent, ...], chance: Chance) -> tuple[TtmpEvent, ...]:
    """After these events it is the next one's turn; after the last of a round the round ends. Rule: TT-11, TT-14."""
    stage = table.stage
    if stage.turn < TURNS:
        return (*told, events.TurnBegan(next_in(table, stage.seat), stage.turn + 1))
    buffer: Buffer = EventBuffer(evolve, table)
    for event in told:
        buffer.tell(event)
    _end_round(buffer, (), chance)
    return tuple(buffer.events)


def draw_stone(buffer: Buffer, seat: Seat, chance: Chance) -> None:
    """The seat draws the next stone; in knockout the summoning stone makes it summoner. Rule: TT-9, TT-23."""
    table = buffer.state
    stone = known(table.stones)[0]
    buffer.tell(events.StoneDrawn(seat, stone))
    if table.terms.goal and stone == table.terms.printed.summoning and any(mixable(buffer.state, seat)):
        buffer.tell(events.SummonerFound(seat, stone))
    else:
        gain_stone(buffer, seat, chance)


def mixable(table: Table, summoner: Seat) -> tuple[bool, ...]:
    """With whose stones the summoner may mix, by seat; the last is the deck of stones. Rule: TT-23."""
    others = [seat != summoner and bool(place.stones) for seat, place in enumerate(table.places)]
    return (*others, bool(table.stones))


def take_stone(buffer: Buffer, seat: Seat, owner: Seat, chance: Chance) -> None:
    """The seat takes one of another's stones by chance. Rule: TT-23."""
    mixed = chance.shuffle(known(buffer.state.places[owner].stones))
    buffer.tell(events.StonesMixed(owner, mixed))
    both = (min(seat, owner), max(seat, owner))
    buffer.tell(events.StoneTaken(seat=seat, owner=owner, both=both, stone=mixed[0]))
    gain_stone(buffer, seat, chance)


def summon(buffer: Buffer, seat: Seat, owner: tuple[Seat, ...], chance: Chance) -> None:
    """The summoner mixes the stone with the owner's, or with the deck, and draws one. Rule: TT-23."""
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
    """A stone was drawn: somebody may leave the exam, or in knockout have won; else the round ends.

    Rule:    TT-3, TT-12, TT-23. A summoning can raise the other's points too; the drawer comes first.
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
    """Of two players the other one then gets the stones that are left. Rule: TT-3."""
    buffer.tell(events.ExamLeft(seat))
    table = buffer.state
    if len(table.places) == 2 and table.stones:
        buffer.tell(events.RestTaken(1 - seat, table.stones))


def _end_round(buffer: Buffer, taker: tuple[Seat, ...], chance: Chance) -> None:
    """Cards go back and decks are shuffled; with the last stone or the last round the exam ends.

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
    """Whoever took the stone, or the next one still in the exam; without a taker the start passes on.

    Rule:    TT-5, TT-14.
    """
    for seat in taker:
        return next_in(table, seat) if table.places[seat].is_out else seat
    return next_in(table, table.start)
