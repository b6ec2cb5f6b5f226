"""What somebody may do something with is handed out once: no log line, metric or file, and no later answer repeats it.

A tour of the house asks for everything as the document's examples do, and for each thing also wrongly, so that what is
refused is seen too. Lines of every level are kept as they are before anything is blotted out.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import count
from typing import Any, cast

import pytest
import structlog
from prometheus_client.exposition import generate_latest
from structlog.testing import LogCapture

from docs.example_walk import walk, walk_by_pass
from docs.make_examples import Recorder
from service.config import Config
from service.telemetry import logs, metrics
from service.web.contract import examples
from tests.service.house import Answer, House, build

ONCE = {"token", "secret"}
"""Properties of answers that hand something out which is told once, and of bodies."""

SHOWN = {"code", "csrf", "link"}
"""Properties that hand something out which whoever has it may ask for again."""

BODIES = {"password", "new", "old", "pass", "nonce"}
"""Properties of bodies that others may not know."""


PASSES = {"createPass", "listPasses", "withdrawPass"}
"""What there is only where people sign up by invitation."""


NONCE = "0a1b2c3d" * 8


class Tour(Recorder):
    """Asks as the examples' walk does, each thing also wrongly, and keeps every secret that comes by."""

    def __init__(self, house: House) -> None:
        super().__init__(house.service, {}, house.app)
        self._numbers = count()
        self.secrets = dict.fromkeys(self.tokens.values(), "the house's")
        self.answers: list[tuple[str, str]] = []
        self.asked: set[str] = set()

    def ask(self, operation: str, who: str = "", body: Any = None, query: Any = None, **parts: Any) -> Any:
        if operation == "takeSeat":
            body = {**body, "nonce": NONCE}
        found = self._where[operation]
        path, headers = found.path.format(**parts), {"Authorization": f"Bearer {self.tokens[who]}"} if who else {}
        self._keep(body, ONCE | BODIES, operation)
        self._ask_wrongly(found.method, path, headers, body)
        more: dict[str, Any] = {} if body is None else {"json": body}
        answer = self._send(found.method, path, headers=headers, query_string=query, **more)
        assert answer.status_code < 400, (operation, answer.data)
        self.answers.append((operation, answer.get_data(as_text=True)))
        self.asked.add(operation)
        told = answer.get_json() if answer.content_type == "application/json" else None
        self._keep(told, ONCE | SHOWN, operation)
        return told

    def mailed(self, kind: str, player: str, address: str) -> str:
        token = super().mailed(kind, player, address)
        self.secrets[token] = f"mail of {kind}"
        return token

    def browse(self, login: str, password: str) -> None:
        """Log in as a browser does: the token lies in a cookie."""
        body = {"login": login, "password": password, "cookie": True}
        answer = self._send("post", "/api/sessions", json=body)
        cookie = answer.headers["Set-Cookie"].partition(";")[0]
        self.secrets[cookie.partition("=")[2]] = "a cookie"
        self._keep(answer.json, SHOWN, "a cookie")
        for csrf in ("", answer.json["csrf"], self._lost("csrf")):
            said = {"Cookie": cookie, "X-CSRF-Token": csrf}
            self._send("post", "/api/me/mutes", headers=said, json={"player": "p_none"})
            self._send("get", "/api/sessions", headers=said)

    def _ask_wrongly(self, method: str, path: str, headers: dict[str, str], body: Any) -> None:
        """Say secrets where they do not belong; nothing of it is done."""
        wrong: list[dict[str, Any]] = [
            {"headers": {"Authorization": f"{kind} {self._lost(kind.lower())}"}} for kind in ("Bearer", "Basic")
        ]
        if headers:
            wrong.append({"headers": {"Cookie": f"foldtable={self._lost('cookie')}"}})
        if body is not None:
            broken = json.dumps({**body, "password": self._lost("broken")})[:-1]
            wrong += [
                {"headers": headers, "json": [{**body, "password": self._lost("listed")}]},
                {"headers": headers, "json": {**body, self._lost("field"): self._lost("value")}},
                {"headers": {**headers, "Content-Type": "application/json"}, "data": broken},
                {"headers": {**headers, "Idempotency-Key": f"{self._lost('key')} "}, "json": [body]},
            ]
        for more in wrong:
            self._send(method, path, **more)
        lost = f"{path}/{self._lost('path')}" if path.count("/") > 2 else f"/none/{self._lost('path')}"
        if "/orders" not in path and "/bots" not in path:
            self._send("get", lost, headers=headers)

    def _send(self, method: str, path: str, **more: Any) -> Answer:
        client = self.app.test_client(use_cookies=False)
        return cast(Answer, client.open(path, method=method.upper(), **more))

    def _lost(self, what: str) -> str:
        """Something that is said in the wrong place. It has not the length of a token, which would be blotted out."""
        secret = f"lost-{what}-{next(self._numbers)}-is-a-secret"
        self.secrets[secret] = what
        return secret

    def _keep(self, value: Any, names: set[str], where: str) -> None:
        for key, inner in value.items() if isinstance(value, dict) else ():
            if key in names and isinstance(inner, str) and len(inner) > 8:
                self.secrets[inner] = f"{key} of {where}"
            self._keep(inner, names, where)
        for inner in value if isinstance(value, list) else ():
            self._keep(inner, names, where)


@pytest.fixture
def lines(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> Iterator[Callable[[], list[str]]]:
    """Whatever was logged, by us and by libraries, before anything is blotted out of it."""
    caplog.set_level(logging.DEBUG)
    before, kept = structlog.get_config(), LogCapture()
    monkeypatch.setattr("service.telemetry.logs.tells_requests", True)
    structlog.configure(processors=[structlog.processors.add_log_level, logs._about, logs.where, kept])
    yield lambda: [
        *map(repr, kept.entries),
        *(repr((one.getMessage(), one.args, one.exc_info and one.exc_info[1])) for one in caplog.records),
    ]
    structlog.configure(**before)


@pytest.mark.sqlite
@pytest.mark.parametrize("sign_up", ["open", "invitation"])
def test_a_tour_of_the_house_leaves_no_secret_behind(
    config: Config, lines: Callable[[], list[str]], sign_up: str
) -> None:
    with House(build(replace(config, sign_up=sign_up))) as house:
        tour = Tour(house)
        (walk if sign_up == "open" else walk_by_pass)(tour)
        if sign_up == "open":
            tour.browse("ann-of-the-mill", "a goose at the window")
    expected = {name for name, told in examples().items() if told.get("answers")}
    assert tour.asked >= (expected - PASSES if sign_up == "open" else PASSES)
    assert len(lines()) > len(tour.asked)
    said = "\n".join(lines())
    assert "/api/me" in said or "/api/passes" in said, "requests are told of"
    counted = generate_latest(metrics.REGISTRY).decode()
    stored = b"".join(path.read_bytes() for path in config.data.glob("foldtable.db*"))
    for secret, what in tour.secrets.items():
        assert secret not in said, f"{what} is logged"
        assert secret not in counted, f"{what} is counted"
        if "nonce" not in what:  # it goes into the log, where it is a secret of the match
            assert secret.encode() not in stored, f"{what} lies in the store as it is"
        if what.partition(" ")[0] in ONCE | BODIES - {"nonce"}:  # which its own seat may read there
            assert sum(secret in body for _, body in tour.answers) <= 1, f"{what} is told again"
