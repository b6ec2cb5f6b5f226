"""Two web processes on one socket and one store: what one of them did holds for the other at once."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.service.web.test_many_at_once import SEATS, House
from tests.service.web.test_streams import two

pytestmark = pytest.mark.faults


@pytest.fixture
def both(tmp_path: Path) -> Iterator[tuple[House, House]]:
    with two(tmp_path) as houses:
        yield houses


def test_who_logs_out_at_one_or_has_another_password_is_out_at_the_other_at_once(both: tuple[House, House]) -> None:
    first, second = both
    login = {"login": "ann", "password": "correct horse battery"}
    first.person.ask("POST", "/api/players", {"name": "Ann", **login})
    sessions = [house.guest().ask("POST", "/api/sessions", login)["token"] for house in (first, second, first)]

    def statuses(token: str) -> list[int]:
        return [house.guest(token).ask_for("GET", "/api/me")[0] for house in both for _ in range(2)]

    assert [statuses(token) for token in sessions] == [[200] * 4] * 3
    one, other, third = sessions
    assert first.guest(one).ask_for("DELETE", "/api/sessions")[0] == 204
    assert statuses(one) == [401] * 4
    change = {"old": login["password"], "new": "another horse"}
    assert second.guest(other).ask_for("POST", "/api/me/password", change)[0] == 204
    assert [statuses(token) for token in (third, other)] == [[401] * 4, [200] * 4]


def test_a_match_is_played_through_both_by_turns_and_one_key_counts_once(both: tuple[House, House]) -> None:
    match = both[1].open()
    path = f"/api/matches/{match}/moves"
    for number in range(40):
        one, other = both[number % 2], both[1 - number % 2]
        move, key = other.choice(match), {"Idempotency-Key": str(number)}
        status, moved = one.worker.ask_for("POST", path, move, **key)
        assert status == 200, moved
        status, again = other.worker.ask_for("POST", path, move, **key)
        assert (status, again["events"]) == (200, moved["events"]), "sent again to the other it is one move"
        assert other.worker.ask_for("POST", path, move)[0] == 409
    assert both[0].version(match) == both[1].version(match)
    token = both[0].guest().ask("POST", "/api/players", {"name": "Bob"})["token"]
    callers, wanted = [house.guest(token) for house in both], {"game": "three-magic", "seats": SEATS}
    with ThreadPoolExecutor(2) as pool:
        for number in range(8):
            key = {"Idempotency-Key": f"open-{number}"}
            asked = [pool.submit(caller.ask_for, "POST", "/api/matches", wanted, **key) for caller in callers]
            answers = [one.result() for one in asked]
            assert {status for status, _ in answers} == {201}, answers
            assert len({answer["id"] for _, answer in answers}) == 1
