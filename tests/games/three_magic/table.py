"""Given, when, then for Three Magic: cards by name, a deal as it should lie, and moves through the public record."""

from __future__ import annotations

from importlib.resources import files
from typing import Any

from msgspec.structs import replace

from domain.chance import Scripted
from domain.game import Seat, put
from domain.games.three_magic import GAME
from domain.games.three_magic.components import (
    ATTRIBUTES,
    DECK,
    Attribute,
    Card,
    Cards,
    Line,
    Options,
    mana,
)
from domain.games.three_magic.events import Measured
from domain.games.three_magic.moves import Discard, Insert, Pass, ThreeMagicMove
from domain.games.three_magic.pack import Pack
from domain.games.three_magic.rules.claims import spells_of
from domain.games.three_magic.state import Phase, Place, Table
from domain.secrecy import unknown, unseen
from tests.games.play import Told

HOUSE = files("domain.games.three_magic").joinpath("packs", "house.toml").read_bytes()
PACK: Pack = GAME.parse_pack(HOUSE, "house.toml")
FIRE, WOOD, WATER = ATTRIBUTES
KANJI = {"火": FIRE, "木": WOOD, "水": WATER}

NOTHING_A = "火0 木1* 水0 火3* 木4* 水2* 火1* 木0"
NOTHING_B = "水4* 火2* 木2* 水1* 木3* 火4* 水3* 木0"
"""Hands that together with each other are far from anything."""


def card(name: str) -> Card:
    """`火3*` is a fire 3 with a star."""
    return mana(KANJI[name[0]], int(name[1]), name.endswith("*"))


def cards(names: str) -> Cards:
    return tuple(map(card, names.split()))


class Play(Told):
    """A match under way."""

    game = GAME
    table: Table

    def answer(self, answers: dict[Seat, ThreeMagicMove]) -> Play:
        """When claims are open and these are the answers; whoever else is asked passes."""
        asked = GAME.to_act(self.table)
        assert GAME.secret(self.table)
        assert set(answers) <= set(asked)
        given = tuple(answers.get(seat, Pass()) if seat in asked else None for seat in range(3))
        assert all(move is None or move in GAME.legal(self.table, seat) for seat, move in enumerate(given))
        return self.fold(*GAME.close(self.table, given, self.chance))

    def insert_and_discard(self, seat: Seat, at: int | None = None, reach: bool = False) -> Play:
        """When a seat inserts what it drew at the right end, and discards that card or the one at a position."""
        end = len(self.place(seat).hand)
        return self.move(seat, Insert(end)).move(seat, Discard(end if at is None else at, reach))

    def pass_all(self) -> Play:
        """When nobody claims, asked or not."""
        return self.answer({}) if GAME.secret(self.table) else self

    def place(self, seat: Seat) -> Place:
        return self.table.deal.places[seat]

    def with_wall(self, count: int) -> Play:
        """Given a wall of so few cards: the others are taken away."""
        deal = self.table.deal
        return self.with_table(deal=replace(deal, wall=deal.wall[:count]))

    def with_place(self, seat: Seat, **changes: Any) -> Play:
        deal = self.table.deal
        places = put(deal.places, seat, replace(deal.places[seat], **changes))
        return self.with_table(deal=replace(deal, places=places))


