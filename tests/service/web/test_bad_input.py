"""Each thing that can be wrong gets an error of its own, nothing of it is kept, and the service goes on."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from marshmallow import Schema, ValidationError

from domain.orders import PARTS
from service.web.inputs import SEATS
from service.web.match_inputs import (
    ClockWanted,
    ComparisonWanted,
    MatchWanted,
    OrderWanted,
    PatternWanted,
    VacationWanted,
)
from tests.service.house import HIGH_CARD, Answer, House


def assert_problem(answer: Answer, status: int, code: str) -> dict[str, Any]:
    assert answer.mimetype == "application/problem+json", answer.data
    problem = dict(answer.json)
    assert (answer.status_code, problem["status"], problem["code"]) == (status, status, code), problem
    assert problem["type"] == f"urn:foldtable:problem:{code}"
    assert problem["title"]
    assert problem["detail"]
    return problem


def assert_malformed(answer: Answer, *where: str) -> None:
    """The errors stand below these names, of which the detail says the first."""
    problem = assert_problem(answer, 422, "malformed")
    assert (*problem["errors"],) == (where[0],)
    assert where[0] in problem["detail"]
    errors: Any = problem["errors"]
    for name in where:
        errors = errors[name]
    assert errors
    assert all(isinstance(sentence, str) for sentence in errors)
    assert "_schema" not in str(problem)


ABSENT = "/matches/m_none"

WRONG: dict[str, Any] = msgspec.yaml.decode(Path(__file__).with_name("bad_input.yaml").read_bytes())


def refused(table: str) -> Iterator[tuple[Any, int, str]]:
    """What is wrong, with the status and the code of its refusal."""
    for refusal, rows in WRONG[table].items():
        status, code = refusal.split()
        yield from ((row, int(status), code) for row in rows)


def test_unknown_things_are_404(house: House) -> None:
    ann = house.player()
    for request, status, code in refused("requests"):
        method, path = request.split()
        who = house.stranger if method == "GET" else ann
        assert_problem(house.send(method, f"/api{path}", headers=who.headers), status, code)
    assert_problem(ann.post(f"{ABSENT}/moves", {"decision": 1, "id": "x"}), 404, "unknown-match")
    assert_problem(house.worker.get(f"{ABSENT}/bots"), 404, "unknown-match")
    match = ann.open()
    assert_problem(ann.post(f"/matches/{match}/seats", {"seat": 2}), 404, "unknown-seat")
    assert_problem(ann.get(f"/matches/{match}", seat=2), 404, "unknown-seat")
    assert_problem(ann.get(f"/matches/{match}/at/1", seat=99), 404, "unknown-seat")
    for path in ("/api//games", "/api/matches//m_none", "/api/games/", "/api/games//"):
        for host in ("here", "a b", "here:99999999"):
            answer = house.send("GET", path, headers={"Host": host})
            assert_problem(answer, 404, "unknown-path")
            assert "Location" not in answer.headers, "it leads nowhere"
    answer = house.send("DELETE", "/api/games")
    assert_problem(answer, 405, "method-not-allowed")
    assert set(answer.headers["Allow"].split(", ")) == {"GET", "HEAD", "OPTIONS"}


def test_a_match_that_can_not_be_opened(house: House) -> None:
    ann, wanted = house.player(), {"game": "high-card", "seats": [None, None]}
    for change, status, code in refused("matches"):
        problem = assert_problem(ann.post("/matches", {**wanted, **change}), status, code)
        assert code != "rounds" or problem["clause"] == "TOY-2"
    for where, changes in WRONG["malformed-matches"].items():
        for change in changes:
            assert_malformed(ann.post("/matches", {**wanted, **change}), *where.split("."))
    assert_problem(ann.post("/matches", {**wanted, "seats": [{"player": ann.id}] * 2}), 422, "player-twice")
    assert house.service.recorder.matches() == ()


NO_JSON = {
    "not-json": (
        *(b"{", b"nonsense", b"{'name': 'Ann'}", b'{"name": "\xff"}', b'{"name": NaN}', b'{"name": "\\ud800"}'),
        *(b"\xef\xbb\xbf{}", b'{"name": "Ann", "name": "Ben"}', b'{"name": "Ann", "seats": [{"": 1, "": 1}]}'),
    ),
    "too-deep": (b"[" * 10_000, b'{"a":' * 10_000),
    "too-large": (b'{"name":"' + b"x" * ((1 << 16) - 11) + b'"} ',),
}


def test_a_body_that_can_not_be_read_or_says_what_can_not_be(house: House) -> None:
    for body in WRONG["sign-ups"]:
        problem = assert_problem(house.send("POST", "/api/players", json=body), 422, "malformed")
        assert [*problem["errors"]] == ["body"] or body is None or isinstance(body, dict)
    for code, bodies in NO_JSON.items():
        for sent in bodies:
            answer = house.send("POST", "/api/players", data=sent, content_type="application/json")
            assert_problem(answer, 413 if code == "too-large" else 400, code)
    largest = NO_JSON["too-large"][0][:-1]
    assert len(largest) == 1 << 16
    assert_malformed(house.send("POST", "/api/players", data=largest, content_type="application/json"), "name")
    assert_problem(house.send("POST", "/api/players", data={"name": "Ann"}), 415, "no-json-body")
    for key in ("", " ", "x" * 256, "ä"):
        answer = house.send("POST", "/api/players", json={"name": "Ann"}, headers={"Idempotency-Key": key})
        assert_problem(answer, 422, "malformed-idempotency-key")


def test_a_body_is_not_packed(house: House) -> None:
    for encoding in ("gzip", "GZIP", "br, identity", "nothing", "x" * 9000):
        body = gzip.compress(b'{"name": "Ann"}')
        more = {"data": body, "content_type": "application/json", "headers": {"Content-Encoding": encoding}}
        answer = house.send("POST", "/api/players", **more)
        problem = assert_problem(answer, 415, "encoded-body")
        assert (problem["fields"], answer.headers["Accept-Encoding"]) == ({"encoding": encoding[:64]}, "identity")
    for encoding in ("identity", " Identity ", ""):
        more = {"json": {"name": "Ann"}, "headers": {"Content-Encoding": encoding}}
        assert house.send("POST", "/api/players", **more).status_code == 201
    match = house.player().open()
    for method, path in (("GET", f"/api/matches/{match}"), ("POST", f"/api/matches/{match}/abort")):
        answer = house.send(method, path, headers={"Content-Encoding": "gzip"})
        assert answer.status_code in {200, 401}, "without a body nothing is packed"


def test_a_query_that_says_what_can_not_be(house: House) -> None:
    ann = house.player()
    match = ann.open()
    for path, status, code in refused("queries"):
        assert_problem(house.send("GET", f"/api{path.format(match=match)}"), status, code)
    assert sorted(house.stranger.get("/matches", limit="x", status="lost").json["errors"]) == ["limit", "status"]
    wrong = house.send("GET", "/api/matches?staus=open&limit=1&limit=2&lang=ja&link=x").json["errors"]
    assert wrong == {"limit": ["二度以上書かれています。"]}
    assert house.stranger.get("/matches", staus="open").json["errors"] == {"staus": ["There is no such field."]}
    assert house.stranger.get("/matches", lang="ja", link="x").status_code == 200, "every query may have these"
    for lang in ("la", "", "EN", "en,ja"):
        answers = [ann.get(path, lang=lang) for path in ("/matches", f"/matches/{match}", f"/matches/{match}/events")]
        # whatever else is wrong
        answers += [ann.get("/matches", lang=lang, limit="x"), ann.post("/players", {}, lang=lang)]
        for answer in answers:
            assert assert_problem(answer, 422, "unknown-lang")["fields"]["known"] == ["en", "ja"]


def test_a_move_that_is_malformed_or_not_legal(house: House) -> None:
    match, (ann, _) = house.table()
    before = ann.look(match)
    for move, status, code in refused("moves"):
        problem = assert_problem(ann.move(match, move), status, code)
        if status == 409:
            assert problem["open"] == ann.moves(match)
            assert problem.get("clause", "TOY-4").startswith("TOY-")
    for body in WRONG["answers"]:
        assert_problem(ann.post(f"/matches/{match}/moves", body), 422, "malformed")
    assert_malformed(ann.post(f"{ABSENT}/moves", {"decision": 1}), "body")
    assert_malformed(ann.post(f"{ABSENT}/offers", {"bot": "random", "player": "p"}), "body")
    assert ann.look(match) == before
    now = ann.moves(match)
    body = {"decision": float(now["decision"]), "id": now["moves"][0]["id"]}
    assert ann.post(f"/matches/{match}/moves", body).status_code == 200, "a whole number may be written as 4.0"


def test_only_who_sits_there_moves_and_only_in_a_match_that_has_started(house: House) -> None:
    match, (ann, bob) = house.table()
    move = bob.moves(match)["moves"][0]["id"]
    eve = house.player("Eve")
    assert_problem(eve.move(match, move, 8), 403, "not-seated")
    assert_problem(eve.move(match, move, 8, seat=1), 403, "not-your-seat")
    assert_problem(ann.move(match, move, 8, seat=1), 403, "not-your-seat")
    assert_problem(ann.move(match, move, 8, seat=2), 404, "unknown-seat")
    assert_problem(ann.move(ann.open_with(), "setaside-1", 1), 409, "match-open")


@pytest.mark.parametrize(
    ("schema", "body"),
    [
        (MatchWanted, {"game": HIGH_CARD, "seats": [{}] * (SEATS + 1)}),
        (OrderWanted, {"play": [{}] * (PARTS + 1)}),
        (PatternWanted, {"type": "Pass", "where": [{}] * (PARTS + 1)}),
    ],
)
def test_of_a_list_that_is_too_long_nothing_is_read(schema: type[Schema], body: dict[str, Any]) -> None:
    with pytest.raises(ValidationError) as refused:
        schema().load(body)
    ((sentence,),) = refused.value.messages_dict.values()
    assert isinstance(sentence, str), "not the errors of each item"


@pytest.mark.parametrize(
    ("schema", "body"),
    [
        (ClockWanted, {"allowance": "P1D", "defaults": 4.0}),
        (ComparisonWanted, {"of": "at", "relation": "=", "value": 4.0}),
        (VacationWanted, {"days": 4.0}),
    ],
)
def test_a_whole_number_may_be_written_with_a_point(schema: type[Schema], body: dict[str, Any]) -> None:
    whole = {name: 4 if value == 4.0 else value for name, value in body.items()}
    assert repr(schema().load(body)) == repr(schema().load(whole))
