"""What every answer says to browsers, and whose pages may ask."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

import pytest

from service import config as configs
from service.config import Config
from service.web.middleware import READ, SHOWN
from tests.service.house import House, build

ORIGIN, OTHER = "https://play.example", "https://evil.example"


@pytest.fixture
def open_house(config: Config) -> Iterator[House]:
    with House(build(replace(config, origins=(ORIGIN, "http://localhost:3000")))) as house:
        yield house


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
    assert {"Authorization", "Idempotency-Key", "If-None-Match", "Last-Event-ID"} <= set(READ.split(", "))
    assert int(answer.headers["Access-Control-Max-Age"]) > 0
    assert "Access-Control-Allow-Credentials" not in answer.headers
    answer = open_house.player().get("/me", {"Origin": ORIGIN})
    assert answer.headers["Access-Control-Allow-Origin"] == ORIGIN
    assert answer.headers["Access-Control-Expose-Headers"] == SHOWN
    assert {"ETag", "Link", "Location", "Retry-After", "RateLimit", "X-Request-ID"} <= set(SHOWN.split(", "))
    assert answer.headers["Vary"].endswith("Accept-Language, Origin")
    refused = open_house.stranger.get("/me", {"Origin": ORIGIN})
    assert (refused.status_code, refused.headers["Access-Control-Allow-Origin"]) == (401, ORIGIN), "and why"
    assert open_house.stranger.get("/games").headers["Vary"].endswith(", Origin"), "a cache must know, whoever asked"


OTHERS = (OTHER, "null", f"{ORIGIN}.evil.example", "https://play.example:444", "", "play.example")


@pytest.mark.sqlite
def test_a_page_of_another_origin_is_told_nothing(open_house: House, config: Config) -> None:
    def allowed(house: House, origin: str) -> list[str]:
        ask = {"Origin": origin, "Access-Control-Request-Method": "POST"}
        answers = (
            house.send("OPTIONS", "/api/matches", headers=ask),
            house.send("GET", "/api/games", headers={"Origin": origin}),
        )
        return [name for answer in answers for name in dict(answer.headers) if name.startswith("Access-Control")]

    assert [allowed(open_house, origin) for origin in OTHERS] == [[]] * len(OTHERS)
    for origins in ((), ("*",)):
        with House(build(replace(config, data=config.data / f"{len(origins)}", origins=origins))) as house:
            assert bool(allowed(house, OTHER)) == bool(origins), "where none is named no page may ask"
            assert ("Origin" in house.send("GET", "/api/games").headers.get("Vary", "")) == bool(origins)
            answer = house.send("GET", "/healthz", headers={"Origin": OTHER})
            assert "Access-Control-Allow-Origin" not in answer.headers, "no part of the interface"


def test_origins_are_said_as_browsers_say_them() -> None:
    said = " https://Play.example ,http://localhost:3000,,*"
    assert configs.parse_origins(said) == ("https://play.example", "http://localhost:3000", "*")
    for wrong in ("play.example", "https://a/b", "https://a/", "ftp://a", "https://*.a", "https://a?b", "https://u@a"):
        with pytest.raises(ValueError, match=re.escape(wrong)):
            configs.parse_origins(wrong)
