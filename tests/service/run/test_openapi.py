"""The contract: it is what the code says, it is valid, and the service keeps to it."""

from __future__ import annotations

import json
from functools import lru_cache
from pathlib import Path
from typing import Any

import jsonschema_rs
import yaml
from flask import Flask
from openapi_spec_validator import validate

from service.run import openapi
from service.web import document
from service.web.contract.problems import EVERYWHERE
from tests.service.house import Answer, House, play_out
from tests.service.web.strict import strict


def test_the_document_is_fresh() -> None:
    assert openapi.is_fresh(), "make openapi"


def test_the_document_is_the_same_every_time() -> None:
    assert openapi.render() == openapi.render()


def test_a_stale_document_is_said(tmp_path: Path) -> None:
    import pytest

    stale = tmp_path / "openapi.yaml"
    assert not openapi.is_fresh(stale)
    stale.write_text("openapi: 3.1.0\n")
    with pytest.raises(SystemExit, match=r"openapi\.yaml is out of date"):
        openapi.check(stale)


def test_the_document_is_valid() -> None:
    validate(yaml.safe_load(openapi.render()))


def test_the_document_is_served(house: House) -> None:
    served = house.stranger.get("/openapi.json").json
    assert served == json.loads(json.dumps(document(house.app)))
    told = yaml.safe_load(openapi.render())
    assert told["paths"].keys() == served["paths"].keys()
    assert told["components"]["schemas"] == served["components"]["schemas"]


@lru_cache(maxsize=2)
def strictly(app: Flask) -> dict[str, Any]:
    """The app's document, which names everything, with the shapes of all games."""
    return strict(document(app, tuple(app.extensions["foldtable"].catalogue.rooms)))


def check(house: House, path: str, method: str, status: int, body: Any) -> None:
    """The body is what the document says of that answer, and holds nothing more."""
    told = strictly(house.app)
    answers = told["paths"][path][method]["responses"]
    schema = answers[str(status)]["content"]["application/json"]["schema"]
    jsonschema_rs.Draft202012Validator({**schema, "components": told["components"]}).validate(body)


OF_ALL = {"Content-Type", "Content-Length"}
"""Headers that OpenAPI has other places for."""

THROUGH = {"X-Forwarded-For": "192.0.2.1"}
"""Who comes through a proxy is counted, also on this machine."""


def headers_of(house: House, path: str, method: str, answer: Answer) -> set[str]:
    """The headers that the answer has of its own; the document is to tell of each."""
    told = strictly(house.app)
    answers = told["paths"][path][method]["responses"]
    said = answers.get(str(answer.status_code)) or answers["default"]
    if "$ref" in said:
        said = told["components"]["responses"][said["$ref"].rpartition("/")[2]]
    own = {name for name, _ in answer.headers} - OF_ALL
    assert own <= {*said.get("headers", {}), *told[EVERYWHERE]}, f"{method} {path} {answer.status_code}"
    return own


