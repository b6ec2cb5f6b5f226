"""Looking at a match, trying moves and making them."""

from __future__ import annotations

from typing import Any

from tests.service.clocks.timing import asked_of
from tests.service.house import House, Visitor, play_out, refusal
from tests.service.matches.test_receipts import sealing


def test_a_match_is_seen_and_its_moves_are_listed_from_ones_seat_in_ones_language(house: House) -> None:
    match, (ann, bob) = house.table()
    mine, theirs, outside = ann.look(match), bob.look(match), house.stranger.look(match)
    assert (mine["seat"], theirs["seat"], outside["seat"]) == (0, 1, None)
    assert mine["view"]["places"][0]["hand"].count(None) == 0
    assert mine["view"]["places"][1]["hand"] == outside["view"]["places"][0]["hand"] == [None] * 3
    assert outside["to_act"] == mine["to_act"] == [0, 1]
    assert mine["decision"] == mine["version"] == outside["version"]
    assert mine["standing"] == {"over": False, "points": [7, 7], "ranking": [1, 1]}
    assert mine["text"].startswith("Round 1 of 2: cards are set aside\n")
    assert outside["decision"] is None
    assert house.stranger.moves(match) == {"game": "high-card", "decision": None, "moves": []}
    listed, japanese = ann.moves(match), ann.moves(match, lang="ja")
    assert listed["decision"] == mine["decision"]
    first = listed["moves"][0]
    assert (first["id"], first["move"]["type"]) == (f"setaside-{first['move']['card']}", "SetAside")
    assert first["text"].startswith(f"Set {first['move']['card']} aside")
    assert listed != japanese
    by_header = ann.get(f"/matches/{match}/moves", headers={"Accept-Language": "ja;q=0.9, en;q=0.1"})
    assert by_header.json == japanese
    assert {"Authorization", "Accept", "Accept-Language"} <= set(by_header.vary.to_header().replace(" ", "").split(","))


def test_a_move_is_answered_with_what_the_mover_may_know(house: House) -> None:
    match, (ann, bob) = house.table()
    version = ann.look(match)["version"]
    moved = ann.choose(match).json
    assert (moved["version"], moved["decision"], moved["moves"], moved["sealed"]) == (version + 2, None, [], None)
    assert [event["type"] for event in moved["events"]] == ["match/MoveMade", "high-card/CardSetAside"]
    assert moved["events"] == ann.events(match, after=version)
    assert moved["events"][0]["secret"]["move.card"]["value"] == moved["events"][1]["secret"]["card"]["value"]
    assert bob.events(match, after=version)[0]["secret"] == {}
    assert moved["others"] == [], "who plays one seat is not told who else is asked"
    assert bob.look(match)["decision"] == version, "another seat's answer closes no decision"
    theirs, now = bob.choose(match).json, bob.moves(match)
    assert (theirs["decision"], theirs["moves"]) == (now["decision"], now["moves"])


def test_answers_under_seal_go_to_private_logs_until_the_last_one_closes_the_window(house: House) -> None:
    match, (ann, bob) = sealing(house)
    version = ann.look(match)["version"]
    moved = ann.move(match, "raise").json
    assert (moved["version"], moved["events"], moved["decision"], moved["receipt"]) == (version, [], None, None)
    (private,) = ann.events(match, private="true")
    assert (private["type"], private["text"]) == ("match/AnswerSealed", "Answered under seal: Raise")
    told = {key: moved["sealed"][key] for key in ("stream", "version", "hash")}
    assert told == {"stream": f"{match}/seat:0", "version": 1, "hash": private["hash"]}
    looks = {name: who.look(match) for name, who in (("ann", ann), ("bob", bob), ("nobody", house.stranger))}
    assert {look["version"] for look in looks.values()} == {version}
    # of others nobody is told whether they are asked
    assert {name: look["to_act"] for name, look in looks.items()} == {"ann": [], "bob": [1], "nobody": []}
    again = ann.move(match, "pass", version)
    assert refusal(again) == (409, "decision-closed")
    assert again.json["open"] == {"game": "high-card", "decision": None, "moves": []}
    last = bob.move(match, "pass").json
    assert last["sealed"]["stream"] == f"{match}/seat:1"
    assert last["version"] == bob.look(match)["version"] > version
    closing = last["events"][0]
    assert (closing["type"], list(closing["secret"])) == ("match/AnswersClosed", ["answers.1"])
    assert closing["secret"]["answers.1"]["value"]["sealed"] == last["sealed"]["hash"]
    assert closing["text"] == "All have answered under seal. You: Pass."
    play_out(match, [ann, bob])
    assert house.stranger.events(match, private="true", seat=1) == bob.events(match, private="true")


