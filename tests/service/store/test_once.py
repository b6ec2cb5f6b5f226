"""A key counts once although nothing but the store is shared: each caller has caches and objects of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from threading import Barrier, local

import pytest

from service import clock
from service.deeds import Front
from service.matches import ending
from service.store.idempotency import Once
from service.wiring import Service
from tests.service.house import Answer, House, Visitor, beside
from tests.service.matches.test_concurrency import codes
from tests.service.stored import rows
from tests.service.together import at_once, meanwhile

pytestmark = pytest.mark.faults

BODY = {"game": "high-card", "seats": [None, None]}


class Hesitant(Front):
    """Whoever learns that a key is new waits until all the others have learnt it too: the worst that can happen."""

    def __init__(self, service: Service, barrier: Barrier) -> None:
        super().__init__(service.recorder, clock.now, service.limits)
        self._barrier = barrier
        self._mine = local()

    def answer(self, asked: Once | None) -> str | None:
        """The first look, before the deed, are everybody's before anybody goes on."""
        found = super().answer(asked)
        self._mine.looks = getattr(self._mine, "looks", 0) + 1
        if asked is not None and self._mine.looks == 1:
            self._barrier.wait(timeout=60)
        return found


@pytest.fixture(autouse=True)
def kept(house: House) -> None:
    """The pack lies where matches find it, whoever opens the first one."""
    room = house.service.catalogue.rooms["high-card"]
    house.service.packs.keep(room.game.slug, next(iter(room.packs.values())))


@pytest.fixture
def callers(house: House) -> Iterator[list[House]]:
    """Four who share the store and nothing else, and who all find each key new."""
    barrier = Barrier(4)
    yield [House(beside(house.service, Hesitant(house.service, barrier))) for _ in range(4)]
    barrier.abort()


def ask(callers: list[House], who: Visitor, question: Callable[[Visitor], Answer]) -> list[Answer]:
    return at_once(*(partial(question, caller.again(who)) for caller in callers))


def each(callers: list[House], people: list[Visitor], question: Callable[[Visitor], Answer]) -> list[Answer]:
    """The same by each of the people at once, each at a caller of their own."""
    return at_once(*(partial(question, caller.again(who)) for caller, who in zip(callers, people, strict=True)))


@pytest.fixture
def apart(house: House) -> list[House]:
    """Four who share the store and nothing else."""
    return [House(beside(house.service)) for _ in range(4)]


Asked = tuple[Visitor, str, object]
"""Who asks for something with a key, by which path, with which body."""


def prepared(house: House) -> dict[str, Asked]:
    """What may be asked for, when all is there that it is about."""
    over, _ = house.table()
    assert house.operator.post(f"/matches/{over}/abort").status_code == 200
    match, (ann, bob) = house.table()
    waiting, version = ann.open(seats=[None] * 3), house.stranger.look(over)["version"] - 1
    return {
        "open": (ann, "/matches", BODY),
        "fork": (bob, f"/matches/{over}/fork", {"version": version, "seats": [None, None]}),
        "sit": (ann, f"/matches/{waiting}/seats", None),
        "agree": (ann, f"/matches/{match}/abort", None),
        "break off": (house.operator, f"/matches/{match}/abort", None),
        "invite": (ann, f"/matches/{waiting}/invitations", {"seat": 0, "player": bob.id}),
    }


COUNTS = (
    "SELECT count(*) FROM events WHERE type = 'match/Opened'",
    "SELECT count(*) FROM events WHERE type = 'match/SeatTaken'",
    "SELECT count(*) FROM events WHERE type = 'match/Aborted'",
    "SELECT count(*) FROM agreements",
    "SELECT coalesce(sum(times), 0) FROM sittings",
    "SELECT count(*) FROM seats WHERE reserved IS NOT NULL",
)


