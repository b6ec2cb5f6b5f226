"""A browser that shows tables of a real service, while bots move there."""

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
    """A browser and a running service."""

    eyes: Browser
    port: int
    worker: str
    """The workers' token, which plays for bots."""
    person: str
    """The token of the player who opens the matches."""

    @contextmanager
    def table(self, game: str) -> Iterator[tuple[Table, Client]]:
        """Yield a `Table` of this game, and the client of the player who opens its matches."""
        with closing(Client(self.port, self.worker)) as bots, closing(Client(self.port, self.person)) as person:
            yield Table(bots, person, game), person

    def address(self, match: str) -> str:
        """Return the URL of a match's page."""
        return f"http://127.0.0.1:{self.port}/matches/{match}?lang=en"


@contextmanager
def staged(script: str) -> Iterator[Stage]:
    """Start a browser and a service. `script` runs first in each page. Raises NotAtHand if there is no chromium."""
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
