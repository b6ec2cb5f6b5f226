"""People's browsers: chromium without a window, driven by Playwright, and what went wrong on any page.

Playwright runs a loop in the thread that drives it: nothing there may run another one beside it.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cached_property
from typing import Any

from playwright.sync_api import Browser as Chromium
from playwright.sync_api import (
    CDPSession,
    ConsoleMessage,
    Error,
    Page,
    Request,
    Route,
    TimeoutError,
    expect,
    sync_playwright,
)

NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
"""What it may be called. The first one can show no window, and needs a fifth less of a processor."""
CHROMIUM = next(filter(None, map(shutil.which, NAMES)), None)
WHY = "there is no chromium here: apt-get install chromium"

FLAGS = ("--no-sandbox", "--disable-gpu", "--disable-quic")
PATIENCE = 60.0
"""Seconds until whatever was waited for does not come any more."""

DESK = {"width": 1280, "height": 900}
PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True}
"""What a context is told in order to be one."""

LEFT = "net::ERR_ABORTED"
"""Why a request failed of a page that was left, or that wanted no answer any more."""

_open: list[Browser] = []
_wrong: list[tuple[Browser, str]] = []


@contextmanager
def launched() -> Iterator[Chromium]:
    """The process, which is what costs; everybody's browser is a part of it."""
    # what is expected of a page comes as late as anything else there: a context's patience is not asked for it
    expect.set_options(timeout=PATIENCE * 1000)
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        try:
            yield chromium
        finally:
            chromium.close()


def wrong() -> list[str]:
    """What went wrong on any page since this was asked last, and was not forgiven."""
    for one in _open:
        # whatever was said before this answer has been heard after it
        with suppress(Error):
            one.page.evaluate("0")
    found = [text for _, text in _wrong]
    _wrong.clear()
    return found


class Browser:
    """Somebody's: a page, and cookies and a memory that nobody else has."""

    def __init__(self, chromium: Chromium, **how: Any) -> None:
        """`how`: what Playwright is to be told of the context."""
        self.context = chromium.new_context(**{"viewport": DESK, "locale": "en-US", **how})
        self.context.set_default_timeout(PATIENCE * 1000)
        self.page: Page = self.context.new_page()
        self.requests: list[str] = []
        self._forgiven: tuple[str, ...] = ()
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.page.on("requestfailed", self._failed)
        self.page.on("pageerror", lambda error: self._said(f"{error.name}: {error.message}\n{error.stack}"))
        self.page.on("console", self._console)
        self.page.on("crash", lambda _: self._said("the page crashed"))
        _open.append(self)

    def _failed(self, request: Request) -> None:
        if request.failure != LEFT:
            self._said(f"failed: {request.url} {request.failure}")

    def _console(self, message: ConsoleMessage) -> None:
        self._said(f"{message.type}: {message.text} ({message.location['url']})")

    def _said(self, text: str) -> None:
        if not any(one in text for one in self._forgiven):
            _wrong.append((self, text))

    @cached_property
    def cdp(self) -> CDPSession:
        """For what Playwright has no words for."""
        return self.context.new_cdp_session(self.page)

    def send(self, method: str, **params: Any) -> dict[str, Any]:
        """A command of the Chrome DevTools Protocol; what comes of it."""
        answer: dict[str, Any] = self.cdp.send(method, params)
        return answer

    def open(self, address: str) -> None:
        """Go to a page, and wait until it is there."""
        self.requests.clear()
        self.page.goto(address)

    def value(self, expression: str) -> Any:
        """What an expression is in the page, promises kept."""
        return self.page.evaluate(expression)

    def waits_for(self, expression: str) -> None:
        """Wait until it is true in the page, which may be another by then: what is read so far is no page to ask.

        A promise is refused: Playwright would take it for true at once.
        """
        told = (
            f"() => {{ if (document.readyState === 'loading') return false; const found = ({expression});"
            " if (found?.then) throw TypeError('a promise'); return found }"
        )
        try:
            self.page.wait_for_function(told)
        except TimeoutError:
            raise AssertionError(f"never so: {expression}\n{self.text}") from None

    @property
    def text(self) -> str:
        """What there is to read, as far as it helps to see where one is."""
        return f"{self.page.url}\n{self.page.inner_text('body')[:600]}"

    def presses(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    def looks(self, width: int, height: int, *, is_dark: bool = False) -> None:
        """Have a window of that size, light or dark."""
        self.page.set_viewport_size({"width": width, "height": height})
        self.page.emulate_media(color_scheme="dark" if is_dark else "light")

    def forgives(self, *texts: str) -> None:
        """From now on what says one of these is not wrong."""
        self._forgiven += texts

    @property
    def complaints(self) -> list[str]:
        """What went wrong so far: the page, or the browser about the page, said something, or a request failed."""
        return [text for one, text in _wrong if one is self]

    def take(self) -> list[str]:
        """What went wrong so far, for who expected it: it is forgotten."""
        found = self.complaints
        _wrong[:] = [(one, text) for one, text in _wrong if one is not self]
        return found

    def close(self) -> None:
        with suppress(Error):
            self.page.evaluate("0")
        _open.remove(self)
        # what breaks off now does so because they leave
        self._forgiven = ("",)
        self.context.close()


def held_back(page: Page, address: str | re.Pattern[str]) -> list[Route]:
    """What the page asks of such addresses from now on: it waits there until the test sends it on."""
    waiting: list[Route] = []
    page.route(address, lambda route: waiting.append(route))  # noqa: PLW0108  # it takes no builtin
    return waiting


@contextmanager
def browser(chromium: Chromium, **how: Any) -> Iterator[Browser]:
    """Somebody's browser, for as long as it is wanted."""
    opened = Browser(chromium, **how)
    try:
        yield opened
    finally:
        opened.close()