def given(
    *hands: str,
    indicators: str = "木4",
    wall: str = "",
    attributes: tuple[Attribute, ...] = ATTRIBUTES,
    options: Options | None = None,
    pack: Pack = PACK,
) -> Play:
    """Given a first deal: hands in seat order, unused cards and the wall from their first; the rest lies anyhow.

    Seat 0 is fire and manager, 1 is wood, 2 is water, unless other attributes are drawn.
    """
    manager = attributes.index(FIRE)
    dealt = [cards(hands[seat]) if seat < len(hands) else () for seat in range(3)]
    assert all(len(hand) in (0, 8) for hand in dealt)
    first, turned = cards(wall), cards(indicators)
    left = list(unseen(DECK, *dealt, first, turned))
    assert len(left) + len(sum(dealt, ()) + first + turned) == len(DECK), "too many copies"
    for seat in range(3):
        dealt[seat] = dealt[seat] or tuple(left.pop(7 * len(left) // 11) for _ in range(8))
    unused = turned + tuple(left.pop() for _ in range(6 - len(turned)))
    in_turn = tuple(card for i in range(3) for card in dealt[(manager + i) % 3])
    chance = Scripted(attributes, in_turn + unused + first + tuple(left))
    table = GAME.initial(options or Options(), 3, pack)
    play = Play(table)
    play.fold(*GAME.setup(table, chance))
    assert chance.is_spent
    assert play.table.deal.phase is Phase.DRAWN
    return play


CHI_OR_RON = "火1 火2 火3 木1 木2 木3 水1 水3"
PON_OR_RON = "木0 木0 木0 火4 火4* 火4* 水2 水2*"
NOTHING = "火0 木4* 水0 火3* 木1* 水3* 火1* 水4*"
READY = "火1 火2 火3 木1 木2 木3 水1 水3"
"""Waits for a water 2."""
WINS_70 = "火1 火2* 火3* 火1* 火2 火3* 水4 水4*"
"""Of the fire player, with a water 4: attribute 30, number 40."""
WINS_0 = "木0 木0 木0 水1 水2* 水3* 木2 木3*"
"""Of the fire player, with a wood 4: nothing."""


def water_2_is_claimed(next_hand: str = CHI_OR_RON, other_hand: str = PON_OR_RON, discard: str = "水2*") -> Play:
    """Given that seat 0 has discarded a water 2 which seat 1 could chi and ron, seat 2 pon and ron."""
    return given(NOTHING, next_hand, other_hand, wall=discard).insert_and_discard(0)


def reach(wall: str = "火0", indicators: str = "木4 水3*") -> Play:
    """Given that seat 0 has declared reach with the first card of the wall, and nobody claimed it."""
    play = given(READY, NOTHING_A, NOTHING_B, wall=wall, indicators=indicators)
    return play.insert_and_discard(0, reach=True).pass_all()


def manager_wins() -> Play:
    """Given that seat 0, manager and fire, may declare a tsumo worth 70."""
    return given(WINS_70, NOTHING_A, "木2 木3* 木0 木1 水3* 水2* 木4* 水1*", wall="水4*", indicators="木4")


def manager_wins_nothing() -> Play:
    return given(WINS_0, NOTHING_B, "火0 木1* 水0 火3* 木4* 水2* 火1* 水3*", wall="木4*", indicators="木4")


def seen_by(seat: Seat, table: Table) -> Table:
    """The table as the seat knows it: of the others' cards, the wall and who is asked, nothing."""
    deal = table.deal
    places = tuple(
        place if other == seat else replace(place, hand=unknown(place.hand)) for other, place in enumerate(deal.places)
    )
    asked = tuple(is_asked if other == seat else None for other, is_asked in enumerate(deal.asked))
    hidden = replace(deal, wall=unknown(deal.wall), unused=unknown(deal.unused), places=places, asked=asked)
    return replace(table, deal=hidden)


def drawn_in_reach(wall: str = "火0 木4* 水4* 水2*") -> Play:
    """Given that seat 0, in reach, has drawn the fourth card of the wall."""
    play = reach(wall=wall)
    for seat in (1, 2):
        play.insert_and_discard(seat).pass_all()
    return play


def measured(nine: str, counted: Attribute, *, line: Line | None = None, **scored: int) -> Measured:
    """What is told of seat 0's win with these cards when they score so, and nothing for what is not named."""
    parts: dict[str, Any] = dict.fromkeys(("attribute", "number", "star", "catalyst"), 0) | scored
    total, parts["line"] = sum(parts.values()), () if line is None else (line,)
    return Measured(0, spells_of(cards(nine)), counted, total=total, **parts)
