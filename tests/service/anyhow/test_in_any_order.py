"""Whatever people do, in whichever order: nothing breaks, what everybody is told agrees, and every match audits."""

from __future__ import annotations

import itertools
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from freezegun import freeze_time
from freezegun.api import FrozenDateTimeFactory
from hypothesis import HealthCheck, Phase, settings
from hypothesis.stateful import run_state_machine_as_test

from service.config import Config
from tests.postgres import Server
from tests.service.anyhow.crowd import MOMENT, Crowd
from tests.service.anyhow.meeting import Meeting
from tests.service.house import drawing

PHASES = (Phase.generate, Phase.shrink) if "SHRINK" in os.environ else (Phase.generate,)
"""What was found is told as it was; to have it made shorter, which takes minutes, say SHRINK=1."""


def run(folder: Path, stores: Iterator[str], examples: int, steps: int) -> None:
    """`stores`: URLs, each of an empty one; "" is the data folder's. Every example has one of its own."""
    numbers = itertools.count()
    # the pool's threads live by the real time: told of this one, they would let a close wait for them in vain
    with freeze_time(MOMENT, ignore=["hypothesis", "psycopg_pool"]) as time, drawing() as draw:
        assert isinstance(time, FrozenDateTimeFactory)

        def opens() -> Meeting:
            time.move_to(MOMENT)
            draw.seed(1)
            config = Config(data=folder / str(next(numbers)), bot_pause=0.0, store=next(stores))
            return Meeting(Crowd(config, time))

        run_state_machine_as_test(
            opens,  # type: ignore[arg-type]  # it takes what makes one, too
            settings=settings(
                max_examples=examples,
                stateful_step_count=steps,
                database=None,
                phases=PHASES,
                suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much],
            ),
        )


def test_whatever_is_done_in_whichever_order_holds(tmp_path: Path) -> None:
    run(tmp_path, itertools.repeat(""), 3, 45)


@pytest.mark.postgres
def test_it_holds_on_postgres_too(tmp_path: Path, postgres_server: Server) -> None:
    run(tmp_path, iter(postgres_server.database, ""), 3, 40)


@pytest.mark.soak
def test_it_holds_for_long(tmp_path: Path) -> None:
    run(tmp_path, itertools.repeat(""), int(os.environ.get("EXAMPLES", "400")), 80)
