"""Players of bots without a network or a queue: what became of each match is noted."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from threading import Event

import httpx2

from service.jobs.door import Door
from service.jobs.player import BotPlayer
from service.jobs.queue import WorkerShare
from service.jobs.reviewer import MatchReviewer
from tests.service.house import House, games


def door(house: House, transport: httpx2.BaseTransport | None = None) -> Door:
    """A client of the house's app, as workers are."""
    transport = transport or httpx2.WSGITransport(app=house.app)
    return Door("http://house", house.service.config.worker_token, transport)


def bot_player(house: House, by: Door | None = None, stop: Event | None = None) -> BotPlayer:
    """Somebody who plays bots in the house."""
    return BotPlayer(by or door(house), stop or Event(), house.service.config.packs)


def reviewer(house: House) -> MatchReviewer:
    """Somebody who reviews matches in the house, in a hurry."""
    return MatchReviewer(door(house), Event(), bot_player(house).fold, games, seconds=0.01)


class Work(WorkerShare):
    """A share of matches that are handed out once."""

    def __init__(self, *ids: str) -> None:
        self._ids = list(ids)
        self.waits: dict[str, float] = {}
        self.left: list[str] = []
        self.failed: list[str] = []
        self.released: list[str] = []
        self.waiting = 1
        self.accounts: dict[str, str] = {}

    @property
    def others(self) -> int:
        return self.waiting

    def take(self, most: int) -> dict[str, str]:
        taken, self._ids = self._ids[:most], self._ids[most:]
        return {match_id: self.accounts.get(match_id, "p_a") for match_id in taken}

    def renew(self) -> None:
        """See `WorkerShare.renew`."""

    def release(self, match_ids: Sequence[str]) -> None:
        self.released += match_ids

    def put_off(self, match_id: str, seconds: float) -> None:
        self.waits[match_id] = seconds

    def fail(self, match_id: str) -> None:
        """See `WorkerShare.fail`."""

    def close(self, left: Iterable[str], failed: Iterable[str], moves: Mapping[str, int]) -> None:
        self.left, self.failed = list(left), list(failed)