def test_headers_are_as_documented(house: House) -> None:
    ann, bob = house.player(), house.player("Bob")
    seen: set[str] = set()

    def ask(path: str, method: str = "get", body: Any = None, **more: Any) -> Answer:
        headers = {**ann.headers, **THROUGH, **more.pop("headers", {})}
        where = path.format(match_id=match)
        answer = house.send(method, where, headers=headers, **({} if body is None else {"json": body}), **more)
        seen.update(headers_of(house, path, method, answer))
        return answer

    match, wanted = "", {"game": "high-card", "seats": [None, None]}
    ask("/api/players", "post", {"name": "Carl"})
    ask("/api/players", "post", {"name": 1})
    match = ask("/api/matches", "post", wanted).json["id"]
    ask("/api/matches", "post", {"game": "none"})
    ask("/api/matches", query_string={"limit": 1})
    ask("/api/matches/{match_id}/seats", "post", {"seat": 0})
    ask("/api/matches/{match_id}/seats", "post", {"seat": 9})
    bob.sit(match)
    tag = ask("/api/matches/{match_id}").headers["ETag"]
    assert ask("/api/matches/{match_id}", headers={"If-None-Match": tag}).status_code == 304
    ask("/api/matches/{match_id}/events", query_string={"limit": 1})
    ask("/api/matches/{match_id}/export")
    ask("/api/matches/{match_id}/fork", "post", {"version": 5, "seats": [None, None]})
    ask("/api/me", headers={"Authorization": "Bearer none"})
    ask("/api/limits")
    play_out(match, [ann, bob])
    assert ask("/api/matches/{match_id}/fork", "post", {"version": 8, "seats": [None, None]}).status_code == 201
    for number in range(2):
        ann.open(seats=[None, {"player": bob.id}], pack="house" if number else "flat")
    ask("/api/me/invitations", headers=bob.headers, query_string={"limit": 1})
    while ask("/api/players", "post", {"name": "Dan"}).status_code == 201:
        pass
    counted = {"RateLimit", "RateLimit-Policy", "Retry-After"}
    other = {"Cache-Control", "Content-Disposition", "ETag", "Link", "Location", "WWW-Authenticate"}
    guards = {"Content-Security-Policy", "Referrer-Policy", "X-Content-Type-Options"}
    assert seen == counted | other | guards | {"Vary", "X-Request-ID"}


def test_answers_are_as_documented(house: House) -> None:
    match, players = house.table(pack="flat")
    ann, one = players[0], "/api/matches/{match_id}"
    for stage in range(3):
        for visitor in (ann, house.stranger):
            check(house, one, "get", 200, visitor.look(match))
            check(house, f"{one}/moves", "get", 200, visitor.moves(match))
            check(house, f"{one}/events", "get", 200, visitor.get(f"/matches/{match}/events").json)
            check(house, f"{one}/at/{{version}}", "get", 200, visitor.get(f"/matches/{match}/at/2").json)
        for player in players:
            if moves := player.moves(match)["moves"]:
                check(house, f"{one}/moves", "post", 200, player.move(match, moves[0]["id"]).json)
        if stage == 1:
            play_out(match, players)
    check(house, one, "get", 200, ann.look(match))
    check(house, "/api/keys", "get", 200, ann.get("/keys").json)
    check(house, "/api/matches", "get", 200, ann.get("/matches").json)
    check(house, "/api/me", "get", 200, ann.get("/me").json)
    check(house, "/api/me/turns", "get", 200, ann.get("/me/turns").json)
    check(house, "/api/games/{game}", "get", 200, ann.get("/games/three-magic").json)
    check(house, "/api/limits", "get", 200, ann.get("/limits").json)


def test_what_changes_a_match_is_answered_as_documented(house: House) -> None:
    ann, bob = house.player("Ann"), house.player("Bob")
    one = "/api/matches/{match_id}"
    opened = ann.post("/matches", {"game": "high-card", "seats": [None, None]}).json
    check(house, "/api/matches", "post", 201, opened)
    match = opened["id"]
    check(house, f"{one}/seats", "post", 200, ann.post(f"/matches/{match}/seats").json)
    check(house, f"{one}/seats", "delete", 200, ann.delete(f"/matches/{match}/seats").json)
    for player in (ann, bob):
        player.sit(match)
    check(house, f"{one}/abort", "post", 200, ann.post(f"/matches/{match}/abort").json)
    check(house, f"{one}/abort", "delete", 200, ann.delete(f"/matches/{match}/abort").json)
    check(house, f"{one}/abort", "post", 200, house.operator.post(f"/matches/{match}/abort").json)
    fork = {"version": ann.look(match)["version"] - 1, "seats": [None, {"bot": "random"}]}
    forked = ann.post(f"/matches/{match}/fork", fork).json
    check(house, f"{one}/fork", "post", 201, forked)
    check(house, one, "get", 200, ann.look(forked["id"]))
