"""People at tables, each in a browser of their own."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic
from typing import Any

from playwright.sync_api import Browser as Chromium

from tests.browser import Browser

AT_TABLE = "location.pathname.startsWith('/matches/') && !!document.querySelector('#table .line')"
LIVE = "document.documentElement.dataset.state === 'live'"
OVER = "document.documentElement.dataset.state === 'over'"
MINE = "document.documentElement.dataset.turn === 'mine'"
LAST = "document.querySelector('#log li').value"
ENDED = "!!document.querySelector('.ended .result')"

SCRIPT = Path(__file__).with_suffix(".js").read_text(encoding="utf-8").strip()

LONGEST = 400.0
"""Seconds in which a match is played."""


class Tab(Browser):
    """Somebody's, who comes in as a guest."""

    def __init__(self, chromium: Chromium, url: str, lang: str = "en", **how: Any) -> None:
        super().__init__(chromium, locale=lang, **how)
        self.url = url
        self._has_finger = bool(how.get("has_touch"))

    def ask(self, method: str, path: str, body: Any = None) -> Any:
        """What the service answers to the page's script."""
        return self.value(f"{SCRIPT}.ask({json.dumps(method)}, {json.dumps(path)}, {json.dumps(body)})")

    def come_in(self, pace: int = 0) -> None:
        """Be a guest, for whom pieces travel so long."""
        self.open(f"{self.url}/sign-in")
        self.page.locator("form[action='/guest'] button").click()
        self.page.wait_for_url(lambda address: not address.endswith("/sign-in"))
        self.value(f"localStorage.setItem('foldtable.table', JSON.stringify({{ pace: '{pace}' }}))")

    def opens(self, game: str = "high-card", seats: Any = (None, None), **more: Any) -> str:
        """Open a match: its id."""
        return str(self.ask("POST", "/matches", {"game": game, "seats": seats, **more})["id"])

    def sit(self, game: str, bots: int, free: int = 0, **more: Any) -> str:
        """Open a match of that game against so many bots, sit down there, and look at it: its id."""
        match = self.opens(game, [None] * (1 + free) + [{"bot": "greedy"}] * bots, **more)
        self.ask("POST", f"/matches/{match}/seats", {"seat": 0})
        self.open(f"{self.url}/matches/{match}")
        return match

    def moves(self, match: str) -> bool:
        """Make the first move that may be made, if any."""
        now = self.ask("GET", f"/matches/{match}/moves")
        if now["moves"]:
            self.ask("POST", f"/matches/{match}/moves", {"decision": now["decision"], "id": now["moves"][0]["id"]})
        return bool(now["moves"])

    def export(self, match: str) -> bytes:
        """The match as far as this player was told of it."""
        answer = self.page.request.get(f"{self.url}/api/matches/{match}/export")
        assert answer.ok, answer.text()
        return answer.body()

    def touches(self, draw: random.Random) -> str | None:
        """Touch something that is lit, with a finger where there is one: what was confirmed by that, "" for nothing,
        and None once the match is over.
        """
        seen = self.value(f"{SCRIPT}.lit({draw.random()})")
        if "isOver" in seen:
            return None
        assert "covered" not in seen, seen
        if not seen:
            self.page.wait_for_timeout(20)
            return ""
        if self._has_finger:
            self.page.touchscreen.tap(seen["x"], seen["y"])
        else:
            self.page.mouse.click(seen["x"], seen["y"])
        return seen["said"] or ""


def play(*tabs: Tab) -> list[list[str]]:
    """Have them touch what is lit, by chance and in turns, until the match is over: what each confirmed."""
    draw, end = random.Random(7), monotonic() + LONGEST
    deeds: list[list[str]] = [[] for _ in tabs]
    playing = list(range(len(tabs)))
    while playing:
        for at in list(playing):
            said = tabs[at].touches(draw)
            if said is None:
                playing.remove(at)
            elif said:
                deeds[at].append(said)
        assert monotonic() < end, [one.text for one in tabs]
    return deeds


@contextmanager
def tab(chromium: Chromium, url: str, lang: str = "en", pace: int = 0, **how: Any) -> Iterator[Tab]:
    """A guest's browser."""
    found = Tab(chromium, url, lang, **how)
    try:
        found.come_in(pace)
        yield found
    finally:
        found.close()


def to_insert(ann: Tab) -> None:
    """Wait until they have drawn a card in Three Magic; what may be claimed before is passed."""
    ann.waits_for(AT_TABLE)
    ann.waits_for("""(() => {
        document.querySelector('#table .confirm, #table .buttons .lit[data-id="do/pass"]')?.click()
        return !!document.querySelector('button[data-id="seat.0/hand/drawn"]')
    })()""")
