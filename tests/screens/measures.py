"""What can be found out about a page in sight: what is too wide, too small, too heavy, complained of, from elsewhere,
or in the way of people who don't see, hear or touch as most do (axe-core).
"""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from tests.browser import Browser

SMALLEST = 12
"""Pixels that a letter is high at least."""

HEAVIEST = 250 * 1024
"""Bytes of a page with all that it asks for, as they come over the wire."""

WATCHED = """window.shifts = []
window.shifting = new PerformanceObserver(list => shifts.push(...list.getEntries()))
shifting.observe({ type: 'layout-shift', buffered: true })"""
"""Notes from the beginning of a page on what is moved by itself."""

SCRIPT = Path(__file__).with_suffix(".js").read_text(encoding="utf-8").strip()

LEAST = 44
"""Pixels that what is touched is wide and high at least."""

LIMITS = {
    "too wide": (),
    "too small": (SMALLEST,),
    "hard to touch": (LEAST,),
    # of a phone's screen, that the bar with the choices may hide; of a piece, that may lie under the next one of a hand
    "in the way": (0.35, 0.2),
    # of the screen, that something may have moved over by itself: a line that turns out longer than it was
    "moved": (0.05,),
}

MEASURES = {name: f"{SCRIPT}[{name!r}]({', '.join(map(str, limits))})" for name, limits in LIMITS.items()}
"""What finds in a page what is wrong with it, as the script says."""


class Scales:
    """What a page weighs that comes over the wire to a browser that has kept nothing.

    What the browser did keep is weighed as it came when it was first asked for.
    """

    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        self._addresses: dict[str, str] = {}
        self._weights: dict[str, float] = {}
        browser.send("Network.enable")
        browser.cdp.on("Network.requestWillBeSent", self._asked)
        browser.cdp.on("Network.loadingFinished", self._came)
        browser.page.add_init_script(WATCHED)

    def _asked(self, told: dict[str, Any]) -> None:
        self._addresses[told["requestId"]] = told["request"]["url"]

    def _came(self, told: dict[str, Any]) -> None:
        address = self._addresses.get(told["requestId"], "")
        self._weights[address] = max(self._weights.get(address, 0), told["encodedDataLength"])

    def empty(self) -> None:
        """Weigh the page that is asked for next."""
        self._addresses.clear()

    @property
    def weight(self) -> int:
        """Bytes of all that was asked for since, heads among them."""
        self._browser.value("0")
        return int(sum(self._weights.get(address, 0) for address in set(self._addresses.values())))


def from_elsewhere(browser: Browser, url: str) -> list[str]:
    """Addresses outside the service that were asked for."""
    here = urlsplit(url).netloc
    own = ("data:", "blob:", "about:")
    return [one for one in browser.requests if urlsplit(one).netloc != here and not one.startswith(own)]


def complaints(browser: Browser, *, of_status: int = 0) -> list[str]:
    """What went wrong, breaches of the policy among it. `of_status`: with which the page was to come."""
    return [one for one in browser.take() if not of_status or f"status of {of_status}" not in one]


COLOURS = ("color-contrast", "link-in-text-block")
"""What another light can change."""


@cache
def script() -> str:
    """The engine; it is put into pages from outside, past their policy."""
    return files("axe_playwright_python").joinpath("axe.min.js").read_text(encoding="utf-8")


def faults(browser: Browser, only: tuple[str, ...] = (), *, is_whole: bool = True) -> list[str]:
    """What is wrong with the page in sight, by rule, place and reason. `only`: of these rules.

    `is_whole`: in every element, and not in three of each sort alone.
    """
    if browser.value("typeof axe") == "undefined":
        browser.value(f"{script()};0")
    found = browser.value(f"{SCRIPT}.bars({json.dumps(only or None)}, {json.dumps(is_whole)})")
    return [f"{rule}: {where}: {why}" for rule, where, why in found]
