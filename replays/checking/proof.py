"""The checks of a file's events that need no rules: LOG-2 to LOG-7 of docs/log.md, one function for each clause."""

from __future__ import annotations

import re
from collections.abc import Iterator
from hashlib import sha256
from typing import Any

import msgspec

from domain import matches
from events import chain
from events.chain import GENESIS, SECRET, NotCanonical, Shown, readable
from replays.files.format import ALL, File, stored

BY_RULES = ("rules", "move", "chance", "events", "result")
"""The checks that need the rules."""

CHECKS = ("file", "header", "order", "chain", "commit", "secret", "sealed", "key", "receipt", "fork", *BY_RULES)
"""The checks of docs/log.md, in the order of their clauses."""

CLAUSES = {check: f"LOG-{number}" for number, check in enumerate(CHECKS, 1)}

ORDER = {check: number for number, check in enumerate(CHECKS)}

JUDGING = tuple(CLAUSES[check] for check in BY_RULES)
"""The clauses of the checks that need the rules."""

UNREAD = frozenset({"file", "rules"})
"""The checks that fail when something can't be read, rather than when it is wrong."""


CLOSED = "match/AnswersClosed"
PLACE = re.compile(r"0|[1-9][0-9]{0,8}")
ELEMENT = re.compile(r"answers\.(0|[1-9][0-9]{0,8})")


class Failure(msgspec.Struct, frozen=True):
    """A check that failed."""

    stream: str
    version: int
    """0 if the failure is not about an event."""
    check: str
    clause: str
    """Of the game's rules if they refuse a move, else of docs/log.md."""
    reason: str

    @property
    def line(self) -> str:
        """The failure in one line."""
        where = f"version {self.version} of {self.stream}, " if self.version else ""
        return f"{where}{self.check} ({self.clause}): {self.reason}"


class Fault(msgspec.Struct, frozen=True):
    """A failure with its place in the file: 0 is the header, events count from 1, and receipts from the last one on."""

    place: int
    check: str
    stream: str
    version: int
    reason: str
    clause: str = ""

    @property
    def failure(self) -> Failure:
        """The failure without its place, as it is reported."""
        return Failure(self.stream, self.version, self.check, self.clause or CLAUSES[self.check], self.reason)


class Lines:
    """The events of a file by stream, with their places."""

    def __init__(self, file: File) -> None:
        self.file = file
        self.header = file.header
        self.streams: dict[str, list[tuple[int, Shown]]] = {}
        self._named: dict[tuple[str, int], tuple[int, Shown | None]] = {}
        for place, event in enumerate(file.events, 1):
            self.streams.setdefault(event.stream, []).append((place, event))
            self._named.setdefault((event.stream, event.version), (place, event))
        self.own = [event for _, event in self.streams.get(self.header.match, ())]
        self.parents = self._parents()
        self._order = {stream: number for number, stream in enumerate(self.parents)}

    @property
    def seats(self) -> int | None:
        """The number of seats; None if the opening event does not say it."""
        _, opened = self.at(self.header.match, 1)
        seats = fields(opened).get("seats") if opened else None
        return seats if type(seats) is int else None

    @property
    def is_over(self) -> bool:
        """Whether the match has ended."""
        return bool(self.own) and self.own[-1].type in matches.LAST

    def _parents(self) -> tuple[str, ...]:
        """Return the streams that a fork continues, one after the other, as the events name them."""
        last = self.header.match
        streams = {last: None}
        while (parent := self.parent_of(last)) in self.streams and parent not in streams:
            streams[parent] = None
            last = parent
        return tuple(streams)[1:]

    def parent_of(self, stream: str) -> str:
        """Return the id of the match that this stream continues; "" if it is no fork."""
        _, forked = self.at(stream, 2)
        parent = fields(forked).get("parent") if forked and forked.type == matches.FORKED else None
        return parent if isinstance(parent, str) and "/" not in parent else ""

    def at(self, stream: str, version: int) -> tuple[int, Shown | None]:
        """Return the place and the event of that version; (0, None) if there is none."""
        return self._named.get((stream, version), (0, None))

    def placed(self, fault: Fault) -> Fault:
        """Return the fault with the place of its event."""
        return msgspec.structs.replace(fault, place=self.at(fault.stream, fault.version)[0])

    def is_open(self, stream: str) -> bool:
        """Return whether the reader may see everything in the stream."""
        return self.header.viewer == ALL or self.is_over or "/" in stream

    def secret_of(self, stream: str) -> bytes | None:
        """Return the secret that salts the stream, from its match's opening event; None if that does not show it."""
        _, opened = self.at(stream.partition("/")[0], 1)
        hidden = opened.secret.get("secret") if opened else None
        try:
            return chain.raw_bytes(msgspec.json.decode(hidden.value, type=str), 32) if hidden else None
        except (msgspec.DecodeError, NotCanonical):
            return None

    def rank(self, stream: str) -> tuple[int, int] | None:
        """Return a key for the stream's place among the others; None if it does not belong in this file."""
        if stream == self.header.match:
            return 0, 0
        if (seat := self.seat_of(stream)) is not None:
            is_seat = self.seats is None or seat < self.seats
            may_read = self.is_over or self.header.viewer in {ALL, seat}
            return (1, seat) if is_seat and may_read else None
        return (2, self._order[stream]) if stream in self._order else None

    def seat_of(self, stream: str) -> int | None:
        """Return the seat whose private stream it is; None for other streams."""
        start = f"{self.header.match}/seat:"
        # LOG-1 has checked the number's form
        return int(stream.removeprefix(start)) if stream.startswith(start) else None


