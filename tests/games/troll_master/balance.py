"""How the house pack plays: what BALANCE.md tells, measured again.

python -m tests.games.troll_master.balance --seats 3 --matches 2000
python -m tests.games.troll_master.balance --seats 4 --matches 400 --without "Dragon Egg"
"""

from __future__ import annotations

from argparse import ArgumentParser
from collections import Counter
from collections.abc import Iterable
from typing import Any

import msgspec

from bots import BOTS
from bots.choose import Greedy
from bots.simulate import play_out
from domain.chance import Chance, Simulation
from domain.game import Seat
from domain.games.troll_master import GAME
from domain.games.troll_master.bot import Tally, tally
from domain.games.troll_master.components import ROUNDS, SUPPLY, Options
from domain.games.troll_master.moves import Summon, Train
from tests.games.troll_master.table import PACK


class Use(msgspec.Struct, frozen=True):
    """A familiar over many matches."""

    name: str
    laid_out: int
    """Matches."""
    acquired: float
    """Share of those in which anybody acquired it."""
    decided: float
    """Share of the seats that acquired it which won: without effect, one over the number of seats."""


class Balance(msgspec.Struct, frozen=True):
    """Many matches."""

    seats: int
    matches: int
    wins_by_seat: tuple[float, ...]
    """A shared win counts as its fraction."""
    wins_by_turn: tuple[float, ...]
    """The same in the order of turns from the first start player on."""
    rounds: float
    capped: int
    """Matches that took all 40 rounds."""
    familiars: tuple[Use, ...]
    """The least acquired first."""


def balance(seats: int, tallies: Iterable[Tally]) -> Balance:
    """Sum up what matches told."""
    wins, by_turn = [0.0] * seats, [0.0] * seats
    rounds = capped = matches = 0
    laid_out: Counter[str] = Counter()
    acquired: Counter[str] = Counter()
    acquirers: Counter[str] = Counter()
    won: dict[str, float] = {}
    for one in tallies:
        matches += 1
        rounds += one.rounds
        capped += one.rounds == ROUNDS
        share = 1 / len(one.winners)
        for seat in one.winners:
            wins[seat] += share
            by_turn[(seat - (one.first or 0)) % seats] += share
        for name, by in one.acquired:
            laid_out[name] += 1
            acquired[name] += bool(by)
            acquirers[name] += len(by)
            won[name] = won.get(name, 0.0) + share * len(set(by) & set(one.winners))
    familiars = [
        Use(name, count, acquired[name] / count, won[name] / max(1, acquirers[name]))
        for name, count in laid_out.items()
    ]
    ordered = tuple(sorted(familiars, key=lambda use: use.acquired))
    return Balance(seats, matches, tuple(wins), tuple(by_turn), rounds / matches, capped, ordered)


def played(seats: int, matches: int, seed: int, pack: Any = PACK) -> Iterable[Tally]:
    """Matches of greedy players among themselves."""
    for k in range(matches):
        told: list[Any] = []
        play_out(
            GAME,
            pack,
            Options(),
            seats,
            [BOTS["greedy"]] * seats,
            Simulation(f"{seed}:{k}"),
            watch=lambda state, seat, move, events, told=told: told.extend(events),  # type: ignore[misc]
        )
        yield tally(told)


class Abstaining(Greedy):
    """A greedy player that never acquires the familiar of a name."""

    def __init__(self, name: str) -> None:
        self.name = name

    def pick(self, game: Any, seen: Any, seat: Seat, legal: tuple[Any, ...], chance: Chance) -> Any:
        """See `Bot.pick`."""
        kept = tuple(move for move in legal if not (isinstance(move, Summon | Train) and move.familiar.en == self.name))
        return super().pick(game, seen, seat, kept or legal, chance)


def without(name: str, seats: int, matches: int, seed: int) -> float:
    """What a player wins that never acquires a familiar, the others being greedy, 1 being its share.

    The familiar always lies out. Much more than 1 says that it is a trap.
    """
    won = 0.0
    for k in range(matches):
        chance, own = Simulation(f"{seed}:{k}"), k % seats
        others = chance.shuffle(tuple(card.name for card in PACK.familiars if card.name != name))[: SUPPLY - 1]
        bots = [Abstaining(name) if seat == own else BOTS["greedy"] for seat in range(seats)]
        ranking = play_out(GAME, PACK, Options(familiars=(name, *others)), seats, bots, chance).ranking
        won += (ranking[own] == 1) / ranking.count(1)
    return won / matches * seats


def main() -> None:
    """Print the table."""
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--seats", type=int, default=3)
    parser.add_argument("--matches", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--without", metavar="FAMILIAR", help="how a player does that never acquires it")
    given = parser.parse_args()
    if given.without:
        print(f"{given.without}: {without(given.without, given.seats, given.matches, given.seed):.2f}")
        return
    found = balance(given.seats, played(given.seats, given.matches, given.seed))
    print(f"{found.matches} matches of {found.seats}: wins by seat {found.wins_by_seat}")
    ratios = ", ".join(f"{won / found.matches * found.seats:.2f}" for won in found.wins_by_turn)
    print(f"wins from the first start player on, 1 being fair: {ratios}")
    print(f"{found.rounds:.2f} rounds on average, {found.capped} matches took {ROUNDS}\n")
    print("| familiar | laid out | acquired | its acquirers win |\n|---|---|---|---|")
    for use in found.familiars:
        print(f"| {use.name} | {use.laid_out} | {use.acquired:.1%} | {use.decided:.1%} |")


if __name__ == "__main__":
    main()
