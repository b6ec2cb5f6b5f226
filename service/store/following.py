"""Statements on the positions of followers and on the logs that they have set aside, for both kinds of stores."""

from __future__ import annotations

from typing import Any

import msgspec

from events.store import Statement


class SetAside(msgspec.Struct, frozen=True):
    """A log that a follower skips, from the event on that it could not process."""

    partition: int
    follower: str
    match: str
    position: int
    """The effects of the match's events up to this position are done."""
    stream: str
    version: int
    """The version of the event that could not be processed."""
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
    """Return the statement that puts a new follower at the partition's beginning."""
    return Statement(BEGIN, {"partition": partition, "follower": follower})


def move_on(follower: str, partition: int, before: int, after: int) -> Statement:
    """Return the statement that moves the follower from one position to another; no row changes if it is elsewhere."""
    return Statement(MOVE_ON, {"partition": partition, "follower": follower, "before": before, "after": after})


def set_aside(log: SetAside) -> Statement:
    """Return the statement that sets a log aside."""
    return Statement(SET_ASIDE, {**msgspec.structs.asdict(log), "again": int(log.again)})


def catch_up(log: SetAside, after: int) -> Statement:
    """Return the statement that moves a log's position on; it changes no row if the log was dealt with meanwhile."""
    return Statement(CATCH_UP, {**_of(log), "after": after})


def take_back(log: SetAside) -> Statement:
    """Return the statement that ends setting a log aside; it changes no row if the log was dealt with meanwhile."""
    return Statement(TAKE_BACK, _of(log))


def _of(log: SetAside) -> dict[str, Any]:
    return {"partition": log.partition, "follower": log.follower, "match": log.match, "position": log.position}


def try_again(partition: int, match: str | None) -> Statement:
    """Return the statement that has logs of the partition tried again: those of one match, or of all (None)."""
    if match is None:
        return Statement(TRY_AGAIN, {"partition": partition})
    return Statement(f"{TRY_AGAIN} AND match = :match", {"partition": partition, "match": match})
