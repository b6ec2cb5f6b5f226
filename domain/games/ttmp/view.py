"""The view of a table: the viewer's own cards and stones, and the backs of the others'."""

from __future__ import annotations

from functools import lru_cache

from domain.game import ALL, Count, Maybe, Seat, Spoken, Value, View
from domain.games.ttmp import components
from domain.games.ttmp.abilities import AnyEffect
from domain.games.ttmp.components import STONE, Action, Dice, Die, LyingStones, Mode, Stone
from domain.games.ttmp.rules.drawing import drawable, may_draw_stone, takeable
from domain.games.ttmp.rules.playing import may_use
from domain.games.ttmp.rules.scoring import needed, winners
from domain.games.ttmp.rules.turn import to_act
from domain.games.ttmp.state import ACTION, AFTER, DISCARD, SUMMON, Kind, Place, Step, Table, held


class CardView(Value, frozen=True):
    """A face-up magic card."""

    card: Count
    """The index of the card in the pack, from 0: the `number` of moves and events."""
    name: Spoken
    effect: AnyEffect
    """The effect on the dice."""


Lying = tuple[CardView | None, ...]
Levels = tuple[Lying, Lying]


class PlaceView(Value, frozen=True):
    """All that one seat has. None is a face that the viewer may not see."""

    seat: Seat
    stones: LyingStones
    """The stones, by their points."""
    hand: Levels
    """Magic cards by level, which their backs show: level 1, level 2."""
    stock: Levels
    """Magic cards that are set aside for the next round, by level."""
    is_out: bool
    """Whether the seat has left the first exam."""
    exam: tuple[Die, ...]
    """The dice of the final exam as they fell; none before it."""


class DeckView(Value, frozen=True):
    """The magic cards of a level that nobody holds."""

    cards: Count
    """How many cards are left in the deck."""
    discards: tuple[CardView, ...]
    """The face-up discards, the last one on top."""


class TableView(View, frozen=True, tag="ttmp"):
    """The whole table."""

    step: Step
    """The choice for which the table waits."""
    modes: tuple[Mode, ...]
    """The modes of the match; none: the standard game."""
    round: Count
    """From 1; 0 before the first."""
    start: Seat
    """The seat that takes the first turn of this round."""
    turns: Count
    """How many turns of the round have begun."""
    action: Action
    """The dice action of this turn."""
    dice: Dice
    """The faces in ascending order; none before the first roll."""
    stones: Count
    """How many stones are left in their deck."""
    decks: tuple[DeckView, ...]
    """The decks by level: 1, 2."""
    summoning: Stone
    """The points of the summoning stone, by which a seat becomes the summoner; there is one."""
    limit: Maybe[int]
    """The most cards of a hand, stones included, if there is a limit."""
    goal: Maybe[int]
    """The points of stones that win at once; without it the final exam decides."""
    needed: Maybe[int]
    """The final value that passes; without it nobody has to pass."""
    may_use: bool
    """Whether the seat that is to act has magic cards and may use them now, if they change the dice."""
    may_draw: tuple[int, ...]
    """What the seat that is to act may draw now: magic cards by level; 0 is a stone."""
    announced: Maybe[int]
    """While a card is discarded for a draw: the level of the card that will be drawn; 0 is a stone."""
    points: tuple[int, ...]
    """The result by seat; empty before the end."""
    winners: tuple[Seat, ...]
    """The winners; none before the end, and perhaps none after it."""
    places: tuple[PlaceView, ...]
    """The places of the seats, in seat order."""


def view(table: Table, viewer: Seat | None) -> TableView:
    """Return the table as the seat sees it; None is a spectator, ALL shows everything.

    Rule:    TT-4, and "What nobody else sees".
    """
    stage, terms = table.stage, table.terms
    kinds = terms.printed.kinds
    return TableView(
        turn=to_act(table),
        step=stage.step,
        modes=terms.modes,
        round=table.round,
        start=table.start,
        turns=stage.turn,
        action=stage.action,
        dice=table.dice,
        stones=len(table.stones),
        decks=tuple([DeckView(len(deck.cards), _show_all(kinds, deck.discards)) for deck in table.decks]),
        summoning=terms.printed.summoning,
        limit=_if_any(terms.limit),
        goal=_if_any(terms.goal),
        needed=_if_any(needed(terms.modes)),
        may_use=stage.step in (ACTION, AFTER) and may_use(stage) and bool(held(table.places[stage.seat])),
        may_draw=_may_draw(table),
        announced=(stage.level,) if stage.step is DISCARD else (),
        points=table.points,
        winners=winners(table.points, table.ranking, terms.modes),
        places=tuple([_show_place(table, seat, viewer in (seat, ALL)) for seat in range(len(table.places))]),
    )


def _if_any(number: int) -> Maybe[int]:
    return (number,) if number else ()


@lru_cache
def show_card(kind: Kind) -> CardView:
    """Return a face-up magic card."""
    return CardView(kind.card.number, Spoken(kind.card.en, kind.card.ja), kind.effect)


def _show_all(kinds: tuple[Kind, ...], cards: components.Cards) -> tuple[CardView, ...]:
    return tuple([show_card(kinds[card.number]) for card in cards])


def _may_draw(table: Table) -> tuple[int, ...]:
    """Return what the seat in turn may draw. Rule: TT-8 to TT-10, TT-23."""
    if table.stage.step is not AFTER:
        return ()
    has_stones = bool(table.stones or takeable(table, table.stage.seat))
    return (*((STONE,) if has_stones and may_draw_stone(table) else ()), *drawable(table))


def _show_place(table: Table, seat: Seat, own: bool) -> PlaceView:
    place, kinds = table.places[seat], table.terms.printed.kinds
    return PlaceView(
        seat=seat,
        stones=_show_stones(table, seat, place, own),
        hand=_show_levels(kinds, place.hand, own),
        stock=_show_levels(kinds, place.stock, own),
        is_out=place.is_out,
        exam=place.exam,
    )


def _show_stones(table: Table, seat: Seat, place: Place, own: bool) -> LyingStones:
    """Return the stones that the viewer may see. A summoner's last one is the summoning stone, which everybody knows.

    Rule:    TT-4, TT-16, TT-23.
    """
    if own or table.is_shown:
        return place.stones
    hidden = (None,) * len(place.stones)
    stage = table.stage
    return (*hidden[1:], place.stones[-1]) if stage.step is SUMMON and stage.seat == seat else hidden


def _show_levels(kinds: tuple[Kind, ...], cards: components.Levels, may_see: bool) -> Levels:
    first, second = cards
    return _show_lying(kinds, first, may_see), _show_lying(kinds, second, may_see)


def _show_lying(kinds: tuple[Kind, ...], cards: components.Lying, may_see: bool) -> Lying:
    if not may_see:
        return (None,) * len(cards)
    return tuple([None if card is None else show_card(kinds[card.number]) for card in cards])
