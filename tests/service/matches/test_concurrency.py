"""Many at once: one of them wins, and nothing is lost; and what is kept of states is what folding anew gives."""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Sequence
from copy import copy
from functools import partial
from typing import Any

import pytest

from domain.matches import Status
from events.store import Append, StoreError
from replays.log import TRUTH
from service import talk
from service.deeds import Asker
from service.matches import MatchWanted, Place, seats
from service.matches.playing import seal_answer
from service.matches.states import Outcome, Position, Recent, States
from service.problems import Problem
from service.store.talk import Spoken
from service.wiring import Service
from tests.service.clocks.timing import kinds
from tests.service.house import HIGH_CARD, THREE_MAGIC, Answer, House, Visitor, beside, refusal, step
from tests.service.matches.test_receipts import sealing
from tests.service.together import at_once, meanwhile
from tests.toy.high_card.moves import Raise


def test_states_are_caught_up_not_read_back_and_never_go_back(house: House, service: Service) -> None:
    match, (ann, _) = house.table()
    reads, recorder = list[int](), copy(service.recorder)
    for name in ("facts", "briefs"):
        read = getattr(recorder, name)

        def noted(stream: str, after: int = 0, read: Any = read) -> object:
            reads.append(after)
            return read(stream, after)

        setattr(recorder, name, noted)
    tables = States(recorder, service.catalogue)
    log = tables.log(match)
    first = tables.folded(log, None)
    ours = service.states.log(match)
    old, seen = service.changes.look(match), service.states.folded(ours, 0)
    ann.choose(match)
    second = tables.folded(log, None)
    assert tables.folded(log, None) is second
    assert reads == [0, first.version, second.version]
    new = service.changes.look(match)
    service.states.keep(old)
    service.states.tell(ours, 0, seen, ())
    assert service.states.folded(ours, TRUTH) == new.truth
    assert service.states.folded(ours, 0).version == new.truth.version


def test_a_cache_that_forgets_gives_the_same(house: House, service: Service) -> None:
    found = [house.table()[0] for _ in range(4)]
    small = States(service.recorder, service.catalogue, states=2, logs=1)
    for match in found * 2:
        log = small.log(match)
        assert small.folded(log, 0).status == Status.PLAYING
        assert small.folded(log, 0) == service.states.folded(service.states.log(match), 0)
    assert (len(small._states), len(small._logs)) == (2, 1)


def test_what_can_t_be_written_is_tried_once(house: House, service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also on a position that was kept: that is looked at again where it is refused or stale, and only there."""
    match, (ann, bob) = house.table()
    assert step(match, [ann, bob], random.Random(1))
    assert service.states.at_hand(match) is not None
    tried: list[str] = []

    def failing(appends: Sequence[Append]) -> None:
        tried.extend(append.match for append in appends)
        raise StoreError("the store could not write")

    mover = next(player for player in (ann, bob) if player.moves(match)["moves"])
    now = mover.moves(match)
    with monkeypatch.context() as patched:
        patched.setattr(service.recorder, "append_all", failing)
        assert mover.move(match, now["moves"][0]["id"], now["decision"]).status_code == 503
    assert tried == [match]
    assert mover.move(match, now["moves"][0]["id"], now["decision"]).status_code == 200


def test_a_cache_that_many_threads_use_loses_nobody_and_stays_small() -> None:
    cache: Recent[int, int] = Recent(8)
    interval = sys.getswitchinterval()

    def use(seed: int) -> int:
        draw, hits = random.Random(seed), 0
        for _ in range(20_000):
            key = draw.randrange(16)
            found = cache.get(key)
            assert found in {None, 10 * key}
            hits += found is not None
            deed = draw.randrange(8)
            if deed == 0:
                cache.drop(key)
            elif deed < 4:
                cache.put(key, 10 * key)
        return hits

    sys.setswitchinterval(1e-6)
    try:
        assert all(at_once(*(partial(use, seed) for seed in range(8))))
    finally:
        sys.setswitchinterval(interval)
    cache.put(99, 990)
    assert (len(cache) <= 8, cache.get(99)) == (True, 990)


def codes(answers: list[Answer]) -> list[str]:
    return sorted(str(answer.json["code"]) if answer.status_code >= 400 else "ok" for answer in answers)


def test_of_two_answers_to_a_decision_one_counts(house: House) -> None:
    for _ in range(5):
        match, (ann, _) = house.table()
        now = ann.moves(match)
        same = [house.again(ann) for _ in range(4)]
        answers = at_once(*(partial(visitor.move, match, now["moves"][0]["id"], now["decision"]) for visitor in same))
        assert codes(answers) == ["decision-closed"] * 3 + ["ok"]


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
    tables = [house.table(game, 3) for game in (HIGH_CARD, HIGH_CARD, THREE_MAGIC)]

    def play(match: str, player: Visitor) -> None:
        for _ in range(12):
            now = player.moves(match)
            if now["moves"]:
                player.move(match, now["moves"][0]["id"], now["decision"])

    for _ in range(4):
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
    "too-many-invitations": lambda service, ann, guest, match: service.seats.give(ann, match, 1, guest),
    "too-many-invitations, of a match that is opened": lambda service, ann, guest, _: open_with(service, ann, guest),
}
"""What an account may do only so often, by what it is told then."""


@pytest.mark.parametrize("code", COUNTED)
def test_the_transaction_counts_again_what_it_uses_up(house: House, monkeypatch: pytest.MonkeyPatch, code: str) -> None:
    ann, guests = house.player("Ann"), [house.player(name).id for name in ("Bob", "Cid")]
    matches = [ann.open(), ann.open()]
    one, other = house.service, beside(house.service)
    for service in (one, other):
        service.opener.most_open = 3 if code == "too-many-open" else 9
    monkeypatch.setattr(talk, "MUTES", 1)
    monkeypatch.setattr(seats, "MOST_INVITED", 1)
    asker = one.accounts.asker(ann.token)
    # another process has counted as many, and stores the last one
    act = partial(COUNTED[code], other, asker, guests[0], matches[0])
    with meanwhile(act, type(one.recorder), "write", "append_all"), pytest.raises(Problem) as refused:
        COUNTED[code](one, asker, guests[1], matches[1])
    assert refused.value.code == code.partition(",")[0]


def test_of_two_last_messages_at_once_one_is_stored(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    ann, bob = house.player("Ann"), house.player("Bob")
    match = ann.open_with(bob)
    asker, elsewhere = house.service.accounts.asker(ann.token), beside(house.service).talk
    monkeypatch.setattr(talk, "MESSAGES", 1)
    with meanwhile(lambda: elsewhere.say(asker, match, "First"), Spoken, "count", after=True):
        assert refusal(ann.post(f"/matches/{match}/talk", {"text": "Second"})) == (409, "talk-full")
