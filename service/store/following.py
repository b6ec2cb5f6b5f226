"""How far followers have come, and which logs they have set aside, as tables have it: statements for either store."""

from __future__ import annotations

from typing import Any

import msgspec

from events.store import Statement


class SetAside(msgspec.Struct, frozen=True):
    """A log whose events a follower passes over, from the one that it could not take."""

    partition: int
    follower: str
    match: str
    position: int
    """The match's events up to this position have had their effect."""
    stream: str
    version: int
    """Of the event that could not be taken."""
    error: str
    at: str
    again: bool = False
    """Whether it is to be tried again."""


COLUMNS = ", ".join(SetAside.__struct_fields__)
PLACES = ", ".join(f":{name}" for name in SetAside.__struct_fields__)

FIND_ASIDE = f"SELECT {COLUMNS} FROM set_aside WHERE partition = :partition ORDER BY follower, match"
FIND_POSITIONS = "SELECT follower, position FROM positions WHERE partition = :partition ORDER BY follower"
FIND_END = "SELECT coalesce(max(position), 0) FROM events WHERE partition = :partition"

BEGIN = "INSERT INTO positions (partition, follower, position) VALUES (:partition, :follower, 0) ON CONFLICT DO NOTHING"
MOVE_ON = (
    "UPDATE positions SET position = :after"
    " WHERE partition = :partition AND follower = :follower AND position = :before"
)
SET_ASIDE = (
    f"INSERT INTO set_aside ({COLUMNS}) VALUES ({PLACES}) ON CONFLICT (partition, follower, match) DO UPDATE SET"
    " position = excluded.position, stream = excluded.stream, version = excluded.version,"
    " error = excluded.error, at = excluded.at, again = excluded.again"
)
OF_LOG = "partition = :partition AND follower = :follower AND match = :match AND position = :position"
CATCH_UP = f"UPDATE set_aside SET position = :after WHERE {OF_LOG}"
TAKE_BACK = f"DELETE FROM set_aside WHERE {OF_LOG}"
TRY_AGAIN = "UPDATE set_aside SET again = 1 WHERE partition = :partition"


def begin(follower: str, partition: int) -> Statement:
    """The follower has come to the partition's beginning, unless it has come further."""
    return Statement(BEGIN, {"partition": partition, "follower": follower})


def move_on(follower: str, partition: int, before: int, after: int) -> Statement:
    """The follower goes on from one position to another: one row, none if it is elsewhere."""
    return Statement(MOVE_ON, {"partition": partition, "follower": follower, "before": before, "after": after})


def set_aside(one: SetAside) -> Statement:
    """The log is passed over."""
    return Statement(SET_ASIDE, {**msgspec.structs.asdict(one), "again": int(one.again)})


def catch_up(one: SetAside, after: int) -> Statement:
    """A log that is set aside has had its effect up to a later position: one row, none if it was dealt with."""
    return Statement(CATCH_UP, {**_of(one), "after": after})


def take_back(one: SetAside) -> Statement:
    """A log has been caught up with: one row, none if it was dealt with."""
    return Statement(TAKE_BACK, _of(one))


def _of(one: SetAside) -> dict[str, Any]:
    return {"partition": one.partition, "follower": one.follower, "match": one.match, "position": one.position}


def try_again(partition: int, match: str | None) -> Statement:
    """Logs of the partition that are set aside are to be tried again: one match's, or (None) all."""
    if match is None:
        return Statement(TRY_AGAIN, {"partition": partition})
    return Statement(f"{TRY_AGAIN} AND match = :match", {"partition": partition, "match": match})
