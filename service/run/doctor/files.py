"""Checks the data folder: its owner and modes, its tokens, and the disk."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

from events.store import StoreError
from service import folder
from service.config import OTHERS, TOKEN, Config
from service.folder import OURS, RESTORING
from service.run.doctor.report import Finding, fault, good, warning

FILES, DISK = "files", "disk"

LEAST, LITTLE = 64 << 20, 1 << 30
"""The bytes that must be free, and the bytes that should be."""

WITHOUT_WORKER = "workers on other hosts are refused until they have it"
WITHOUT_ADMIN = "whoever calls as the operator is refused until they have it"
WITHOUT_SECRET = (
    "links and reply addresses in mails that were sent work no more, and webhooks are disabled until their owners renew"
    " their secrets"
)
"""What happens if the next start makes a new token."""

FEWEST = 256
"""The number of files for which there must be room."""


def examine(config: Config) -> Iterator[Finding]:
    """Check the folder and its disk."""
    data = config.data
    try:
        if not data.exists():
            yield good(FILES, f"there is no {data} yet: the first start makes it")
            return
        if not data.is_dir():
            yield fault(FILES, f"{data} is no folder", "name a folder by --data or FOLDTABLE_DATA")
            return
        findings = [*_modes(data), *_tokens(config)]
    except OSError as error:
        yield fault(FILES, f"{data} can't be read: {error.strerror}", "run as the service's own user")
        return
    yield from findings or [good(FILES, f"{data} is for this user alone")]
    yield from disk(data)


def _modes(data: Path) -> Iterator[Finding]:
    """Find files that others may read, or that belong to another user."""
    if (data / RESTORING).exists():
        do = "run restore again, with the same backup: python -m service restore FROM"
        yield fault(FILES, f"a restore of {data} was interrupted: nothing starts", do)
    ours = [entry for entry in sorted(data.iterdir()) if OURS.fullmatch(entry.name)]
    inside = (path for entry in ours if entry.is_dir() and not entry.is_symlink() for path in sorted(entry.rglob("*")))
    for path in (data, *ours, *inside):
        if path.is_symlink():
            continue
        about = path.stat()
        if about.st_mode & OTHERS:
            mode = 700 if path.is_dir() else 600
            yield fault(
                FILES, f"others may look into {path}", f"chmod {mode} {path}; whoever could, may have its secrets"
            )
        if about.st_uid != os.geteuid():
            do = f"chown -R {os.geteuid()} {data}, or run as the user {about.st_uid}"
            yield fault(FILES, f"{path} belongs to the user {about.st_uid}, and this is {os.geteuid()}", do)


def _tokens(config: Config) -> Iterator[Finding]:
    """Find token files that are missing, or that hold no token."""
    files = (
        (config.worker_token, config.worker_said, config.worker_file, WITHOUT_WORKER),
        (config.admin_token, config.admin_said, config.admin_file, WITHOUT_ADMIN),
        (config.secret, config.secret_said, config.secret_file, WITHOUT_SECRET),
    )
    for path, token, named, follows in files:
        if token:
            continue  # the setting has the token, and the file is not read
        if path.exists():
            if not TOKEN.fullmatch(path.read_bytes().strip(b"\0 \t\r\n").decode(errors="replace")):
                do = "put back a copy, or remove it: the next start makes a new one"
                yield fault(FILES, f"{path} holds no token", do)
        elif named:
            yield fault(FILES, f"{path} is not there: nothing starts", "put it there, as the settings name it")
        elif config.keys.exists():
            # the service has started before, so it had made the file
            do = "put back a copy of it (a backup has one) before the next start, which makes a new one"
            yield fault(FILES, f"{path} is not there: with a new one {follows}", do)


def disk(data: Path) -> Iterator[Finding]:
    """Check that there is room, and that the disk can be written to."""
    try:
        folder.check_room(data, LEAST >> 10)
    except StoreError as error:
        yield fault(DISK, f"nothing can be written: {error}", "make room, mount it to be written to, or mend the disk")
        return
    free, files = shutil.disk_usage(data).free, os.statvfs(data)
    if files.f_files and files.f_favail < FEWEST:
        yield fault(DISK, f"there is room for {files.f_favail} more files", "remove files that nobody needs")
    room = f"{free >> 20} MiB are free"
    if free < LEAST:
        yield fault(DISK, room, f"make room: moves are refused when it is full; {LEAST >> 20} MiB are the least")
    elif free < LITTLE:
        yield warning(DISK, room, "make room before it is full")
    else:
        yield good(DISK, f"{room}, and what is written is synced")