@pytest.mark.parametrize(
    ("what", "grown"),
    [
        ("open", (1, 0, 0, 0, 0, 0)),
        ("fork", (1, 0, 0, 0, 0, 0)),
        ("sit", (0, 1, 0, 0, 1, 0)),
        ("agree", (0, 0, 0, 1, 0, 0)),
        ("break off", (0, 0, 1, 0, 0, 0)),
        ("invite", (0, 0, 0, 0, 0, 1)),
    ],
)
def test_of_four_requests_with_one_key_one_changes_something_and_all_get_its_answer(
    house: House, callers: list[House], what: str, grown: tuple[int, ...]
) -> None:
    def counted() -> list[int]:
        return [rows(house.service, sql)[0][0] for sql in COUNTS]

    who, path, body = prepared(house)[what]
    before = counted()
    answers = ask(callers, who, lambda one: one.post(path, body, key="k"))
    assert {answer.status_code for answer in answers} <= {200, 201}, [answer.json for answer in answers]
    assert len({answer.data for answer in answers}) == 1
    assert tuple(after - earlier for earlier, after in zip(before, counted(), strict=True)) == grown


def test_a_key_hands_out_one_token_and_the_others_are_told_so(house: House, callers: list[House]) -> None:
    answers = at_once(*(partial(one.stranger.post, "/players", {"name": "Ann"}, key="k") for one in callers))
    assert codes(answers) == ["ok", *["token-already-issued"] * 3]
    assert rows(house.service, "SELECT count(*) FROM players") == [(1,)], "of the others nothing is left"
    ann = house.player()
    answers = ask(callers, ann, lambda one: one.post("/me/tokens", {"name": "second"}, key="k"))
    assert codes(answers) == ["ok", *["token-already-issued"] * 3]
    assert len(ann.get("/me/tokens").json["tokens"]) == 2


def test_a_key_makes_one_move(house: House, apart: list[House]) -> None:
    """The gate and the move look whether the key is new; nobody hesitates in between, so it is tried many times."""
    for _ in range(20):
        match, (ann, _) = house.table()
        now = ann.moves(match)
        body = {"decision": now["decision"], "id": now["moves"][0]["id"]}
        answers = ask(apart, ann, lambda who: who.post(f"/matches/{match}/moves", body, key="k"))  # noqa: B023
        assert codes(answers) == ["ok"] * 4
        assert len({answer.data for answer in answers}) == 1
        assert [event["type"] for event in house.stranger.events(match)].count("match/MoveMade") == 1


def test_two_who_agree_at_once_break_the_match_off(house: House) -> None:
    """Neither knew of the other's agreement when they agreed: whoever comes second ends it all the same."""
    barrier = Barrier(2)
    callers = [House(beside(house.service, Hesitant(house.service, barrier))) for _ in range(2)]
    for _ in range(5):
        match, players = house.table()
        answers = each(callers, players, lambda who: who.post(f"/matches/{match}/abort", key="k"))  # noqa: B023
        assert [answer.status_code for answer in answers] == [200] * 2, [answer.json for answer in answers]
        assert house.stranger.look(match)["status"] == "aborted"


def test_a_match_is_not_broken_off_by_an_agreement_that_was_just_taken_back(house: House) -> None:
    match, (ann, bob) = house.table()
    assert ann.post(f"/matches/{match}/abort").json["abort"] == {"agreed": [0]}
    there = House(beside(house.service)).again(bob)
    with meanwhile(lambda: ann.delete(f"/matches/{match}/abort"), ending, "reason_of", after=True):
        assert there.post(f"/matches/{match}/abort").json["abort"] == {"agreed": [1]}
    look = house.stranger.look(match)
    assert (look["status"], look["abort"]) == ("playing", {"agreed": [1]})
    ann.post(f"/matches/{match}/abort")
    assert house.stranger.look(match)["status"] == "aborted"


def test_of_four_who_leave_with_one_token_or_want_the_last_seat_one_does(house: House, apart: list[House]) -> None:
    people = [house.player(f"P{number}") for number in range(4)]
    for _ in range(10):
        match = people[0].open_with(seats=[None] * 3)
        left = codes(ask(apart, people[0], lambda who: who.delete(f"/matches/{match}/seats")))  # noqa: B023
        assert left[-1] == "ok"
        assert set(left[:-1]) <= {"not-seated", "seat-free"}
        assert [event["type"] for event in house.stranger.events(match)].count("match/SeatLeft") == 1
        match = people[0].open(seats=[{"bot": "random"}, None])
        seated = codes(each(apart, people, lambda who: who.post(f"/matches/{match}/seats")))  # noqa: B023
        assert seated[-1] == "ok"
        assert set(seated[:-1]) <= {"no-free-seat", "seat-taken", "not-open"}
