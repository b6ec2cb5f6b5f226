"""Bots that search are played by workers of their own, which give signs of life while a bot thinks."""

from __future__ import annotations

from threading import Event
from typing import Any

import pytest
import redis

from bots import BOTS, QUICK
from bots.search import Searcher
from bots.search.thought import Budget
from service.jobs.player import HURRY, SHORTEST, BotPlayer
from service.jobs.queue import THINKERS, TurnQueue, WorkerShare
from service.store.turns import Owed
from tests.service.house import House
from tests.service.jobs.workrun import Work, bot_player, door

pytestmark = pytest.mark.sqlite

LONG = 600.0


class Handed(Work):
    """Notes what is handed over, and how often the claims are renewed."""

    def __init__(self, *ids: str) -> None:
        super().__init__(*ids)
        self.handed: list[str] = []
        self.renewed = Event()

    def hand_over(self, match_id: str) -> None:
        self.handed.append(match_id)

    def renew(self) -> None:
        self.renewed.set()


class Slow(Searcher):
    """Thinks until its claim was renewed."""

    def __init__(self, work: Handed, seconds: float = 0.0) -> None:
        super().__init__(Budget(seconds=seconds, worlds=1))
        self._work = work

    def pick(self, *arguments: Any) -> Any:
        assert self._work.renewed.wait(LONG), "while it thinks, its claim is renewed"
        return QUICK["greedy"].pick(*arguments)


class Waits(Event):
    """A signal to stop that never comes, and notes for how long it was waited for."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[float] = []

    def wait(self, timeout: float | None = None) -> bool:
        self.asked.append(timeout or 0.0)
        return False


def test_a_worker_hands_over_and_a_thinker_plays(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    ann = house.player()
    match_id = ann.open_with(game="terraformers", seats=[None, {"bot": "master"}], options={})
    while ann.moves(match_id)["decision"] is not None:
        assert ann.choose(match_id).status_code == 200
    version = ann.look(match_id)["version"]
    work = Handed(match_id)
    assert bot_player(house).play(work, LONG) == 0
    assert (work.handed, work.failed) == ([match_id], [])
    assert ann.look(match_id)["version"] == version, "a worker that does not think makes no move of it"

    work = Handed(match_id)
    monkeypatch.setitem(BOTS, "master", Slow(work))
    thinker = BotPlayer(door(house), Event(), house.service.config.packs, thinks=True)
    assert thinker.play(work, LONG) > 0
    assert (work.handed, work.failed) == ([], [])
    assert ann.moves(match_id)["decision"] is not None


@pytest.mark.parametrize(("game", "hides"), [("ttmp", True), ("terraformers", False)])
def test_a_single_move_takes_as_long_as_many_would_where_anything_is_hidden(
    house: House, monkeypatch: pytest.MonkeyPatch, game: str, hides: bool
) -> None:
    """Else the time would tell how many there are, which may depend on a hand."""
    monkeypatch.setattr("bots.choose.Bot.choose", lambda self, game, seen, seat, chance: game.legal(seen, seat)[0])
    monkeypatch.setitem(BOTS, "master", Slow(work := Handed(), seconds=100.0))
    ann, stop = house.player(), Waits()
    match_id = ann.open_with(game=game, seats=[None, {"bot": "master"}], options={})
    thinker = BotPlayer(door(house), stop, house.service.config.packs, thinks=True)
    # until the bot has decided several times before Ann was asked again
    while len(stop.asked) < 2:
        while ann.moves(match_id)["decision"] is not None:
            assert ann.choose(match_id).status_code == 200
        stop.asked.clear()
        work._ids = [match_id]
        assert thinker.play(work, LONG) == len(stop.asked) > 0
    for thoughts, seconds in enumerate(stop.asked):
        part = max(SHORTEST, 1 / (1 + HURRY * thoughts))
        assert (part - 0.1) * 100 < seconds <= part * 100 if hides else seconds == 0


def test_what_is_handed_over_waits_for_thinkers_and_stays_claimed_until_one_takes_it(connection: redis.Redis) -> None:
    turns = TurnQueue(connection)
    turns.enqueue((Owed("m_a", "p_a"), Owed("m_b", "p_a")))
    share = WorkerShare(turns, "p_a")
    assert set(share.take(2)) == {"m_a", "m_b"}
    share.hand_over("m_a")
    share.close(["m_b"], [], {})
    assert connection.smembers(turns.thinkers.due + "p_a") == {b"m_a"}
    assert connection.smembers(turns.due + "p_a") == {b"m_b"}
    assert len(turns.thinkers.queue.get_job_ids()) == 1
    assert turns.enqueue((Owed("m_a", "p_a"),)) == 0, "it is claimed"
    thinking = WorkerShare(TurnQueue(connection, 0, THINKERS), "p_a")
    assert thinking.take(1) == {"m_a": "p_a"}
    thinking.close([], [], {"m_a": 1})
    assert connection.smembers(turns.thinkers.due + "p_a") == set()
