"""Reviews: wanted once, found out by workers step by step, kept, told in words; bad requests have their own errors."""

from __future__ import annotations

from functools import partial
from threading import Event
from typing import Any

import httpx2
import pytest

from bots.review import Reviewer, Weighed
from service.jobs.reviewer import MatchReviewer
from service.matches.reviews import gains_in_words
from tests.laws.rooms import CATALOGUE
from tests.service.house import House, Visitor, each, games, play_out, refusal
from tests.service.jobs.workrun import bot_player, door, reviewer
from tests.service.stored import rows
from tests.service.together import at_once

DECISION = {
    "version": 5,
    "move": "a",
    "worlds": 2,
    "weighed": [{"move": "a", "share": 0.5, "behind": 0.0, "error": 0.0}],
}


def look_until(house: House, match: str, *needed: bool) -> None:
    """A job of a worker, which ends early when a bot waits for it."""
    says = iter([*needed, *[False] * 1000])
    reviewer(house).review([match], lambda: next(says))


def wanted(visitor: Visitor, match: str, seat: int = 0) -> dict[str, Any]:
    answer = visitor.post(f"/matches/{match}/reviews", {"seat": seat})
    assert answer.status_code == 202, answer.json
    return dict(answer.json)


def test_a_review_is_found_out_step_by_step_and_kept(house: House) -> None:
    match, (ann, bob, _) = house.played(seats=3)
    path = f"/matches/{match}/reviews/0"
    assert refusal(ann.get(path)) == (404, "unknown-review")
    first = wanted(ann, match)
    assert (first["state"], first["total"], first["decisions"], first["account"]) == ("wanted", None, [], None)
    look_until(house, match, True)
    begun = ann.get(path).json
    assert (begun["state"], len(begun["decisions"])) == ("wanted", 1), "the worker went when a bot waited for it"
    look_until(house, match)
    done = house.stranger.get(path).json
    assert (done["state"], len(done["decisions"])) == ("done", done["total"])
    assert done["decisions"][0] == begun["decisions"][0], "nothing is done twice"
    parts = done["account"]
    assert sum(parts[name] for name in ("start", "luck", "own", "others")) == pytest.approx(parts["result"], abs=1e-9)
    for one in done["decisions"]:
        assert one["move"] in [move["move"] for move in one["moves"]]
        assert all(move["text"] for move in one["moves"])
        assert one["moves"][0]["behind"] == 0
    listed = ann.get("/me/moments").json["moments"]
    assert [(one["match"], one["seat"], one["game"]) for one in listed] == [(match, 0, "high-card")] * len(
        done["moments"]
    )
    assert [one["decision"] for one in listed] == [done["decisions"][at] for at in done["moments"]]
    assert bob.get("/me/moments").json == {"moments": []}
    assert wanted(bob, match) == done, "whoever asks again gets what is there"
    assert bob.get("/me/moments").json == ann.get("/me/moments").json, "and it is theirs as well"
    assert rows(house.service, "SELECT state FROM reviews") == [("done",)]


def test_a_review_is_stopped_by_who_wanted_it_and_goes_on_where_it_stood(house: House) -> None:
    match, (ann, bob, _) = house.played(seats=3)
    path = f"/matches/{match}/reviews/0"
    wanted(ann, match)
    look_until(house, match, True)
    assert refusal(bob.delete(path)) == (403, "not-your-review")
    assert ann.delete(path).status_code == 204
    look_until(house, match)
    stopped = ann.get(path).json
    assert (stopped["state"], len(stopped["decisions"])) == ("stopped", 1), "workers leave it"
    assert ann.delete(path).status_code == 204, "it is stopped already"
    wanted(ann, match)
    wanted(bob, match)
    assert ann.delete(path).status_code == 204
    assert ann.get(path).json["state"] == "wanted", "by somebody else"
    look_until(house, match)
    done = ann.get(path).json
    assert ann.get("/me/moments").json == {"moments": []}
    assert len(bob.get("/me/moments").json["moments"]) == len(done["moments"])
    assert (done["state"], done["decisions"][0]) == ("done", stopped["decisions"][0])
    assert bob.delete(path).status_code == 204
    assert ann.get(path).json["state"] == "done", "what is done stays"


