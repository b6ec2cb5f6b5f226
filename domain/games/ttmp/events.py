"""What happens at the table. An event says all that is needed to write it down, and to tell it without the table."""

from __future__ import annotations

from typing import Annotated

from domain.game import Event, Seat
from domain.games.ttmp.components import Action, Card, Dice, Die, Level, Lying, LyingStones, Stone, Stones
from domain.secrecy import Hidden


class StonesShuffled(Event, frozen=True):
    """The deck of stones, in the order in which they will be drawn. Rule: TT-1."""

    stones: Annotated[LyingStones, Hidden()]


class CardsShuffled(Event, frozen=True):
    """The deck of a level, in the order in which its cards will be drawn. Rule: TT-1, TT-12."""

    level: Level
    cards: Annotated[Lying, Hidden()]


class StartRolled(Event, frozen=True):
    """These seats rolled a die each for the start. Rule: TT-5."""

    seats: tuple[Seat, ...]
    """Who rolled."""
    dice: tuple[Die, ...]
    """By place in `seats`."""


class RoundBegan(Event, frozen=True):
    """A round begins: stocked cards come to hand. Rule: TT-5, TT-11, TT-12."""

    round: int
    """From 1."""
    start: Seat


class LimitExceeded(Event, frozen=True):
    """A seat holds more cards than its hand may have, and is to discard. Rule: TT-12."""

    seat: Seat
    limit: int
    """How many cards it may hold."""


class TurnBegan(Event, frozen=True):
    """A seat's turn begins. Rule: TT-6, TT-7."""

    seat: Seat
    turn: int
    """Of the round, from 1."""


class CardUsed(Event, frozen=True):
    """A magic card was used and lies face up beside its deck. Rule: TT-7, TT-14."""

    seat: Seat
    level: Level
    card: Card
    changed: Dice
    """The dice that changed, by their faces before."""
    to: Dice
    """Their faces after, one for one."""
    rolled: bool
    """Whether these came by chance."""
    dice: Dice
    """All three, after."""


class DiceRolled(Event, frozen=True):
    """A seat rolled dice: its dice action A or B, or the roll of the round's first turn. Rule: TT-6, TT-8."""

    seat: Seat
    action: Action
    kept: Dice
    """The dice that stayed."""
    rolled: tuple[Die, ...]
    """What the others show now, as they fell."""
    dice: Dice
    """All three, after."""


class DiceKept(Event, frozen=True):
    """A seat rolled nothing, its dice action C. Rule: TT-8."""

    seat: Seat
    dice: Dice


class DrawAnnounced(Event, frozen=True):
    """A seat with a full hand is to draw, and discards first. Rule: TT-2."""

    seat: Seat
    level: int
    """Of what will be drawn; 0: a stone."""


class CardDiscarded(Event, frozen=True):
    """A magic card was discarded and lies face up beside its deck. Rule: TT-2, TT-12, TT-14."""

    seat: Seat
    level: Level
    card: Card


class DeckRefilled(Event, frozen=True):
    """A deck had run out: its shuffled discards are the deck now. Rule: TT-14."""

    level: Level
    cards: Annotated[Lying, Hidden()]


class CardDrawn(Event, frozen=True):
    """A seat drew the next magic card of a level. Rule: TT-4, TT-8."""

    seat: Seat
    level: Level
    card: Annotated[Card | None, Hidden("seat")]
    """Null where the reader may not know it."""


class StoneDrawn(Event, frozen=True):
    """A seat drew the next stone. Rule: TT-4, TT-9."""

    seat: Seat
    stone: Annotated[Stone | None, Hidden("seat")]
    """Null where the reader may not know it."""


class StonesMixed(Event, frozen=True):
    """A seat's stones were shuffled face down, so that one can be taken by chance. Rule: TT-23."""

    seat: Seat
    stones: Annotated[LyingStones, Hidden("seat")]


class StoneTaken(Event, frozen=True):
    """A seat took the first of another's shuffled stones. Rule: TT-23."""

    seat: Seat
    owner: Seat
    both: tuple[Seat, ...]
    """The two, in seat order: who reads which stone it was."""
    stone: Annotated[Stone | None, Hidden("both")]
    """Null where the reader may not know it."""


class SummonerFound(Event, frozen=True):
    """The stone just drawn is the summoning stone, which shows it to all. Rule: TT-23."""

    seat: Seat
    stone: Stone


class StoneSummoned(Event, frozen=True):
    """The summoner mixed the stone with others and drew one of them. Rule: TT-23."""

    seat: Seat
    stone: Stone
    """The summoning stone, as it was mixed in."""
    owner: tuple[Seat, ...]
    """Whose stones it was mixed with; nobody's: with the deck."""
    readers: tuple[Seat, ...]
    """In seat order: the summoner, and the owner."""
    drawn: Annotated[Stone | None, Hidden("readers")]
    """What the summoner drew; null where the reader may not know it."""
    left: Annotated[LyingStones, Hidden("owner")]
    """The others, as they lie now."""


class DieRerolled(Event, frozen=True):
    """In the turn change a seat rolled one die again. Rule: TT-11."""

    seat: Seat
    die: Die
    """Its face before."""
    to: Die
    """Its face after."""
    dice: Dice
    """All three, after."""


class DiceLeft(Event, frozen=True):
    """In the turn change a seat left the dice as they lie. Rule: TT-11."""

    seat: Seat


class CardStocked(Event, frozen=True):
    """A seat set a magic card aside for the next round. Rule: TT-11."""

    seat: Seat
    level: Level
    card: Annotated[Card | None, Hidden("seat")]
    """Null where the reader may not know it."""


class ExamLeft(Event, frozen=True):
    """A seat's stones have reached the hand limit: it leaves the first exam, its magic cards go back. Rule: TT-3."""

    seat: Seat


class RestTaken(Event, frozen=True):
    """Of two players the other one got the stones that were left. Rule: TT-3."""

    seat: Seat
    stones: Annotated[LyingStones, Hidden("seat")]


class RoundEnded(Event, frozen=True):
    """A round ended: discards and the hands of some seats went back to the decks. Rule: TT-12, TT-14, TT-21."""

    round: int
    """Which one, from 1."""
    taker: tuple[Seat, ...]
    """Who took a stone; nobody: its turns ran out."""
    returned: tuple[Seat, ...]
    """Whose hands went back."""


class StonesShown(Event, frozen=True):
    """Everybody shows their stones. Rule: TT-16, TT-23."""

    stones: tuple[Stones, ...]
    """By seat."""


class FamiliarSummoned(Event, frozen=True):
    """In the final exam the summoner drew one of the highest's stones and the summoning stone. Rule: TT-16."""

    seat: Seat
    highest: Seat
    stone: Stone
    """The summoning stone."""
    drawn: Stone
    """What the summoner drew."""
    left: Stones
    """The highest's, now."""


class FinalRolled(Event, frozen=True):
    """A seat rolled three dice in the final exam. Rule: TT-17, TT-20, TT-22."""

    seat: Seat
    points: int
    """Of its stones."""
    players: int
    """How many there are."""
    dice: tuple[Die, ...]
    """As they fell."""
    value: int
    """The product of points, players and the sum of the dice."""
    needed: int
    """To pass; 0: the value ranks."""


class MatchEnded(Event, frozen=True):
    """The result. Rule: TT-18, TT-22, TT-23."""

    points: tuple[int, ...]
    """Final values by seat; in knockout the points of the stones."""
    ranking: tuple[int, ...]
    """A place a seat, 1 is first; seats that tie share the better place."""
    winners: tuple[Seat, ...]
    """It can be nobody."""


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