def test_after_the_end_everything_is_open(house: House) -> None:
    match, players = house.played(seats=3)
    look = house.stranger.look(match)
    assert (look["status"], look["to_act"]) == ("finished", [])
    result = {key: look["standing"][key] for key in ("points", "ranking")}
    assert look["result"] == {**result, "winners": [seat for seat, place in enumerate(result["ranking"]) if place == 1]}
    events = house.stranger.events(match)
    assert set(events[0]["secret"]) == {"secret"}
    assert events[0]["secret"]["secret"]["value"] == events[-1]["public"]["secret"]
    for event in events:
        assert set(event["secret"]) == set(event["commits"])
    assert refusal(players[0].move(match, "roll", decision=1)) == (409, "match-finished")


def test_the_past_is_told_as_it_was_seen_and_while_playing_to_ones_own_seat_only(house: House) -> None:
    match, players = house.table()
    ann, bob = players
    version, past = ann.look(match)["version"], f"/matches/{match}/at/"
    assert ann.get(f"{past}1").json["view"] is None
    assert ann.events(match, private="true") == []
    for answer, status, code in (
        (bob.get(f"{past}{version}", seat=0), 403, "not-your-seat"),
        (ann.get(f"/matches/{match}/events", private="true", seat=1), 403, "not-your-seat"),
        (house.stranger.get(f"/matches/{match}/events", private="true"), 403, "not-seated"),
        *((ann.get(f"{past}{number}"), 404, "unknown-version") for number in (0, version + 1)),
        (ann.get(f"{past}{10**30}"), 404, "unknown-path"),
    ):
        assert refusal(answer) == (status, code)
    looks = {}
    while (now := ann.look(match))["status"] == "playing":
        looks[now["version"]] = now
        assert ann.get(f"{past}{now['version']}").json["view"] == now["view"]
        play_out(match, players, most=1)
    for version, look in looks.items():
        then = ann.get(f"{past}{version}", seat=0).json
        assert (then["version"], then["status"], then["view"]) == (version, "playing", look["view"])
        assert house.stranger.get(f"{past}{version}", seat=0).json == then


def test_events_come_by_pages(house: House) -> None:
    match, _ = house.table()
    every = house.stranger.events(match)
    first = house.stranger.get(f"/matches/{match}/events", limit=3)
    assert (first.json["events"], first.json["next"]) == (every[:3], 3)
    assert "after=3" in first.headers["Link"]
    rest = house.stranger.get(f"/matches/{match}/events", after=3)
    assert (rest.json["events"], rest.json["next"]) == (every[3:], None)
    assert "Link" not in rest.headers
    bare = house.stranger.events(match, texts="false")
    assert bare == [{key: event[key] for key in event if key != "text"} for event in every]


def test_workers_play_for_bots_and_for_nobody_else(house: House) -> None:
    ann = house.player()
    match = ann.open_with(seats=[None, {"bot": "random"}])
    asked = house.worker.get(f"/matches/{match}/bots").json["decisions"]
    version = ann.look(match)["version"]
    assert asked == [{"seat": 1, "decision": version, "bot": "random", "wait": 0.0}]
    look = house.worker.look(match, seat=1)
    assert (look["seat"], look["decision"]) == (1, version)
    assert None not in look["view"]["places"][1]["hand"]
    move = house.worker.moves(match, seat=1)["moves"][0]["id"]
    assert house.worker.move(match, move, version, seat=1).status_code == 200
    assert house.worker.get(f"/matches/{match}/bots").json["decisions"] == []
    for refused in (
        house.worker.get(f"/matches/{match}/moves", seat=0),
        house.worker.move(match, move, version, seat=0),
        ann.get(f"/matches/{match}", seat=1),
        ann.move(match, move, version, seat=1),
    ):
        assert refusal(refused) == (403, "not-your-seat")
    assert house.worker.move(match, move, version).json["code"] == "not-seated"


def test_whoever_plays_several_bots_is_told_what_the_others_are_asked(house: House) -> None:
    match, worker = house.player().open(seats=[{"bot": "random"}] * 3, pack="flat"), house.worker
    counts = set()
    while asked := asked_of(house, match):
        seat = asked[0]["seat"]
        told = worker.choose(match, seat=seat).json["others"]
        others = [one["seat"] for one in asked_of(house, match) if one["seat"] != seat]
        assert told == [{"seat": other, **worker.moves(match, seat=other)} for other in others]
        counts.add(len(told))
    assert counts == {0, 1, 2}, "openly and under seal"


