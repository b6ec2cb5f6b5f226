"""Lists of matches: that they say what the matches say, whatever changes these."""

from __future__ import annotations

from typing import Any

from events.store import Store
from service.store import Wanted, listing
from tests.service.house import House, Visitor, play_out
from tests.service.stored import out_of_step

SEATS = """
SELECT seats.match, seats.status, matches.status, matches.ended FROM seats
JOIN matches ON matches.partition = seats.partition AND matches.id = seats.match WHERE seats.partition = :partition
"""

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


def ids(store: Store, player: str, limit: int, **wanted: Any) -> list[str]:
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
    rows = store.find_everywhere(SEATS)
    assert {row[2] for row in rows} == set(STATUSES)
    assert [row for row in rows if row[1] != row[2]] == [], "the seats know what the matches know"
    assert out_of_step(house.service) == set()
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
        ends = {row[0]: row[3] for row in rows}
        assert over == sorted(over, key=lambda id: (ends[id], id), reverse=True)
        assert set(ids(store, ann.id, limit)) == set().union(*found.values())
