"""What Fate, Past and awakening are worth to somebody who looks further than greedy does: for BALANCE.md.

    python -m tests.games.magicative.searching --seats 3 --matches 60 --seed 1

One seat of each match, in turns, plays as greedy does, but wherever it may use Fate or Past or awaken it imagines the
cards that it does not know a number of times, has every seat play on greedily to the end, and does what won more often,
if it does so again.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from collections import Counter
from itertools import permutations
from typing import Any

from bots.choose import AnyGame, Bot, Greedy
from bots.simulate import play_out
from domain.chance import Chance, Simulation
from domain.game import Seat, fold
from domain.games.magicative import GAME
from domain.games.magicative.bot import tally
from domain.games.magicative.components import Artefact, Options
from domain.games.magicative.moves import Arrange, Awaken, MagicativeMove, Use
from domain.games.magicative.state import ARRANGE, Table
from tests.laws.rooms import room_of

LUCK = 1 << 32
RARE = (Use(Artefact.FATE), Use(Artefact.PAST))
DRAWN = 2
"""How many cards Fate's user cares to order: those drawn next."""


class Looker(Bot):
    """Greedy, but for Fate, Past and awakening."""

    def __init__(self, samples: int) -> None:
        self.samples = samples
        self.offered: Counter[str] = Counter()
        self.gained: Counter[str] = Counter()
        self.tempting: Counter[str] = Counter()
        self.gained_again: Counter[str] = Counter()

    def pick(self, game: AnyGame, seen: Any, seat: Seat, legal: tuple[Any, ...], chance: Chance) -> Any:
        """See `Bot.pick`."""
        if isinstance(legal[0], Arrange):
            return ordered(game.imagine(seen, seat, chance))
        rare = [move for move in legal if move in RARE or isinstance(move, Awaken)]
        if not rare:
            return greedy.pick(game, seen, seat, legal, chance)
        others = tuple(move for move in legal if move not in rare)
        usual = others[0] if len(others) == 1 else greedy.pick(game, seen, seat, others, chance)
        wins = self._wins(seen, seat, (usual, *rare), chance)
        for move in rare:
            self.offered[name_of(move)] += 1
            self.gained[name_of(move)] += wins[move] - wins[usual]
        best = max(rare, key=wins.__getitem__)
        if wins[best] <= wins[usual]:
            return usual
        # of many that could be better some look so by chance: what looks better is looked at again
        self.tempting[name_of(best)] += 1
        wins = self._wins(seen, seat, (usual, best), chance)
        self.gained_again[name_of(best)] += wins[best] - wins[usual]
        return best if wins[best] > wins[usual] else usual

    def _wins(self, seen: Any, seat: Seat, moves: tuple[Any, ...], chance: Chance) -> Counter[MagicativeMove]:
        """How often each of these wins in as many imagined matches."""
        wins: Counter[MagicativeMove] = Counter()
        for _ in range(self.samples):
            table, luck = GAME.imagine(seen, seat, chance), chance.below(LUCK)
            for move in moves:
                wins[move] += won(table, seat, move, Simulation(luck))
        return wins

    def told(self, name: str) -> str:
        """What came of one of them, in percent of wins."""
        could, looked_better = self.offered[name], self.tempting[name]
        gain = 100 * self.gained[name] / max(1, could * self.samples)
        again = 100 * self.gained_again[name] / max(1, looked_better * self.samples)
        return f"{name}: in {could} decisions, wins {gain:+.1f} %; better in {looked_better}, there wins {again:+.1f} %"


greedy = Greedy()


def name_of(move: MagicativeMove) -> str:
    """What is counted."""
    return move.artefact.value if isinstance(move, Use) else "awakening"


def won(table: Table, seat: Seat, move: MagicativeMove, chance: Chance) -> bool:
    """Whether the seat wins a match that goes on with this move, everybody playing greedily."""
    table = after(table, seat, move, chance)
    while not (standing := GAME.standing(table)).over:
        table = step(table, chance)
    return standing.ranking[seat] == 1 and standing.ranking.count(1) == 1


def after(table: Table, seat: Seat, move: MagicativeMove, chance: Chance) -> Table:
    """The table after the move."""
    return fold(GAME, table, GAME.decide(table, seat, move, chance))


def step(table: Table, chance: Chance) -> Table:
    """What is forced, or what looks best to who is to act."""
    if (only := GAME.forced(table)) is not None:
        return after(table, *only, chance)
    (seat,) = GAME.to_act(table)
    legal = [move for move in GAME.legal(table, seat) if move not in RARE] or [*GAME.legal(table, seat)]
    if table.stage.step is ARRANGE:
        return after(table, seat, ordered(table), chance)
    if len(legal) == 1:
        return after(table, seat, legal[0], chance)
    luck = chance.below(LUCK)
    return max((after(table, seat, move, Simulation(luck)) for move in legal), key=lambda one: GAME.evaluate(one, seat))


def ordered(table: Table) -> MagicativeMove:
    """Fate: the card to put next, so that the turn that follows goes best."""
    seat, work = table.stage.seat, table.stage.work
    legal = GAME.legal(table, seat)
    if work.done >= DRAWN:
        return legal[0]
    left = [card for card in table.deck[work.done : work.of] if card is not None]
    tops = sorted(set(permutations(left, DRAWN - work.done)))
    best = max(tops, key=lambda top: _worth(table, seat, top))
    return Arrange(best[0])


def _worth(table: Table, seat: Seat, top: tuple[int, ...]) -> float:
    """How the table looks to the seat at the end of the turn, with these cards put back first."""
    chance = Simulation(0)
    for card in top:
        table = after(table, seat, Arrange(card), chance)
    while table.stage.step is ARRANGE:
        move: Any = GAME.legal(table, seat)[0]
        table = after(table, seat, move, chance)
    while not GAME.standing(table).over and table.stage.seat == seat:
        table = step(table, chance)
    return GAME.evaluate(table, seat)


def main(arguments: list[str]) -> None:
    """Play, and say what it came to."""
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--seats", type=int, choices=GAME.seats, default=3)
    parser.add_argument("--matches", type=int, default=60)
    parser.add_argument("--samples", type=int, default=16)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args(arguments)
    looker, wins = Looker(given.samples), 0.0
    used: Counter[str] = Counter()
    pack = room_of(GAME.slug).packs["house"].pack
    for i in range(given.matches):
        me = i % given.seats
        bots: list[Bot] = [looker if seat == me else greedy for seat in range(given.seats)]
        played = play_out(GAME, pack, Options(), given.seats, bots, Simulation(f"{given.seed} {i}"))
        wins += (played.ranking[me] == 1) / played.ranking.count(1)
        found = tally(played.told)
        used.update({artefact.value for seat, artefact in found.artefacts if seat == me})
        used["awakening"] += me in found.awakenings
    print(f"wins, times its share: {wins / given.matches * given.seats:.2f} of {given.matches} matches")
    print(f"matches in which it used: {dict(used)}")
    for name in ("fate", "past", "awakening"):
        print(looker.told(name))


if __name__ == "__main__":
    main(sys.argv[1:])
