"""A house with a match to replay, and its replay page."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Page

from tests.service.house import House

READY = "html[data-ready]"
LONG = 130
"""Events that the match has at least: chance says how many there are."""


class There:
    """A house with a match that is over and one that runs, and its address."""

    def __init__(self, house: House, address: str) -> None:
        self.house, self.address = house, address
        self.film: dict[str, Any] = {"version": 0}
        while self.film["version"] < LONG:
            self.over, _ = house.played(game="magicative", seats=3)
            self.film = self.films()
        self.running, self.players = house.table("high-card", 2)

    def films(self, **query: Any) -> dict[str, Any]:
        return dict(self.house.stranger.get(f"/matches/{self.over}/film", **query).json)


def shown(page: Page, there: There, query: str = "") -> None:
    page.goto(f"{there.address}/matches/{there.over}/replay{query}")
    page.wait_for_selector(READY, state="attached")


def version(page: Page) -> int:
    return int(page.get_attribute("#player", "data-version") or 0)
