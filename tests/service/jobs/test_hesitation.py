"""How fast a window of sealed answers closes does not tell that only bots were asked."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import pytest

from events.store import Decision
from service import clock
from service.config import Config
from service.matches.deadlines import Hesitation
from tests.service.house import THREE_MAGIC, House, build
from tests.service.jobs.workrun import Work, bot_player

faults = pytest.mark.faults
PAUSE = 100.0
TWO_BOTS = [None, {"bot": "greedy"}, {"bot": "greedy"}]


class Clock:
    """A time that passes when it is told to."""

    def __init__(self) -> None:
        self.at = clock.now()
        self.counted = 0.0
        """The monotonic clock's seconds."""

    def __call__(self) -> datetime:
        return self.at

    def passes(self, seconds: float) -> None:
        self.at += timedelta(seconds=seconds)


@pytest.fixture
def now(monkeypatch: pytest.MonkeyPatch) -> Clock:
    made = Clock()
    monkeypatch.setattr("service.matches.deadlines.monotonic", lambda: made.counted)
    return made


@pytest.fixture
def house(config: Config, now: Clock) -> Any:
    with House(build(replace(config, bot_pause=PAUSE), now)) as found:
        yield found


def waits(house: House, match: str) -> list[float]:
    return [due["wait"] for due in house.worker.get(f"/matches/{match}/bots").json["decisions"]]


@faults
def test_where_a_person_sits_bots_take_a_moment_under_seal(house: House, now: Clock) -> None:
    match, _ = bots_asked_in_secret(house, now, 1)
    first = waits(house, match)
    assert all(PAUSE <= wait < 2 * PAUSE for wait in first), "of what is asked under seal"
    assert waits(house, match) == first, "however often it is asked"
    work = Work(match)
    assert bot_player(house).play(work, 60.0) == 0
    assert work.waits[match] == min(first)
    now.passes(PAUSE / 2)
    assert waits(house, match) == pytest.approx([wait - PAUSE / 2 for wait in first])
    now.passes(-PAUSE)
    assert all(wait < 2 * PAUSE for wait in waits(house, match)), "a clock that was set back"
    now.passes(2.5 * PAUSE)
    assert not any(waits(house, match))
    assert bot_player(house).play(Work(match), 60.0) > 0


@faults
def test_bots_that_take_a_moment_are_not_told_with_an_answer(house: House, now: Clock) -> None:
    match, asked = bots_asked_in_secret(house, now, 2)
    answer = house.worker.choose(match, seat=asked[0]["seat"])
    assert (answer.status_code, answer.json["others"]) == (200, [])


@faults
def test_when_a_window_closes_does_not_show_how_many_bots_were_asked(house: House, now: Clock) -> None:
    match, asked = bots_asked_in_secret(house, now, 2)
    assert len({one["wait"] for one in asked}) == 1
    now.passes(2 * PAUSE)
    assert waits(house, match) == [0.0, 0.0]


def bots_asked_in_secret(house: House, now: Clock, count: int) -> tuple[str, list[dict[str, Any]]]:
    """A match with a person in it in which so many bots are asked, and their decisions."""
    ann = house.player()
    for _ in range(20):
        match = ann.open_with(game=THREE_MAGIC, seats=TWO_BOTS)
        while house.stranger.look(match)["status"] == "playing":
            bot_player(house).play(Work(match), 60.0)
            asked = house.worker.get(f"/matches/{match}/bots").json["decisions"]
            if sum(one["wait"] > 0 for one in asked) == count:
                return match, asked
            now.passes(2 * PAUSE)
            if moves := ann.moves(match)["moves"]:
                ann.move(match, moves[-1]["id"])
    raise AssertionError("never were so many asked at once")


@faults
def test_where_only_bots_sit_nobody_waits_nor_for_what_is_answered_openly(house: House) -> None:
    ann = house.player()
    match = ann.open(THREE_MAGIC, [{"bot": "greedy"}] * 3, options={"laps": 1})
    bot_player(house).play(Work(match), 60.0)
    assert house.stranger.look(match)["status"] == "finished", "though no time has passed"
    match = ann.open_with(seats=[None, {"bot": "random"}])
    assert waits(house, match) == [0.0]


@faults
def test_bots_among_themselves_can_be_slow_enough_to_be_watched(config: Config, now: Clock) -> None:
    with House(build(replace(config, bot_pace=PAUSE), now)) as house:
        ann = house.player()
        match = ann.open(THREE_MAGIC, [{"bot": "greedy"}] * 3)
        seen = []
        for _ in range(6):
            assert bot_player(house).play(Work(match), 60.0) == 0, "however often it is tried"
            assert all(PAUSE <= wait < 2 * PAUSE for wait in waits(house, match))
            now.passes(2 * PAUSE)
            assert bot_player(house).play(Work(match), 60.0) > 0
            seen.append(ann.look(match)["version"])
        assert seen == sorted(set(seen))


def test_how_long_it_is_differs_is_foreseen_by_nobody_and_passes_also_if_a_clock_is_set_back(now: Clock) -> None:
    asked = clock.stamp(now())
    decisions = [Decision(match="m", seat=0, since=since, due="", who="") for since in range(9)]
    one, same, other = (
        [Hesitation(PAUSE, now, secret).left(decision, asked) for decision in decisions] for secret in ("s", "s", "t")
    )
    assert len(set(one)) == len(decisions)
    assert one == same, "whichever process is asked"
    assert not set(one) & set(other)
    assert Hesitation(0.0, now, "s").left(decisions[0], asked) == 0.0
    slow = Hesitation(PAUSE, now, "s")
    for passes in (0, PAUSE / 2):
        now.passes(passes)
        assert slow.left(decisions[0], asked) == pytest.approx(one[0] - passes)
    short = Hesitation(0.05, now, "s")
    now.passes(-3600)
    assert short.left(decisions[0], asked) > 0
    now.counted += 0.1
    assert short.left(decisions[0], asked) == 0, "it has passed"
