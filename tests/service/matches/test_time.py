"""Nothing sets deadlines yet; what a log says of time is told all the same, to whom it may be told."""

from __future__ import annotations

import pytest

from domain import clocks, matches
from domain.play import Told
from events.store import Write
from replays.log import TRUTH, private_stream
from service.clock import later
from service.matches.deadlines import owed
from service.wiring import Service
from tests.service.house import House

HOUR = 3_600_000
DUE = "2126-03-04T12:00:00.000Z"
SPOKEN = "2126-03-04 12:00:00 UTC"
TERMS = matches.ClockSet(allowance=72 * HOUR, claims=24 * HOUR, bank=10 * HOUR, defaults=2)


def tell(house: House, match_id: str, *told: Told, seat: int | None = None) -> None:
    """Store it, as whatever looks after the clock will: in the match's log, or in the seat's private one."""
    service: Service = house.service
    log = service.states.log(match_id)
    stream = match_id if seat is None else private_stream(match_id, seat)
    write = service.changes.seal(log, stream, service.recorder.head(stream), *told)
    state = (
        log.fold(TRUTH) if seat is not None else matches.fold(log.game, log.fold(TRUTH), [one.event for one in told])
    )
    state = log.on_top(state, TRUTH)
    if seat is not None:
        state = matches.timed(log.game, state, seat, told[0].event)
    entry = service.lobby.entry(match_id, service.accounts.asker(house.operator.token))
    also = [] if seat is None else [Write(match_id, state.version)]
    service.recorder.append(match_id, [write, *also], decisions=owed(log.game, state, entry))


def test_the_soonest_deadline_is_told_first_and_what_moves_it_counts(house: House) -> None:
    match_id, (ann, bob) = house.table()
    service = house.service
    log = service.states.log(match_id)
    truth = log.fold(TRUTH)
    decision = matches.decision_of(log.game, truth, 0)
    tell(house, match_id, *clocks.set_deadline(log.game, truth, 0, decision, DUE))
    other, _ = house.table()
    assert other != match_id
    (turn,) = ann.get("/me/turns").json["turns"]
    assert turn == {"match": match_id, "seat": 0, "decision": decision, "due": DUE}
    assert bob.get("/me/turns").json["turns"][0]["due"] is None
    assert [one.seat for one in service.recorder.decisions(due_by=DUE)] == [0]
    tell(house, match_id, *clocks.extend(log.fold(TRUTH), HOUR))
    assert ann.get("/me/turns").json["turns"][0]["due"] == later(DUE, HOUR) == "2126-03-04T13:00:00.000Z"
    assert ann.moves(match_id)["decision"] == decision
    bob.move(match_id, bob.moves(match_id)["moves"][0]["id"])
    assert ann.get("/me/turns").json["turns"][0]["due"] == later(DUE, HOUR)
    assert ann.move(match_id, ann.moves(match_id)["moves"][0]["id"], decision).status_code == 200
    assert service.recorder.decisions(due_by="9999") == ()


def test_what_a_log_says_of_time_is_told_in_words(house: House) -> None:
    ann = house.player()
    match_id = ann.open()
    log = house.service.states.log(match_id)
    tell(house, match_id, *clocks.set_clock(log.fold(TRUTH), TERMS))
    told = house.stranger.events(match_id)
    assert told[-1]["type"] == "match/ClockSet"
    assert told[-1]["text"].startswith("Time for a decision: 3 d")
    ann.sit(match_id)
    assert house.stranger.look(match_id)["version"] == 3


def test_under_seal_a_deadline_is_its_seat_s_alone(house: House) -> None:
    match_id, players = house.table(pack="flat")
    for player in players:
        player.move(match_id, {"type": "SetAside", "card": 1})
    log = house.service.states.log(match_id)
    truth = log.fold(TRUTH)
    assert matches.is_sealed(log.game, truth)
    before = [house.stranger.look(match_id), players[1].look(match_id), house.stranger.events(match_id)]
    rung = clocks.seal_rung(log.game, truth, 0, truth.version, DUE)
    tell(house, match_id, rung, seat=0)
    assert [house.stranger.look(match_id), players[1].look(match_id), house.stranger.events(match_id)] == before
    assert players[1].events(match_id, private=True) == []
    assert players[1].get("/me/turns").json["turns"][0]["due"] is None
    assert players[0].get("/me/turns").json["turns"][0]["due"] == DUE
    (told,) = players[0].events(match_id, private=True)
    assert (told["type"], told["text"]) == ("match/RungSealed", f"Asked under seal: to be answered by {SPOKEN}.")
    for player in players:
        assert player.move(match_id, "raise").status_code == 200
    assert [event["type"] for event in house.stranger.events(match_id)].count("match/AnswersClosed") == 1


def test_every_game_says_how_events_of_time_look(house: House) -> None:
    told = house.stranger.get("/games/high-card").json
    assert {f"match/{cls.__name__}" for cls in matches.EVENTS} <= set(told["events"])
    name = told["events"]["match/BankUsed"]["$ref"].removeprefix("#/schemas/")
    assert told["schemas"][name]["properties"].keys() == {"seat", "decision", "spent", "due"}


def test_a_log_from_elsewhere_with_a_strange_deadline_is_played_on(house: House) -> None:
    match_id, (ann, _) = house.table()
    log = house.service.states.log(match_id)
    decision = matches.decision_of(log.game, log.fold(TRUTH), 0)
    for due, length in (("soon", 1), (DUE, 2**53 - 1)):
        strange = (matches.DeadlineSet(seat=0, decision=decision, due=due), matches.OutageExtended(length=length))
        tell(house, match_id, *(Told(event, "clock", 0) for event in strange))
        assert ann.get("/me/turns").json["turns"][0]["due"] is None
    assert ann.move(match_id, ann.moves(match_id)["moves"][0]["id"], decision).status_code == 200


@pytest.mark.parametrize(
    ("moment", "by", "expected"),
    [(DUE, 0, DUE), (DUE, 1, "2126-03-04T12:00:00.001Z"), ("2026-12-31T23:59:59.999Z", 1, "2027-01-01T00:00:00.000Z")],
)
def test_a_moment_is_told_later(moment: str, by: int, expected: str) -> None:
    assert later(moment, by) == expected
