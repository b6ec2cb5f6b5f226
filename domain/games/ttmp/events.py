"""The events of a match. An event has all that is needed to change the table, and to describe it without the table."""

from __future__ import annotations

from typing import Annotated

from domain.game import Event, Seat
from domain.games.ttmp.components import Action, Card, Dice, Die, Level, Lying, LyingStones, Stone, Stones
from domain.secrecy import Hidden


class StonesShuffled(Event, frozen=True):
    """The deck of stones was shuffled, in the order in which they will be drawn. Rule: TT-1."""

    stones: Annotated[LyingStones, Hidden()]


class CardsShuffled(Event, frozen=True):
    """The deck of a level was shuffled, in the order in which its cards will be drawn. Rule: TT-1, TT-12."""

    level: Level
    cards: Annotated[Lying, Hidden()]


class StartRolled(Event, frozen=True):
    """These seats rolled a die each for the start. Rule: TT-5."""

    seats: tuple[Seat, ...]
    """The seats that rolled."""
    dice: tuple[Die, ...]
    """What they rolled, in the order of `seats`."""


class RoundBegan(Event, frozen=True):
    """A round began: stocked cards came to hand. Rule: TT-5, TT-11, TT-12."""

    round: int
    """From 1."""
    start: Seat


class LimitExceeded(Event, frozen=True):
    """A seat has more cards than its hand may have, and is to discard. Rule: TT-12."""

    seat: Seat
    limit: int
    """How many cards its hand may have."""


class TurnBegan(Event, frozen=True):
    """A seat's turn began. Rule: TT-6, TT-7."""

    seat: Seat
    turn: int
    """The number of the turn in the round, from 1."""


class CardUsed(Event, frozen=True):
    """A magic card was used, and was put face up beside its deck. Rule: TT-7, TT-14."""

    seat: Seat
    level: Level
    card: Card
    changed: Dice
    """The faces of the dice that changed, before."""
    to: Dice
    """Their faces after, one for one."""
    rolled: bool
    """Whether these faces came by chance."""
    dice: Dice
    """All three dice, after."""


class DiceRolled(Event, frozen=True):
    """A seat rolled dice: its dice action A or B, or the roll of the round's first turn. Rule: TT-6, TT-8."""

    seat: Seat
    action: Action
    kept: Dice
    """The dice that stayed."""
    rolled: tuple[Die, ...]
    """The faces of the others, as they fell."""
    dice: Dice
    """All three dice, after."""


class DiceKept(Event, frozen=True):
    """A seat rolled no dice: its dice action C. Rule: TT-8."""

    seat: Seat
    dice: Dice


class DrawAnnounced(Event, frozen=True):
    """A seat with a full hand is to draw, and discards a card first. Rule: TT-2."""

    seat: Seat
    level: int
    """The level of the card that will be drawn; 0: a stone."""


class CardDiscarded(Event, frozen=True):
    """A magic card was discarded, and was put face up beside its deck. Rule: TT-2, TT-12, TT-14."""

    seat: Seat
    level: Level
    card: Card


class DeckRefilled(Event, frozen=True):
    """A deck had run out: its discards were shuffled into a new one. Rule: TT-14."""

    level: Level
    cards: Annotated[Lying, Hidden()]


class CardDrawn(Event, frozen=True):
    """A seat drew the next magic card of a level. Rule: TT-4, TT-8."""

    seat: Seat
    level: Level
    card: Annotated[Card | None, Hidden("seat")]
    """Null if the reader may not know it."""


class StoneDrawn(Event, frozen=True):
    """A seat drew the next stone. Rule: TT-4, TT-9."""

    seat: Seat
    stone: Annotated[Stone | None, Hidden("seat")]
    """Null if the reader may not know it."""


class StonesMixed(Event, frozen=True):
    """A seat's stones were shuffled face down, so that one can be taken by chance. Rule: TT-23."""

    seat: Seat
    stones: Annotated[LyingStones, Hidden("seat")]


class StoneTaken(Event, frozen=True):
    """A seat took the first of another seat's shuffled stones. Rule: TT-23."""

    seat: Seat
    owner: Seat
    both: tuple[Seat, ...]
    """The two seats, in seat order, which may read the stone."""
    stone: Annotated[Stone | None, Hidden("both")]
    """Null if the reader may not know it."""


