"""What a request is told that says what can't be: by names that it knows, and by the same code wherever it says so."""

from __future__ import annotations

from typing import Any

import pytest

from tests.service.house import House

OPENED = {"game": "high-card", "seats": [None, None]}


@pytest.mark.parametrize(
    ("path", "body", "where"),
    [
        ("/players", [], ["body"]),
        ("/players", 3, ["body"]),
        ("/players", {}, ["name"]),
        ("/matches", {**OPENED, "seats": [{}, None]}, ["seats", "0"]),
        ("/matches", {**OPENED, "seats": ["x", None]}, ["seats", "0"]),
        ("/matches", {**OPENED, "clock": {}}, ["clock"]),
        ("/matches", {**OPENED, "clock": {"preset": "never"}}, ["clock", "preset"]),
        ("/matches", {**OPENED, "more": 1}, ["more"]),
        ("/matches/m_none/moves", {"decision": 1}, ["body"]),
        ("/matches/m_none/offers", {"bot": "random", "player": "p"}, ["body"]),
    ],
)
def test_what_is_wrong_with_all_of_something_stands_where_that_is(
    house: House, path: str, body: Any, where: list[str]
) -> None:
    said = house.player().post(path, body)
    assert (said.status_code, said.json["code"]) == (422, "malformed")
    assert (*said.json["errors"],) == (where[0],)
    assert where[0] in said.json["detail"]
    told: Any = said.json["errors"]
    for name in where:
        told = told[name]
    assert told
    assert all(isinstance(one, str) for one in told)
    assert "_schema" not in str(said.json)


@pytest.mark.parametrize("lang", ["la", "", "EN", "en,ja"])
def test_a_language_that_is_not_spoken_is_one_problem_everywhere(house: House, lang: str) -> None:
    ann = house.player()
    match = ann.open()
    answers = [ann.get(path, lang=lang) for path in ("/matches", f"/matches/{match}", f"/matches/{match}/events")]
    # whatever else is wrong
    answers += [ann.get("/matches", lang=lang, limit="x"), ann.post("/players", {}, lang=lang)]
    assert {(one.status_code, one.json["code"]) for one in answers} == {(422, "unknown-lang")}
    assert {tuple(one.json["fields"]["known"]) for one in answers} == {("en", "ja")}


def test_a_query_is_told_by_its_fields(house: House) -> None:
    said = house.stranger.get("/matches", limit="x", status="lost")
    assert (said.json["code"], sorted(said.json["errors"])) == ("malformed", ["limit", "status"])
