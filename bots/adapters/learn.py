"""An example that learns: `python -m bots.adapters.learn terraformers`. Without a library, so that it can be read.

The moves of a decision get scores, linear in their numbers (`moves` of the observation); one is drawn by the softmax of
the scores. After each match the scores of what was chosen go up if the match went better than usual, and else down
(REINFORCE).
"""

from __future__ import annotations

from typing import Any

import click
import numpy as np
from numpy.typing import NDArray

from bots.adapters.encoding import MOVE_SIZE
from bots.adapters.gym import SeatEnv

RATE = 0.05


def learned(game: str, matches: int, seed: int = 0) -> NDArray[np.float64]:
    """Return weights that were learned in so many matches against bots that move by chance."""
    env, draw = SeatEnv(game), np.random.default_rng(seed)
    weights, usual = np.zeros(MOVE_SIZE), 0.0
    for number in range(matches):
        slope, reward = _played(env, weights, draw, number)
        weights += RATE * (reward - usual) * slope
        usual += 0.05 * (reward - usual)
    return weights


def share(game: str, weights: NDArray[np.float64], matches: int, seed: int = 1) -> float:
    """Return the mean share of the first place that these weights get in other matches, less a fair share."""
    env, draw = SeatEnv(game), np.random.default_rng(seed)
    return float(np.mean([_played(env, weights, draw, 1_000_000 + number)[1] for number in range(matches)]))


def _played(
    env: SeatEnv, weights: NDArray[np.float64], draw: np.random.Generator, seed: int
) -> tuple[NDArray[np.float64], float]:
    """Play a match. Returns the slope of the logarithm of what was chosen, by weight, and the reward."""
    slope, reward, is_over = np.zeros(MOVE_SIZE), 0.0, False
    seen: Any = env.reset(seed=seed)[0]
    while not is_over and seen["action_mask"].any():
        moves = seen["moves"][: int(seen["action_mask"].sum())].astype(np.float64)
        scores = moves @ weights
        chances = np.exp(scores - scores.max())
        chances /= chances.sum()
        chosen = int(draw.choice(len(moves), p=chances))
        slope += moves[chosen] - chances @ moves
        seen, reward, is_over, _, _ = env.step(chosen)
    return slope, reward


@click.command()
@click.argument("game")
@click.option("--matches", type=click.IntRange(1), default=500, show_default=True, help="How many to learn from.")
def main(game: str, matches: int) -> None:
    """Learn GAME, and print how it does against bots that move by chance: before, and afterwards."""
    before = share(game, np.zeros(MOVE_SIZE), 200)
    after = share(game, learned(game, matches), 200)
    click.echo(f"share of first places above a fair one: {before:+.3f} before, {after:+.3f} after {matches} matches")


if __name__ == "__main__":
    main()
