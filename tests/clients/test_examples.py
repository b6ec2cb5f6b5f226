"""The example bots, as processes of their own, on a service with all that belongs to it."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic, sleep

import pytest

from foldtable_client import AsyncClient, Client, For
from tests.service.run.uprun import up

pytestmark = pytest.mark.faults

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "clients" / "python" / "examples"


def test_an_example_is_short() -> None:
    assert len((EXAMPLES / "any_game.py").read_text().splitlines()) < 60


def started(name: str, url: str, token: str) -> subprocess.Popen[bytes]:
    """The example, as a process of its own."""
    path = os.pathsep.join((str(ROOT), str(ROOT / "clients" / "python")))
    return subprocess.Popen(
        [sys.executable, str(EXAMPLES / name), url, token], env={**os.environ, "PYTHONPATH": path}, cwd=ROOT
    )


@contextmanager
def playing(name: str, url: str, token: str) -> Iterator[subprocess.Popen[bytes]]:
    """The example, at play."""
    process = started(name, url, token)
    try:
        yield process
    finally:
        process.kill()
        process.wait()


def test_the_examples_play_each_other_through_a_restart_to_the_end(tmp_path: Path) -> None:
    with up(tmp_path / "data") as service, Client(service.url) as any_game, Client(service.url) as knows:
        tokens = [any_game.sign_up("Any", kind="bot").token, knows.sign_up("Knows", kind="bot").token]
        me = any_game.me().id, knows.me().id
        with Client(service.url) as ann:
            ann.sign_up("Ann")
            match = ann.open_match("magicative", [For(me[0]), For(me[1])]).id
            with playing("knows_the_room.py", service.url, tokens[1]) as knowing:
                with playing("any_game.py", service.url, tokens[0]):
                    wait(lambda: ann.match(match).version > 20)
                with playing("any_game.py", service.url, tokens[0]) as other:
                    wait(lambda: ann.match(match).is_over)
                    assert (knowing.poll(), other.poll()) == (None, None)
            assert ann.match(match).result


def test_a_stream_is_followed_in_asyncio_to_the_end_of_a_match(tmp_path: Path) -> None:
    async def play_and_follow(url: str) -> None:
        async with AsyncClient(url) as ann, AsyncClient(url) as bob:
            await ann.sign_up("Ann")
            bobs = await bob.sign_up("Bob")
            match = (await ann.open_match("magicative", [None, For(bobs.id)])).id
            await ann.sit(match)
            await bob.accept(match)
            await ann.resign(match)
            await bob.resign(match)
            told = [message async for message in ann.follow(match)]
            versions = [message.data["version"] for message in told]
            assert versions == list(range(1, len(told) + 1))
            assert (await ann.match(match)).is_over
            half = told[len(told) // 2]
            rest = [message.data["version"] async for message in bob.follow(match, half.cursor)]
            assert rest == versions[len(told) // 2 + 1 :]

    with up(tmp_path / "data") as service:
        asyncio.run(play_and_follow(service.url))


def wait(is_so: object, seconds: float = 60) -> None:
    """Until it is so."""
    assert callable(is_so)
    end = monotonic() + seconds
    while not is_so():
        assert monotonic() < end
        sleep(0.2)
