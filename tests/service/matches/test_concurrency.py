"""Many at once: one of them wins, and nothing is lost."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from threading import Barrier
from typing import Any, TypeVar

import pytest

from replays.log import TRUTH
from service import talk
from service.deeds import Asker
from service.matches import MatchWanted, Place, seats
from service.matches.playing import seal_answer
from service.matches.states import Outcome, Position, States
from service.problems import Problem
from service.store.talk import Spoken
from service.wiring import Service
from tests.service.clocks.timing import kinds
from tests.service.house import HIGH_CARD, Answer, House, Visitor, beside, refusal
from tests.service.matches.test_receipts import sealing
from tests.toy.high_card.moves import Raise

T = TypeVar("T")


def at_once(*actions: Callable[[], T]) -> list[T]:
    """All of them, by a thread each, begun together."""
    barrier = Barrier(len(actions))

    def begin(action: Callable[[], T]) -> T:
        barrier.wait()
        return action()

    with ThreadPoolExecutor(len(actions)) as pool:
        return list(pool.map(begin, actions))


def codes(answers: list[Answer]) -> list[str]:
    return sorted(str(answer.json["code"]) if answer.status_code >= 400 else "ok" for answer in answers)


def test_of_two_answers_to_a_decision_one_counts(house: House) -> None:
    for _ in range(5):
        match, (ann, _) = house.table()
        now = ann.moves(match)
        same = [house.again(ann) for _ in range(4)]
        answers = at_once(*(partial(visitor.move, match, now["moves"][0]["id"], now["decision"]) for visitor in same))
        assert codes(answers) == ["decision-closed"] * 3 + ["ok"]


def test_answers_under_seal_at_once_close_the_window_once(house: House) -> None:
    for _ in range(5):
        match, players = sealing(house, seats=4)
        answers = at_once(*(partial(one.move, match, "raise") for one in players))
        assert codes(answers) == ["ok"] * 4
        assert kinds(house, match).count("AnswersClosed") == 1
        assert not house.stranger.look(match)["sealed"]


def test_of_two_last_answers_that_know_nothing_of_each_other_the_second_is_decided_again(house: House) -> None:
    match, (ann, bob) = sealing(house)
    changes, asked = house.service.changes, ann.moves(match)["decision"]
    elsewhere = House(beside(house.service)).again(bob)
    known: list[bool] = []

    def decide(position: Position) -> Outcome:
        outcome = seal_answer(changes, position, 0, asked, lambda _: Raise())
        known.append(bool(outcome.told))
        if len(known) == 1:
            # the other one answers after this was decided, and before it is stored, by another process
            assert elsewhere.move(match, "raise").status_code == 200
        return outcome

    changes.change(match, decide)
    assert known == [False, True], "decided again, with the other answer it is the last"
    assert not house.stranger.look(match)["sealed"]
    assert kinds(house, match).count("AnswersClosed") == 1


def test_caches_end_where_the_log_does(house: House) -> None:
    """Several threads play and look at several matches; what is cached is what folding the log anew gives."""
    tables = [house.table(seats=3) for _ in range(3)]

    def play(match: str, player: Visitor) -> None:
        for _ in range(12):
            now = player.moves(match)
            if now["moves"]:
                player.move(match, now["moves"][0]["id"], now["decision"])

    at_once(*(partial(play, match, house.again(player)) for match, players in tables for player in players))
    fresh = States(house.service.recorder, house.service.catalogue)
    for match, _ in tables:
        for viewer in (None, 0, 1, 2, TRUTH):
            cached = house.service.states.known(house.service.states.log(match), viewer)
            assert cached == fresh.known(fresh.log(match), viewer)


def open_with(service: Service, ann: Asker, *guests: str) -> object:
    places = (Place(), *(Place(player=guest) for guest in guests))
    return service.opener.open(ann, MatchWanted(game=HIGH_CARD, seats=(*places, Place())))


COUNTED: dict[str, Callable[[Service, Asker, str, str], object]] = {
    "too-many-mutes": lambda service, ann, guest, _: service.talk.mute(ann, guest),
    "too-many-open": lambda service, ann, *_: open_with(service, ann),
    "too-many-invitations": lambda service, ann, guest, match: service.invitations.give(ann, match, 1, guest),
    "too-many-invitations, of a match that is opened": lambda service, ann, guest, _: open_with(service, ann, guest),
}
"""What an account may do only so often, by what it is told then."""


@pytest.mark.parametrize("code", COUNTED)
def test_what_is_counted_is_counted_once_more_by_the_transaction_that_uses_it_up(
    house: House, monkeypatch: pytest.MonkeyPatch, code: str
) -> None:
    ann, guests = house.player("Ann"), [house.player(name).id for name in ("Bob", "Cid")]
    matches = [ann.open(), ann.open()]
    one, other = house.service, beside(house.service)
    for service in (one, other):
        service.opener.most_open = 3 if code == "too-many-open" else 9
    monkeypatch.setattr(talk, "MUTES", 1)
    monkeypatch.setattr(seats, "MOST_INVITED", 1)
    asker, recorder = one.accounts.asker(ann.token), type(one.recorder)
    first = iter([partial(COUNTED[code], other, asker, guests[0], matches[0])])

    def after_another(store: Callable[..., T]) -> Callable[..., T]:
        """Store when another process, which has counted as many, has stored the last one."""

        def stored(*args: Any, **more: Any) -> T:
            for act in first:
                act()
            return store(*args, **more)

        return stored

    monkeypatch.setattr(recorder, "write", after_another(recorder.write))
    monkeypatch.setattr(recorder, "append_all", after_another(recorder.append_all))
    with pytest.raises(Problem) as refused:
        COUNTED[code](one, asker, guests[1], matches[1])
    assert refused.value.code == code.partition(",")[0]
    assert next(first, None) is None


def test_of_two_last_messages_of_a_player_that_know_nothing_of_each_other_one_is_stored(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann, bob = house.player("Ann"), house.player("Bob")
    match, count = ann.open_with(bob), Spoken.count
    asker, elsewhere = house.service.accounts.asker(ann.token), beside(house.service).talk
    first = iter([partial(elsewhere.say, asker, match, "First")])

    def counted(spoken: Spoken, *args: str) -> int:
        """Count before another process stores the last message."""
        found = count(spoken, *args)
        for say in first:
            say()
        return found

    monkeypatch.setattr(talk, "MESSAGES", 1)
    monkeypatch.setattr(Spoken, "count", counted)
    assert refusal(ann.post(f"/matches/{match}/talk", {"text": "Second"})) == (409, "talk-full")
    assert next(first, None) is None
