"""Bots that are killed at any moment and started again play on, until every match is over."""

from __future__ import annotations

import random
from contextlib import closing
from pathlib import Path
from threading import Event
from time import monotonic

import pytest

from foldtable_client import Client, For
from tests.clients.test_examples import started
from tests.service.run.uprun import up

pytestmark = pytest.mark.faults

MATCHES = 20
SECONDS = 540.0
"""In which all of them are over."""

NEWS = 4
"""Up to how often a match moves on between two kills."""

LONGEST = 0.3
"""Seconds by which a kill misses the move that it waits for, so that it comes at any moment."""


def playing(client: Client, ids: list[str]) -> list[str]:
    """Those of the matches that are not over."""
    return [one.id for one in client.lobby(mine=True, limit=MATCHES).matches if one.id in ids and not one.is_over]


class Pair:
    """Two example bots, each a process."""

    def __init__(self, url: str, tokens: list[str]) -> None:
        self._how = [(url, token) for token in tokens]
        self._bots = [started("any_game.py", *how) for how in self._how]

    @property
    def are_alive(self) -> bool:
        """Whether neither has stopped by itself."""
        return [bot.poll() for bot in self._bots] == [None, None]

    def kill(self, which: int) -> None:
        """Kill one as nothing can prevent, and start it again."""
        self._end(which)
        self._bots[which] = started("any_game.py", *self._how[which])

    def close(self) -> None:
        for which in range(len(self._bots)):
            self._end(which)

    def _end(self, which: int) -> None:
        self._bots[which].kill()
        self._bots[which].wait()


@pytest.mark.parametrize("matches", [4, pytest.param(MATCHES, marks=pytest.mark.soak)])
@pytest.mark.soak
def test_matches_of_two_bots_are_played_to_their_ends_however_often_they_are_killed(
    tmp_path: Path, matches: int
) -> None:
    draw, end, kills = random.Random(22), monotonic() + SECONDS, 0
    with up(tmp_path / "data") as service, Client(service.url) as ann:
        ann.sign_up("Ann")
        with Client(service.url) as bot:
            bots = [bot.sign_up(name, kind="bot") for name in ("One", "Two")]
        ids = []
        for number in range(matches):
            seats = [For(one.id) for one in (bots if number % 2 else bots[::-1])]
            ids.append(ann.open_match("magicative", seats).id)
        with closing(Pair(service.url, [one.token for one in bots])) as pair:
            while left := playing(ann, ids):
                match = draw.choice(left)
                for _ in range(draw.randint(1, NEWS)):
                    ann.match(match, wait=5)
                Event().wait(draw.uniform(0, LONGEST))
                assert pair.are_alive, f"a bot has stopped by itself after {kills} kills"
                assert monotonic() < end, (kills, left)
                pair.kill(draw.randrange(2))
                kills += 1
        print(f"{kills} kills")
        assert kills > matches
        for one in ids:
            assert ann.match(one).status == "finished"
            assert all(event.public["nonce"] for event in ann.events(one) if event.type == "match/SeatTaken")
