"""What can be measured of a page in sight: what is too wide, too small, too heavy, complained of, or from elsewhere."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

from tests.browser import Browser

SMALLEST = 11
"""Pixels that a letter is high at least."""

HEAVIEST = 250 * 1024
"""Bytes of a page with all that it asks for, as they come over the wire."""

TOO_WIDE = """(() => {
    const wide = document.documentElement.clientWidth
    if (document.scrollingElement.scrollWidth <= wide) return []
    const named = one => `${one.tagName.toLowerCase()}${one.id && '#' + one.id}.${[...one.classList].join('.')}`
    const out = [...document.body.querySelectorAll('*')].filter(one => one.getBoundingClientRect().right > wide + 1)
    return [document.scrollingElement.scrollWidth, ...out.slice(0, 8).map(named)]
})()"""
"""What is wider than the screen, after how wide the page is."""

TOO_SMALL = """(least => {
    const found = new Set(), walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    while (walker.nextNode()) {
        const one = walker.currentNode.parentElement
        if (!walker.currentNode.data.trim() || one.closest('script, style, noscript, [aria-hidden=true]')) continue
        const box = one.getBoundingClientRect(), style = getComputedStyle(one)
        if (box.width < 2 || box.height < 2 || style.visibility === 'hidden') continue
        // where a table is drawn smaller as a whole, so are its letters
        const scale = one.offsetWidth ? box.width / one.offsetWidth : 1
        const size = parseFloat(style.fontSize) * Math.min(1, scale)
        if (size >= least - 0.05) continue
        found.add(`${one.closest('[class]')?.className} "${one.textContent.trim().slice(0, 30)}" ${size.toFixed(1)}`)
    }
    return [...found]
})(%s)"""


def too_wide(browser: Browser) -> Any:
    """What is wider than the screen."""
    return browser.value(TOO_WIDE)


def too_small(browser: Browser) -> list[str]:
    """Texts that nobody can read."""
    found: list[str] = browser.value(TOO_SMALL % SMALLEST)
    return found


class Scales:
    """What comes over the wire to a browser, weighed from now on."""

    def __init__(self, browser: Browser) -> None:
        self._browser, self._weight = browser, 0.0
        browser.send("Network.enable")
        browser.cdp.on("Network.loadingFinished", self._came)

    def _came(self, told: dict[str, Any]) -> None:
        self._weight += told["encodedDataLength"]

    def empty(self) -> None:
        """Weigh what comes from now on, to a browser that has kept nothing."""
        self._browser.send("Network.clearBrowserCache")
        self._weight = 0

    @property
    def weight(self) -> int:
        """Bytes since they were empty, heads among them."""
        self._browser.value("0")
        return int(self._weight)


def from_elsewhere(browser: Browser, url: str) -> list[str]:
    """Addresses outside the service that were asked for."""
    here = urlsplit(url).netloc
    own = ("data:", "blob:", "about:")
    return [one for one in browser.requests if urlsplit(one).netloc != here and not one.startswith(own)]


def complaints(browser: Browser, *, of_status: int = 0) -> list[str]:
    """What went wrong, breaches of the policy among it. `of_status`: with which the page was to come."""
    return [one for one in browser.take() if not of_status or f"status of {of_status}" not in one]
