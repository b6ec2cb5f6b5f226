"""Each thing that can be wrong gets an error of its own, nothing of it is kept, and the service goes on."""

from __future__ import annotations

import gzip
from typing import Any

from tests.service.house import Answer, House


def assert_problem(answer: Answer, status: int, code: str) -> dict[str, Any]:
    """Problem+json of that status and code."""
    assert answer.mimetype == "application/problem+json", answer.data
    said = dict(answer.json)
    assert (answer.status_code, said["status"], said["code"]) == (status, status, code), said
    assert said["type"] == f"urn:foldtable:problem:{code}"
    assert said["title"]
    assert said["detail"]
    return said


ABSENT = "/matches/m_none"

UNKNOWN = {
    "unknown-game": ("GET /games/chess", "GET /games/chess/rules"),
    "unknown-match": (
        *(f"GET {ABSENT}{path}" for path in ("", "/moves", "/events", "/at/1")),
        *(f"{method} {ABSENT}/seats" for method in ("POST", "DELETE")),
        "GET /matches/%F0%9F%82%A1",
    ),
    "unknown-path": ("GET /nothing", f"GET {ABSENT}/at/-1", "GET /matches/m%00%2F..%2F/moves"),
}
"""Codes, and what is asked for by whom has an account."""


def test_unknown_things_are_404(house: House) -> None:
    ann = house.player()
    for code, asked in UNKNOWN.items():
        for method, path in (one.split(" ", 1) for one in asked):
            who = house.stranger if method == "GET" else ann
            assert_problem(house.send(method, f"/api{path}", headers=who.headers), 404, code)
    assert_problem(ann.post(f"{ABSENT}/moves", {"decision": 1, "id": "x"}), 404, "unknown-match")
    assert_problem(house.worker.get(f"{ABSENT}/bots"), 404, "unknown-match")


def test_a_path_that_is_nearly_one_is_404_and_leads_nowhere(house: House) -> None:
    for path in ("/api//games", "/api/matches//m_none", "/api/games/", "/api/games//"):
        for host in ("here", "a b", "here:99999999"):
            answer = house.send("GET", path, headers={"Host": host})
            assert_problem(answer, 404, "unknown-path")
            assert "Location" not in answer.headers


def test_an_unknown_seat_is_404(house: House) -> None:
    ann = house.player()
    match = ann.open()
    assert_problem(ann.post(f"/matches/{match}/seats", {"seat": 2}), 404, "unknown-seat")
    assert_problem(ann.get(f"/matches/{match}", seat=2), 404, "unknown-seat")
    assert_problem(ann.get(f"/matches/{match}/at/1", seat=99), 404, "unknown-seat")


MATCHES: list[Any] = [
    ({"game": "chess"}, 404, "unknown-game"),
    ({"seats": [{"player": "p_none"}, None]}, 404, "unknown-player"),
    ({"seats": [{"bot": "deep-blue"}, None]}, 422, "unknown-bot"),
    ({"seats": [None] * 5}, 422, "seats"),
    ({"pack": "none"}, 422, "unknown-pack"),
    ({"options": {"rounds": 4}}, 422, "rounds"),
    ({"options": {"rounds": "two"}}, 422, "malformed-options"),
    ({"options": {"rounds": 10**30}}, 422, "rounds"),
    ({"options": {"laps": 2}}, 422, "malformed-options"),
    ({"options": []}, 422, "malformed"),
    ({"seats": []}, 422, "malformed"),
    ({"seats": None}, 422, "malformed"),
    ({"seats": [{}, None]}, 422, "malformed"),
    ({"seats": [{"bot": "random", "player": "p_x"}, None]}, 422, "malformed"),
    ({"seats": ["random", None]}, 422, "malformed"),
    ({"visibility": "secret"}, 422, "malformed"),
    ({"colour": "red"}, 422, "malformed"),
]


def test_a_match_that_can_not_be_opened(house: House) -> None:
    for wanted, status, code in MATCHES:
        body = {"game": "high-card", "seats": [None, None], **wanted}
        said = assert_problem(house.player().post("/matches", body), status, code)
        if code == "malformed":
            assert set(said["errors"]) == set(wanted)
        if code == "rounds":
            assert said["clause"] == "TOY-2"
        assert house.stranger.get("/matches").json["matches"] == []
        assert house.service.recorder.matches() == ()


