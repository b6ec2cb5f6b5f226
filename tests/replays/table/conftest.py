"""One browser and one server for all tests of the table."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from tests.replays.report.browser import CHROMIUM, Browser, browser
from tests.replays.table.served import Served, served

Opened = Callable[..., Browser]


@pytest.fixture(scope="session")
def chromium(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    if CHROMIUM is None:
        pytest.skip("there is no chromium here: apt-get install chromium")
    with browser(tmp_path_factory.mktemp("profile")) as opened:
        yield opened


@pytest.fixture(scope="session")
def server() -> Iterator[Served]:
    with served() as opened:
        yield opened


@pytest.fixture
def opened(chromium: Browser, server: Served) -> Iterator[Opened]:
    """Opens a page with the renderer; at its end nothing may have been complained of or asked for elsewhere."""

    def open_page(slug: str = "high-card", lang: str = "en", theme: str = "") -> Browser:
        chromium.looks(1440, 900)
        chromium.open("about:blank")
        chromium.open(server.page(slug, lang, theme))
        chromium.waits_for("window.ready")
        return chromium

    yield open_page
    assert chromium.complaints == []
    assert all(request.startswith(server.address) or request == "about:blank" for request in chromium.requests)
