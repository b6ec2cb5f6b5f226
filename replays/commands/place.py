"""Where the commands find matches: a store, and the folder of its keys and packs."""

from __future__ import annotations

import os
from pathlib import Path

import click
import msgspec

from events import stores
from events.opening import BESIDE
from events.store import StoreUnusable

DATABASE, PACKS, KEYS = "foldtable.db", "packs", "keys"
DEFAULT = Path("data")
SECRETS = ("secret", "worker-token", "admin-token", "demo-token")
"""The other files in a service's folder that it needs."""


class Place(msgspec.Struct, frozen=True):
    """A service's store and its folder."""

    folder: Path
    url: str
    """The store's URL. It may hold a password: messages use `name`."""
    keys_file: Path | None = None
    """The file with the keys that sign receipts; None for the one in the folder."""

    @property
    def name(self) -> str:
        """The store's name for messages."""
        return stores.name_of(self.url)

    @property
    def file(self) -> Path | None:
        """The store's file; None for a store on PostgreSQL."""
        return stores.file_of(self.url)

    @property
    def packs(self) -> Path:
        """The folder of the operator's packs."""
        return self.folder / PACKS

    @property
    def keys(self) -> Path:
        """The file with the keys that sign receipts."""
        return self.keys_file or self.folder / KEYS

    def is_own(self, path: Path) -> bool:
        """Return whether the service needs that file, so that nothing else may be written there."""
        store = [Path(f"{self.file}{end}") for end in ("", *BESIDE)] if self.file else []
        own = (*store, self.keys, *(self.folder / name for name in SECRETS))
        return path.resolve() in {each.resolve() for each in own}


def in_folder(folder: Path) -> Place:
    """Return the place of the store in a folder."""
    return Place(folder, f"{stores.SQLITE}{folder / DATABASE}")


def found(named: str | None) -> Place:
    """Return the place that `--data` names, a folder or a URL; without it the place that the environment names.

    Raises:  StoreUnusable for a URL that is malformed.
    """
    folder = Path(os.environ.get("FOLDTABLE_DATA") or DEFAULT)
    if named and "://" not in named and not named.startswith(stores.SQLITE):
        return in_folder(Path(named))
    url = named or os.environ.get("FOLDTABLE_STORE", "") or in_folder(folder).url
    stores.name_of(url)
    keys = os.environ.get("FOLDTABLE_KEYS")
    return Place(folder, url, Path(keys) if keys else None)


def at_place(command: click.decorators.FC) -> click.decorators.FC:
    """Add the option that names the store."""
    return click.option(
        "--data",
        "place",
        metavar="DIR_OR_URL",
        callback=_read,
        help="The service's folder, or the URL of its store; else FOLDTABLE_STORE and FOLDTABLE_DATA, or ./data.",
    )(command)


def _read(context: click.Context, option: click.Parameter, named: str | None) -> Place:
    try:
        return found(named)
    except StoreUnusable as error:
        hint = "--data" if named else "FOLDTABLE_STORE"
        raise click.BadParameter(str(error), context, option, param_hint=hint) from error
