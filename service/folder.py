"""The data folder: made, shut to others, and with the tokens of workers and operator in it."""

from __future__ import annotations

import re
import secrets
import stat
from pathlib import Path

from events import files
from events.files import OWN, OWN_FOLDER, alone, make_folder, write_whole
from events.store import StoreUnusable, StoreUnwritable
from service.accounts import HouseTokens
from service.config import OTHERS, TOKEN, Config

OURS = re.compile(
    r"foldtable\.db.*|keys|(worker|admin|demo)-token|secret|up\.lock|packs|redis|before-\w+|restore|\.[0-9a-f]+\.new"
)
"""What the service makes in the folder, or an operator for it. The rest is left alone."""

RESTORING = "restore"
"""The folder that is there while a backup is put in the place of what was here."""


def prepare(config: Config) -> HouseTokens:
    """Make the data folder, shut it, and make the tokens, which are answered. Raises StoreUnusable, by its kinds."""
    shut(config.data)
    try:
        with alone(config.data):
            return HouseTokens(
                worker=config.worker_said or _token(config.worker_token, is_made=not config.worker_file),
                admin=config.admin_said or _token(config.admin_token, is_made=not config.admin_file),
                secret=config.secret_said or _token(config.secret, is_made=not config.secret_file),
            )
    except OSError as error:
        raise StoreUnwritable(f"{config.data} can't be made or written to: {error.strerror}") from error


def shut(data: Path) -> None:
    """Have the folder there for this user alone, and all that is ours in it.

    A folder that holds other things too may be somebody's home: what others may see of it is not for us to change.

    Raises:  StoreUnwritable when it can't be made; StoreUnusable when others may look into it and it can't be shut.
    """
    try:
        make_folder(data)
        entries = sorted(data.iterdir())
    except OSError as error:
        raise StoreUnwritable(f"{data} can't be made or written to: {error.strerror}") from error
    if any(entry.name == RESTORING for entry in entries):
        raise StoreUnusable(f"a restore of {data} was cut off: say restore again, with the same backup")
    ours = [entry for entry in entries if OURS.fullmatch(entry.name)]
    if _is_open(data):
        if len(ours) < len(entries):
            raise StoreUnusable(
                f"others may look into {data}, which holds more than the service's own: say chmod 700, or name another"
            )
        _shut(data)
    for entry in ours:
        for path in (entry, *(entry.rglob("*") if entry.is_dir() and not entry.is_symlink() else ())):
            _shut(path)


def check_room(data: Path, size: int) -> None:
    """Raises StoreUnwritable when the folder has no room for so many bytes more."""
    try:
        files.check_room(data, size)
    except OSError as error:
        raise StoreUnwritable(f"{data} can't be written to: {error.strerror}") from error


def _is_open(path: Path) -> bool:
    return bool(path.stat().st_mode & OTHERS)


def _shut(path: Path) -> None:
    try:
        # a link has no mode of its own, and what it leads to lies elsewhere
        if path.is_symlink() or not _is_open(path):
            return
        path.chmod(OWN_FOLDER if path.is_dir() else stat.S_IMODE(path.stat().st_mode) & OWN)
    except FileNotFoundError:
        return  # gone meanwhile, like a log of writes that was folded in
    except OSError as error:
        raise StoreUnusable(f"others may look into {path}: {error.strerror}; say chmod 700, as its owner") from error


def _token(path: Path, *, is_made: bool) -> str:
    """The token in the file, which comes to be there whole or not at all: workers may be looking for it.

    A file that was made and never written, as a disk that fails leaves it, is made anew.

    Raises:  StoreUnusable when the file can't be read or holds none; OSError when none can be written.
    """
    try:
        found = path.read_bytes().strip(b"\0 \t\r\n")
    except (FileNotFoundError, NotADirectoryError):
        found = b""
    except OSError as error:
        # it may be a secret that was mounted for somebody else: the folder has no part in that
        raise StoreUnusable(f"{path} can't be read: {error.strerror}") from error
    if not found and is_made:
        found = secrets.token_hex(32).encode()
        write_whole(path, found)
    token = found.decode(errors="replace")
    if not TOKEN.fullmatch(token):
        instead = "; without the file a new one is made" if is_made else ""
        raise StoreUnusable(f"{path} holds no token: that is 32 visible ASCII characters or more{instead}")
    return token
