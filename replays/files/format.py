"""The format of exports, and reading one back (docs/log.md, "Exports")."""

from __future__ import annotations

import codecs
import re
from datetime import datetime
from hashlib import sha256
from pathlib import Path
from typing import IO, Annotated, Any

import msgspec

from domain.catalogue import Catalogue
from domain.game import PackError
from domain.matches import Status
from events import chain
from events.chain import MATCH, Secret, Shown, Stored, is_match_id
from events.memory import MemoryRecorder
from events.receipts import RECEIPT, Key, Receipt
from events.store import StaleVersion, Write, match_of
from replays.log import Viewer

FORMAT = "foldtable-export-2"

ALL = "all"
"""The viewer of a match that is over: all its secrets are open."""

LINE = 1 << 24
"""The most bytes in a line, without its newline."""

# no hour 24, which Python reads from 3.14 on
_MOMENT = re.compile(r"\d{4}-\d\d-\d\dT(?:[01]\d|2[0-3]):\d\d:\d\d\.\d{3}Z", re.ASCII)
MARKS = (codecs.BOM_UTF8, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
"""How a file begins that an editor or a shell on Windows has written again."""

PACKED = (b"\x1f\x8b", b"PK\x03\x04", b"\x28\xb5\x2f\xfd", b"\xfd7zXZ", b"BZh")
"""How a file begins that a program has packed: gzip, ZIP, zstd, xz, bzip2."""

_STREAM = re.compile(rf"{MATCH}(?:/seat:(?:0|[1-9][0-9]{{0,8}}))?")


class ExportPack(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The printed numbers of the match, so that the file can be read without anything else."""

    name: str
    hash: str
    """SHA-256 of the text's bytes, hexadecimal."""
    text: str
    """The content of the pack's TOML file."""


class ExportHeader(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The first line of an export: what the file is, and the keys of its receipts."""

    format: str
    """`foldtable-export-2`."""
    match: str
    game: str
    rules: int
    """The version of the game's rules."""
    pack: ExportPack
    """The printed numbers of the match."""
    viewer: int | str | None
    """Who may read this: a seat's number, null for anybody, or `all` for a match that is over."""
    status: Annotated[str, msgspec.Meta(extra_json_schema={"enum": [status.value for status in Status]})]
    version: int
    """The version of the last event in the match's own stream."""
    keys: tuple[Key, ...]
    """The keys that signed its receipts, oldest first."""


class BadFile(ValueError):
    """The file is no export, or is damaged: one line that says where (LOG-1)."""


class File(msgspec.Struct, frozen=True):
    """The lines of an export."""

    header: ExportHeader
    events: tuple[Shown, ...]
    receipts: tuple[Receipt, ...]


def read_file(path: Path) -> File:
    """Return the lines of the export in that file. Raises BadFile, also when the file can't be read."""
    try:
        with path.open("rb") as file:
            return read(file, str(path))
    except OSError as error:
        raise BadFile(f"{path}: {error.strerror}") from error


def read(file: IO[bytes], name: str) -> File:
    """Return the lines of an export, each checked alone. Raises BadFile at the first malformed one."""
    header: ExportHeader | None = None
    events: list[Shown] = []
    receipts: list[Receipt] = []
    for number, line in enumerate(iter(lambda: file.readline(LINE + 2), b""), 1):
        try:
            if header is None:
                header = _header(_value(line), line)
            elif "domain" in (value := _value(line)):
                receipts.append(receipt_of(line))
            elif receipts:
                raise ValueError("an event after the receipts")
            else:
                events.append(_event(value, line))
        except (ValueError, msgspec.DecodeError) as error:
            raise BadFile(f"{name}, line {number}: {error}") from error
    if header is None:
        raise BadFile(f"{name} is empty")
    return File(header, tuple(events), tuple(receipts))


def _value(line: bytes) -> dict[str, Any]:
    if line.startswith(PACKED):
        raise ValueError("is compressed: unpack it first")
    if len(line) > LINE + 1:
        raise ValueError(f"longer than {LINE} bytes")
    if not line.endswith(b"\n"):
        raise ValueError("cut off: it has no newline")
    if line.startswith(MARKS):
        raise ValueError("begins with a byte order mark: get the file again, byte by byte")
    if line.endswith(b"\r\n"):
        raise ValueError("ends with a carriage return, as on Windows: get the file again, byte by byte")
    value = chain.decode_canonical(line[:-1])
    if not isinstance(value, dict):
        raise ValueError("no object")
    return value


def _hex(text: str, length: int, what: str) -> None:
    try:
        chain.raw_bytes(text, length)
    except chain.NotCanonical as error:
        raise ValueError(f"{what}: {error}") from error


def _stream(text: str, what: str) -> None:
    if not _STREAM.fullmatch(text):
        raise ValueError(f"{what}: {text!r} names no match and no stream of one")


def _moment(text: str, what: str) -> None:
    if not _MOMENT.fullmatch(text):
        raise ValueError(f"{what}: {text!r} is no moment")
    # raises ValueError for a date that does not exist
    datetime.fromisoformat(text)


def _header(value: dict[str, Any], line: bytes) -> ExportHeader:
    format_found = value.get("format")
    if isinstance(format_found, str) and format_found != FORMAT:
        raise ValueError(f"the format is {format_found!r}; {FORMAT!r} is known")
    header: ExportHeader = msgspec.json.decode(line, type=ExportHeader)
    if not is_match_id(header.match):
        raise ValueError(f"match: {header.match!r} is no match's id")
    _hex(header.pack.hash, 32, "pack.hash")
    for key in header.keys:
        _hex(key.public, 32, "keys: public")
        _hex(key.key, 8, "keys: key")
        _hex(key.signature, 64, "keys: signature")
        _moment(key.since, "keys: since")
        if key.by is not None:
            _hex(key.by, 8, "keys: by")
    return header


def receipt_of(line: bytes) -> Receipt:
    """Return the receipt in a line, or in a file that a player kept. Raises ValueError, msgspec.DecodeError."""
    receipt = msgspec.json.decode(line, type=Receipt)
    if receipt.domain != RECEIPT:
        raise ValueError(f"the domain is {receipt.domain!r}; {RECEIPT!r} is known")
    _stream(receipt.stream, "stream")
    _hex(receipt.hash, 32, "hash")
    _hex(receipt.key, 8, "key")
    _hex(receipt.signature, 64, "signature")
    _moment(receipt.at, "at")
    return receipt


def _event(value: dict[str, Any], line: bytes) -> Shown:
    event = msgspec.json.decode(line, type=Shown)
    if not isinstance(value["public"], dict):
        raise ValueError("public: an object was expected")
    _stream(event.stream, "stream")
    _hex(event.hash, 32, "hash")
    _moment(event.at, "at")
    for path, commit in event.commits.items():
        _hex(commit.commit, 32, f"commits: {path}")
    for path, opening in event.secret.items():
        if opening.salt:
            _hex(opening.salt, 32, f"secret: {path}: salt")
    return event


def stored(shown: Shown) -> Stored:
    """Return the event as a store keeps it, with those secrets that are shown."""
    secrets = {path: Secret(readers=opening.readers, value=opening.value) for path, opening in shown.secret.items()}
    same = ("stream", "version", "type", "schema", "at", "actor", "move")
    return Stored(
        **{name: getattr(shown, name) for name in same},
        public=bytes(shown.public),
        secret=chain.encode_canonical(secrets),
        commits=chain.encode_canonical(shown.commits),
        hash=chain.raw_bytes(shown.hash, 32),
    )


class Export(MemoryRecorder):
    """An export read back: a store with one match and those that it continues. What is not in the file is unknown."""

    def __init__(self, file: File, name: str) -> None:
        """Take the file's events. Raises BadFile when versions are missing."""
        super().__init__()
        self._name = name
        self.file = file
        self.header = file.header
        for shown in file.events:
            try:
                self.append(match_of(shown.stream), [Write(shown.stream, shown.version - 1, (stored(shown),))])
            except StaleVersion as error:
                reason = f"version {shown.version} of {shown.stream} follows {error.current}"
                raise BadFile(f"{name}: {reason}") from error
        if (last := self.head(self.header.match).version) != self.header.version:
            raise BadFile(f"{name} ends at version {last} of {self.header.version}")

    def pack_for(self, catalogue: Catalogue) -> None:
        """Add the file's pack to the catalogue, for its match. Raises BadFile."""
        pack, room = self.header.pack, catalogue.rooms.get(self.header.game)
        data = pack.text.encode()
        if sha256(data).hexdigest() != pack.hash:
            raise BadFile(f"{self._name}, line 1: the pack's text is not the one that its hash names")
        if room is None:
            return  # the error comes when the log is read
        try:
            room.keep_pack(f"{pack.name}.toml", data)
        except PackError as error:
            raise BadFile(f"{self._name}, line 1: {error}") from error

    def check_viewer(self, viewer: Viewer) -> None:
        """Check that the file holds what that seat may see. Raises BadFile."""
        known = self.header.viewer
        if viewer is not None and known not in {ALL, viewer}:
            whose = "anybody" if known is None else f"seat {known}"
            raise BadFile(f"{self._name} holds what {whose} may see, not what seat {viewer} does")

    def proof(self, match: str) -> bytes | None:
        """See `Recorder.proof`: the file's own, as if it had been imported."""
        return proof_of(self.file) if match == self.header.match else None


class Proof(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What an export has beside a match's own events. An import keeps it, so that the match can be exported again."""

    keys: tuple[Key, ...]
    parents: tuple[Shown, ...]
    """The events of the streams that a fork continues."""
    receipts: tuple[Receipt, ...]


def proof_of(file: File) -> bytes:
    """Return the proof in a file, as canonical bytes."""
    parents = tuple(event for event in file.events if match_of(event.stream) != file.header.match)
    return chain.encode_canonical(Proof(keys=file.header.keys, parents=parents, receipts=file.receipts))


read_proof = msgspec.json.Decoder(Proof).decode
"""Decodes a proof that a store has kept."""
