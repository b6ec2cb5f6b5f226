"""Given, when, then for Troll Master: a table as it should lie, and moves through the public record."""

from __future__ import annotations

from collections.abc import Callable
from importlib.resources import files
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from domain.chance import Simulation
from domain.game import Seat, fold
from domain.games.troll_master import GAME
from domain.games.troll_master.abilities import Ability
from domain.games.troll_master.components import DECK, FAMILIAR_COPIES, HAND, HOME, Magic, Magics, Name, Options
from domain.games.troll_master.moves import Act, Pass, Reveal, TrollMasterMove, Use
from domain.games.troll_master.pack import Pack
from domain.games.troll_master.printed import Card
from domain.games.troll_master.state import Owned, Pile, Place, Stage, Step, Table
from domain.secrecy import unknown, unseen
from tests.games.play import Told

HOUSE = files("domain.games.troll_master").joinpath("packs", "house.toml").read_bytes()
PACK: Pack = GAME.parse_pack(HOUSE, "house.toml")
NAMES = tuple(familiar.name for familiar in PACK.familiars)
ODD = Path(__file__).with_name("odd.toml").read_bytes()
ODD_PACK: Pack = GAME.parse_pack(ODD, "odd.toml")

TOME, FLASK, WAND, CRYSTAL = Magic
LETTERS = {"T": TOME, "F": FLASK, "W": WAND, "C": CRYSTAL}


def magics(letters: str) -> Magics:
    """`TFC` is a tome, a flask and a crystal."""
    return tuple(LETTERS[letter] for letter in letters)


def card(table: Table, name: str) -> Card:
    printed = table.terms.printed
    return next(found for found in (printed.black_cat, *printed.familiars) if found.name.en == name)


def named(name: str, pack: Pack = PACK) -> Name:
    familiar = next(found for found in (pack.black_cat, *pack.familiars) if found.name == name)
    return Name(familiar.name, familiar.ja)


def ability(name: str, number: int = 0, pack: Pack = PACK) -> Ability:
    """What stands on a card, the first ability first."""
    return next(found for found in (pack.black_cat, *pack.familiars) if found.name == name).abilities[number]


def use(name: str, number: int = 0, pack: Pack = PACK) -> Use:
    found: Any = ability(name, number, pack)
    return Use(named(name, pack), found)


class Play(Told):
    """A match under way."""

    game = GAME
    plays_forced = True
    table: Table

    def owned(self, seat: Seat, name: str) -> Owned:
        familiars: tuple[Owned, ...] = self.place(seat).familiars
        return next(owned for owned in familiars if owned.card.name.en == name)


def refused(table: Table, seat: Seat, move: TrollMasterMove) -> tuple[str, str]:
    return Play(table).refusal(seat, move)


def opened(seats: int = 3, options: Options | None = None, pack: Pack = PACK, seed: int = 1) -> Table:
    """A match as it stands when its first decision is open."""
    table = GAME.initial(options or Options(), seats, pack)
    return fold(GAME, table, GAME.setup(table, Simulation(seed)))


def seat_with(
    table: Table, *familiars: str | tuple[str, int], mana: int = 0, chips: int = 0, pawn: int = HOME
) -> Place:
    """A place with these familiars uncovered; a number is charges, without one there are none."""
    owned = tuple(
        Owned(card(table, one), 0) if isinstance(one, str) else Owned(card(table, one[0]), one[1]) for one in familiars
    )
    return Place(mana=mana, familiars=owned, chips=chips, pawn=pawn, has_passed=True)


def acting(
    *places: Callable[[Table], Place],
    open: str = "TTTTFFFWWC",
    pack: Pack = PACK,
    supply: tuple[str, ...] = (),
) -> Play:
    """Actions begin: the rightmost of the places' pawns is reached. Places are made by `at`.

    The supply is that of a match whose familiars are drawn, unless it is named.
    """
    table = opened(len(places), pack=pack)
    cards = table.cards
    lying = magics(open)
    left = unseen(DECK, lying)
    assert len(left) + len(lying) == len(DECK), "too many copies"
    table = replace(
        table,
        places=tuple(replace(place, hand=(), has_passed=True) for place in table.places),
        cards=replace(cards, open=lying, deck=left, discards=()),
    )
    if supply:
        table = replace(table, supply=tuple(Pile(card(table, name), FAMILIAR_COPIES) for name in supply))
    made = tuple(place(table) for place in places)
    # One seat passes last, and all that follows is told by the rules themselves.
    last = next(seat for seat, place in enumerate(made) if place.pawn != HOME)
    planning = tuple(replace(place, has_passed=seat != last) for seat, place in enumerate(made))
    table = replace(table, places=planning, stage=Stage(Step.PLANNING, last))
    play = Play(table)
    play.told = GAME.decide(table, last, Pass(), play.chance)
    play.table = fold(GAME, table, play.told)
    return play


def at(pawn: int, *familiars: str | tuple[str, int], mana: int = 0, chips: int = 0) -> Callable[[Table], Place]:
    """A place for `acting`: a pawn on an action, and familiars."""
    return lambda table: seat_with(table, *familiars, mana=mana, chips=chips, pawn=pawn)