def test_what_can_t_be_reviewed_is_told(house: House) -> None:
    match, (ann, bob) = house.table()
    for seat in (0, 7):
        assert refusal(ann.post(f"/matches/{match}/reviews", {"seat": seat})) == (409, "not-over")
    assert refusal(ann.get(f"/matches/{match}/reviews/0")) == (409, "not-over")
    play_out(match, [ann, bob])
    assert refusal(ann.post(f"/matches/{match}/reviews", {"seat": 2})) == (404, "unknown-seat")
    for body in ({}, {"seat": -1}, {"seat": "0"}, {"seat": 0, "more": 1}):
        assert refusal(ann.post(f"/matches/{match}/reviews", body))[0] == 422, body
    assert refusal(ann.delete(f"/matches/{match}/reviews/0")) == (404, "unknown-review")
    other, players = house.table()
    each(players, other, "abort")
    assert refusal(ann.post(f"/matches/{other}/reviews", {"seat": 0})) in {
        (409, "not-played-out"),
        (404, "unknown-match"),
    }


def test_a_review_that_failed_is_told_and_can_be_wanted_again(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    match, (ann, _) = house.played(options={"rounds": 3})
    path = f"/matches/{match}/reviews/0"
    wanted(ann, match)
    for is_begun in (False, True):
        with monkeypatch.context() as broken:
            broken.setattr(Reviewer, "decision", lambda *_: 1 / 0)
            look_until(house, match)
        failed = ann.get(path).json
        assert (failed["state"], len(failed["decisions"]), bool(failed["total"])) == ("failed", is_begun, is_begun)
        assert wanted(ann, match)["state"] == "wanted"
        look_until(house, match, True)
        assert (begun := ann.get(path).json)["total"] == (failed["total"] or begun["total"]) > len(begun["decisions"])
    look_until(house, match)
    assert ann.get(path).json["state"] == "done"


class NoExport(httpx2.WSGITransport):
    """Answers as if a match could not be exported."""

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        if request.url.path.endswith("/export"):
            return httpx2.Response(409, json={"code": "parent-missing"}, request=request)
        return super().handle_request(request)


def test_what_the_service_denies_fails_and_holds_nobody_up(house: House) -> None:
    match, (ann, *_) = house.played(seats=3)
    wanted(ann, match)
    fold = bot_player(house).fold
    MatchReviewer(door(house, NoExport(app=house.app)), Event(), fold, games).review([match], lambda: False)
    assert ann.get(f"/matches/{match}/reviews/0").json["state"] == "failed"
    wanted(ann, match)
    reviewer(house).review(["x" * 65, match], lambda: False)
    assert ann.get(f"/matches/{match}/reviews/0").json["decisions"], "the match before it was denied"


def test_reports_of_what_nobody_wanted_are_left_and_malformed_ones_refused(house: House) -> None:
    match, (ann, *_) = house.played(seats=3)
    assert house.worker.post("/thoughts", {"match": match}).json == {"hints": [], "reviews": []}
    unasked = {"match": match, "found": [{"seat": 0, "total": 3, "decisions": [DECISION]}]}
    assert house.worker.post("/thoughts", unasked).status_code == 200
    assert rows(house.service, "SELECT * FROM judged") == [], "nobody wanted it"
    wanted(ann, match)
    assert house.worker.post("/thoughts", {"match": match}).json["reviews"] == [{"seat": 0, "known": 0}]
    for report in ({"seat": 0}, {"seat": 0, "total": 1, "decisions": [{}]}, {"seat": 0, "total": 1, "account": {}}):
        assert refusal(house.worker.post("/thoughts", {"match": match, "found": [report]}))[0] == 422, report
    assert ann.get(f"/matches/{match}/reviews/0").json["state"] == "wanted"


def test_a_job_does_something_however_long_asking_takes(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("service.jobs.reviewer.SHARE", 0.0)
    (match, (ann, *_)), (other, _) = house.played(seats=3), house.played(seats=3)
    for one in (match, other):
        wanted(ann, one)
    reviewer(house).review([match, other], lambda: False)
    found = [len(ann.get(f"/matches/{one}/reviews/0").json["decisions"]) for one in (match, other)]
    assert found == [1, 0], "the other one's turn comes when this one is done"


def test_a_fork_is_reviewed_from_its_first_event_on(house: House) -> None:
    match, (ann, *_) = house.played(seats=3)
    at = house.stranger.shown(f"/matches/{match}/film")["forks"][3]
    fork = ann.post(f"/matches/{match}/fork", {"version": at, "seats": [None] * 3}).json["id"]
    players = [ann, house.player("Bob"), house.player("Cyd")]
    for seat, player in enumerate(players):
        player.sit(fork, seat=seat)
    play_out(fork, players)
    wanted(ann, fork)
    look_until(house, fork)
    done = ann.get(f"/matches/{fork}/reviews/0").json
    assert (done["state"], len(done["decisions"])) == ("done", done["total"])
    assert done["total"]


def test_what_was_luck_for_one_seat_was_none_for_the_others(house: House) -> None:
    match, (ann, *_) = house.played(seats=3)
    accounts = []
    for seat in range(3):
        wanted(ann, match, seat)
        look_until(house, match)
        accounts.append(ann.get(f"/matches/{match}/reviews/{seat}").json["account"])
    assert any(account["luck"] for account in accounts)
    assert sum(account["luck"] for account in accounts) == pytest.approx(0.0, abs=1e-9)
    assert sum(account["start"] for account in accounts) == pytest.approx(1.0, abs=1e-9)


def test_a_decision_has_the_last_version_before_its_answer_also_where_a_deadline_was_set(house: House) -> None:
    match, (ann, _) = house.played(clock={"allowance": "P1D"})
    wanted(ann, match)
    look_until(house, match)
    found = ann.get(f"/matches/{match}/reviews/0").json["decisions"]
    told = {event["version"]: event for event in ann.events(match)}
    answers = [told[one["version"] + 1] for one in found]
    assert {answer["type"] for answer in answers} <= {"match/MoveMade", "match/AnswersClosed"}
    later = [one["version"] - answer["public"]["decision"] for one, answer in zip(found, answers, strict=True)]
    assert min(later) >= 0
    assert max(later) > 0, "a deadline was set after the seat was asked"


def test_many_ask_at_once_and_two_workers_find_out_the_same_once(house: House) -> None:
    match, (ann, *_) = house.played(seats=3)
    at_once(*(partial(wanted, house.player(), match) for _ in range(8)))
    at_once(*[partial(look_until, house, match)] * 2)
    done = ann.get(f"/matches/{match}/reviews/0").json
    assert (done["state"], len(done["decisions"])) == ("done", done["total"])
    assert rows(house.service, "SELECT count(*) FROM judged") == [(done["total"],)]


def test_what_a_better_move_gains_is_called_as_the_games_packs_call_it() -> None:
    room = CATALOGUE.rooms["ttmp"]
    own = Weighed("a", 0.3, 0.2, 0.01, terms={"stones": 1.0, "cards": 0.5, "turn": 0.5})
    best = Weighed("b", 0.5, 0.0, 0.0, terms={"stones": 2.0, "cards": 1.2, "turn": 0.0, "later": 0.8})
    for lang, said in (("en", ("magic stones",)), ("ja", ("Ms",))):
        assert gains_in_words(room.game, room.packs["house"].pack, own, best, lang) == said
