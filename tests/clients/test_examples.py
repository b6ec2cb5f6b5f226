"""The example bots, as processes of their own, on a service with all that belongs to it."""

from __future__ import annotations

import asyncio
import os
import random
import subprocess
import sys
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from time import monotonic, sleep

import pytest

from foldtable_client import AsyncClient, Client, For
from tests.service.run.uprun import up

pytestmark = pytest.mark.faults

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "clients" / "python" / "examples"


def started(name: str, url: str, token: str) -> subprocess.Popen[bytes]:
    path = os.pathsep.join((str(ROOT), str(ROOT / "clients" / "python")))
    return subprocess.Popen(
        [sys.executable, str(EXAMPLES / name), url, token], env={**os.environ, "PYTHONPATH": path}, cwd=ROOT
    )


@pytest.mark.parametrize("kills", [1, pytest.param(20, marks=pytest.mark.soak)])
def test_the_examples_play_each_other_to_the_end_however_often_one_is_killed(tmp_path: Path, kills: int) -> None:
    assert len((EXAMPLES / "any_game.py").read_text().splitlines()) < 60
    names, draw = ("any_game.py", "knows_the_room.py"), random.Random(22)
    with up(tmp_path / "data") as service, ExitStack() as stack:
        bots, ann = (stack.enter_context(Client(service.url)) for _ in names), stack.enter_context(Client(service.url))
        ann.sign_up("Ann")
        accounts = [bot.sign_up("Bot", kind="bot") for bot in bots]
        matches = [ann.open_match("magicative", [For(one.id) for one in accounts]).id for _ in range(1 + kills // 10)]

        def start(which: int) -> subprocess.Popen[bytes]:
            process = started(names[which], service.url, accounts[which].token)
            stack.callback(process.wait)
            stack.callback(process.kill)
            return process

        running = [start(which) for which in range(2)]
        for number in range(1, kills + 1):
            wait(lambda: (now := ann.match(matches[-1])).version > 3 * number or now.is_over)  # noqa: B023
            sleep(draw.uniform(0, 0.3))
            assert [process.poll() for process in running] == [None, None], "none has stopped by itself"
            running[0].kill()
            running[0] = start(0)
        for match in matches:
            wait(lambda: ann.match(match).is_over, 300)  # noqa: B023  # waited for at once
            assert ann.match(match).result
            assert all(event.public["nonce"] for event in ann.events(match) if event.type == "match/SeatTaken")
        assert [process.poll() for process in running] == [None, None]


def test_a_stream_is_followed_in_asyncio_to_the_end_of_a_match(tmp_path: Path) -> None:
    async def play_and_follow(url: str) -> None:
        async with AsyncClient(url) as ann, AsyncClient(url) as bob:
            await ann.sign_up("Ann")
            bobs = await bob.sign_up("Bob")
            match = (await ann.open_match("magicative", [None, For(bobs.id)])).id
            await ann.sit(match)
            await bob.accept(match)
            await ann.resign(match)
            told = [message async for message in ann.follow(match)]
            versions = [message.data["version"] for message in told]
            assert versions == list(range(1, len(told) + 1))
            assert (await ann.match(match)).is_over
            half = told[len(told) // 2]
            rest = [message.data["version"] async for message in bob.follow(match, half.cursor)]
            assert rest == versions[len(told) // 2 + 1 :]

    with up(tmp_path / "data") as service:
        asyncio.run(play_and_follow(service.url))


def wait(is_so: Callable[[], bool], seconds: float = 60) -> None:
    end = monotonic() + seconds
    while not is_so():
        assert monotonic() < end
        sleep(0.2)
