"""A match as a file: JSON Lines, a header and then its events as somebody may read them (docs/log.md)."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256
from typing import Any

import msgspec

from domain.catalogue import Catalogue
from domain.game import PackError
from domain.match import Status
from events import canonical, chain
from events.chain import Head, head_of
from events.envelope import Secret, Shown, Stored
from events.store import Fact, match_of, seat_order
from replays.log import Log, Viewer, private_stream

FORMAT = "foldtable-export-1"

ALL = "all"
"""The viewer of a match that is over: everything of it is open."""


class PackText(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The printed numbers that the match is played with, so that the file is enough to read it by."""

    name: str
    hash: str
    """SHA-256 of the text's bytes."""
    text: str


class Header(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The first line."""

    format: str
    match: str
    game: str
    rules: int
    """The version of the game's rules."""
    pack: PackText
    viewer: int | str | None
    """Whose knowledge it is: a seat's, nobody's in particular (null), or all there is ("all")."""
    status: Status
    version: int
    """Of the match's last event."""


class BadFile(ValueError):
    """A file that is no export, or a damaged one: one line that says where."""


def lines(log: Log, seat: int | None = None) -> Iterator[bytes]:
    """The lines of the export: of a match that is over everything, of another what the seat may see, or anybody.

    Shape:   the header, the match's log, then the private logs that may be read; each line ends in a newline.
    """
    state = log.fold(None)
    viewer = ALL if state.is_over else seat
    text = PackText(name=log.pack.name, hash=log.pack.hash, text=log.pack.data.decode())
    header = Header(
        format=FORMAT,
        match=log.id,
        game=log.game.slug,
        rules=log.game.version,
        pack=text,
        viewer=viewer,
        status=state.status,
        version=state.version,
    )
    yield canonical.encode(header) + b"\n"
    streams = [log.id]
    if state.is_over:
        streams.extend(log.store.private_streams(log.id))
    elif seat is not None:
        streams.append(private_stream(log.id, seat))
    for stream in streams:
        for event in log.store.read(stream):
            if stream == log.id and event.version > state.version:
                break  # it came while this was written: the header says up to where
            shown = chain.show(event, seat, log.secret, is_open=state.is_over or stream != log.id)
            yield canonical.encode(shown) + b"\n"


def stored(shown: Shown) -> Stored:
    """The event as a store keeps it, as far as it was shown."""
    told = {path: Secret(readers=one.readers, value=one.value) for path, one in shown.secret.items()}
    return Stored(
        stream=shown.stream,
        version=shown.version,
        type=shown.type,
        schema=shown.schema,
        at=shown.at,
        actor=shown.actor,
        move=shown.move,
        public=bytes(shown.public),
        secret=canonical.encode(told),
        commits=canonical.encode(shown.commits),
        hash=bytes.fromhex(shown.hash),
    )


class Export:
    """An export read back: the reading half of a store that holds one match. What wasn't shown is unknown."""

    def __init__(self, data: bytes, name: str) -> None:
        """Raises BadFile."""
        self._name = name
        numbered = [(number, line) for number, line in enumerate(data.split(b"\n"), 1) if line.strip()]
        if not numbered:
            raise BadFile(f"{name} is empty")
        self.header = self._read(*numbered[0], Header)
        if self.header.format != FORMAT:
            raise BadFile(f"{name}, line 1: the format is {self.header.format!r}, not {FORMAT!r}")
        self._streams: dict[str, list[Stored]] = {}
        for number, line in numbered[1:]:
            self._add(number, self._read(number, line, Shown))
        last = len(self._streams.get(self.header.match, ()))
        if last != self.header.version:
            raise BadFile(f"{name} ends at version {last} of {self.header.version}")

    def _read(self, number: int, line: bytes, kind: type[Any]) -> Any:
        try:
            return msgspec.json.decode(line, type=kind)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise BadFile(f"{self._name}, line {number}: {error}") from error

    def _add(self, number: int, shown: Shown) -> None:
        if match_of(shown.stream) != self.header.match:
            raise BadFile(f"{self._name}, line {number}: {shown.stream} is no stream of {self.header.match}")
        events = self._streams.setdefault(shown.stream, [])
        if shown.version != len(events) + 1:
            raise BadFile(
                f"{self._name}, line {number}: version {shown.version} of {shown.stream} follows {len(events)}"
            )
        try:
            events.append(stored(shown))
        except ValueError as error:
            raise BadFile(f"{self._name}, line {number}: hash: {error}") from error

    def pack_for(self, catalogue: Catalogue) -> None:
        """Have the embedded pack at hand for its match. Raises BadFile."""
        pack, room = self.header.pack, catalogue.rooms.get(self.header.game)
        data = pack.text.encode()
        if sha256(data).hexdigest() != pack.hash:
            raise BadFile(f"{self._name}, line 1: the pack's text is not the one that its hash names")
        if room is None:
            return  # whoever reads the log on says so
        try:
            room.keep_pack(f"{pack.name}.toml", data)
        except PackError as error:
            raise BadFile(f"{self._name}, line 1: {error}") from error

    def check_viewer(self, viewer: Viewer) -> None:
        """Refuse, by BadFile, to look from a seat that the file doesn't know about."""
        known = self.header.viewer
        if viewer is not None and known not in {ALL, viewer}:
            whose = "anybody" if known is None else f"seat {known}"
            raise BadFile(f"{self._name} holds what {whose} may see, not what seat {viewer} does")

    def read(self, stream: str, after: int = 0, limit: int | None = None) -> tuple[Stored, ...]:
        """See `Recorder.read`."""
        return tuple(self._streams.get(stream, ())[after : None if limit is None else after + limit])

    def facts(self, stream: str, after: int = 0) -> Iterator[Fact]:
        """See `Recorder.facts`."""
        return ((one.type, one.schema, one.public, one.secret) for one in self.read(stream, after))

    def head(self, stream: str) -> Head:
        """See `Recorder.head`."""
        events = self.read(stream)
        return head_of(events) if events else Head()

    def private_streams(self, match: str) -> tuple[str, ...]:
        """See `Recorder.private_streams`."""
        return tuple(sorted((one for one in self._streams if one.startswith(f"{match}/")), key=seat_order))
