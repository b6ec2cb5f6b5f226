"""Which matches wait for their bots, asked of a store page by page."""

from __future__ import annotations

from service.store.turns import FIRST, Owed, Place, owed_after, owed_in
from service.wiring import Service
from tests.service.house import HIGH_CARD, House


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
