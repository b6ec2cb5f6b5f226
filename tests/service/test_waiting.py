"""ETags, and waiting for a match to move on."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from time import monotonic, sleep

from service.bells import Bells
from tests.service.house import House, Visitor


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


def wait(visitor: Visitor, match: str, tag: str | None = None, seconds: int = 10) -> tuple[int, float]:
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
        sleep(0.3)
        assert not known.done()
        assert not unknown.done()
        ann.move(match, ann.moves(match)["moves"][0]["id"])
        assert known.result()[0] == unknown.result()[0] == 200
        assert known.result()[1] < 5
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
    assert wait(ann, match)[1] < 1


def test_when_the_time_is_up_it_is_as_it_was(house: House) -> None:
    match, _ = house.table()
    tag = house.stranger.get(f"/matches/{match}").headers["ETag"]
    status, took = wait(house.stranger, match, tag, 1)
    assert status == 304
    assert 0.9 <= took < 3


def test_too_many_are_answered_at_once() -> None:
    bells = Bells(2)
    with bells.hung("m"), bells.hung("m") as second, bells.hung("n") as third:
        assert second is not None
        assert third is None
    with bells.hung("n") as again:
        assert again is not None
        bells.ring(["m"])
        assert not again.is_set()
        bells.ring(["n"])
        assert again.is_set()


def test_a_service_that_ends_lets_nobody_wait(house: House) -> None:
    match, _ = house.table()
    tag = house.stranger.get(f"/matches/{match}").headers["ETag"]
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(wait, house.again(house.stranger), match, tag)
        sleep(0.2)
        house.service.bells.close()
        assert waiting.result()[1] < 5
    assert wait(house.stranger, match, tag)[1] < 1
