"""The functions of jobs. In `play_bots` the bots of one account play for a short time, in as many of its matches as
there is time for.

A job may be done twice, or be killed at any point: a move answers a decision, and the second move finds it closed.
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
"""The most seconds for which one account's bots play while other accounts wait; less if many wait."""

SHORTEST = 0.02

ROUND = 0.4
"""Seconds in which every waiting account should have its turn."""

_door: Door | None = None
_player: BotPlayer | None = None
_moves = 0


def prepare(settings: config.Config, url: str, stop: Event) -> None:
    """Prepare this process for jobs: they ask the service at the URL, and end early when `stop` is set."""
    global _door, _player, _moves  # noqa: PLW0603  # RQ calls a function by its name, and can't pass these
    _door = Door(url, settings.worker_said or settings.worker_token)
    _player = BotPlayer(_door, stop, settings.packs)
    _moves = settings.bot_moves


def play_bots(account: str) -> int:
    """Play the bots of the account's matches. Returns how many moves they made.

    Raises:  Unanswered; a later sweep queues the matches again.
    """
    _opened()
    assert _player is not None
    job = get_current_job()
    assert job is not None, "called by a worker"
    share = WorkerShare.begin(TurnQueue(job.connection, _moves), account)
    return _player.play(share, min(LONGEST, max(SHORTEST, ROUND / (1 + share.others))))


def fire_clocks(match_ids: list[str]) -> None:
    """Do what is due in these matches; the service also notes that the clocks are looked after.

    Raises:  Unanswered; a later sweep queues the matches again.
    """
    _opened().fire(match_ids)


def follow_orders(match_ids: list[str]) -> None:
    """Follow the standing orders of the seats that are asked in these matches.

    Raises:  Unanswered; a later sweep queues the matches again.
    """
    _opened().follow_orders(match_ids)


def _opened() -> Door:
    """Return the client of the service, also in a process that was not prepared."""
    if _door is None:
        prepare(settings := config.read(), os.environ.get("FOLDTABLE_URL", url_of(settings)), Event())
    assert _door is not None
    return _door


def url_of(settings: config.Config) -> str:
    """Return the URL at which the web process of this machine listens."""
    host = {"0.0.0.0": "127.0.0.1", "::": "::1", "": "127.0.0.1"}.get(settings.host, settings.host)
    return f"http://[{host}]:{settings.port}" if ":" in host else f"http://{host}:{settings.port}"
