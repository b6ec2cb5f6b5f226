"""People at tables, each in a browser of their own."""

from __future__ import annotations

import json
import random
import re
from contextlib import closing
from pathlib import Path
from time import monotonic
from typing import Any

import httpx2
from playwright.sync_api import Browser as Chromium

from tests.browser import PATIENCE, Browser
from tests.service.house import House, Visitor

AT_TABLE = "location.pathname.startsWith('/matches/') && !!document.querySelector('#table .line')"
LIVE = "document.documentElement.dataset.state === 'live'"
OVER = "document.documentElement.dataset.state === 'over'"
MINE = "document.documentElement.dataset.turn === 'mine'"
LAST = "document.querySelector('#log li').value"
ENDED = "!!document.querySelector('.ended .result')"
ANSWERED = "fetch('/api/games').then(one => one.text()).then(() => new Promise(done => requestAnimationFrame(done)))"
"""What ends after the page has drawn all that it was answered so far."""

TRIAL = re.compile(r"/trial\b")

SCRIPT = Path(__file__).with_suffix(".js").read_text(encoding="utf-8").strip()

LONGEST = 400.0
"""Seconds in which a match is played."""


class Tab(Browser):
    """A guest's, for whom pieces do not travel."""

    def __init__(self, chromium: Chromium, url: str, lang: str = "en", **how: Any) -> None:
        self.api = httpx2.Client(base_url=f"{url}/api", trust_env=False, timeout=PATIENCE)
        token = self.api.post("/players", json={"name": "Guest"}).json()["token"]
        cookie = {"name": "foldtable", "value": token, "domain": "127.0.0.1", "path": "/", "expires": -1}
        cookie |= {"httpOnly": True, "secure": False, "sameSite": "Lax"}
        kept = [{"name": "foldtable.table", "value": json.dumps({"pace": "0"})}]
        has = {"cookies": [cookie], "origins": [{"origin": url, "localStorage": kept}]}
        super().__init__(chromium, locale=lang, storage_state=has, **how)
        self.url = url
        self._has_finger = bool(how.get("has_touch"))

    def close(self) -> None:
        super().close()
        self.api.close()

    def ask(self, method: str, path: str, body: Any = None) -> Any:
        """What the service answers to whoever is signed in there."""
        (token,) = [one["value"] for one in self.context.cookies() if one["name"] == "foldtable"]
        answer = self.api.request(method, path, json=body, headers={"Authorization": f"Bearer {token}"})
        assert answer.is_success, answer.text
        return answer.json()

    def opens(self, game: str = "high-card", seats: Any = (None, None), **more: Any) -> str:
        """Open a match: its id."""
        return str(self.ask("POST", "/matches", {"game": game, "seats": seats, **more})["id"])

    def sit(self, game: str, bots: int, free: int = 0, **more: Any) -> str:
        """Open a match of that game against so many bots, sit down there, and look at it: its id."""
        match = self.opens(game, [None] * (1 + free) + [{"bot": "greedy"}] * bots, **more)
        self.ask("POST", f"/matches/{match}/seats", {"seat": 0})
        self.open(f"{self.url}/matches/{match}")
        return match

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
            # nobody waits for what lights something here: it may be another tab's turn to touch
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


def tab(chromium: Chromium, url: str, lang: str = "en", **how: Any) -> closing[Tab]:
    """A guest's browser, for as long as it is wanted."""
    return closing(Tab(chromium, url, lang, **how))


Two = tuple[Tab, Visitor, str]
"""Somebody whose page follows a match of the toy room, the other one there, and the match."""


def against(ann: Tab, house: House, **terms: Any) -> Two:
    """Have them sit down in the toy room with somebody else; the page follows the match."""
    bob = house.player("Bob")
    match = ann.sit("high-card", 0, free=1, **terms)
    bob.sit(match)
    ann.waits_for(f"{AT_TABLE} && {LIVE}")
    return ann, bob, match


def to_insert(ann: Tab) -> None:
    """Wait until they have drawn a card in Three Magic; what may be claimed before is passed."""
    ann.waits_for(AT_TABLE)
    ann.waits_for("""(() => {
        const pass = '.confirm, .buttons .lit[data-id="do/pass"], .words :last-child'
        document.querySelector('#table').querySelector(pass)?.click()
        return !!document.querySelector('button[data-id="seat.0/hand/drawn"]')
    })()""")
