"""Given, when, then for TTMP: cards by name, a table as it should lie, and moves through the public record."""

from __future__ import annotations

from collections import Counter
from importlib.resources import files
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from domain.game import Seat
from domain.games.ttmp import GAME
from domain.games.ttmp.components import Action, Card, Dice, Lying, LyingStones, Mode, Options
from domain.games.ttmp.pack import Pack
from domain.games.ttmp.state import Deck, Place, Stage, Step, Table
from domain.secrecy import known
from tests.games.play import Told

HOUSE = files("domain.games.ttmp").joinpath("packs", "house.toml").read_bytes()
PACK: Pack = GAME.parse_pack(HOUSE, "house.toml")
ODD = Path(__file__).with_name("odd.toml").read_bytes()
ODD_PACK: Pack = GAME.parse_pack(ODD, "odd.toml")


def new(seats: int = 3, modes: tuple[Mode, ...] = (), pack: Pack = PACK) -> Table:
    options = Options(modes=modes)
    GAME.check_options(options, seats, pack)
    table: Table = GAME.initial(options, seats, pack)
    return table


class Play(Told):
    """A match under way."""

    game = GAME
    table: Table

    def hand(self, seat: Seat) -> list[str]:
        """Names of the magic cards in the seat's hand."""
        return names(sum(self.place(seat).hand, ()))


def names(cards: Lying) -> list[str]:
    assert None not in cards
    return [card.en for card in known(cards)]


def card(name: str, pack: Pack = PACK) -> Card:
    return next(
        kind.card for kind in GAME.initial(Options(), 2, pack).terms.printed.kinds if kind.card.en == name
    )  # the printed cards are the same for any table


def given(
    *hands: str,
    seats: int = 3,
    modes: tuple[Mode, ...] = (),
    pack: Pack = PACK,
    dice: Dice = (1, 3, 6),
    seat: Seat = 0,
    step: Step = Step.ACTION,
    turn: int = 5,
    round: int = 1,
    start: Seat = 0,
    stones: tuple[LyingStones, ...] = (),
    stocks: tuple[str, ...] = (),
    deck: LyingStones | None = None,
    **stage: Any,
) -> Play:
    """Given a turn: cards in hand by name ("+1, Flip"), stones by points; the others lie in their decks.

    `deck`: the deck of stones from its top; those not named anywhere lie in it anyhow.
    """
    table = new(seats, modes, pack)
    left = [list(known(deck.cards)) for deck in table.decks]
    places = tuple(
        Place(
            stones=stones[i] if i < len(stones) else (),
            plain=tuple(stone != table.terms.printed.summoning for stone in stones[i]) if i < len(stones) else (),
            hand=take(left, hands[i] if i < len(hands) else ""),
            stock=take(left, stocks[i] if i < len(stocks) else ""),
        )
        for i in range(seats)
    )
    return Play(
        replace(
            table,
            places=places,
            stones=stones_left(table, places, deck),
            decks=tuple(Deck(tuple(cards)) for cards in left),
            dice=dice,
            round=round,
            start=start,
            stage=Stage(step=step, seat=seat, turn=turn, **stage),
        )
    )


def take(left: list[list[Card]], names: str) -> tuple[Lying, Lying]:
    """These cards out of the decks, by level."""
    found: tuple[list[Card], list[Card]] = ([], [])
    for name in filter(None, names.split(", ")):
        level = 0 if any(card.en == name for card in left[0]) else 1
        card = next(card for card in left[level] if card.en == name)
        left[level].remove(card)
        found[level].append(card)
    return tuple(found[0]), tuple(found[1])


def stones_left(table: Table, places: tuple[Place, ...], deck: LyingStones | None) -> LyingStones:
    """The stones that none of them holds: in the order of `deck`, which must be these, if all are known."""
    pool = Counter(table.stones)
    pool.subtract(Counter(stone for place in places for stone in place.stones if stone is not None))
    assert min(pool.values()) >= 0
    if deck is None:
        return tuple(pool.elements())
    assert None in deck or any(None in place.stones for place in places) or Counter(deck) == +pool
    return deck


TRIPLE = (4, 4, 4)


def after(*hands: str, **more: Any) -> Play:
    """Given the time after dice action C, on a triple unless other dice are named."""
    return given(*hands, **{"dice": TRIPLE, "step": Step.AFTER, "action": Action.C, **more})


def with_level_1_discarded(play: Play) -> Play:
    """Given that all cards of level 1 that nobody holds lie among the discards."""
    first, second = play.table.decks
    return play.with_table(decks=(Deck((), known(first.cards)), second))