def test_a_player_is_reserved_one_seat(house: House) -> None:
    ann = house.player()
    answer = ann.post("/matches", {"game": "high-card", "seats": [{"player": ann.id}] * 2})
    assert_problem(answer, 422, "player-twice")


SIGN_UPS: list[Any] = [
    *({"name": name} for name in ("", " ", "x" * 65, 5, "a\nb", "a\x00")),
    {"name": "Ann", "email": "nowhere"},
    {"name": "Ann", "kind": "cat"},
    *({}, [], "Ann", None, 5),
]


def test_a_sign_up_that_says_what_can_not_be(house: House) -> None:
    for body in SIGN_UPS:
        assert assert_problem(house.send("POST", "/api/players", json=body), 422, "malformed")["errors"]


NO_JSON = {
    "not-json": (
        *(b"{", b"nonsense", b"{'name': 'Ann'}", b'{"name": "\xff"}', b'{"name": NaN}', b'{"name": "\\ud800"}'),
        b"\xef\xbb\xbf{}",
    ),
    "too-deep": (b"[" * 10_000, b'{"a":' * 10_000),
}


def test_a_body_that_is_no_json_or_nested_too_deeply(house: House) -> None:
    for code, bodies in NO_JSON.items():
        for body in bodies:
            answer = house.send("POST", "/api/players", data=body, content_type="application/json")
            assert_problem(answer, 400, code)


def test_a_body_too_large(house: House) -> None:
    most = b'{"name":"' + b"x" * ((1 << 16) - 11) + b'"}'
    assert len(most) == 1 << 16
    assert_problem(house.send("POST", "/api/players", data=most, content_type="application/json"), 422, "malformed")
    too_large = house.send("POST", "/api/players", data=most + b" ", content_type="application/json")
    assert_problem(too_large, 413, "too-large")


def test_a_body_of_another_kind(house: House) -> None:
    answer = house.send("POST", "/api/players", data={"name": "Ann"})
    assert_problem(answer, 415, "no-json-body")


def test_a_body_that_is_packed(house: House) -> None:
    for encoding in ("gzip", "GZIP", "br, identity", "nothing", "x" * 9000):
        body = gzip.compress(b'{"name": "Ann"}')
        more = {"data": body, "content_type": "application/json", "headers": {"Content-Encoding": encoding}}
        answer = house.send("POST", "/api/players", **more)
        said = assert_problem(answer, 415, "encoded-body")
        assert (said["fields"], answer.headers["Accept-Encoding"]) == ({"encoding": encoding[:64]}, "identity")


def test_a_body_that_is_said_to_be_as_it_is(house: House) -> None:
    for encoding in ("identity", " Identity ", ""):
        more = {"json": {"name": "Ann"}, "headers": {"Content-Encoding": encoding}}
        assert house.send("POST", "/api/players", **more).status_code == 201


def test_without_a_body_nothing_is_packed(house: House) -> None:
    match = house.player().open()
    for method, path in (("GET", f"/api/matches/{match}"), ("POST", f"/api/matches/{match}/abort")):
        answer = house.send(method, path, headers={"Content-Encoding": "gzip"})
        assert answer.status_code in {200, 401}


def test_a_method_that_is_none_keeps_the_allowed_ones(house: House) -> None:
    answer = house.send("DELETE", "/api/games")
    assert_problem(answer, 405, "method-not-allowed")
    assert set(answer.headers["Allow"].split(", ")) == {"GET", "HEAD", "OPTIONS"}


HUGE = 10**30

QUERIES = {
    "": ("limit=0", "limit=101", "limit=x", f"limit={HUGE}", "status=lost", "seat=taken", "mine=perhaps"),
    "?": ("cursor=%00", "cursor=zzz", "cursor=YQ"),
    "/{match}/events": ("after=-1", f"after={HUGE}", "limit=1001", "private=maybe", "seat=x"),
    "/{match}": ("wait=31", "wait=-1", "wait=soon"),
}


def test_a_query_that_says_what_can_not_be(house: House) -> None:
    match = house.player().open()
    for path, queries in QUERIES.items():
        for query in queries:
            answer = house.send("GET", f"/api/matches{path.rstrip('?').format(match=match)}?{query}")
            assert_problem(answer, 422, "malformed-cursor" if path == "?" else "malformed")


