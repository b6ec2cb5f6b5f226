"""Measures the steps a second of each game as a PettingZoo environment, with the observation before each step."""

from __future__ import annotations

from random import Random
from time import process_time

from benchmarks import Figures
from benchmarks.engine import RUNS, SECONDS
from benchmarks.places import NotAtHand
from domain.catalogue import Catalogue


def run(seconds: float = SECONDS) -> Figures:
    """Play random moves, with an observation before each. Raises NotAtHand if the packages are not installed."""
    try:
        from bots.adapters.pettingzoo import SeatsEnv
    except ImportError as error:
        raise NotAtHand("`make research-tools` installs what the environments need") from error

    def rate(env: SeatsEnv, draw: Random) -> float:
        steps, start = 0, process_time()
        while (spent := process_time() - start) < seconds / RUNS:
            env.reset(seed=steps)
            for _ in env.agent_iter():
                seen, _, is_over, _, _ = env.last()
                env.step(None if is_over else draw.randrange(int(seen["action_mask"].sum())))
                steps += 1
        return steps / spent

    found: Figures = {}
    for slug in Catalogue().rooms:
        best = max(rate(SeatsEnv(slug), Random(number)) for number in range(RUNS))
        found[f"{slug}_steps_per_s"] = {"value": round(best), "unit": "steps/s"}
    return found
