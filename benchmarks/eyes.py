"""A browser that looks at tables of a real service, whose moves others make."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from benchmarks.crowd import Table
from benchmarks.http import Client, serving, sign_up, worker_token
from benchmarks.places import NotAtHand
from tests.browser import CHROMIUM, WHY, Browser, browser, launched


@dataclass(frozen=True)
class Stage:
    """The browser, and where the service is."""

    eyes: Browser
    port: int
    worker: str
    """The token of who plays for bots."""
    person: str
    """That of who opens the tables."""

    @contextmanager
    def table(self, game: str) -> Iterator[tuple[Table, Client]]:
        """Tables of that game, and who opens them."""
        with closing(Client(self.port, self.worker)) as bots, closing(Client(self.port, self.person)) as person:
            yield Table(bots, person, game), person

    def address(self, match: str) -> str:
        """The page of a match."""
        return f"http://127.0.0.1:{self.port}/matches/{match}?lang=en"


@contextmanager
def staged(script: str) -> Iterator[Stage]:
    """All of it; the script runs in each page before those of the page. Raises NotAtHand where there is no chromium."""
    if CHROMIUM is None:
        raise NotAtHand(WHY)
    with (
        tempfile.TemporaryDirectory() as folder,
        serving(1, str(Path(folder) / "data")) as (port, _),
        launched() as chromium,
        browser(chromium) as eyes,
    ):
        eyes.page.add_init_script(script)
        yield Stage(eyes, port, worker_token(Path(folder) / "data"), sign_up(port))
