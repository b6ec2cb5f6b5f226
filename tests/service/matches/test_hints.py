"""Hints: what a search thinks of one's open decision where all others are bots; told to nobody else before the end."""

from __future__ import annotations

from functools import partial

import pytest

from service.store import reviews as kept
from tests.service.house import House, Visitor, play_out, refusal
from tests.service.jobs.workrun import Work, bot_player, reviewer


def against_bots(house: House, game: str = "magicative") -> tuple[str, Visitor, int]:
    """A match against a bot in which it is Ann's turn: its id, Ann, and the decision."""
    ann, decision, match = house.player(), None, ""
    while decision is None:
        match = ann.open_with(game=game, seats=[None, {"bot": "greedy"}])
        decision = ann.moves(match)["decision"]
    return match, ann, decision


def test_a_hint_is_thought_about_by_a_worker_and_kept(house: House) -> None:
    match, ann, decision = against_bots(house)
    path = f"/matches/{match}/hints"
    wanted = ann.post(path, {"decision": decision})
    assert (wanted.status_code, wanted.json["hints"]) == (
        202,
        [{"seat": 0, "decision": decision, "state": "wanted", "moves": [], "gains": []}],
    )
    reviewer(house).review([match], lambda: False)
    (hint,) = ann.get(path).json["hints"]
    assert hint["state"] == "done"
    legal = {move["id"]: move["text"] for move in ann.moves(match)["moves"]}
    assert all(legal[move["move"]] == move["text"] for move in hint["moves"])
    assert hint["moves"][0]["behind"] == 0
    assert ann.post(path, {"decision": decision}).json["hints"] == [hint], "it is not thought about again"
    assert house.worker.post("/thoughts", {"match": match}).json == {"hints": [], "reviews": []}


def test_hints_are_thought_about_one_by_one_the_latest_first(house: House) -> None:
    match, ann, decision = against_bots(house)
    decisions: list[int] = []
    while len(decisions) < 3:
        decisions.append(decision)
        ann.post(f"/matches/{match}/hints", {"decision": decision})
        ann.choose(match)
        while (decision := ann.moves(match)["decision"]) is None:
            bot_player(house).play(Work(match), 1)
    for done in (1, 2, 3):
        (wanted,) = house.worker.post("/thoughts", {"match": match}).json["hints"]
        assert wanted["decision"] == decisions[-done]
        # whoever thinks about all at once gives no sign of life, and is ended before anything is told
        reviewer(house).review([match], lambda: True)
        found = [one["state"] for one in ann.get(f"/matches/{match}/hints").json["hints"]]
        assert found == ["wanted"] * (3 - done) + ["done"] * done
    assert house.worker.post("/thoughts", {"match": match}).json == {"hints": [], "reviews": []}


def test_who_asks_for_many_hints_keeps_no_other_player_waiting(house: House) -> None:
    recorder = house.service.recorder
    matches = [house.player().open() for _ in range(3)]
    want = partial(kept.want_hint, matches[0], 0)
    recorder.write([want(decision, f"2026-03-01T12:00:{decision:02}.000Z") for decision in range(1, 20)])
    recorder.write([kept.want_hint(matches[1], 0, 4, "2026-03-01T12:00:30.000Z")])
    recorder.write(kept.want(matches[2], 0, "p_a", "2026-03-01T11:00:00.000Z"))
    assert kept.Reviewed(recorder).due(8) == (matches[1], matches[0], matches[2])


def test_a_hint_is_its_seats_own_affair_until_all_may_count_it(house: House) -> None:
    match, ann, decision = against_bots(house)
    path = f"/matches/{match}/hints"
    ann.post(path, {"decision": decision})
    reviewer(house).review([match], lambda: False)
    assert house.stranger.get(path).json == {"hints": []}
    assert ann.post(f"/matches/{match}/resign").status_code == 200
    (counted,) = house.stranger.get(path, lang="ja").json["hints"]
    assert (counted["seat"], counted["decision"], counted["state"]) == (0, decision, "done")
    assert all(move["text"] for move in counted["moves"])


def test_a_hint_that_comes_too_late_is_given_up(house: House) -> None:
    match, ann, decision = against_bots(house)
    ann.post(f"/matches/{match}/hints", {"decision": decision})
    ann.post(f"/matches/{match}/resign")
    assert house.worker.post("/thoughts", {"match": match}).json == {"hints": [], "reviews": []}
    assert ann.get(f"/matches/{match}/hints").json["hints"][0]["state"] == "failed"