BOTS = [None, {"bot": "random"}, {"bot": "random"}]


def at_a_table(house: House) -> tuple[Visitor, str, dict[str, Any]]:
    """Somebody whose turn it is, the match, and what they may choose there."""
    ann = house.player()
    while True:
        match = ann.open_with(game="three-magic", seats=BOTS)
        trial = ann.shown(f"/matches/{match}/trial")
        if trial["moves"]:
            return ann, match, trial


def first(trial: dict[str, Any], *, final: bool) -> str:
    """A move that is for good, or that is not."""
    return str(next(one["id"] for one in trial["moves"] if one["final"] is final))


def test_a_trial_tells_of_each_move_whether_it_is_for_good(house: House) -> None:
    ann, match, trial = at_a_table(house)
    listed = ann.moves(match)
    assert trial["decision"] == listed["decision"]
    assert [{**one, "final": None} for one in listed["moves"]] == [{**one, "final": None} for one in trial["moves"]]
    assert trial["tried"] == []
    assert trial["scene"] == ann.shown(f"/matches/{match}", scene="true")["scene"]
    trial = house.stranger.shown(f"/matches/{match}/trial")
    assert (trial["decision"], trial["moves"], trial["scene"]) == (None, [], None)
    touch = house.stranger.shown(f"/matches/{match}/touch", touched="deck")
    assert touch == {"touched": "deck", "refusal": None}


def test_what_was_tried_comes_out_so_when_it_is_made(house: House) -> None:
    ann, match, trial = at_a_table(house)
    tried: list[str] = []
    for _ in range(30):
        before = len(ann.events(match))
        if not trial["moves"]:
            break
        if all(one["final"] for one in trial["moves"]):
            for id in (*tried, first(trial, final=True)):
                assert ann.move(match, id).status_code == 200
            tried = []
        else:
            tried.append(first(trial, final=False))
            assert len(ann.events(match)) == before, "nothing is written"
        trial = ann.shown(f"/matches/{match}/trial", moves=",".join(tried))
        assert trial["tried"] == tried
        if len(tried) == 1:
            then, ours = house.again(ann), trial["scene"]
            assert then.move(match, tried.pop()).status_code == 200
            assert then.shown(f"/matches/{match}", scene="true")["scene"] == ours
            trial = ann.shown(f"/matches/{match}/trial")


def test_what_is_for_good_or_none_is_not_tried(house: House) -> None:
    ann, match, trial = at_a_table(house)
    tried = first(trial, final=False)
    final = first(ann.shown(f"/matches/{match}/trial", moves=tried), final=True)
    assert refusal(ann.get(f"/matches/{match}/trial", moves=f"{tried},{final}")) == (409, "for-good")
    for nonsense in ("none", "none,none", "%00", "席"):
        assert refusal(ann.get(f"/matches/{match}/trial", moves=nonsense)) == (409, "not-to-try")
    assert ann.get(f"/matches/{match}/trial", moves="x" * 5000).status_code == 422


def test_a_touch_in_vain_is_told_why(house: House) -> None:
    ann = house.player()
    match = ann.open_with(seats=BOTS[:2])
    touch = ann.shown(f"/matches/{match}/touch", touched="seat.0/die")
    assert (touch["refusal"]["clause"], touch["refusal"]["code"]) == ("TOY-7", "no-dice")
    assert touch["refusal"]["detail"] == "It is not the time to roll."
    said = ann.shown(f"/matches/{match}/touch", touched="seat.0/die", lang="ja")["refusal"]["detail"]
    assert said == "サイコロを振る時ではありません。"
    for nothing in ("stock", "seat.1/hand/0", "none", "../x", "seat.99/hand/0"):
        assert ann.shown(f"/matches/{match}/touch", touched=nothing)["refusal"] is None
    assert ann.shown(f"/matches/{match}/touch")["refusal"] is None
    assert ann.get(f"/matches/{match}/touch", touched="x" * 201).status_code == 422


def test_under_seal_every_answer_is_for_good(house: House) -> None:
    match, players = house.table(pack="flat")
    for one in players:
        one.choose(match)
    trials = [one.shown(f"/matches/{match}/trial") for one in players]
    assert any(one["moves"] for one in trials)
    assert all(move["final"] for one in trials for move in one["moves"])
