"""What is due or waits for a bot is found, page by page, however much stays due."""

from __future__ import annotations

import pytest

from service import clock
from service.jobs.sweep import CLOCKS_PAGE, ClockSweep
from service.store import Statement, Timetable
from service.store.turns import FIRST, Owed, Place, owed_after, owed_in
from service.wiring import Service
from tests.service.clocks.timing import at
from tests.service.house import HIGH_CARD, House

TABLES = {
    "decisions": ("match, seat, since, due, who", ":match, 0, 1, :at, 'player:p_1'"),
    "reminders": ("match, seat, since, at", ":match, 0, 1, :at"),
    "pauses": ("match, reason, since, due", ":match, 'agreed', '', :at"),
}
"""Where moments at which something is due are kept."""


def due(table: str, match: str, moment: str) -> Statement:
    """That a match has something due from then on, which nobody can do; all of them in one partition."""
    columns, places = TABLES[table]
    sql = f"INSERT INTO {table} (partition, {columns}) VALUES (:partition, {places})"
    return Statement(sql, {"match": match, "at": f"2126-03-{moment}.000Z"}, "m_0000")


@pytest.mark.parametrize("table", TABLES)
def test_what_is_due_anew_is_found_behind_more_than_a_page_that_stays_due(house: House, table: str) -> None:
    house.service.recorder.write([due(table, f"m_{number:04}", "04T11:00:00") for number in range(CLOCKS_PAGE + 88)])
    looked = ClockSweep(house.service.recorder)
    with at("04T12:00:00"):
        for _ in range(3):
            looked.look()
        house.service.recorder.write([due(table, "m_late", "04T11:59:59")])
        assert "m_late" in [match for _ in range(4) for match in looked.look()]


def test_what_is_due_is_told_once_what_was_due_first_before_the_rest(house: House) -> None:
    times = Timetable(house.service.recorder)
    nine = [f"m_{second}" for second in range(9)]
    house.service.recorder.write([due("decisions", f"m_{second}", f"04T11:00:0{second}") for second in range(9)])
    with at("04T12:00:00"):
        now = clock.stamp(clock.now())
        assert [*times.due(now, 9)] == [*times.due(now, 5)] == nine
        assert [*times.due(now, 2)] == ["m_0", "m_1", "m_7", "m_8"]


def test_pages_tell_of_every_match_in_which_a_bot_is_asked_and_whose_it_is(house: House, service: Service) -> None:
    ann, bea = house.player(), house.player("Bea")
    bots = [{"bot": "random"}, {"bot": "greedy"}]
    theirs = {one.open(HIGH_CARD, bots): one.id for one in (ann, bea) for _ in range(5)}
    bea.open(HIGH_CARD, [None, None])
    found: dict[str, str] = {}
    after: Place | None = FIRST
    pages = 0
    while after is not None and pages < 50:
        page, after = owed_after(service.recorder, after, 3)
        assert len(page) <= 3
        found |= {owed.match: owed.account for owed in page}
        pages += 1
    assert found == theirs
    assert pages > 3
    some = sorted(theirs)[:2]
    assert set(owed_in(service.recorder, [*some, "m_none"])) == {Owed(match, theirs[match]) for match in some}