def planning(*hands: str, start: Seat = 0, open: str = "", pack: Pack = PACK, **changes: Any) -> Play:
    """The start player's first turn of planning, with these hands; the deck holds the rest in the order of kinds."""
    seats = len(hands)
    table = opened(seats, pack=pack)
    lying = magics("".join(hands) + open)
    left = unseen(DECK, lying)
    assert len(left) + len(lying) == len(DECK), "too many copies"
    assert all(len(hand) <= HAND[seats] for hand in hands)
    table = replace(
        table,
        places=tuple(replace(place, hand=magics(hand)) for place, hand in zip(table.places, hands, strict=True)),
        cards=replace(table.cards, open=magics(open), deck=left, discards=()),
        start=start,
        broom=start,
        stage=Stage(step=Step.PLANNING, seat=start),
        **changes,
    )
    return Play(table)


def reveal(letter: str, action: int) -> Reveal:
    return Reveal(LETTERS[letter], action)


def with_fairy(play: Play, seat: int, charges: int) -> Play:
    """The seat has a Fairy beside its cat."""
    fairy = Owned(card(play.table, "Mischievous Fairy"), charges)
    return play.with_place(seat, familiars=(*play.place(seat).familiars, fairy))


def with_pawns(play: Play, *pawns: int) -> Play:
    places = tuple(replace(place, pawn=pawn) for place, pawn in zip(play.table.places, pawns, strict=True))
    return play.with_table(places=places)


def at_the_broom(hand: str) -> Table:
    table = planning(hand, "FF", "WW").table
    return replace(table, stage=Stage(step=Step.BROOM, seat=0))


def summoning(mana: int = 6) -> Play:
    play = acting(
        at(9, "Black Cat", ("Gargoyle", 2), ("Fairy Circle", 2), mana=mana),
        at(0),
        at(0),
        open="TTTTTFFFFF",
        supply=("Gnome", "Unicorn", "Dragon Egg", "Troll"),
    )
    return play.move(0, Act())


def attacking() -> Play:
    return acting(
        at(10, "Peryton", ("Salamander", 3)), at(0, ("Gargoyle", 2)), at(0, "Black Cat"), open="WWWWWWTTFF"
    ).move(0, Act())


def discarding(hand: str) -> Table:
    """Given that the start player has drawn the last of these cards and is to discard one."""
    play = planning(hand[:-1], "FF", "WW")
    table = with_hand(play.table, hand)
    return replace(table, stage=Stage(step=Step.DISCARD, seat=0))


def with_hand(table: Table, hand: str) -> Table:
    """Given that the start player holds these cards."""
    return replace(table, places=(replace(table.places[0], hand=magics(hand)), *table.places[1:]))


def with_plain_gnome(table: Table) -> Table:
    """Given that the Gnome, first in the supply, is worth nothing and does nothing."""
    gnome, *others = table.supply
    plain = replace(gnome.card, points=0, face=replace(gnome.card.face, abilities=()))
    return replace(table, supply=(replace(gnome, card=plain), *others))


def without_supply(table: Table) -> Table:
    """Given that no card is left of the first familiar in the supply."""
    first, *others = table.supply
    return replace(table, supply=(replace(first, left=0), *others))


def seen_by(table: Table, viewer: Seat | None) -> Table:
    """The table as a viewer sees it."""
    places = tuple(
        place if seat == viewer else replace(place, hand=unknown(place.hand)) for seat, place in enumerate(table.places)
    )
    return replace(table, places=places, cards=replace(table.cards, deck=unknown(table.cards.deck)))


def everything() -> Table:
    play = acting(
        at(12, "Black Cat", ("Salamander", 2), mana=7, chips=3),
        at(3, "Troll"),
        at(0, "Raven", mana=1, chips=1),
        open="FFFFTTWWCC",
        supply=("Gnome", "Dragon Egg"),
    )
    table = play.table
    trained = replace(table.places[1].familiars[0], covered=(named("Raven"), named("Gnome")))
    places = (table.places[0], replace(table.places[1], familiars=(trained,)), table.places[2])
    supply = (table.supply[0], replace(table.supply[1], left=0))
    cards = replace(table.cards, discards=magics("TW"))
    return replace(table, start=0, places=places, supply=supply, cards=cards)


def with_discards(table: Table, letters: str) -> Table:
    """Given that all cards of the deck have gone, and these lie among the discards."""
    return replace(table, cards=replace(table.cards, discards=magics(letters), deck=()))


def unpaid() -> Table:
    """Given that seat 0 is asked for action 12, for which all cards are missing, without any mana."""
    table = acting(at(12), at(0, mana=2), at(0), open="TTTTTTWWWW").table
    return replace(table, stage=replace(table.stage, step=Step.ACT, seat=0, actor=0, action=12, price=12))


def with_stand(play: Play, seat: Seat = 0, charges: int = 9) -> Play:
    """Given that the seat has nothing but an Umbrella Stand, which has two abilities of planning."""
    return play.with_place(seat, familiars=seat_with(play.table, ("Umbrella Stand", charges)).familiars)
