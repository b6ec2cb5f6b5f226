"""A process that hangs while it is its turn to write to the SQLite store: the others wait for it, and go on."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from service.config import Config
from tests.service.run.callers import Caller, moved, playing
from tests.service.run.reckoning import reckon
from tests.service.run.uprun import hang, running, until, up

pytestmark = [pytest.mark.faults, pytest.mark.sqlite]

READS = 50
"""At most: a slow machine has not the time for all of them until the process that hangs is ended."""


@pytest.mark.soak
def test_a_web_process_that_hangs_in_its_turn_is_replaced_and_no_other(tmp_path: Path) -> None:
    config = Config(data=(data := tmp_path / "data"))
    with up(data) as service, playing(service.url, 5) as pairs, ThreadPoolExecutor(1) as thread:
        service.line("serving", 2)
        until(lambda: moved(pairs) > 20, "they play")
        hung, other = running(data, "service web")
        hang(hung, config.database, in_turn=True)
        # all that is asked from here on the other one answers: for this it needs the turn
        eve = thread.submit(Caller, service.url, "Eve")
        answered = 0
        while answered < READS:
            service.version(pairs[0].opened[0])
            has_written = eve.done()
            if hung not in running(data, "service web"):
                break
            assert not has_written
            answered += 1
        assert answered > 1, "who wants to read is answered meanwhile"
        before = moved(pairs)
        until(lambda: hung not in running(data, "service web"), "it is ended")
        until(lambda: moved(pairs) > before + 20, "they play on")
        eve.result().close()
        assert other in running(data, "service web"), "whoever waits for its turn does not hang"
    reckon(config, pairs)
