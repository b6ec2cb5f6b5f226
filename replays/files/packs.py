"""The packs of a service: those that an operator offers, and the content of every one that a match is played with.

packs/<game>/<name>.toml    offered by that name, as soon as the file is there

What matches are played with is kept in the store, whatever becomes of the files.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path
from threading import Lock

from domain.catalogue import Catalogue, PackFile
from domain.game import PackError
from events import canonical, kept
from events.canonical import NotCanonical
from events.store import Store, Tables

MOST = 1 << 20
"""Bytes that an offered pack's text may have in canonical form: it stands in one line of an export, with the keys."""


class Packs:
    """A folder of packs, and the catalogue that they go into. Any thread may use it."""

    def __init__(self, catalogue: Catalogue, folder: Path, store: Store | None = None) -> None:
        """`store`: which keeps what its matches are played with; None for who opens none."""
        self._catalogue = catalogue
        self._folder = folder
        self._store = store
        self._kept: frozenset[str] = frozenset()
        if store is not None:
            look_in(store, catalogue)
        self._shipped = {slug: frozenset(room.packs) for slug, room in catalogue.rooms.items()}
        self._seen: dict[Path, tuple[int, int, int]] = {}
        # who finds a file noted finds it in the catalogue too
        self._lock = Lock()

    def refresh(self) -> list[PackError]:
        """Have what is in the folder in the catalogue; what is new and can't be played with is told.

        A pack that was offered and is changed is offered as changed; a file that is gone is offered no more.
        """
        with self._lock:
            return self._refresh()

    def _refresh(self) -> list[PackError]:
        wrong = []
        for slug, room in self._catalogue.rooms.items():
            folder = self._folder / slug
            offered = {}
            for path in sorted(folder.glob("*.toml")):
                offered[path.stem] = path
                try:
                    if self._is_new(path):
                        self._read(slug, path)
                except PackError as error:
                    wrong.append(error)
                except OSError as error:
                    wrong.append(PackError(self._name(path), "", "file", error.strerror or str(error)))
            room.offer_only(self._shipped[slug] | offered.keys())
        return wrong

    def _is_new(self, path: Path) -> bool:
        found = path.stat()
        stamp = (found.st_ino, found.st_mtime_ns, found.st_size)
        if self._seen.get(path) == stamp:
            return False
        self._seen[path] = stamp
        return True

    def _read(self, slug: str, path: Path) -> None:
        room, name = self._catalogue.rooms[slug], self._name(path)
        if path.stem in self._shipped[slug]:
            raise PackError(name, "", "name", f"{slug} comes with a pack of that name")
        data = path.read_bytes()
        _check_exports(name, path.stem, data)
        room.add_pack(name, data)

    def _name(self, path: Path) -> str:
        # a name that is no UTF-8 is told as far as it can be
        return path.relative_to(self._folder.parent).as_posix().encode(errors="replace").decode()

    def keep(self, slug: str, pack: PackFile) -> None:
        """Keep the content of a pack that a match is opened with; durable on return. Raises StoreError."""
        assert self._store is not None, "whoever opens a match has a store"
        name = _name_in_store(slug, pack.hash)
        if name not in self._kept:
            if kept.find(self._store, name) is None:
                kept.keep(self._store, name, pack.data)
            self._kept |= {name}


def look_in(store: Tables, catalogue: Catalogue) -> None:
    """Have the packs that a store keeps at hand in the catalogue, as they are asked for."""
    for slug, room in catalogue.rooms.items():
        room.elsewhere = partial(_find, store, slug)


def _find(store: Tables, slug: str, hash: str) -> bytes | None:
    return kept.find(store, _name_in_store(slug, hash))


def _name_in_store(slug: str, hash: str) -> str:
    return f"pack/{slug}/{hash}"


def _check_exports(file: str, name: str, data: bytes) -> None:
    """Refuse, by PackError, a pack whose matches could be played, and never be audited (LOG-1)."""
    try:
        canonical.encode(name)
    except NotCanonical:
        raise PackError(file, "", "name", "it is no UTF-8") from None
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        raise PackError(file, "", "text", f"it is no UTF-8: {error}") from None
    if text.startswith("\ufeff"):
        raise PackError(file, "", "text", "it begins with a byte order mark: save it without one")
    if len(canonical.encode(text)) > MOST:
        raise PackError(file, "", "text", f"it is longer than {MOST} bytes, as an export writes it")