def fields(event: Shown) -> dict[str, Any]:
    """Return the event's public fields."""
    public: dict[str, Any] = msgspec.json.decode(event.public)
    return public


def is_same(one: Any, other: Any) -> bool:
    """Return whether two values have the same canonical bytes: for Python True equals 1."""
    return chain.encode_canonical(one) == chain.encode_canonical(other)


Found = Iterator[tuple[int, Shown, str]]
"""Places and events at which something does not hold, and why."""


def faults(lines: Lines, *, is_inside: bool) -> Iterator[Fault]:
    """Yield everything that does not hold."""
    for reason in header(lines, is_inside=is_inside):
        yield Fault(0, "header", lines.header.match, 0, reason)
    checks = {"order": order, "chain": links, "commit": commits, "secret": secrets, "sealed": sealed}
    for check, find in checks.items():
        for place, event, reason in find(lines):
            yield Fault(place, check, event.stream, event.version, reason)


def header(lines: Lines, *, is_inside: bool) -> Iterator[str]:
    """Yield what is wrong by LOG-2."""
    stated, own = lines.header, lines.own
    if sha256(stated.pack.text.encode()).hexdigest() != stated.pack.hash:
        yield "the pack's text is not the one that its hash names"
    names = {"game": stated.game, "version": stated.rules, "pack": stated.pack.name, "pack_hash": stated.pack.hash}
    if not own or own[0].type != matches.OPENED:
        yield f"the match does not begin with {matches.OPENED}"
        opened = names
    else:
        opened = fields(own[0])
    for name, value in names.items():
        if (opened_value := opened.get(name)) != value or isinstance(opened_value, bool):
            yield f"the opening event has another {name}: {opened_value!r}, not {value!r}"
    last = own[-1] if own else None
    if last and last.version != stated.version:
        yield f"the last event has version {last.version}, not {stated.version}"
    status = matches.status_of([event.type for event in own])
    if status != stated.status:
        yield f"the events tell of a match that is {status}, not {stated.status}"
    if (stated.viewer == ALL) != lines.is_over and not is_inside:
        yield f"of a match that is {status} the viewer is not {stated.viewer!r}"
    is_seat = isinstance(stated.viewer, int) and lines.seats is not None and 0 <= stated.viewer < lines.seats
    if stated.viewer not in {None, ALL} and not is_seat:
        yield f"the match has no seat {stated.viewer!r}"


def order(lines: Lines) -> Found:
    """Yield the faults by LOG-3."""
    before: dict[str, Shown] = {}
    ended: set[str] = set()
    stood: tuple[int, ...] = ()
    current = ""
    for place, event in enumerate(lines.file.events, 1):
        reason = _misplaced(event, before.get(event.stream))
        if event.stream != current:
            rank = lines.rank(event.stream)
            if rank is None or rank <= stood or event.stream in before:
                reason = f"{event.stream} does not stand here"
            else:
                stood = rank
            current = event.stream
        if event.stream in ended:
            reason = "it follows the end of the match"
        if reason:
            yield place, event, reason
        before[event.stream] = event
        if event.type in matches.LAST:
            ended.add(event.stream)


def _misplaced(event: Shown, before: Shown | None) -> str:
    expected = before.version + 1 if before else 1
    is_private = "/" in event.stream
    if event.version != expected:
        return f"version {event.version} follows {expected - 1}"
    if before and event.at < before.at:
        return f"it is of {event.at}, earlier than the event before it"
    if is_private != (event.type in matches.PRIVATE):
        return f"a {event.type} is in another kind of stream"
    if not is_private and (event.type == matches.OPENED) != (event.version == 1):
        return f"a {event.type} is not version {event.version}"
    if event.type == matches.FORKED and event.version != 2:
        return f"a {event.type} is not version {event.version}"
    return ""


def links(lines: Lines) -> Found:
    """Yield the faults by LOG-4."""
    for events in lines.streams.values():
        previous = GENESIS
        for place, event in events:
            if chain.link(previous, stored(event)).hex() != event.hash:
                yield place, event, "its hash does not fit what it says and the hash before it"
            previous = chain.raw_bytes(event.hash, 32)


