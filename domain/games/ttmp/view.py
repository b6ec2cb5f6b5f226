"""What a table shows to somebody: their own cards and stones, and of the others' their backs."""

from __future__ import annotations

from domain.game import ALL, Seat, Value
from domain.games.ttmp.components import STONE, Action, Cards, Dice, Levels, LyingStones, Mode
from domain.games.ttmp.rules.drawing import drawable, may_draw_stone, takeable
from domain.games.ttmp.rules.playing import may_use
from domain.games.ttmp.rules.scoring import needed, winners
from domain.games.ttmp.state import ACTION, AFTER, Place, Step, Table, held


class PlaceView(Value, frozen=True):
    """What lies before one seat. None is a face that the viewer may not see."""

    seat: Seat
    stones: LyingStones
    hand: Levels
    """Magic cards by level, which their backs show: level 1, level 2."""
    stock: Levels
    """Magic cards that are set aside for the next round, by level."""
    is_out: bool
    """Of the first exam."""


class DeckView(Value, frozen=True):
    """The magic cards of a level that nobody holds."""

    cards: int
    discards: Cards
    """Face up, the last on top."""


class TableView(Value, frozen=True):
    """The whole table."""

    modes: tuple[Mode, ...]
    round: int
    start: Seat
    """Of this round."""
    step: Step
    seat: tuple[Seat, ...]
    """Who is to act."""
    turn: int
    """Of the round, from 1; 0: no turn has begun."""
    action: Action
    """What was done with the dice in this turn."""
    dice: Dice
    """In ascending order."""
    stones: int
    """Left in their deck."""
    decks: tuple[DeckView, ...]
    """By level: 1, 2."""
    limit: int
    """Of cards in a hand, stones among them; 0: none."""
    goal: int
    """Points of stones that win at once; 0: the final exam decides."""
    needed: int
    """The final value that passes; 0: nobody has to pass."""
    may_use: bool
    """Whether the seat that is to act holds magic cards and may use them now, if they change the dice."""
    may_draw: tuple[int, ...]
    """What the seat that is to act may draw now: magic cards by their level; 0 is a stone."""
    points: tuple[int, ...]
    """The result by seat; empty before the end."""
    winners: tuple[Seat, ...]
    """Nobody before the end, and perhaps after it."""
    places: tuple[PlaceView, ...]
    """In seat order."""


def view(table: Table, viewer: Seat | None) -> TableView:
    """The table as the seat sees it; None is a spectator, ALL turns everything up.

    Rule:    TT-4, and "What nobody else sees".
    """
    stage = table.stage
    return TableView(
        modes=table.terms.modes,
        round=table.round,
        start=table.start,
        step=stage.step,
        seat=() if stage.step in (Step.DEALING, Step.OVER) else (stage.seat,),
        turn=stage.turn,
        action=stage.action,
        dice=table.dice,
        stones=len(table.stones),
        decks=tuple(DeckView(len(deck.cards), deck.discards) for deck in table.decks),
        limit=table.terms.limit,
        goal=table.terms.goal,
        needed=needed(table.terms.modes),
        may_use=stage.step in (ACTION, AFTER) and may_use(stage) and held(table.places[stage.seat]) > 0,
        may_draw=_may_draw(table),
        points=table.points,
        winners=winners(table.points, table.ranking, table.terms.modes),
        places=tuple(
            _show_place(seat, place, viewer in (seat, ALL), table.is_shown) for seat, place in enumerate(table.places)
        ),
    )


def _may_draw(table: Table) -> tuple[int, ...]:
    """What the seat in turn may draw. Rule: TT-8 to TT-10, TT-23."""
    if table.stage.step is not AFTER:
        return ()
    has_stones = bool(table.stones or takeable(table, table.stage.seat))
    return (*((STONE,) if has_stones and may_draw_stone(table) else ()), *drawable(table))


def _show_place(seat: Seat, place: Place, own: bool, is_shown: bool) -> PlaceView:
    return PlaceView(
        seat=seat,
        stones=place.stones if own or is_shown else (None,) * len(place.stones),
        hand=place.hand if own else _backs(place.hand),
        stock=place.stock if own else _backs(place.stock),
        is_out=place.is_out,
    )


def _backs(cards: Levels) -> Levels:
    first, second = cards
    return (None,) * len(first), (None,) * len(second)
