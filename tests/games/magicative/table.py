"""Given, when, then for MAGICATIVE: cards by name, a table as it should lie, and moves through the public record."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path
from typing import Any, Self

from msgspec.structs import replace

from domain.chance import Chance, Simulation
from domain.game import Seat, fold
from domain.games.magicative import GAME
from domain.games.magicative.components import (
    AT,
    FORM_OF,
    SCHOOLS,
    Artefact,
    Card,
    Cards,
    Options,
    School,
    card_of,
    cards_of,
    pile_of,
)
from domain.games.magicative.events import MagicativeEvent
from domain.games.magicative.moves import MagicativeMove, Use
from domain.games.magicative.pack import Pack, deck_of
from domain.games.magicative.state import START, TURN, Aptitude, Formula, Hand, Place, Stage, Table, Won, held
from domain.secrecy import redact, unknown, unseen
from tests.games.play import Told

PRINTED = files("domain.games.magicative").joinpath("packs", "house.toml").read_bytes()
HOUSE = PRINTED.replace(b"copies = 7 ", b"copies = 6 ").replace(b"reach = 3", b"reach = 0")
"""The house pack with the numbers by which most tests were written: clauses hold whatever BALANCE.md chooses."""
assert HOUSE.count(b"copies = 6") + HOUSE.count(b"reach = 0") == 4
PACK: Pack = GAME.parse_pack(HOUSE, "house.toml")
HOUSE_PACK: Pack = GAME.parse_pack(PRINTED, "house.toml")
LONG_PACK: Pack = GAME.parse_pack(HOUSE.replace(b"goal = 10", b"goal = 30"), "long.toml")
ODD = Path(__file__).with_name("odd.toml").read_bytes()
ODD_PACK: Pack = GAME.parse_pack(ODD, "odd.toml")
PAST_OF_1: Pack = GAME.parse_pack(HOUSE.replace(b'"past", cards = 3', b'"past", cards = 1'), "one.toml")
MAGIC, ALCHEMY, ASTROLOGY = SCHOOLS
LETTERS = {"M": MAGIC, "A": ALCHEMY, "S": ASTROLOGY}
Viewer = Seat | None


def card(name: str) -> Card:
    """`A3` is alchemy 3, `M` magic, `S` astrology; `X` is an innocent."""
    return 0 if name == "X" else card_of(LETTERS[name[0]], int(name[1]))


def cards(names: str) -> Cards:
    return tuple(map(card, names.split()))


def formula(name: str) -> Formula:
    """`A234` is that run of alchemy, without innocents."""
    school, numbers = LETTERS[name[0]], tuple(map(int, name[1:]))
    return Formula(AT[school], FORM_OF[numbers], tuple(card_of(school, number) for number in numbers))


def won(formulas: str = "", chips: int = 0, aptitudes: str = "", shown: str = "", **others: Any) -> Won:
    """Fixed formulas and aptitude cards, by name."""
    taken = [(name, False) for name in aptitudes.split()] + [(name, True) for name in shown.split()]
    return Won(
        formulas=tuple(map(formula, formulas.split())),
        chips=chips,
        aptitudes=tuple(Aptitude(LETTERS[name[0]], int(name[1]), is_shown) for name, is_shown in taken),
        **others,
    )


class Play(Told):
    """A match under way, and what each viewer sees of it."""

    game = GAME
    plays_forced = True
    table: Table

    def __init__(self, table: Table, chance: Chance | None = None) -> None:
        super().__init__(table, chance)
        self.seen: dict[Viewer, Table] = {}

    def watched(self) -> Play:
        """From now on every viewer sees their part; each seat knows its own hand."""
        for viewer in (*range(len(self.table.places)), None):
            places = tuple(
                place if seat == viewer else replace(place, hand=unseen_hand(place.hand), won=unseen_won(place.won))
                for seat, place in enumerate(self.table.places)
            )
            middle = replace(self.table.middle, aptitudes=tuple(map(unknown, self.table.middle.aptitudes)))
            self.seen[viewer] = replace(self.table, places=places, deck=unknown(self.table.deck), middle=middle)
        return self

    def fold(self, *events: MagicativeEvent) -> Self:
        self.seen = {
            viewer: fold(GAME, seen, tuple(redact(event, viewer) for event in events))
            for viewer, seen in self.seen.items()
        }
        return super().fold(*events)

    def hand(self, seat: Seat) -> Cards:
        return cards_of(held(self.place(seat).hand))

    def points(self, seat: Seat) -> int:
        return GAME.standing(self.table).points[seat]


def unseen_hand(hand: Hand) -> Hand:
    return replace(hand, secret=None) if hand.hidden else hand


def unseen_won(won: Won) -> Won:
    aptitudes = tuple(one if one.is_shown else replace(one, number=None) for one in won.aptitudes)
    return replace(won, aptitudes=aptitudes)


def hand_of(names: str) -> Hand:
    held = cards(names)
    return Hand(hidden=len(held), secret=pile_of(held))


def dealt(version: int, seats: int, pack: Pack) -> Table:
    """The table after the setup, by that version of the rules."""
    game = GAME.by(version)
    assert game is not None, f"version {version} is not at hand"
    table: Table = game.initial(Options(), seats, pack)
    return fold(GAME, table, GAME.setup(table, Simulation(1)))


def given(
    *hands: str,
    rows: tuple[str, ...] = (),
    deck: str = "",
    left: int = 1000,
    has: dict[Seat, Won] | None = None,
    is_start: bool = False,
    has_swapped: bool = False,
    pack: Pack = PACK,
    version: int = GAME.version,
    **middle: Any,
) -> Play:
    """Given the turn of seat 0: hands, rows, the deck from its top, then so many of the cards that are left."""
    seats = max(2, len(hands))
    table = dealt(version, seats, pack)
    places = []
    for seat in range(seats):
        hand = hand_of(hands[seat]) if seat < len(hands) else Hand()
        row = cards(rows[seat]) if seat < len(rows) else ()
        places.append(Place(hand, row, (has or {}).get(seat, Won())))
    top = cards(deck)
    lying = [top, *(place.row for place in places), *(cards_of(held(place.hand)) for place in places)]
    lying += [one.cards for place in places for one in place.won.formulas]
    rest = unseen(deck_of(pack), *lying)
    assert len(rest) + sum(map(len, lying)) == len(deck_of(pack)), "too many copies"
    more = Simulation(2).shuffle(rest)[: max(0, left - len(top))]
    used = tuple(artefact for place in places for artefact in place.won.artefact)
    artefacts = tuple(artefact for artefact in table.middle.artefacts if artefact not in used)
    return Play(
        replace(
            table,
            places=tuple(places),
            deck=top + more,
            stage=Stage(START if is_start else TURN, 0, has_swapped),
            middle=replace(table.middle, artefacts=artefacts, **middle),
        )
    )


def school(letter: str) -> School:
    return LETTERS[letter]


FATE, PAST, INNOCENT = Use(Artefact.FATE), Use(Artefact.PAST), Use(Artefact.INNOCENT)


def decided(play: Play, *made: MagicativeMove) -> Play:
    """When seat 0 makes moves, and nothing that is forced after them has been played yet."""
    for move in made:
        play.fold(*GAME.decide(play.table, 0, move, play.chance))
    return play


def under_way() -> Play:
    has = {
        0: won("A123 M222", chips=4, aptitudes="A2", shown="A1 M1", awakened=cards("S7")),
        1: won(chips=1, artefact=(Artefact.FATE,), penalty=-2),
    }
    return given("M1 X M1 A4", "S5 S6", rows=("M3 A4", ""), has=has)
