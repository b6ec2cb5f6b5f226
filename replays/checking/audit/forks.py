"""Checks a fork against its parent: LOG-10 of docs/log.md."""

from __future__ import annotations

from collections.abc import Iterator

from domain import matches
from events.chain import Shown
from replays.checking.audit.proof import Lines, fields, is_same
from replays.checking.audit.report import Fault

SHARED = ("game", "version", "pack_hash", "seats", "options")
"""The fields that the opening events of a fork and its parent have in common."""


def faults(lines: Lines) -> Iterator[Fault]:
    """Yield the faults by LOG-10 of the match, and of each parent that is a fork itself."""
    for stream in (lines.header.match, *lines.parents):
        place, forked = lines.at(stream, 2)
        if forked and forked.type == matches.FORKED:
            yield from _fork(lines, stream, place, forked)


def _fork(lines: Lines, stream: str, place: int, forked: Shown) -> Iterator[Fault]:
    events = lines.streams[stream]
    rest = [(at, event) for at, event in events if at > place]
    parent = _parent(lines, stream)
    if not parent:
        yield Fault(place, "fork", stream, forked.version, "what it goes on from is not here")
        return
    if reason := _unlike(fields(events[0][1]), fields(forked), parent):
        yield Fault(place, "fork", stream, forked.version, reason)
    copied = [event for event in parent if not event.type.startswith("match/")]
    for number, (at, event) in enumerate(rest):
        is_own = event.type.startswith("match/")
        if number >= len(copied):
            if not is_own:
                yield Fault(at, "fork", stream, event.version, "the parent has no such event")
            return
        if not _is_copy(event, copied[number]):
            reason = f"it is not version {copied[number].version} of the parent"
            yield Fault(at, "fork", stream, event.version, reason)
            return
    if len(rest) < len(copied):
        last, event = lines.streams[stream][-1]
        reason = f"version {copied[len(rest)].version} of the parent is missing"
        yield Fault(last, "fork", stream, event.version + 1, reason)


def _parent(lines: Lines, stream: str) -> list[Shown]:
    """Return the events of the parent; none if it is not in the file, or stands before its own child."""
    streams = (lines.header.match, *lines.parents)
    following = streams[streams.index(stream) + 1 :][:1]
    return [event for _, event in lines.streams.get(following[0], ())] if following else []


def _unlike(opened: dict[str, object], fork_event: dict[str, object], parent: list[Shown]) -> str:
    if not is_same([parent[-1].version, parent[-1].hash], [fork_event.get("version"), fork_event.get("hash")]):
        return "the parent's events do not end with the one that it names"
    theirs = fields(parent[0])
    for name in SHARED:
        if name not in opened or name not in theirs or not is_same(opened[name], theirs[name]):
            return f"the parent was opened with another {name}"
    return ""


def _is_copy(event: Shown, original: Shown) -> bool:
    """Return whether the fork's event is the parent's, as far as the reader can see it."""
    return (
        (event.type, event.schema, bytes(event.public), event.actor, event.move)
        == (original.type, original.schema, bytes(original.public), "service", 0)
        and {path: part.readers for path, part in event.commits.items()}
        == {path: part.readers for path, part in original.commits.items()}
        and all(
            path not in original.secret or bytes(part.value) == bytes(original.secret[path].value)
            for path, part in event.secret.items()
        )
    )
