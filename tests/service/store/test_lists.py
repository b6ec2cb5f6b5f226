"""Lists of matches: what seats know of them so that a player's are found by index, and what an older store is told."""

from __future__ import annotations

from contextlib import closing
from typing import Any

import pytest

from events.store import Statement, Store, StoreError
from service.config import Config
from service.store import Wanted, listing
from tests.service.house import House, Visitor, build, play_out

SEATS = """
SELECT seats.match, seats.seat, seats.status, seats.ended, matches.status, matches.ended FROM seats
JOIN matches ON matches.partition = seats.partition AND matches.id = seats.match WHERE seats.partition = :partition
"""
FORGET = (
    *(f"DROP INDEX {name}" for name in ("seats_by_status", "seats_by_end", "seats_by_reserved_status")),
    *(f"DROP INDEX {name}" for name in ("seats_by_reserved_end", "matches_by_creator_end")),
    *(f"ALTER TABLE seats DROP COLUMN {column}" for column in ("status", "ended")),
    "UPDATE service SET version = version - 2",
)
"""What the release before its version did not have; what came since is done twice."""

STATUSES = ("open", "playing", "finished", "aborted")


def lived(house: House) -> tuple[Visitor, dict[str, set[str]]]:
    """A player, and by what became of them the matches that they opened, sit in, or are awaited in."""
    ann, bob = house.player("Ann"), house.player("Bob")
    found: dict[str, set[str]] = {status: set() for status in STATUSES}
    for status in STATUSES:
        for opener, other, visibility in ((ann, bob, "public"), (bob, ann, "public"), (bob, ann, "private")):
            match = opener.open(seats=[None, {"player": other.id}], visibility=visibility)
            found[status].add(match)
            if status == "open":
                continue
            opener.sit(match)
            other.sit(match)
            if status == "finished":
                play_out(match, [ann, bob])
            if status == "aborted":
                assert [one.post(f"/matches/{match}/abort").status_code for one in (ann, bob)] == [200, 200]
        bob.open(seats=[None, None])  # hers in no way
    return ann, found


def assert_in_step(store: Store) -> None:
    """The seats know what the matches know."""
    rows = store.find_everywhere(SEATS)
    assert len(rows) >= 2 * 3 * len(STATUSES)
    assert {row[4] for row in rows} == set(STATUSES)
    assert [row for row in rows if row[2:4] != row[4:6]] == []
    assert {row[3] is None for row in rows if row[2] in STATUSES[:2]} == {True}
    assert {row[3] is None for row in rows if row[2] in STATUSES[2:]} == {False}


def ids(store: Store, player: str, limit: int, **wanted: Any) -> list[str]:
    """A player's own, page by page."""
    found: list[str] = []
    after = None
    while True:
        page = listing.page(store, store.partitions, player, Wanted(mine=True, limit=limit, after=after, **wanted))
        found += [entry.id for _, entry in page[:limit]]
        if len(page) <= limit:
            return found
        after = page[limit - 1][0], page[limit - 1][1].id


def test_seats_know_how_far_their_matches_are_and_by_it_a_player_s_are_found(house: House) -> None:
    ann, found = lived(house)
    store = house.service.recorder
    assert_in_step(store)
    for limit in (2, 20):
        for status, those in found.items():
            mine = ids(store, ann.id, limit, status=status)
            assert (len(mine), set(mine)) == (len(those), those)
            assert set(ids(store, ann.id, limit, status=status, game="three-magic")) == set()
            assert set(ids(store, ann.id, limit, status=status, game="high-card")) == those
            over = ids(store, ann.id, limit, status=status, since="0")
            assert set(over) == (those if status in STATUSES[2:] else set())
        over = ids(store, ann.id, limit, since="0")
        assert set(over) == found["finished"] | found["aborted"]
        ends = {row[0]: row[3] for row in store.find_everywhere(SEATS)}
        assert over == sorted(over, key=lambda id: (ends[id], id), reverse=True)
        assert set(ids(store, ann.id, limit)) == set().union(*found.values())


def test_a_store_of_the_release_before_learns_of_its_seats_when_it_is_opened(house: House, config: Config) -> None:
    lived(house)
    house.service.recorder.write([Statement(sql) for sql in FORGET])
    with pytest.raises(StoreError):
        house.service.recorder.find_everywhere(SEATS)
    with closing(build(config)) as again:
        assert_in_step(again.recorder)
