"""ETags, and waiting for a match to move on."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from threading import Semaphore

import pytest

from service.problems import TooMany
from service.wakeups import commits, waiting
from service.wakeups.waiting import Bell, Bells
from tests.service.house import HIGH_CARD, Answer, House, Visitor, each, refusal
from tests.service.matches.test_receipts import sealing
from tests.service.run.uprun import until
from tests.service.stored import change


def tag_of(visitor: Visitor, match: str) -> dict[str, str]:
    """Return the header by which the visitor asks only for what has changed since."""
    return {"If-None-Match": visitor.get(f"/matches/{match}").headers["ETag"]}


class Threads(ThreadPoolExecutor):
    resting: list[Bell]
    """The bell of each request that has looked, found no news and gone to rest."""


class Waiting:
    """Somebody who asks in another thread and waits for the answer.

    A request looks once more after its bell is hung. What a test changes must come after that look, not in its midst.
    """

    def __init__(self, house: House, threads: Threads, who: Visitor, path: str, *more: object, **query: object):
        before, asked = len(threads.resting), {"wait": 30, **query}
        self._answer = threads.submit(house.again(who).get, path, *more, **asked)  # type: ignore[arg-type]
        until(lambda: len(threads.resting) > before, "it waits")

    @property
    def goes_on(self) -> bool:
        return not self._answer.done()

    def answer(self) -> Answer:
        return self._answer.result()


@pytest.fixture
def threads(monkeypatch: pytest.MonkeyPatch) -> Iterator[Threads]:
    wait = Bell.wait
    with Threads(3) as threads:
        threads.resting = []

        def rest(bell: Bell, seconds: float) -> bool:
            threads.resting.append(bell)
            return wait(bell, seconds)

        monkeypatch.setattr(Bell, "wait", rest)
        yield threads


def test_what_is_known_is_not_told_again_and_everybody_has_an_etag_of_their_own(house: House) -> None:
    match, (ann, bob) = house.table()
    known = tag_of(ann, match)
    again = ann.get(f"/matches/{match}", headers=known)
    assert (again.status_code, again.data, again.headers["ETag"]) == (304, b"", known["If-None-Match"])
    assert "Authorization" in again.headers["Vary"]
    assert ann.get(f"/matches/{match}", lang="ja", headers=known).status_code == 200
    assert len({tag_of(visitor, match)["If-None-Match"] for visitor in (ann, bob, house.stranger)}) == 3
    bob.choose(match)
    assert ann.get(f"/matches/{match}", headers=known).status_code == 200


def test_a_sealed_answer_changes_ones_own_etag_only(house: House, threads: Threads) -> None:
    match, (ann, bob) = sealing(house)
    before = [tag_of(visitor, match) for visitor in (ann, bob, house.stranger)]
    theirs = Waiting(house, threads, house.stranger, f"/matches/{match}", before[2], wait=1)
    ann.move(match, "raise")
    assert theirs.answer().status_code == 304
    after = [tag_of(visitor, match) for visitor in (ann, bob, house.stranger)]
    assert before[0] != after[0]
    assert before[1:] == after[1:]


def test_who_waits_is_told_when_the_match_moves_on(house: House, threads: Threads) -> None:
    match, (ann, bob) = house.table()
    known = tag_of(house.stranger, match)
    assert house.stranger.get(f"/matches/{match}", known, wait=1).status_code == 304, "the time is up"
    all_wait = [Waiting(house, threads, house.stranger, f"/matches/{match}", *more) for more in ((known,), ())]
    assert all(one.goes_on for one in all_wait)
    ann.choose(match)
    assert [one.answer().status_code for one in all_wait] == [200, 200]
    assert bob.look(match)["version"] == 10


def test_who_waits_is_told_of_a_rematch_of_which_no_event_tells(house: House, threads: Threads) -> None:
    match, players = house.table()
    each(players, match, "abort")
    # which looks now and then, and would wake who waits for the end of the match
    house.service.listener.close()
    waiting = Waiting(house, threads, house.stranger, f"/matches/{match}", tag_of(house.stranger, match))
    bell = house.service.bells.hang(match)
    rematch = players[0].post(f"/matches/{match}/rematch").json["id"]
    assert bell.wait(0.0), "else it is answered only when its time is up"
    bell.take_down()
    assert waiting.answer().json["rematch"]["next"] == rematch


def test_until_ones_turn_other_news_are_none(house: House, threads: Threads) -> None:
    match, (ann, bob) = house.table(HIGH_CARD)
    now = bob.moves(match)
    assert now["decision"], "both are asked at the beginning: nobody waits whose turn it is"
    assert bob.get(f"/matches/{match}", wait=30, until="turn").json["decision"] == now["decision"]
    bob.move(match, now["moves"][0]["id"])
    his = Waiting(house, threads, bob, f"/matches/{match}", None, until="turn")
    his_moves = Waiting(house, threads, bob, f"/matches/{match}/moves")
    assert his.goes_on
    assert his_moves.goes_on
    while ann.moves(match)["decision"] is not None:
        ann.choose(match)
    assert his.answer().json["decision"] == bob.moves(match)["decision"] is not None
    assert his_moves.answer().json == bob.moves(match)
    assert house.stranger.get(f"/matches/{match}", wait=1, until="turn").status_code == 200
    assert house.stranger.get(f"/matches/{match}", until="never").status_code == 422


def test_until_ones_turn_ends_with_the_match(house: House, threads: Threads) -> None:
    match, players = house.table()
    somebody = Waiting(house, threads, house.stranger, f"/matches/{match}", None, until="turn")
    moves = Waiting(house, threads, house.stranger, f"/matches/{match}/moves")
    each(players, match, "abort")
    assert somebody.answer().json["status"] == "aborted"
    assert moves.answer().json["moves"] == []


def test_what_waits_for_a_player_can_be_waited_for(house: House, threads: Threads) -> None:
    ann, bob = house.player("Ann"), house.player("Bob")
    assert ann.get("/me/turns", wait=0).json == {"turns": []}
    match = ann.open_with()
    known = {"If-None-Match": ann.get("/me/turns").headers["ETag"]}
    assert ann.get("/me/turns", known).status_code == 304
    both = [Waiting(house, threads, ann, "/me/turns", *more) for more in ((), (known,))]
    bob.sit(match)
    assert {one.answer().json["turns"][0]["match"] for one in both} == {match}
    known = {"If-None-Match": ann.get("/me/turns").headers["ETag"]}
    assert ann.get("/me/turns", known, wait=1).status_code == 304
    assert ann.get("/me/turns", wait=30).json["turns"], "what waits already is told at once"
    assert house.service.bells.waiting == 0


def test_no_more_wait_than_may() -> None:
    bells = Bells(2)
    first, second = bells.hang("m"), bells.hang("m")
    with pytest.raises(TooMany):
        bells.hang("n")
    for _ in range(2):
        second.take_down()
    again = bells.hang("n")
    with pytest.raises(TooMany):
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
    assert refusal(answer) == (429, "too-many-wait")
    assert answer.json["fields"] == {"limit": "waiting", "most": 0}
    assert int(answer.headers["Retry-After"]) > 0
    assert house.stranger.get("/limits").json["waiting"] == 0
    assert ann.get(f"/matches/{match}", wait=30).status_code == 200, "it is her turn: she need not wait"
    assert bob.get(f"/matches/{match}").status_code == 200, "who does not wait is answered"
    assert house.stranger.get(f"/matches/{match}", {"If-None-Match": '"old"'}, wait=30).status_code == 200


def test_who_may_not_look_any_longer_is_told_so_and_waits_no_more(house: House, threads: Threads) -> None:
    match, (ann, _) = house.table()
    known = tag_of(house.stranger, match)
    somebody = Waiting(house, threads, house.stranger, f"/matches/{match}", known)
    change(house.service, "UPDATE matches SET visibility = 'private'")
    ann.choose(match)
    assert somebody.answer().status_code == 404
    assert house.service.bells.waiting == 0


def test_a_service_that_ends_lets_nobody_wait(house: House, threads: Threads) -> None:
    match, _ = house.table()
    known = tag_of(house.stranger, match)
    somebody = Waiting(house, threads, house.stranger, f"/matches/{match}", known)
    house.service.bells.close()
    assert somebody.answer().status_code == 304
    assert house.stranger.get(f"/matches/{match}", known, wait=30).status_code == 304


def test_no_two_calls_of_a_name_have_one_number_nor_has_a_name_where_bells_hang_anew() -> None:
    """By this number what was read of a stream is known to be of now: also after a time in which nobody listened."""
    bells, numbers = Bells(), []
    for _ in range(3):
        bell = bells.hang("m1")
        for _ in range(3):
            numbers.append(bells.call("m1"))
            assert bells.call("m1") == numbers[-1]
            bells.ring(["m1"])
        bell.take_down()
    assert len(set(numbers)) == len(numbers)


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
    assert all(bell.wait(60) for bell in crowd)
    assert not other.wait(0)
    assert [bell.about() for bell in crowd] == [{f"about {number}" for number in range(40)}] * 500
    for bell in crowd:
        bell.silence()
    assert not crowd[0].wait(0.05), "it rang once for what had come until then"
    bells.ring(["m1"])
    assert all(bell.wait(60) for bell in crowd)
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

    assert woken() == 0, "whoever has rung goes on before them"
    for number in (waiting.FEW, 2 * waiting.FEW, 3 * waiting.FEW):
        turns.release()
        until(partial(lambda number: woken() >= number, number), "a few more are woken")
        assert woken() == number
    bells.close()


def test_a_crowd_that_is_just_being_woken_is_told_when_the_process_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(waiting, "BEFORE", 0.5)
    bells = Bells()
    crowd = [bells.hang("crowd") for _ in range(4 * waiting.FEW)]
    bells.ring(["crowd"])
    bells.close()
    assert all(bell.wait(0) for bell in crowd)