MOVES: list[Any] = [
    ({"type": "SetAside", "card": 99}, 409, "not-in-hand"),
    ({"type": "SetAside", "card": None}, 409, "not-in-hand"),
    ({"type": "Raise"}, 409, "no-raises"),
    ({"type": "Roll"}, 409, "no-dice"),
    ({"type": "Checkmate"}, 422, "malformed-move"),
    ({"type": "SetAside"}, 422, "malformed-move"),
    ({"type": "SetAside", "card": "ace"}, 422, "malformed-move"),
    ({"type": "SetAside", "card": 1.5}, 422, "malformed-move"),
    ({"type": "SetAside", "card": 10**30}, 409, "not-in-hand"),
    ({"type": "SetAside", "card": 1, "why": "so"}, 422, "malformed-move"),
    ({"type": 5}, 422, "malformed-move"),
    ({"card": 1}, 422, "malformed-move"),
    ({}, 422, "malformed-move"),
    ("setaside-99", 409, "not-legal"),
    ("\x00", 409, "not-legal"),
]


def test_a_move_that_is_malformed_or_not_legal(house: House) -> None:
    match, (ann, _) = house.table()
    before = ann.look(match)
    for move, status, code in MOVES:
        said = assert_problem(ann.move(match, move), status, code)
        if status == 409:
            assert said["open"] == ann.moves(match)
            assert said.get("clause", "TOY-4").startswith("TOY-")
        assert ann.look(match) == before


ANSWERS: list[Any] = [
    {"id": "raise"},
    {"decision": 8},
    *({"decision": decision, "id": "raise"} for decision in ("8", True, -1, 8.5)),
    {"decision": 8, "id": 5},
    *({"decision": 8, "move": move} for move in ("raise", [1])),
    {"decision": 8, "id": "raise", "move": {"type": "Raise"}},
    {"decision": 8, "id": "raise", "seat": "x"},
]


def test_an_answer_that_can_not_be_read(house: House) -> None:
    match, (ann, _) = house.table()
    for body in ANSWERS:
        assert_problem(ann.post(f"/matches/{match}/moves", body), 422, "malformed")


def test_a_whole_number_may_be_written_as_4_0(house: House) -> None:
    match, (ann, _) = house.table()
    now = ann.moves(match)
    body = {"decision": float(now["decision"]), "id": now["moves"][0]["id"]}
    assert ann.post(f"/matches/{match}/moves", body).status_code == 200


def test_a_closed_decision_is_answered_with_the_open_one(house: House) -> None:
    match, (ann, bob) = house.table(pack="flat")
    decision = ann.moves(match)["decision"]
    for player in (ann, bob):
        player.move(match, {"type": "SetAside", "card": 1})
    said = assert_problem(ann.move(match, {"type": "SetAside", "card": 1}, decision), 409, "decision-closed")
    assert said["open"] == ann.moves(match)
    assert [move["id"] for move in said["open"]["moves"]] == ["raise", "pass"]


def test_only_who_sits_there_moves(house: House) -> None:
    match, (ann, bob) = house.table()
    move = bob.moves(match)["moves"][0]["id"]
    eve = house.player("Eve")
    assert_problem(eve.move(match, move, 8), 403, "not-seated")
    assert_problem(eve.move(match, move, 8, seat=1), 403, "not-your-seat")
    assert_problem(ann.move(match, move, 8, seat=1), 403, "not-your-seat")
    assert_problem(house.stranger.move(match, move, 8), 401, "token-missing")
    assert_problem(ann.move(match, move, 8, seat=2), 404, "unknown-seat")


def test_a_match_that_has_not_started_takes_no_move(house: House) -> None:
    ann = house.player()
    match = ann.open()
    ann.sit(match)
    assert_problem(ann.move(match, "setaside-1", 1), 409, "match-open")


def test_a_key_that_is_none(house: House) -> None:
    for key in ("", " ", "x" * 256, "ä"):
        answer = house.send("POST", "/api/players", json={"name": "Ann"}, headers={"Idempotency-Key": key})
        assert_problem(answer, 422, "malformed-idempotency-key")
