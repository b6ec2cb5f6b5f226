"""People who have a password, and log in by it."""

from __future__ import annotations

from typing import Any

from tests.service.house import Answer, House, Visitor

WORD = "correct horse battery"


def with_password(house: House, login: str = "ann", **more: Any) -> Visitor:
    """Somebody who has signed up with a password."""
    answer = house.stranger.post("/players", {"name": "Ann", "login": login, "password": WORD, **more})
    assert answer.status_code == 201, answer.json
    return Visitor(house.app.test_client(), answer.json["token"], answer.json["id"])


def log_in(house: House, login: str, password: str = WORD, **more: Any) -> Answer:
    return house.stranger.post("/sessions", {"login": login, "password": password, **more})


def session(house: House, login: str = "ann", password: str = WORD) -> Visitor:
    answer = log_in(house, login, password)
    assert answer.status_code == 201, answer.json
    return Visitor(house.app.test_client(), answer.json["token"], answer.json["player"]["id"])
