"""People at tables, each in a tab of one browser with cookies of its own."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from tests.replays.report.browser import Browser

TOUCHING = """(() => {
    let seed = 7
    const random = () => (seed = (seed * 16807) % 2147483647) / 2147483647
    const table = document.querySelector('#table')
    window.deeds = []
    const touch = () => {
        if (document.documentElement.dataset.state === 'over') return void (window.isOver = true)
        const confirm = table.querySelector('.confirm')
        const all = 'button.face, .zone-touch, .buttons .lit:not(:disabled)'
        const lit = [...table.querySelectorAll(all)].filter(one => !one.closest('.chosen'))
        if (confirm) {
            window.deeds.push(table.querySelector('.asked').textContent)
            confirm.click()
        } else if (lit.length) {
            lit[Math.floor(random() * lit.length)].click()
        }
        setTimeout(touch, 10)
    }
    touch()
})()"""
"""Touches what is lit, by chance, and confirms what is asked, until the match is over."""

AT_TABLE = "location.pathname.startsWith('/matches/') && !!document.querySelector('#table .line')"
LIVE = "document.documentElement.dataset.state === 'live'"

ASK = """(async (method, path, body) => {
    const csrf = document.querySelector('meta[name=csrf]').content
    const headers = { 'Content-Type': 'application/json', 'X-CSRF-Token': csrf }
    const sent = body === null ? undefined : JSON.stringify(body)
    const answer = await fetch('/api' + path, { method, headers, body: sent })
    const told = await answer.json().catch(() => null)
    if (!answer.ok) throw new Error(JSON.stringify(told))
    return told
})"""


class Tab:
    """Somebody's tab."""

    def __init__(self, browser: Browser, url: str, lang: str = "en") -> None:
        self._browser, self.url = browser, url
        browser._session = ""
        context = browser.send("Target.createBrowserContext")["browserContextId"]
        target = browser.send("Target.createTarget", url="about:blank", browserContextId=context)["targetId"]
        self._session = browser.send("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        self._context = context
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.page.send(f"{domain}.enable")
        self.page.send("Network.setExtraHTTPHeaders", headers={"Accept-Language": lang})
        self.page.looks(1280, 900)

    @property
    def page(self) -> Browser:
        """The browser, turned to this tab."""
        self._browser._session = self._session
        return self._browser

    def value(self, expression: str) -> Any:
        """See `Browser.value`."""
        return self.page.value(expression)

    def waits_for(self, expression: str) -> None:
        """See `Browser.waits_for`."""
        self.page.waits_for(expression)

    def ask(self, method: str, path: str, body: Any = None) -> Any:
        """What the service answers to the page's script."""
        return self.value(f"{ASK}({json.dumps(method)}, {json.dumps(path)}, {json.dumps(body)})")

    def come_in(self, pace: int = 0) -> None:
        """Be a guest, for whom pieces travel so long."""
        self.page.open(f"{self.url}/sign-in")
        self.value("document.querySelector('form[action=\"/guest\"]').submit()")
        self.waits_for("location.pathname !== '/sign-in' && !!document.querySelector('meta[name=csrf]')?.content")
        self.value(f"localStorage.setItem('foldtable.table', JSON.stringify({{ pace: '{pace}' }}))")

    def sit(self, game: str, bots: int, free: int = 0, options: Any = None) -> str:
        """Open a match of that game against so many bots, sit down there, and look at it: its id."""
        seats = [None] * (1 + free) + [{"bot": "greedy"}] * bots
        match: str = self.ask("POST", "/matches", {"game": game, "seats": seats, "options": options or {}})["id"]
        self.ask("POST", f"/matches/{match}/seats", {"seat": 0})
        self.page.open(f"{self.url}/matches/{match}")
        return match

    def complaints(self) -> list[Any]:
        """What went wrong on the page, but for moves that came too late."""
        return [one for one in self.page.complaints if "409" not in json.dumps(one)]

    def close(self) -> None:
        """Forget them."""
        self._browser._session = ""
        self._browser.send("Target.disposeBrowserContext", browserContextId=self._context)


@contextmanager
def tab(browser: Browser, url: str, lang: str = "en", pace: int = 0) -> Iterator[Tab]:
    """A guest's tab."""
    browser.events.clear()
    found = Tab(browser, url, lang)
    try:
        found.come_in(pace)
        yield found
    finally:
        found.close()
