"""The versions of a store's tables that this release knows, and the refusal of all others."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec

from events.store import StoreNewer, StoreUnusable

RUNNING = "SELECT count(DISTINCT match) FROM decisions"
"""Counts the matches that wait for somebody, also in a store of before the first version."""


class StoreOlder(StoreUnusable):
    """The store was written before the first release; it was not changed. `what` is the message without the advice."""

    INSTEAD = (
        "bring it up to date by the last state of the house that could, or play its matches out or break them off"
        ' there, `replays export` them and `replays import` them here (docs/operating.md, "A later release")'
    )

    def __init__(self, what: str) -> None:
        super().__init__(f"{what}; {self.INSTEAD}")
        self.what = what


class Versions(msgspec.Struct, frozen=True):
    """The versions from the first one, which a new store begins with, to the one that this release writes."""

    first: int
    last: int
    of: str = "schema"

    def check(self, name: str, found: int, ask: Callable[[str], Any]) -> None:
        """Refuse a store of another version. Nothing has been changed then.

        Shape:   `name`: the store's; `found`: its version; `ask`: returns the first row that a statement finds there.
        Raises:  StoreNewer, StoreOlder.
        """
        if found > self.last:
            raise StoreNewer(f"{name} was written by a later release: {self.of} {found}, known is {self.last}")
        if found < self.first:
            (many,) = ask(RUNNING)
            running = f"{many} running {'match' if many == 1 else 'matches'} can't go on here"
            version = f"{self.of} {found}, the first is {self.first}"
            raise StoreOlder(f"{name} was written before the first release ({version}): {running}")


def numbered(folder: Path) -> dict[int, Path]:
    """Return the folder's scripts by the version that each makes of the one before; the first needs an empty store."""
    return {int(path.name.partition("_")[0]): path for path in sorted(folder.glob("[0-9]*.sql"))}


def known(scripts: dict[int, Path]) -> Versions:
    """Return the versions that these scripts make."""
    return Versions(min(scripts), max(scripts))
