"""The data folder: makes it, closes it to other users, and makes the tokens of workers and operator."""

from __future__ import annotations

import re
import secrets
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from events import files
from events.files import OWN, OWN_FOLDER, alone, make_folder, read_small, write_whole
from events.store import StoreUnusable, StoreUnwritable
from service.config import OTHERS, TOKEN, Config

OURS = re.compile(
    r"foldtable\.db.*|keys|(worker|admin|demo)-token|secret|up\.lock|packs|redis|before-[\w-]+|restore|\.[0-9a-f]+\.new"
)
"""The names of files that the service makes, or an operator makes for it. Other files are not touched."""

RESTORING = "restore"
"""The name of the folder that exists while a backup is restored."""


class HouseTokens(NamedTuple):
    """The tokens in files beside the store, which belong to no account."""

    worker: str
    admin: str
    secret: str
    """No token, but the secret that signs links, reply addresses and cursors."""


def prepare(config: Config) -> HouseTokens:
    """Make the data folder, close it to others, and make its tokens. Returns the tokens. Raises StoreUnusable."""
    shut(config.data)
    try:
        with alone(config.data):
            tokens = HouseTokens(
                worker=config.worker_said or _token(config.worker_token, is_made=not config.worker_file),
                admin=config.admin_said or _token(config.admin_token, is_made=not config.admin_file),
                secret=config.secret_said or _token(config.secret, is_made=not config.secret_file),
            )
    except OSError as error:
        raise StoreUnwritable(f"{config.data} can't be made or written to: {error.strerror}") from error
    if tokens.worker == tokens.admin:
        raise StoreUnusable("workers and the operator have the same token: each needs its own")
    return tokens


def shut(data: Path) -> None:
    """Make the folder if it is missing, and close it and the service's files in it to other users.

    The mode of a folder with other files is not changed, since it may be somebody's home.
    Raises:  StoreUnwritable if it can't be made; StoreUnusable if others can read it and it can't be closed.
    """
    try:
        make_folder(data)
        entries = list(data.iterdir())
    except OSError as error:
        raise StoreUnwritable(f"{data} can't be made or written to: {error.strerror}") from error
    check_restored(data)
    if _is_open(data):
        if not all(OURS.fullmatch(entry.name) for entry in entries):
            raise StoreUnusable(
                f"others may read {data}, which has other files too: run chmod 700, or use another folder"
            )
        _shut(data)
    for path in files_of(data):
        _shut(path)


def check_restored(data: Path) -> None:
    """Raise StoreUnusable if a restore of the folder was interrupted: its files don't belong together."""
    if (data / RESTORING).exists():
        raise StoreUnusable(f"a restore of {data} was interrupted: run restore again, with the same backup")


def files_of(data: Path) -> Iterator[Path]:
    """Return the service's files and folders in the folder, with all that lies in these. Raises OSError."""
    for entry in sorted(data.iterdir()):
        if OURS.fullmatch(entry.name):
            yield entry
            if entry.is_dir() and not entry.is_symlink():
                yield from sorted(entry.rglob("*"))


def check_room(data: Path, size: int) -> None:
    """Raise StoreUnwritable if the folder has no room for so many more bytes."""
    try:
        files.check_room(data, size)
    except OSError as error:
        raise StoreUnwritable(f"{data} can't be written to: {error.strerror}") from error


def _is_open(path: Path) -> bool:
    return bool(path.stat().st_mode & OTHERS)


def _shut(path: Path) -> None:
    try:
        # a link has no mode of its own, and its target is elsewhere
        if path.is_symlink() or not _is_open(path):
            return
        path.chmod(OWN_FOLDER if path.is_dir() else stat.S_IMODE(path.stat().st_mode) & OWN)
    except FileNotFoundError:
        return  # it was deleted meanwhile, like a write-ahead log
    except OSError as error:
        raise StoreUnusable(f"others may read {path}: {error.strerror}; run chmod 700, as its owner") from error


def _token(path: Path, *, is_made: bool) -> str:
    """Return the token in the file. `is_made`: make it if it is missing, or empty after a disk error.

    A new file is written as a whole, since workers may be waiting for it.
    Raises:  StoreUnusable if the file can't be read or has no token; OSError if it can't be written.
    """
    try:
        data = read_small(path).strip(b"\0 \t\r\n") if path.exists() or not is_made else b""
    except OSError as error:
        # it may be a mounted secret, outside the folder
        raise StoreUnusable(f"{path} can't be read: {error.strerror}") from error
    if not data and is_made:
        data = secrets.token_hex(32).encode()
        write_whole(path, data)
    token = data.decode(errors="replace")
    if not TOKEN.fullmatch(token):
        instead = "; without the file a new one is made" if is_made else ""
        raise StoreUnusable(f"{path} holds no token: that is 32 visible ASCII characters or more{instead}")
    return token