def test_a_hint_is_about_its_decision_also_when_another_one_is_open(house: House) -> None:
    match, ann, decision = against_bots(house)
    ann.post(f"/matches/{match}/hints", {"decision": decision})
    legal = {move["id"] for move in ann.moves(match)["moves"]}
    assert ann.choose(match).status_code == 200
    assert ann.moves(match)["decision"] != decision
    reviewer(house).review([match], lambda: False)
    (hint,) = ann.get(f"/matches/{match}/hints").json["hints"]
    assert {move["move"] for move in hint["moves"]} <= legal
    assert hint["moves"]
    while (later := ann.moves(match))["decision"] is None:
        bot_player(house).play(Work(match), 1)
    ann.post(f"/matches/{match}/hints", {"decision": later["decision"]})
    reviewer(house).review([match], lambda: False)
    first, second = ann.get(f"/matches/{match}/hints").json["hints"]
    assert first == hint
    texts = {move["id"]: move["text"] for move in later["moves"]}
    assert [move["text"] for move in second["moves"]] == [texts[move["move"]] for move in second["moves"]]


def test_where_people_play_and_where_nothing_is_asked_there_are_no_hints(house: House) -> None:
    match, players = house.table("magicative")
    ann = next(player for player in players if player.moves(match)["decision"] is not None)
    decision = ann.moves(match)["decision"]
    path = f"/matches/{match}/hints"
    assert refusal(ann.post(path, {"decision": decision})) == (409, "hint-against-people")
    assert refusal(house.player().post(path, {"decision": decision})) == (403, "not-seated")
    other, bob, open_now = against_bots(house)
    for wrong in (0, open_now + 1):
        assert refusal(bob.post(f"/matches/{other}/hints", {"decision": wrong})) == (409, "decision-not-open")
    for body in ({}, {"decision": "1"}, {"decision": -1}):
        assert refusal(bob.post(f"/matches/{other}/hints", body))[0] == 422
    play_out(match, players)
    assert refusal(ann.post(path, {"decision": decision})) == (409, "hint-against-people")


def test_who_plays_against_a_bot_account_is_told_that_it_counts_as_a_player(house: House) -> None:
    ann = house.player()
    robo = Visitor(house.app.test_client(), (made := ann.post("/me/bots", {"name": "Robo"}).json)["token"], made["id"])
    match = ann.open_with(robo, game="magicative", seats=[None, None])
    refused = ann.post(f"/matches/{match}/hints", {"decision": 1})
    assert refusal(refused) == (409, "hint-against-people")
    assert "bot account" in refused.json["detail"]


def test_a_bot_that_stands_in_for_a_person_makes_no_match_among_bots_until_they_resign(house: House) -> None:
    match, players = house.table("magicative", clock={"allowance": "P1D", "resignation": "bot"})
    ann, bob = sorted(players, key=lambda player: player.moves(match)["decision"] is None)
    wanted = {"decision": ann.moves(match)["decision"]}
    assert bob.post(f"/matches/{match}/stand-in", {}).status_code == 200
    assert refusal(ann.post(f"/matches/{match}/hints", wanted)) == (409, "hint-against-people")
    assert bob.delete(f"/matches/{match}/stand-in").status_code == 200
    assert bob.post(f"/matches/{match}/resign").status_code == 200
    assert ann.post(f"/matches/{match}/hints", wanted).status_code == 202


def test_a_worker_is_shown_what_the_seat_was_told_and_nothing_else(house: House) -> None:
    match, ann, decision = against_bots(house)
    ann.post(f"/matches/{match}/hints", {"decision": decision})
    (wanted,) = house.worker.post("/thoughts", {"match": match}).json["hints"]
    told = [one["public"] for one in wanted["events"]]
    assert len(told) == decision
    dealt = {seat: [one["cards"] for one in told if one.get("seat") == seat and "cards" in one] for seat in (0, 1)}
    assert None not in dealt[0][0]
    assert dealt[1]
    assert all(card is None for cards in dealt[1] for card in cards)


@pytest.mark.parametrize("report", [{"seat": 0}, {"seat": 0, "decision": 1, "weighed": [{}]}])
def test_malformed_reports_are_refused(house: House, report: dict[str, object]) -> None:
    match, ann, decision = against_bots(house)
    ann.post(f"/matches/{match}/hints", {"decision": decision})
    assert refusal(house.worker.post("/thoughts", {"match": match, "hints": [report]}))[0] == 422
    given_up = {"seat": 0, "decision": decision}
    assert house.worker.post("/thoughts", {"match": match, "hints": [given_up]}).status_code == 200
    assert ann.get(f"/matches/{match}/hints").json["hints"][0]["state"] == "failed"
