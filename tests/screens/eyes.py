"""A browser that goes to pages, as whom and in which look is said, and waits until all is drawn there."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from tests.browser import Browser
from tests.screens.places import ANN, Place
from tests.screens.staged import Stage

TALLEST = 4000
"""Of a picture, in pixels: what is below looks as what is above."""

DRAWN = """(() => {
    const root = document.documentElement
    if (document.getElementById('table') && ['connecting', 'loading'].includes(root.dataset.state)) return false
    const player = document.getElementById('player')
    if (player && !player.dataset.version) return false
    const data = document.getElementById('data')
    const told = data ? JSON.parse(data.textContent) : {}
    if (told?.scene && !document.querySelector('[data-piece], [data-zone], .zone')) return false
    const figures = [...document.querySelectorAll('[data-figure]')]
    return document.fonts.status === 'loaded' && figures.every(one => one.matches('.done'))
})()"""
"""Whether everything is drawn: the table, and the figures in a text, which are when they come into sight."""

THROUGH = """new Promise(async done => {
    window.left = performance.now()
    const frame = () => new Promise(next => requestAnimationFrame(() => setTimeout(next, 15)))
    for (let y = 0; y < document.documentElement.scrollHeight; y += innerHeight) { scrollTo(0, y); await frame() }
    scrollTo(0, 0); await frame(); done()
})"""
"""Scrolls through the page and back, as a reader does; `left` is when it began."""


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
        browser.value(THROUGH)
    browser.waits_for(DRAWN)


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
