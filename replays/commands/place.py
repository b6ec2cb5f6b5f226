"""Where the commands find matches: a store, and the folder that its keys and packs lie in."""

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
"""What else a service has in its folder and can't do without."""


class Place(msgspec.Struct, frozen=True):
    """A service's store and its folder."""

    folder: Path
    url: str
    """Of the store. It may hold a password: `name` is what messages may tell."""
    keys_file: Path | None = None
    """The file with the keys that sign receipts; None: the one in the folder."""

    @property
    def name(self) -> str:
        """The store as messages name it."""
        return stores.name_of(self.url)

    @property
    def file(self) -> Path | None:
        """The store's file; None for a store on PostgreSQL."""
        return stores.file_of(self.url)

    @property
    def packs(self) -> Path:
        """The folder with the operator's packs."""
        return self.folder / PACKS

    @property
    def keys(self) -> Path:
        """The file with the keys that sign receipts."""
        return self.keys_file or self.folder / KEYS

    def is_own(self, path: Path) -> bool:
        """Whether the service lives by that file, so that nothing else may be written there."""
        store = [Path(f"{self.file}{end}") for end in ("", *BESIDE)] if self.file else []
        own = (*store, self.keys, *(self.folder / name for name in SECRETS))
        return path.resolve() in {one.resolve() for one in own}


def in_folder(folder: Path) -> Place:
    """The store that lies in a folder."""
    return Place(folder, f"{stores.SQLITE}{folder / DATABASE}")


def found(said: str | None) -> Place:
    """The place that `--data` names, a folder or a URL; else what the environment says, as it does to the service.

    Raises:  StoreUnusable for a URL that opens no store.
    """
    folder = Path(os.environ.get("FOLDTABLE_DATA") or DEFAULT)
    if said and "://" not in said and not said.startswith(stores.SQLITE):
        return in_folder(Path(said))
    url = said or os.environ.get("FOLDTABLE_STORE", "") or in_folder(folder).url
    stores.name_of(url)
    keys = os.environ.get("FOLDTABLE_KEYS")
    return Place(folder, url, Path(keys) if keys else None)


def at_place(command: click.decorators.FC) -> click.decorators.FC:
    """The option that says where the store is."""
    return click.option(
        "--data",
        "place",
        metavar="DIR_OR_URL",
        callback=_read,
        help="The service's folder, or the URL of its store; else FOLDTABLE_STORE and FOLDTABLE_DATA, or ./data.",
    )(command)


def _read(context: click.Context, option: click.Parameter, said: str | None) -> Place:
    try:
        return found(said)
    except StoreUnusable as error:
        hint = "--data" if said else "FOLDTABLE_STORE"
        raise click.BadParameter(str(error), context, option, param_hint=hint) from error