class SummonerFound(Event, frozen=True):
    """The stone that was just drawn is the summoning stone; the seat showed it to all. Rule: TT-23."""

    seat: Seat
    stone: Stone


class StoneSummoned(Event, frozen=True):
    """The summoner mixed the summoning stone with others, and drew one of them. Rule: TT-23."""

    seat: Seat
    stone: Stone
    """The summoning stone, which was mixed in."""
    owner: tuple[Seat, ...]
    """The seat whose stones it was mixed with; none: the deck."""
    readers: tuple[Seat, ...]
    """The summoner and the owner, in seat order."""
    drawn: Annotated[Stone | None, Hidden("readers")]
    """The stone that the summoner drew; null if the reader may not know it."""
    left: Annotated[LyingStones, Hidden("owner")]
    """The other stones, in their new order."""


class DieRerolled(Event, frozen=True):
    """In the turn change, a seat rolled one die again. Rule: TT-11."""

    seat: Seat
    die: Die
    """Its face before."""
    to: Die
    """Its face after."""
    dice: Dice
    """All three dice, after."""


class DiceLeft(Event, frozen=True):
    """In the turn change, a seat left the dice as they were. Rule: TT-11."""

    seat: Seat


class CardStocked(Event, frozen=True):
    """A seat set a magic card aside for the next round. Rule: TT-11."""

    seat: Seat
    level: Level
    card: Annotated[Card | None, Hidden("seat")]
    """Null if the reader may not know it."""


class ExamLeft(Event, frozen=True):
    """A seat's stones reached the hand limit: it left the first exam, and its magic cards went back. Rule: TT-3."""

    seat: Seat


class RestTaken(Event, frozen=True):
    """With two players, the other one got the stones that were left. Rule: TT-3."""

    seat: Seat
    stones: Annotated[LyingStones, Hidden("seat")]


class RoundEnded(Event, frozen=True):
    """A round ended: discards, and the hands of some seats, went back to the decks. Rule: TT-12, TT-14, TT-21."""

    round: int
    """The number of the round, from 1."""
    taker: tuple[Seat, ...]
    """The seat that took a stone; none: the turns of the round ran out."""
    returned: tuple[Seat, ...]
    """The seats whose hands went back."""


class StonesShown(Event, frozen=True):
    """All players showed their stones. Rule: TT-16, TT-23."""

    stones: tuple[Stones, ...]
    """By seat."""


class FamiliarSummoned(Event, frozen=True):
    """In the final exam, the summoner drew one of the highest seat's stones and the summoning stone. Rule: TT-16."""

    seat: Seat
    highest: Seat
    stone: Stone
    """The summoning stone."""
    drawn: Stone
    """The stone that the summoner drew."""
    left: Stones
    """The stones that the highest seat has now."""


class FinalRolled(Event, frozen=True):
    """A seat rolled three dice in the final exam. Rule: TT-17, TT-20, TT-22."""

    seat: Seat
    points: int
    """The points of its stones."""
    players: int
    """How many players there are."""
    dice: tuple[Die, ...]
    """The dice as they fell."""
    value: int
    """The product of points, players and the sum of the dice."""
    needed: int
    """The value that passes; 0: the value ranks."""


class MatchEnded(Event, frozen=True):
    """The match ended with this result. Rule: TT-18, TT-22, TT-23."""

    points: tuple[int, ...]
    """The final values by seat; in knockout, the points of the stones."""
    ranking: tuple[int, ...]
    """The place of each seat, 1 is first; seats that tie share the better place."""
    winners: tuple[Seat, ...]
    """The winners; there may be none."""


TtmpEvent = (
    StonesShuffled
    | CardsShuffled
    | StartRolled
    | RoundBegan
    | LimitExceeded
    | TurnBegan
    | CardUsed
    | DiceRolled
    | DiceKept
    | DrawAnnounced
    | CardDiscarded
    | DeckRefilled
    | CardDrawn
    | StoneDrawn
    | StonesMixed
    | StoneTaken
    | SummonerFound
    | StoneSummoned
    | DieRerolled
    | DiceLeft
    | CardStocked
    | ExamLeft
    | RestTaken
    | RoundEnded
    | StonesShown
    | FamiliarSummoned
    | FinalRolled
    | MatchEnded
)

Events = tuple[TtmpEvent, ...]
