"""Given, when, then for Terraformers: a table as it should lie, and moves through the public record."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from domain.chance import Scripted
from domain.game import Seat, put
from domain.games.terraformers import GAME, moves
from domain.games.terraformers.components import BOX_AT, Box, Kind, Level, Name, Options
from domain.games.terraformers.pack import Pack
from domain.games.terraformers.state import Phase, Player, Table, Turn
from tests.games.play import Told

HOUSE = files("domain.games.terraformers").joinpath("packs", "house.toml").read_bytes()
PACK: Pack = GAME.parse_pack(HOUSE, "house.toml")
NAMES = {card.name: Name(card.name, card.ja) for card in PACK.cards}
SPECIES = tuple(card.name for card in PACK.cards if card.kind is Kind.SPECIES)


def name(card: str) -> Name:
    return NAMES[card]


def planet(*cards: str) -> tuple[str, ...]:
    """Eight cards: these, and species that nobody holds, which do nothing."""
    others = [species for species in reversed(SPECIES) if species not in cards]
    return (*cards, *others[: 8 - len(cards)])


class Play(Told):
    """A match under way."""

    game = GAME
    table: Table

    # when

    def box(self, seat: Seat, box: Box, tips: int) -> Play:
        return self.move(seat, moves.UseBox(box)).move(seat, moves.Place(tips))

    def card(self, seat: Seat, card: str, tips: int, on: Seat | None = None) -> Play:
        choice = moves.UseCard(self.called(card)) if on is None else moves.UseCardOn(self.called(card), on)
        return self.move(seat, choice).move(seat, moves.Place(tips))

    def acquire(self, seat: Seat, card: str, tips: int) -> Play:
        return self.move(seat, moves.Acquire(self.called(card))).move(seat, moves.Place(tips))

    def guard(self, seat: Seat, card: str, tips: int) -> Play:
        return self.move(seat, moves.Guard(self.called(card))).move(seat, moves.Place(tips))

    def put_back(self, seat: Seat) -> Play:
        return self.move(seat, moves.PutBack())

    def copy(self, seat: Seat, card: str) -> Play:
        return self.move(seat, moves.Copy(self.called(card)))

    def pass_(self, *seats: Seat) -> Play:
        for seat in seats:
            self.move(seat, moves.Pass())
        return self

    def end_round(self) -> Play:
        """When everybody who has not passed does; what the last of them brought about is kept."""
        before = self.table.round
        while (to_act := GAME.to_act(self.table)) and self.table.round == before:
            self.pass_(*to_act)
        return self

    def end_match(self) -> Play:
        """When nothing more is done."""
        while GAME.to_act(self.table):
            self.end_round()
        return self

    # given

    def with_player(self, seat: Seat, **changes: Any) -> Play:
        player = replace(self.table.players[seat], **changes)
        return self.with_table(players=put(self.table.players, seat, player))

    def with_levels(self, seat: Seat, city: int = 4, green: int = 3, science: int = 0, cosmo: int = 1) -> Play:
        return self.with_player(seat, levels=(city, green, science, cosmo))

    def with_hand(self, seat: Seat, tips: int) -> Play:
        return self.with_player(seat, hand=tips)

    def with_boxes(self, seat: Seat, **tips: int) -> Play:
        boxes = tuple(tips.get(box.value, 0) for box in Box)
        return self.with_player(seat, boxes=boxes)

    def with_species(self, seat: Seat, card: str) -> Play:
        return self.with_player(seat, species=(self.spot(card),))

    def with_tips(self, card: str, tips: int) -> Play:
        return self.with_table(tips=put(self.table.tips, self.spot(card), tips))

    def with_copy(self, card: str, copied: str) -> Play:
        return self.with_table(copies=put(self.table.copies, self.spot(card), self.spot(copied)))

    def with_turn(self, seat: Seat) -> Play:
        return self.with_table(turn=Turn(Phase.ACTION, seat))

    # then

    def spot(self, card: str) -> int:
        return next(spot for spot, laid in enumerate(self.table.planet) if laid.name.name == card)

    def called(self, card: str) -> Name:
        return self.table.planet[self.spot(card)].name

    def player(self, seat: Seat) -> Player:
        return self.table.players[seat]

    def points(self) -> tuple[int, ...]:
        return tuple(player.points for player in self.table.players)

    def on(self, seat: Seat, box: Box) -> int:
        """Tips on a box of the sheet."""
        return self.player(seat).boxes[BOX_AT[box]]

    def level(self, seat: Seat, level: Level) -> int:
        return self.player(seat).levels[tuple(Level).index(level)]

    def lying_on(self, card: str) -> int:
        return self.table.tips[self.spot(card)]

    def holder(self, card: str) -> Seat | None:
        spot = self.spot(card)
        return next((seat for seat, player in enumerate(self.table.players) if spot in player.species), None)

    def places(self, seat: Seat) -> tuple[int, ...]:
        """How many tips may be placed."""
        return tuple(move.tips for move in self.legal(seat) if isinstance(move, moves.Place))


def given(*cards: str, seats: int = 3, marker: Seat = 0, pack: Pack = PACK) -> Play:
    """Given a match at its first turn: these cards and idle ones on the planet, the marker at a seat."""
    chance = Scripted(marker)
    table = GAME.initial(Options(planet=planet(*cards) if len(cards) < 8 else cards), seats, pack)
    play = Play(table, Scripted())
    play.fold(*GAME.setup(table, chance))
    assert chance.is_spent
    return play


ODD_FILE = (Path(__file__).parent / "packs" / "odd.toml").read_bytes()
ODD: Pack = GAME.parse_pack(ODD_FILE, "odd.toml")


def odd(*cards: str, seats: int = 3) -> Play:
    """Given a match with the odd pack: these cards, and other species."""
    names = [card.name for card in ODD.cards if card.name not in cards]
    return given(*cards, *names[: 8 - len(cards)], seats=seats, pack=ODD)


def busy() -> Play:
    """Given a table of two on which nearly everything lies somewhere."""
    play = given("Librarians", "Giants", "Provocation", "Dark Matter", "Ore Vein", seats=2)
    play.with_species(0, "Librarians").with_copy("Librarians", "Giants").with_tips("Librarians", 5)
    play.with_levels(0, city=12).with_player(0, points=-3, stars=2).with_boxes(0, war=2, oxygen=1)
    return play.with_player(1, has_passed=True, hand=0).with_tips("Ore Vein", 4)


def holding() -> Play:
    """Given three players, of whom the first holds Librarians and the second Giants."""
    return (
        given("Librarians", "Giants", "Provocation", "Ore Vein", "Mob")
        .with_species(0, "Librarians")
        .with_species(1, "Giants")
        .with_hand(0, 9)
    )