def commits(lines: Lines) -> Found:
    """Yield the faults by LOG-5."""
    viewer = lines.header.viewer
    for place, event in enumerate(lines.file.events, 1):
        if event.commits or event.secret:
            is_open = lines.is_open(event.stream)
            due = set(readable(event.commits, viewer if isinstance(viewer, int) else None, is_open=is_open))
            if lines.rank(event.stream) is None:
                due = set(event.secret) & set(event.commits)  # LOG-3 reports that the stream does not belong here
            if reason := _unopened(event, due):
                yield place, event, reason


def _unopened(event: Shown, due: set[str]) -> str:
    for path in sorted(due ^ set(event.secret)):
        return f"{path} is told, and is not for this reader" if path in event.secret else f"{path} is withheld"
    public = fields(event)
    for path, commit in event.commits.items():
        shown = _at(public, path)
        is_element = path.rpartition(".")[2].isdigit()
        if not (
            shown is None or (isinstance(shown, list) and not is_element and all(element is None for element in shown))
        ):
            return f"{path} is hidden, and stands open"
        if path not in event.secret:
            continue
        opening = event.secret[path]
        value = msgspec.json.decode(opening.value)
        nulls = len(value) if isinstance(value, list) and not is_element else None
        if nulls != (len(shown) if isinstance(shown, list) else None):
            return f"{path} has other nulls than its value has elements"
        if opening.readers != commit.readers:
            return f"{path} has other readers than its commit"
        if not _opens(event, path):
            return f"the commit of {path} does not open"
    return ""


def _opens(event: Shown, path: str) -> bool:
    opening = event.secret[path]
    if bool(opening.salt) == ((event.version, path) == SECRET and "/" not in event.stream):
        return False
    try:
        salt = chain.raw_bytes(opening.salt, 32) if opening.salt else b""
        return chain.commit_to(bytes(opening.value), salt).hex() == event.commits[path].commit
    except (NotCanonical, msgspec.DecodeError):
        return False


def _at(public: Any, path: str) -> Any:
    """Return the value at the path; "" if there is none, which is neither null nor a list."""
    for key in path.split("."):
        if isinstance(public, dict) and key in public:
            public = public[key]
        elif isinstance(public, list) and PLACE.fullmatch(key) and int(key) < len(public):
            public = public[int(key)]
        else:
            return ""
    return public


def secrets(lines: Lines) -> Found:
    """Yield the faults by LOG-6."""
    for stream, events in lines.streams.items():
        if lines.rank(stream) is None or not lines.is_open(lines.header.match):
            continue
        secret = lines.secret_of(stream)
        for place, event in events if secret else ():
            for path, opening in event.secret.items():
                if (event.version, path) == SECRET and "/" not in stream:
                    continue  # it has no salt
                if opening.salt != chain.salt(secret or b"", stream, event.version, path).hex():
                    yield place, event, f"the salt of {path} is not the one that the match's secret gives"
        place, last = events[-1]
        is_end = "/" not in stream and last.type in matches.LAST
        if is_end and (secret is None or fields(last).get("secret") != secret.hex()):
            yield place, last, "it does not reveal the opening event's secret"


def sealed(lines: Lines) -> Found:
    """Yield the faults by LOG-7."""
    private = {
        seat: [(place, event) for place, event in events if event.type == matches.SEALED]
        for stream, events in lines.streams.items()
        if (seat := lines.seat_of(stream)) is not None and lines.rank(stream)
    }
    taken: dict[int, int] = {}
    for place, event in lines.streams.get(lines.header.match, ()):
        if event.type != CLOSED:
            continue
        for path, opening in event.secret.items():
            if not (element := ELEMENT.fullmatch(path)):
                continue
            seat, value = int(element[1]), msgspec.json.decode(opening.value)
            given = private.get(seat, ())[taken.get(seat, 0) :]
            if not _is_answer(value, given[0][1] if given else None):
                yield place, event, f"what it says of seat {seat} is not the answer in the seat's private log"
            taken[seat] = taken.get(seat, 0) + (isinstance(value, dict) and isinstance(value.get("sealed"), str))
    for seat, events in private.items():
        left = events[taken.get(seat, 0) :]
        if len(left) > 1:
            place, event = left[0]
            yield place, event, "no closing has taken it"


def _is_answer(value: object, given: Shown | None) -> bool:
    """Return whether a closing's value for a seat fits the next sealed answer of that seat."""
    if not isinstance(value, dict) or "sealed" not in value or "answer" not in value:
        return False
    if value["sealed"] is None:
        return bool(value["answer"] == matches.NOT_ASKED)
    if given is None or given.hash != value["sealed"]:
        return False
    public = fields(given)
    return "answer" in public and is_same(public["answer"], value["answer"])
