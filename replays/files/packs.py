"""A service's packs: those that the operator offers, and the content of every pack with which a match is played.

    packs/<game>/<name>.toml  offered under that name as soon as the file exists

The content of packs with which matches are played is kept in the store, whatever happens to the files.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from threading import Lock

from domain.catalogue import Catalogue, PackFile
from domain.game import PackError
from events import chain
from events.chain import NotCanonical
from events.queries import find_kept, keep
from events.store import Store, Tables

MOST = 1 << 20
"""The most bytes of an offered pack's text in canonical form: it is a part of one line in exports, with the keys."""


class Packs:
    """A folder of packs, and the catalogue to which they are added. Any thread may use it."""

    def __init__(self, catalogue: Catalogue, folder: Path, store: Store | None = None) -> None:
        """Begin with the packs that the store keeps. `store`: None for a program that opens no matches."""
        self._catalogue = catalogue
        self._folder = folder
        self._store = store
        self._kept: frozenset[str] = frozenset()
        if store is not None:
            look_in(store, catalogue)
        self._shipped = {slug: frozenset(room.packs) for slug, room in catalogue.rooms.items()}
        self._seen: dict[Path, tuple[int, int, int]] = {}
        # so that a file which is noted as seen is in the catalogue too
        self._lock = Lock()

    def refresh(self) -> list[PackError]:
        """Add the folder's packs to the catalogue. Returns the errors of new packs that can't be played with.

        A pack that was changed is offered as it is now, and one whose file is gone is offered no more.
        """
        wrong: list[PackError] = []
        with self._lock:
            for slug in self._catalogue.rooms:
                wrong += self._refresh(slug)
        return wrong

    def _refresh(self, slug: str) -> Iterator[PackError]:
        offered = sorted((self._folder / slug).glob("*.toml"))
        for path in offered:
            try:
                if self._is_new(path):
                    self._read(slug, path)
            except PackError as error:
                yield error
            except OSError as error:
                yield PackError(self._name(path), "", "file", error.strerror or str(error))
        self._catalogue.rooms[slug].offer_only(self._shipped[slug] | {path.stem for path in offered})

    def _is_new(self, path: Path) -> bool:
        status = path.stat()
        stamp = (status.st_ino, status.st_mtime_ns, status.st_size)
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
        # characters that are not UTF-8 are replaced
        return path.relative_to(self._folder.parent).as_posix().encode(errors="replace").decode()

    def keep(self, slug: str, pack: PackFile) -> None:
        """Keep the content of a pack with which a match is opened; durable on return. Raises StoreError."""
        assert self._store is not None, "whoever opens a match has a store"
        name = _name_in_store(slug, pack.hash)
        if name not in self._kept:
            if find_kept(self._store, name) is None:
                keep(self._store, name, pack.data)
            self._kept |= {name}


def look_in(store: Tables, catalogue: Catalogue) -> None:
    """Let the catalogue find the packs that a store keeps, when they are needed."""
    for slug, room in catalogue.rooms.items():
        room.elsewhere = partial(lambda slug, hash: find_kept(store, _name_in_store(slug, hash)), slug)


def _name_in_store(slug: str, hash: str) -> str:
    return f"pack/{slug}/{hash}"


def _check_exports(file: str, name: str, data: bytes) -> None:
    """Refuse a pack whose matches could be played but never audited (LOG-1). Raises PackError."""
    try:
        chain.encode_canonical(name)
    except NotCanonical:
        raise PackError(file, "", "name", "it is not UTF-8") from None
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        raise PackError(file, "", "text", f"it is not UTF-8: {error}") from None
    if text.startswith("\ufeff"):
        raise PackError(file, "", "text", "it begins with a byte order mark: save it without one")
    if len(chain.encode_canonical(text)) > MOST:
        raise PackError(file, "", "text", f"it is longer than {MOST} bytes, as an export writes it")
