"""What a start looks at: nothing of the matches that it knows, however many there are."""

from __future__ import annotations

import re

import pytest

from events import opening
from service.store import logs
from service.wiring import Service

NAMES = tuple(f"SEARCH events USING COVERING INDEX {index} (partition=?" for index in ("streams", "events_in_order"))
"""Ways that read no event: to the names of the streams, and to the last position."""

STATEMENTS = {"unknown": logs.STRANGERS, "asked": logs.ASKED, "idle": logs.IDLE, "opening": opening.LOOK}


def ways(service: Service, sql: str) -> list[str]:
    """How the statement comes to events, as SQLite plans it."""
    plan = service.recorder.find_everywhere(f"EXPLAIN QUERY PLAN {sql}")
    return [str(row[3]) for row in plan if re.search(r"\bevents\b", str(row[3]))]


@pytest.mark.sqlite
@pytest.mark.parametrize("name", STATEMENTS)
def test_events_are_found_by_their_match_and_never_read_through(service: Service, name: str) -> None:
    found = ways(service, STATEMENTS[name])
    assert found
    assert [way for way in found if not way.startswith(NAMES) and "partition=? AND stream=?" not in way] == []


@pytest.mark.sqlite
def test_a_statement_that_reads_all_events_is_noticed(service: Service) -> None:
    for sql in (
        "SELECT type FROM events WHERE partition = 0 AND version = 1",
        "SELECT max(position) FROM events",
    ):
        assert not any(way.startswith(NAMES) or "stream=?" in way for way in ways(service, sql))
