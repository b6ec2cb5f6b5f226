"""ETags, and waiting for a match to move on."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from threading import Semaphore
from time import monotonic, sleep

import pytest

from service.wakeups import commits, waiting
from service.wakeups.waiting import Bells, TooManyWait
from tests.service.house import HIGH_CARD, House, Visitor
from tests.service.run.uprun import until
from tests.service.stored import change


def test_what_is_known_is_not_told_again(house: House) -> None:
    match, (ann, bob) = house.table()
    first = ann.get(f"/matches/{match}")
    tag = first.headers["ETag"]
    again = ann.get(f"/matches/{match}", headers={"If-None-Match": tag})
    assert (again.status_code, again.data, again.headers["ETag"]) == (304, b"", tag)
    assert "Authorization" in again.headers["Vary"]
    assert ann.get(f"/matches/{match}", lang="ja", headers={"If-None-Match": tag}).status_code == 200
    bob.move(match, bob.moves(match)["moves"][0]["id"])
    assert ann.get(f"/matches/{match}", headers={"If-None-Match": tag}).status_code == 200


def test_everybody_has_an_etag_of_their_own(house: House) -> None:
    match, (ann, bob) = house.table()
    tags = {visitor.get(f"/matches/{match}").headers["ETag"] for visitor in (ann, bob, house.stranger)}
    assert len(tags) == 3


def test_ones_own_sealed_answer_changes_ones_own_etag_only(house: House) -> None:
    match, (ann, bob) = house.table(pack="flat")
    for player in (ann, bob):
        player.move(match, {"type": "SetAside", "card": 1})

    def tags() -> list[str]:
        return [visitor.get(f"/matches/{match}").headers["ETag"] for visitor in (ann, bob, house.stranger)]

    before = tags()
    ann.move(match, "raise")
    after = tags()
    assert before[0] != after[0]
    assert before[1:] == after[1:]


SOON = 20
"""Seconds that are fewer than anybody here is ready to wait, and enough on a machine that has much else to do."""


def wait(visitor: Visitor, match: str, tag: str | None = None, seconds: int = 30) -> tuple[int, float]:
    begun = monotonic()
    answer = visitor.get(f"/matches/{match}", {"If-None-Match": tag} if tag else None, wait=seconds)
    return answer.status_code, monotonic() - begun


def test_who_waits_is_told_as_soon_as_the_match_moves_on(house: House) -> None:
    match, (ann, bob) = house.table()
    watcher = house.again(house.stranger)
    tag = watcher.get(f"/matches/{match}").headers["ETag"]
    with ThreadPoolExecutor(2) as pool:
        known = pool.submit(wait, watcher, match, tag)
        unknown = pool.submit(wait, house.again(house.stranger), match)
        until(lambda: house.service.bells.waiting == 2, "both wait")
        sleep(0.2)
        assert not known.done()
        assert not unknown.done()
        ann.move(match, ann.moves(match)["moves"][0]["id"])
        assert known.result()[0] == unknown.result()[0] == 200
        assert known.result()[1] < SOON
    assert bob.look(match)["version"] == 10


def test_a_sealed_answer_wakes_nobody_else(house: House) -> None:
    match, (ann, bob) = house.table(pack="flat")
    for player in (ann, bob):
        player.move(match, {"type": "SetAside", "card": 1})
    tag = house.stranger.get(f"/matches/{match}").headers["ETag"]
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(wait, house.again(house.stranger), match, tag, 1)
        sleep(0.2)
        ann.move(match, "raise")
        status, took = waiting.result()
    assert status == 304
    assert took >= 0.9


def test_whose_turn_it_is_does_not_wait(house: House) -> None:
    match, (ann, _) = house.table()
    assert wait(ann, match)[1] < SOON


def test_when_the_time_is_up_it_is_as_it_was(house: House) -> None:
    match, _ = house.table()
    tag = house.stranger.get(f"/matches/{match}").headers["ETag"]
    status, took = wait(house.stranger, match, tag, 1)
    assert status == 304
    assert 0.9 <= took < SOON


def test_until_ones_turn_other_news_are_none(house: House) -> None:
    match, (ann, bob) = house.table(HIGH_CARD)
    now = bob.moves(match)
    assert now["decision"], "both are asked at the beginning"
    assert bob.get(f"/matches/{match}", wait=30, until="turn").json["decision"] == now["decision"]
    bob.move(match, now["moves"][0]["id"])
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(house.again(bob).get, f"/matches/{match}", None, wait=30, until="turn")
        until(lambda: house.service.bells.waiting == 1, "he waits")
        sleep(0.2)
        assert not waiting.done()
        for _ in range(20):
            if ann.moves(match)["decision"] is None:
                break
            ann.move(match, ann.moves(match)["moves"][0]["id"])
        found = waiting.result()
    assert found.json["decision"] == bob.moves(match)["decision"] is not None
    begun = monotonic()
    assert house.stranger.get(f"/matches/{match}", wait=1, until="turn").status_code == 200
    assert monotonic() - begun >= 0.9, "who has no seat waits for nothing"
    assert house.stranger.get(f"/matches/{match}", until="never").status_code == 422


def test_until_ones_turn_ends_with_the_match(house: House) -> None:
    match, (ann, bob) = house.table()
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(house.again(house.stranger).get, f"/matches/{match}", None, wait=30, until="turn")
        until(lambda: house.service.bells.waiting == 1, "somebody waits")
        for player in (ann, bob):
            assert player.post(f"/matches/{match}/abort").status_code == 200
        assert waiting.result().json["status"] == "aborted"


def test_what_waits_for_a_player_can_be_waited_for(house: House) -> None:
    ann, bob = house.player("Ann"), house.player("Bob")
    assert ann.get("/me/turns", wait=0).json == {"turns": []}
    match = ann.open()
    ann.sit(match)
    tag = ann.get("/me/turns").headers["ETag"]
    assert ann.get("/me/turns", {"If-None-Match": tag}).status_code == 304
    with ThreadPoolExecutor(2) as pool:
        waiting = [
            pool.submit(house.again(ann).get, "/me/turns", known, wait=30) for known in (None, {"If-None-Match": tag})
        ]
        until(lambda: house.service.bells.waiting == 2, "she waits")
        begun = monotonic()
        bob.sit(match)
        assert {one.result().json["turns"][0]["match"] for one in waiting} == {match}
    assert monotonic() - begun < SOON
    tag = ann.get("/me/turns").headers["ETag"]
    assert ann.get("/me/turns", {"If-None-Match": tag}, wait=1).status_code == 304
    assert ann.get("/me/turns", wait=30).json["turns"], "what waits already is told at once"
    assert house.stranger.get("/me/turns", wait=1).status_code == 401
    assert house.service.bells.waiting == 0


def test_no_more_wait_than_may() -> None:
    bells = Bells(2)
    first, second = bells.hang("m"), bells.hang("m")
    with pytest.raises(TooManyWait):
        bells.hang("n")
    for _ in range(2):
        second.take_down()
    again = bells.hang("n")
    with pytest.raises(TooManyWait):
        bells.hang("n")
    assert not first.wait(0)
    bells.ring(["m"])
    assert first.wait(0)
    assert not again.wait(0)
    assert not second.wait(0), "it was taken down"
    bells.ring(["n"])
    assert again.wait(0)
    again.silence()
    assert not again.wait(0)
    assert sorted(bells.awaited()) == ["m", "n"]


def test_who_may_not_wait_is_told_when_to_ask_again(house: House) -> None:
    match, (ann, bob) = house.table()
    tag = house.stranger.get(f"/matches/{match}").headers["ETag"]
    house.service.bells.most = 0
    answer = house.stranger.get(f"/matches/{match}", {"If-None-Match": tag}, wait=30)
    assert (answer.status_code, answer.json["code"]) == (429, "too-many-wait")
    assert answer.json["fields"] == {"limit": "waiting", "most": 0}
    assert int(answer.headers["Retry-After"]) > 0
    assert house.stranger.get("/limits").json["waiting"] == 0
    assert ann.get(f"/matches/{match}", wait=30).status_code == 200, "it is her turn: she need not wait"
    assert bob.get(f"/matches/{match}").status_code == 200, "who does not wait is answered"
    assert house.stranger.get(f"/matches/{match}", {"If-None-Match": '"old"'}, wait=30).status_code == 200


def test_nobody_waits_on_when_they_were_answered(house: House) -> None:
    match, (ann, _) = house.table()
    tag = house.stranger.get(f"/matches/{match}").headers["ETag"]
    assert house.stranger.get(f"/matches/{match}", {"If-None-Match": tag}, wait=1).status_code == 304
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(wait, house.again(house.stranger), match, tag)
        until(lambda: house.service.bells.waiting == 1, "it waits")
        # who may not look any longer is told so, and waits no more
        change(house.service, "UPDATE matches SET visibility = 'private'")
        ann.move(match, ann.moves(match)["moves"][0]["id"])
        assert waiting.result()[0] == 404
    assert house.service.bells.waiting == 0


def test_a_service_that_ends_lets_nobody_wait(house: House) -> None:
    match, _ = house.table()
    tag = house.stranger.get(f"/matches/{match}").headers["ETag"]
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(wait, house.again(house.stranger), match, tag)
        sleep(0.2)
        house.service.bells.close()
        assert waiting.result()[1] < SOON
    assert wait(house.stranger, match, tag)[1] < SOON


@pytest.fixture
def turns(monkeypatch: pytest.MonkeyPatch) -> Iterator[Semaphore]:
    """Each lets another few of a crowd be woken: no time does."""
    found = Semaphore(0)
    monkeypatch.setattr(commits, "sleep", lambda seconds: found.acquire())
    yield found
    found.release(1000)


def test_a_crowd_is_woken_whole_and_hears_everything_that_it_was_about(turns: Semaphore) -> None:
    bells = Bells()
    crowd = [bells.hang("m1") for _ in range(500)]
    other = bells.hang("m2")
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda about: bells.ring(["m1"], about), [f"about {number}" for number in range(40)]))
    turns.release(1000)
    assert all(bell.wait(5) for bell in crowd)
    assert not other.wait(0)
    assert [bell.about() for bell in crowd] == [{f"about {number}" for number in range(40)}] * 500
    assert bells.calls("m1") == 40
    for bell in crowd:
        bell.silence()
    assert not crowd[0].wait(0.05), "it rang once for what had come until then"
    bells.ring(["m1"])
    assert all(bell.wait(5) for bell in crowd)
    bells.close()


def test_a_few_are_woken_at_once_and_a_crowd_a_few_at_a_time(turns: Semaphore) -> None:
    bells = Bells()
    few = [bells.hang("few") for _ in range(waiting.FEW)]
    bells.ring(["few"])
    assert all(bell.wait(0) for bell in few)
    crowd = [bells.hang("crowd") for _ in range(3 * waiting.FEW)]
    bells.ring(["crowd"])

    def woken() -> int:
        return sum(bell.wait(0) for bell in crowd)

    def are_woken(number: int) -> bool:
        return woken() >= number

    assert woken() == 0, "whoever has rung goes on before them"
    for number in (waiting.FEW, 2 * waiting.FEW, 3 * waiting.FEW):
        turns.release()
        until(partial(are_woken, number), "a few more are woken")
        assert woken() == number
    bells.close()


def test_a_crowd_that_is_just_being_woken_is_told_when_the_process_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(waiting, "BEFORE", 0.5)
    bells = Bells()
    crowd = [bells.hang("crowd") for _ in range(4 * waiting.FEW)]
    bells.ring(["crowd"])
    bells.close()
    assert all(bell.wait(0) for bell in crowd)
