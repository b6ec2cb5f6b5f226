"""People who have a password, and log in by it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from service.problems import Conflict
from service.store import Once
from service.store.idempotency import once
from service.wiring import Service
from tests.service.house import Answer, House, Visitor, beside
from tests.service.together import at_once

WORD = "correct horse battery"


def entered(house: House, answer: Answer) -> Visitor:
    """Whoever was handed the token of the answer."""
    assert answer.status_code == 201, answer.json
    player = answer.json.get("player", answer.json)
    return Visitor(house.app.test_client(), answer.json["token"], player["id"])


def with_password(house: House, login: str = "ann", **more: Any) -> Visitor:
    """Somebody who has signed up with a password."""
    said = {"name": "Ann", "login": login, "password": WORD, **more}
    return entered(house, house.stranger.post("/players", said))


def log_in(house: House, login: str, password: str = WORD, **more: Any) -> Answer:
    return house.stranger.post("/sessions", {"login": login, "password": password, **more})


def session(house: House, login: str = "ann", password: str = WORD) -> Visitor:
    return entered(house, log_in(house, login, password))


def leave(visitor: Visitor, confirm: str | None = None, **more: str) -> Answer:
    return visitor.delete("/me", {"confirm": visitor.id if confirm is None else confirm, **more})


def asked_at_once(house: House, times: int, deed: Callable[[Service, Once], str]) -> list[str]:
    """What so many are answered who ask for it at once, of two processes on one store: it, or the conflict's code.

    Each asks with a key of its own.
    """
    services = [house.service, beside(house.service)]

    def ask(number: int) -> str:
        try:
            return deed(services[number % 2], once("", "", str(number), b""))
        except Conflict as error:
            return error.code

    return at_once(*(partial(ask, number) for number in range(times)))
