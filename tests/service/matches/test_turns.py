"""Turns of bots, many in one request: stored together, each by itself, and nothing read back that is at hand."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import partial
from typing import Any

import pytest
from structlog.testing import capture_logs

from domain import play
from domain.game import Refusal
from events.store import Store
from service.matches.change import Changed
from service.matches.states import Outcome, Position
from service.wiring import Service
from service.work import Answer, Turn
from tests.service.house import HIGH_CARD, THREE_MAGIC, House, beside
from tests.service.jobs.test_worker_bots import BOTS, LONG
from tests.service.jobs.workrun import Work, bot_player, door
from tests.service.together import at_once
from tests.toy.high_card import rules


def opened(house: House, count: int) -> list[str]:
    ann = house.player()
    return [ann.open(THREE_MAGIC, BOTS, options={"laps": 1}) for _ in range(count)]


@pytest.mark.sqlite
def test_the_moves_of_a_request_are_one_commit_and_nothing_is_read_back(traced: House, statements: list[str]) -> None:
    ann = traced.player()
    ids = [ann.open(THREE_MAGIC, BOTS) for _ in range(8)]
    bots, kept = bot_player(traced), traced.service.states._states
    while not all(kept.get((match_id, seat)) for match_id in ids for seat in range(3)):
        bots.play(Work(*ids), 0.1)
    requests = []
    take = bots._door.take

    def taking(turns: list[Turn]) -> object:
        statements.clear()
        taken = take(turns)
        requests.append((len(turns), [one for one in statements if not one.startswith("PRAGMA data_version")]))
        return taken

    bots._door.take = taking  # type: ignore[assignment,method-assign]
    full: list[list[str]] = []
    while len(full) < 4:
        bots.play(Work(*ids), 0.1)
        # under seal the private logs are looked at
        full = [said for count, said in requests if count == 4 and not any("/seat:" in one for one in said)]
    for said in full:
        assert [one for one in said if one.startswith(("BEGIN", "COMMIT"))] == ["BEGIN IMMEDIATE", "COMMIT"]
        assert not [one for one in said if one.startswith("SELECT")], said


def move_elsewhere(service: Service, match_id: str) -> None:
    """Have another process play the match's bots until it has stored something."""
    bots, before = bot_player(House(beside(service))), service.recorder.head(match_id)
    while service.recorder.head(match_id) == before:
        bots.play(Work(match_id), 0.1)


def answers_of(recorder: Store, match_id: str) -> Iterator[tuple[str, str, int]]:
    """Stream, actor and decision of every answer, those under seal among them."""
    for stream in (match_id, *recorder.private_streams(match_id)):
        for event in recorder.read(stream):
            decision = json.loads(event.public).get("decision")
            if decision and event.type in {"match/MoveMade", "match/AnswerSealed"}:
                yield stream, event.actor, decision


@pytest.mark.faults
def test_processes_that_play_the_same_matches_make_each_move_once(house: House, service: Service) -> None:
    """Each finds what it kept stale again and again."""
    ids = opened(house, 4)
    houses = [House(beside(service)) for _ in range(2)]
    players = [bot_player(one) for one in houses]
    made = sum(at_once(*(partial(one.play, Work(*ids), LONG) for one in players)))
    assert {house.stranger.look(match_id)["status"] for match_id in ids} == {"finished"}
    answers = [answer for match_id in ids for answer in answers_of(service.recorder, match_id)]
    assert len(set(answers)) == len(answers) == made
    for one, bots in zip(houses, players, strict=True):
        for match_id, seats in bots._seen.items():
            log = one.service.states.log(match_id)
            for seat, seen in seats.items():
                assert seen.state == log.fold(seat, at=seen.state.version)


def test_what_is_stale_is_decided_again_and_the_others_of_its_lot_are_stored(house: House, service: Service) -> None:
    first, second, third = opened(house, 3)
    decided: list[tuple[str, int]] = []

    def end(position: Position) -> Outcome:
        match_id = position.log.id
        decided.append((match_id, position.truth.version))
        if match_id == second and len(decided) == 2:
            move_elsewhere(service, second)
        return Outcome(told=play.abort(position.truth, "operator"))

    def refuse(position: Position) -> Outcome:
        raise Refusal("", "not-now")

    for match_id in (first, second, third):
        service.changes.look(match_id)
    results = service.changes.change_all([(first, end), (second, end), (third, refuse), ("m_none", end), (first, end)])
    assert [type(one).__name__ for one in results[2:]] == ["Refusal", "UnknownMatch", "Refusal"]
    assert all(isinstance(one, Changed) for one in results[:2])
    assert {one for one, _ in decided} == {first, second}
    ends = [(match_id, version) for match_id, version in decided if match_id == second]
    assert ends[0][1] < ends[-1][1] == service.recorder.head(second).version - 1
    status = {match_id: house.stranger.look(match_id)["status"] for match_id in (first, second, third)}
    assert status == {first: "aborted", second: "aborted", third: "playing"}


def test_rules_that_fail_in_one_match_hold_up_no_other(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    ann = house.player()
    failing, whole = ann.open(HIGH_CARD, BOTS), ann.open(THREE_MAGIC, BOTS)
    turns: list[Any] = []
    for match_id in (failing, whole):
        now = house.worker.get(f"/matches/{match_id}/bots").json["decisions"][0]
        move = house.worker.moves(match_id, seat=now["seat"])["moves"][0]["move"]
        turns.append({"match": match_id, "move": {"seat": now["seat"], "decision": now["decision"], "move": move}})

    def fail(*_: object) -> None:
        raise KeyError("the hand is fire 3")

    monkeypatch.setattr(rules, "known", fail)
    with capture_logs() as lines:
        one, two = house.worker.post("/bots/turns", {"turns": turns}).json["turns"]
    assert one == {"match": failing, "made": False, "problem": "internal", "bots": []}
    assert (two["made"], two["problem"]) == (True, None)
    (line,) = lines
    assert (line["event"], line["match"]) == ("unforeseen", failing)
    assert isinstance(line["exc_info"], KeyError), "of which its kind and place are logged"


def test_of_two_turns_in_one_match_the_second_is_judged_after_the_first(house: House, service: Service) -> None:
    match_id = house.player().open(THREE_MAGIC, BOTS)
    bots = bot_player(house)
    bots.play(Work(match_id), 0.1)
    asked = bots._left[match_id][0]
    legal = house.worker.get(f"/matches/{match_id}/moves", seat=asked.seat).json["moves"][0]["move"]
    turn = Turn(match_id, {}, Answer(asked.seat, asked.decision, legal))
    one, two = bots._door.take([turn, turn])
    assert (one.made, one.problem) == (True, None)
    assert (two.made, two.problem) == (False, "decision-closed")
    version = service.recorder.head(match_id).version
    # what another process has stored since is told too
    move_elsewhere(service, match_id)
    (taken,) = door(house).take([Turn(match_id, dict.fromkeys(range(3), version))])
    assert taken.bots
    for bot in taken.bots:
        assert bot.after == version
        assert version + len(bot.events) == service.recorder.head(match_id).version
