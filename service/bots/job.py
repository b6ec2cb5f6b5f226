"""A job: the bots of one account play for a moment, in as many of its matches as there is time for.

A job may be done twice, or die anywhere: a move answers a decision, and whoever comes second finds it closed.
"""

from __future__ import annotations

import os
from threading import Event

from rq import get_current_job

from service import config
from service.bots.door import Door
from service.bots.player import BotPlayer
from service.bots.queue import TurnQueue, WorkerShare

LONGEST = 0.1
"""Seconds for which one account's bots play on while others wait; they are less, the more accounts there are."""

SHORTEST = 0.02

ROUND = 0.4
"""Seconds in which every account that waits is to have its turn."""

_door: Door | None = None
_player: BotPlayer | None = None
_moves = 0


def prepare(settings: config.Config, url: str, stop: Event) -> None:
    """Have the jobs of this process enter by that door, and end early once it is to stop."""
    global _door, _player, _moves  # noqa: PLW0603  # RQ calls a function by its name: there is nobody to hand it over
    _door = Door(url, settings.worker_said or settings.worker_token)
    _player = BotPlayer(_door, stop, settings.packs)
    _moves = settings.bot_moves


def play_bots(account: str) -> int:
    """The job: how many moves the bots of the account's matches made. Raises Unanswered; the sweep tries again."""
    _opened()
    assert _player is not None
    job = get_current_job()
    assert job is not None, "called by a worker"
    share = WorkerShare.begin(TurnQueue(job.connection, _moves), account)
    return _player.play(share, min(LONGEST, max(SHORTEST, ROUND / (1 + share.others))))


def fire_clocks(match_ids: list[str]) -> None:
    """The job: what is due in these matches is done, and it is noted that somebody looked. Raises Unanswered; the sweep
    tries again.
    """
    _opened().fire(match_ids)


def follow_orders(match_ids: list[str]) -> None:
    """The job: the standing orders of whoever is asked in these matches are asked. Raises Unanswered; the sweep tries
    again.
    """
    _opened().follow_orders(match_ids)


def _opened() -> Door:
    """The door, also in a process that nobody has prepared."""
    if _door is None:
        prepare(settings := config.read(), os.environ.get("FOLDTABLE_URL", url_of(settings)), Event())
    assert _door is not None
    return _door


def url_of(settings: config.Config) -> str:
    """Where the web process of this machine listens."""
    host = {"0.0.0.0": "127.0.0.1", "::": "::1", "": "127.0.0.1"}.get(settings.host, settings.host)
    return f"http://[{host}]:{settings.port}" if ":" in host else f"http://{host}:{settings.port}"
