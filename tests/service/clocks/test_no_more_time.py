"""Nobody has more time for a decision than the terms give, whatever a seat does: a law over random walks.

A walk does all that a player can do about time, in any order, with any time passing between. It reckons for itself
until when the open decision may be answered at the latest: the terms' time and the bank, and what is added to these
while the decision is open: days of a vacation, pauses, silences of the clocks, and one grace for who comes to the seat.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from freezegun import freeze_time
from freezegun.api import FrozenDateTimeFactory

from domain import matches
from events.store import Decision
from service import clock
from service.matches import Position
from service.store import Statement
from tests.service.clocks.timing import audit, fire
from tests.service.house import House

NOON = datetime(2126, 3, 4, 12, tzinfo=UTC)
NONE, MOMENT, OUTAGE = timedelta(), timedelta(milliseconds=5), timedelta(seconds=20)
STEPS, WALKS = 30, 9
"""The steps of a walk; the walks of each clock, of which a plain run takes the first two."""

SECONDS = {"allowance": "PT30S", "claims": "PT20S", "bank": "PT0S", "defaults": 0}
HOUR = {"allowance": "PT1H", "claims": "PT10M", "bank": "PT0S", "defaults": 3}
DAY = {"allowance": "P1D", "claims": "PT8H", "bank": "PT0S", "defaults": 2}
CLOCKS = {
    "seconds": SECONDS,
    "seconds with a bank": {**SECONDS, "bank": "PT5M"},
    "an hour": HOUR,
    "an hour with a bank": {**HOUR, "bank": "PT20M"},
    "a day": DAY,
    "a day with a bank": {**DAY, "bank": "P2D"},
}
GRACE = {30_000: 30_000, 3_600_000: 720_000, 86_400_000: 17_280_000}
"""By the allowance, what whoever comes to a seat has at least for what is open; both in milliseconds."""


class Walk:
    """A seat whose player does all of it; the player of the other seat agrees to everything."""

    def __init__(self, house: House, terms: dict[str, Any], seed: int, frozen: FrozenDateTimeFactory) -> None:
        self.house, self.frozen, self.draw = house, frozen, random.Random(seed)
        self.look_after()
        self.match, (self.holder, self.bob) = house.table(clock=terms, pack="flat")
        self.heir = house.player("Eve")
        self.decision = 0
        """The open one."""
        self.most = NOON
        """Until when it may be answered, if nobody was away."""
        self.has_grace = False
        """Whether somebody who comes to the seat may have more."""
        self.away: dict[str, timedelta] = {}
        """By player, the vacation for which it may be answered later."""
        self.done: list[str] = []
        habits: list[tuple[Callable[[], None], ...]] = [
            *((self.leave,), (self.come_back,), (self.leave, self.come_back), (self.pass_on,), (self.pass_on,) * 2),
            *((self.begin_vacation,), (self.end_vacation,), (self.begin_vacation, self.end_vacation)),
            *((self.come_too_late,), (self.move,), (self.pause,), (self.resume,), (self.pause, self.resume)),
            *((self.pause_in_silence,), (self.ask_and_withdraw,)),
        ]
        # not all of them in each walk: where somebody is away for days an hour more would not show
        self.habits = [*self.draw.sample(habits, 5), (self.wait,), (self.silence,)]
        self.check()

    def position(self) -> Position:
        return self.house.service.changes.look(self.match)

    def asked(self) -> Decision | None:
        found = self.house.service.recorder.decisions(match=self.match)
        return next((one for one in found if one.seat == 0), None)

    def now(self) -> datetime:
        return self.frozen().replace(tzinfo=UTC)

    def is_over(self) -> bool:
        return self.position().truth.is_over

    def check(self) -> None:
        """What is open is due no later than it may be."""
        one = self.asked()
        if one is None:
            return
        if one.since != self.decision:
            self.begin(one)
        most = clock.stamp(self.most + sum(self.away.values(), NONE))
        assert one.due <= most, f"{one.due} instead of {most} at {clock.stamp(self.now())} after {self.done}"

    def begin(self, one: Decision) -> None:
        """The seat is asked something else."""
        position = self.position()
        terms, banks = position.truth.clocks.terms, position.truth.clocks.banks
        assert terms is not None
        self.decision, self.away = one.since, {}
        self.has_grace = not matches.is_sealed(position.log.game, position.truth)
        self.most = self.now() + milliseconds(terms.claims)
        if self.has_grace:
            self.most = self.now() + milliseconds(terms.allowance + banks[0])
            self.away[self.holder.id] = self.vacation()

    def vacation(self) -> timedelta:
        """What is left of the player's vacation, and of the time for which it is too late to give it back."""
        until = self.holder.get("/me/vacation").json["until"]
        return datetime.fromisoformat(until) - self.now() if until else NONE

    def step(self) -> None:
        for deed in self.draw.choice(self.habits):
            self.done.append(deed.__name__)
            deed()
        self.check()

    def look_after(self) -> None:
        """The clocks are looked after, as they were all the time."""
        now = {"now": clock.stamp(self.now())}
        self.house.service.recorder.write([Statement("UPDATE pulse SET at = :now", now)])
        fire(self.house, *([self.match] if hasattr(self, "match") else []))

    def some_time(self, most: float = 1.0) -> timedelta:
        terms = self.position().truth.clocks.terms
        assert terms is not None
        return milliseconds(int(terms.allowance * most * self.draw.choice([0.001, 0.1, 0.4, 0.8, 1.0])))

    def spend(self, length: timedelta, *, is_silent: bool = False) -> None:
        if self.position().truth.clocks.is_paused or is_silent:
            self.most += length
        self.frozen.tick(length)

    def wait(self) -> None:
        self.spend(self.some_time())
        self.look_after()

    def come_too_late(self) -> None:
        """The deadline passes, and the player is there before the clock."""
        self.spend(self.some_time(2.0))
        self.leave()
        self.come_back()
        self.look_after()

    def silence(self) -> None:
        """Nobody looks after the clocks."""
        self.spend(OUTAGE + self.some_time() + MOMENT, is_silent=True)
        fire(self.house, self.match)

    def pause_in_silence(self) -> None:
        for deed in (self.pause, self.resume):
            self.spend(OUTAGE + self.some_time() + MOMENT, is_silent=True)
            deed()
        self.silence()

    def move(self) -> None:
        for player in self.draw.sample([self.holder, self.bob], 2):
            if moves := player.moves(self.match)["moves"]:
                player.move(self.match, self.draw.choice(moves)["id"])
                self.check()

    def leave(self) -> None:
        self.holder.post(f"/matches/{self.match}/stand-in", {})

    def come_back(self) -> None:
        self.come(lambda: self.holder.delete(f"/matches/{self.match}/stand-in"))

    def come(self, deed: Any) -> None:
        """Somebody comes to the seat: what is open has some time yet, once."""
        position = self.position()
        due, terms = matches.due_of(position.log.game, position.truth, 0), position.truth.clocks.terms
        if deed().status_code >= 300 or due is None or terms is None or not self.has_grace:
            return
        left = datetime.fromisoformat(clock.later(due.at, due.later)) - self.now()
        if (more := milliseconds(GRACE[terms.allowance]) - left) > NONE and not position.truth.clocks.is_paused:
            self.most += more
            self.has_grace = False

    def pass_on(self) -> None:
        to = {"player": self.heir.id}
        self.holder.post(f"/matches/{self.match}/offers", to)
        self.bob.post(f"/matches/{self.match}/offers/0/agreement", to)
        self.come(lambda: self.heir.post(f"/matches/{self.match}/offers/0/acceptance"))
        if self.position().entry.chairs[0].player == self.heir.id:
            self.holder, self.heir = self.heir, self.holder
            self.away.setdefault(self.holder.id, self.vacation())

    def begin_vacation(self) -> None:
        days = self.draw.choice([1, 2])
        position = self.position()
        is_open = not matches.is_sealed(position.log.game, position.truth)
        if self.holder.post("/me/vacation", {"days": days}).status_code == 200 and is_open:
            self.away[self.holder.id] = self.away.get(self.holder.id, NONE) + timedelta(days=days)

    def end_vacation(self) -> None:
        self.holder.delete("/me/vacation")

    def pause(self) -> None:
        for player in (self.holder, self.bob):
            player.post(f"/matches/{self.match}/pause")

    def resume(self) -> None:
        for player in (self.holder, self.bob):
            player.post(f"/matches/{self.match}/resume")

    def ask_and_withdraw(self) -> None:
        self.holder.post(f"/matches/{self.match}/{self.draw.choice(['pause', 'resume'])}")
        self.holder.delete(f"/matches/{self.match}/pause")


def milliseconds(number: int) -> timedelta:
    return timedelta(milliseconds=number)


@pytest.mark.parametrize("seeds", [range(2), pytest.param(range(2, WALKS), marks=pytest.mark.soak)])
@pytest.mark.parametrize("terms", CLOCKS)
def test_nobody_has_more_time_for_a_decision_than_the_terms_give(house: House, terms: str, seeds: range) -> None:
    with freeze_time(NOON, tick=False) as frozen:
        assert isinstance(frozen, FrozenDateTimeFactory), "it does not tick"
        for seed in seeds:
            walk = Walk(house, CLOCKS[terms], seed, frozen)
            for _ in range(STEPS):
                if walk.is_over():
                    break
                walk.step()
            if walk.position().truth.clocks.is_paused:
                walk.resume()
            if not walk.is_over():
                audit(house, walk.match)
