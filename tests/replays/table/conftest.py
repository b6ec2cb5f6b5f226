"""A page of the table for each test."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser as Chromium

from tests.browser import Browser, browser
from tests.replays.table.served import Opened, Served

WIDE = {"width": 1440, "height": 900}


@pytest.fixture
def server() -> Served:
    return Served()


@pytest.fixture
def page(chromium: Chromium, server: Served) -> Iterator[Browser]:
    """An empty page, that asks nobody else for anything."""
    with browser(chromium, viewport=WIDE) as found:
        found.context.route(f"{server.address}/**", server.answer)
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
