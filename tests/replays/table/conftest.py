"""One server for all tests of the table, and a page of it for each."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser as Chromium

from tests.browser import Browser, browser
from tests.replays.table.served import Served, served

Opened = Callable[..., Browser]
WIDE = {"width": 1440, "height": 900}


@pytest.fixture(scope="session")
def server() -> Iterator[Served]:
    with served() as opened:
        yield opened


@pytest.fixture
def page(chromium: Chromium, server: Served) -> Iterator[Browser]:
    """An empty page, that asks nobody else for anything."""
    with browser(chromium, viewport=WIDE) as found:
        yield found
        assert all(request.startswith((server.address, "about:")) for request in found.requests)


@pytest.fixture
def opened(page: Browser, server: Served) -> Opened:
    """Opens a page with the renderer."""

    def open_page(slug: str = "high-card", lang: str = "en", theme: str = "") -> Browser:
        page.open(server.page(slug, lang, theme))
        page.waits_for("window.ready")
        return page

    return open_page
