"""What every answer says to browsers, and whose pages may ask."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

import pytest
from flask import Flask

from service import config as configs
from service.config import Config
from service.web.middleware import READ, SHOWN
from tests.service.house import House, build

ORIGIN, OTHER = "https://play.example", "https://evil.example"


@pytest.fixture
def open_house(config: Config, app: Flask) -> Iterator[House]:
    """One that a page of another origin may ask."""
    service = build(replace(config, origins=(ORIGIN, "http://localhost:3000")))
    yield House(service, app)
    service.close()


def test_what_has_an_etag_may_be_kept_to_be_asked_again(house: House) -> None:
    match, (ann, _) = house.table()
    own, anyones = ann.get(f"/matches/{match}"), house.stranger.get(f"/matches/{match}")
    assert own.headers["Cache-Control"] == "private, no-cache"
    assert anyones.headers["Cache-Control"] == "no-cache"
    again = ann.get(f"/matches/{match}", {"If-None-Match": own.headers["ETag"]})
    assert (again.status_code, again.headers["Cache-Control"]) == (304, "private, no-cache")
    assert ann.get("/me").headers["Cache-Control"] == "no-store"
    assert house.stranger.get("/matches/m_none").headers["Cache-Control"] == "no-store"
    assert house.stranger.get("/limits").headers["Cache-Control"] == "no-store"


def test_a_page_of_a_named_origin_may_ask_and_read(open_house: House) -> None:
    ask = {"Origin": ORIGIN, "Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": "authorization"}
    answer = open_house.send("OPTIONS", "/api/matches", headers=ask)
    assert (answer.status_code, answer.data) == (204, b"")
    assert answer.headers["Access-Control-Allow-Origin"] == ORIGIN
    assert {"POST", "DELETE"} <= set(answer.headers["Access-Control-Allow-Methods"].split(", "))
    assert answer.headers["Access-Control-Allow-Headers"] == READ
    assert {"Authorization", "Idempotency-Key", "If-None-Match", "Last-Event-ID", "Content-Type"} <= set(
        READ.split(", ")
    )
    assert int(answer.headers["Access-Control-Max-Age"]) > 0
    assert "Access-Control-Allow-Credentials" not in answer.headers
    assert "X-Request-ID" in answer.headers
    ann = open_house.player()
    answer = ann.get("/me", {"Origin": ORIGIN})
    assert answer.headers["Access-Control-Allow-Origin"] == ORIGIN
    assert answer.headers["Access-Control-Expose-Headers"] == SHOWN
    assert {"ETag", "Link", "Location", "Retry-After", "RateLimit", "RateLimit-Policy", "X-Request-ID"} <= set(
        SHOWN.split(", ")
    )
    assert answer.headers["Vary"].endswith("Accept-Language, Origin")
    refused = open_house.stranger.get("/me", {"Origin": ORIGIN})
    assert (refused.status_code, refused.headers["Access-Control-Allow-Origin"]) == (401, ORIGIN), "and why"
    assert open_house.stranger.get("/games").headers["Vary"].endswith(", Origin"), "a cache must know, whoever asked"


@pytest.mark.parametrize(
    "origin", [OTHER, "null", f"{ORIGIN}.evil.example", "https://play.example:444", "", "play.example"]
)
def test_a_page_of_another_origin_is_told_nothing(open_house: House, origin: str) -> None:
    ask = {"Origin": origin, "Access-Control-Request-Method": "POST"}
    for answer in (
        open_house.send("OPTIONS", "/api/matches", headers=ask),
        open_house.send("GET", "/api/games", headers={"Origin": origin}),
    ):
        assert not [name for name in dict(answer.headers) if name.startswith("Access-Control")]


def test_where_no_origin_is_named_no_page_may_ask(house: House) -> None:
    ask = {"Origin": ORIGIN, "Access-Control-Request-Method": "POST"}
    answer = house.send("OPTIONS", "/api/matches", headers=ask)
    assert not [name for name in dict(answer.headers) if name.startswith("Access-Control")]
    assert "Origin" not in answer.headers.get("Vary", "")


def test_everybodys_pages_may_ask_where_the_operator_says_so(config: Config, app: Flask) -> None:
    service = build(replace(config, origins=("*",)))
    answer = House(service, app).send("GET", "/api/games", headers={"Origin": OTHER})
    assert answer.headers["Access-Control-Allow-Origin"] == OTHER
    answer = House(service, app).send("GET", "/healthz", headers={"Origin": OTHER})
    assert "Access-Control-Allow-Origin" not in answer.headers, "no part of the interface"
    service.close()


def test_origins_are_said_as_browsers_say_them() -> None:
    said = " https://Play.example ,http://localhost:3000,,*"
    assert configs.parse_origins(said) == ("https://play.example", "http://localhost:3000", "*")
    for wrong in ("play.example", "https://a/b", "https://a/", "ftp://a", "https://*.a", "https://a?b", "https://u@a"):
        with pytest.raises(ValueError, match=re.escape(wrong)):
            configs.parse_origins(wrong)
