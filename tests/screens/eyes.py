"""A browser that goes to pages, as whom and in which look is said, and waits until all is drawn there."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from tests.browser import Browser
from tests.screens.measures import SCRIPT
from tests.screens.places import ANN, Place
from tests.screens.staged import Stage

TALLEST = 4000
"""Of a picture, in pixels: what is below looks as what is above."""


class Look(NamedTuple):
    """How a page is looked at."""

    lang: str = "en"
    is_dark: bool = False
    width: int = 1280

    @property
    def name(self) -> str:
        """Part of a file's name."""
        return f"{self.lang}-{'dark' if self.is_dark else 'light'}-{self.width}"


LOOKS = [Look(lang, is_dark, width) for lang in ("en", "ja") for is_dark in (False, True) for width in (390, 1280)]


def go(browser: Browser, stage: Stage, place: Place, look: Look) -> None:
    """Be there, with everything drawn."""
    turn(browser, look)
    browser.context.clear_cookies()
    if place.who == ANN:
        browser.context.add_cookies([{"name": "foldtable", "value": stage.token, "url": stage.url, "httpOnly": True}])
    browser.open(f"{stage.url}{place.path}{'&' if '?' in place.path else '?'}lang={look.lang}")
    if browser.value("!!document.querySelector('[data-figure]')"):
        browser.value(f"{SCRIPT}.lookThrough()")
    browser.waits_for(f"{SCRIPT}.isDrawn()")


def turn(browser: Browser, look: Look) -> None:
    """Have the same page in another width and light."""
    # Playwright has a context be a phone for good: here the same page is one, and then is none
    browser.send(
        "Emulation.setDeviceMetricsOverride",
        width=look.width,
        height=844 if look.width < 600 else 900,
        deviceScaleFactor=1,
        mobile=look.width < 600,
    )
    browser.page.emulate_media(color_scheme="dark" if look.is_dark else "light", reduced_motion="reduce")


def picture(browser: Browser, file: Path) -> None:
    """Save the page from its top as PNG."""
    size = browser.send("Page.getLayoutMetrics")["cssContentSize"]
    height = min(size["height"], TALLEST)
    browser.page.screenshot(path=file, full_page=True, clip={"x": 0, "y": 0, "width": size["width"], "height": height})
