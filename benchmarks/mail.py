"""Computes how many days a match of Three Magic by mail takes, with and without an order to decline claims.

The time is simulated: three people look at their mail twice a day, two of them in one time zone and one eight hours
away, and answer everything that they are asked then. The matches are the same in both cases: people decline every
claim but ron, by the order or by themselves.
"""

from __future__ import annotations

from math import floor
from statistics import mean
from typing import Any

from benchmarks import Figures
from bots.choose import AnyGame, Bot, Greedy
from bots.simulate import play_out
from domain import orders
from domain.catalogue import Catalogue
from domain.chance import Chance, Simulation
from domain.game import Seat
from domain.happenings import OrderGiven, Pattern, Rule

MATCHES = 60
LOOKS = ((7.0, 19.0), (9.0, 21.0), (4.0, 16.0))
"""For each seat the hours of the day, UTC, at which its player looks."""
DAY = 24.0
DECLINE = {1: OrderGiven(order=1, rule=Rule(play=(Pattern("Pass"),), unless=(Pattern("Ron"),)))}


class Ordered(Bot):
    """Plays the move of the order to decline if it has one, else as `Greedy`."""

    def pick(self, game: AnyGame, seen: Any, seat: Seat, legal: tuple[Any, ...], chance: Chance) -> Any:
        """See `Bot.pick`."""
        move = orders.played(game, seen, seat, DECLINE)
        return Greedy().pick(game, seen, seat, legal, chance) if move is None else move


class _Mail:
    """The simulated time of a match, in hours, and how often somebody was waited for."""

    def __init__(self, game: AnyGame, standing: orders.Standing) -> None:
        self._game = game
        self._standing = standing
        self.now = 0.0
        self.waits = 0

    def watch(self, before: Any, seat: Seat | None, move: Any, events: tuple[Any, ...]) -> None:
        """Wait until everybody who is asked has looked; orders answer at once."""
        if move is None or self._game.forced(before) is not None:
            return
        asked = range(len(LOOKS)) if seat is None else (seat,)
        waited = [
            self._look(each)
            for each in asked
            if (seat is not None or move[each] is not None)
            and orders.played(self._game, before, each, self._standing) is None
        ]
        self.waits += any(at > self.now for at in waited)
        self.now = max((self.now, *waited))

    def _look(self, seat: Seat) -> float:
        """Return when the player looks next."""
        day = floor(self.now / DAY) * DAY
        return min(day + hour + more for hour in LOOKS[seat] for more in (0, DAY) if day + hour + more >= self.now)


def run(matches: int = MATCHES) -> Figures:
    """Play the matches with and without the order. Return their days, and how often somebody was waited for."""
    room = Catalogue().rooms["three-magic"]
    game, pack = room.game, room.packs["house"].pack
    days: dict[str, list[float]] = {}
    waits: dict[str, list[int]] = {}
    for name, standing in (("without", {}), ("with", DECLINE)):
        for number in range(matches):
            mail, bots = _Mail(game, standing), [Ordered()] * 3
            chance = Simulation(f"mail {number}")
            play_out(game, pack, game.Options(laps=1), 3, bots, chance, watch=mail.watch)
            days.setdefault(name, []).append(mail.now / DAY)
            waits.setdefault(name, []).append(mail.waits)
    fewer = 1 - mean(days["with"]) / mean(days["without"])
    figures: Figures = {}
    for name, found in days.items():
        figures[f"match by mail, {name} the order"] = {"value": round(mean(found), 1), "unit": "days"}
        figures[f"turns that are waited for, {name} it"] = {"value": round(mean(waits[name]), 1), "unit": "a match"}
    return {**figures, "fewer days with the order": {"value": round(100 * fewer, 1), "unit": "%"}}
