"""What tests of pages in a browser share: services with a table in them, each started once."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser as Chromium
from playwright.sync_api import Page

from service.config import Config
from tests.browser import browser
from tests.service.house import House, build
from tests.service.run.uprun import up
from tests.service.web.pages.onloopback import on_loopback
from tests.service.web.pages.replayed import There
from tests.service.web.pages.tabs import Tab, Two, against, tab


@pytest.fixture(scope="session")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of that service."""
    return tmp_path_factory.mktemp("up") / "data"


@pytest.fixture(scope="session")
def url(data: Path) -> Iterator[str]:
    """Of a service whose bots answer at once."""
    with up(data, said={"FOLDTABLE_BOT_PAUSE": "0", "FOLDTABLE_BOT_PACE": "0"}) as service:
        yield service.url


@pytest.fixture(scope="session")
def toyhouse(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """A house that has the toy room, and nobody who plays bots."""
    with House(build(Config(data=tmp_path_factory.mktemp("toys"), bot_pause=0.0))) as house:
        yield house


@pytest.fixture(scope="session")
def toys(toyhouse: House) -> Iterator[str]:
    """Its address."""
    with on_loopback(toyhouse) as address:
        yield address


@pytest.fixture
def guest(chromium: Chromium, toys: str) -> Iterator[Tab]:
    """Somebody's browser there."""
    with tab(chromium, toys) as opened:
        yield opened


@pytest.fixture
def two(guest: Tab, toyhouse: House) -> Two:
    """Two who play there; the page of the first follows the match."""
    return against(guest, toyhouse)


@pytest.fixture
def sending(config: Config) -> Iterator[House]:
    """A house that sends mail."""
    mails = Config(data=config.data, bot_pause=0.0, smtp="smtp://127.0.0.1:25", mail_from="us@play.test")
    with House(build(mails)) as house:
        yield house


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Of a house in which nobody is."""
    with House(build(Config(data=tmp_path_factory.mktemp("data")))) as house, on_loopback(house) as url:
        yield url


@pytest.fixture(scope="module")
def there(tmp_path_factory: pytest.TempPathFactory) -> Iterator[There]:
    """A house with a match to replay."""
    with House(build(Config(data=tmp_path_factory.mktemp("house")))) as house, on_loopback(house) as address:
        yield There(house, address)


@pytest.fixture
def page(chromium: Chromium) -> Iterator[Page]:
    """A page on which nothing moves by itself."""
    with browser(chromium, reduced_motion="reduce") as opened:
        yield opened.page
