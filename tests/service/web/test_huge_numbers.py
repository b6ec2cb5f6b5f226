"""A number that nobody counts to is refused wherever it may stand: in a path, a query, a header, a body or a form."""

from __future__ import annotations

import re
from collections.abc import Iterator
from copy import deepcopy
from typing import Any

import pytest
from flask import Flask

from service.config import Config
from service.web import create_app
from service.web.contract import operations
from tests.service.accounts.insiders import WORD
from tests.service.documented import document
from tests.service.house import House, build
from tests.service.security.furnished import FOUND, Furnished, furnish
from tests.service.web.pages.browsing import Browser

pytestmark = pytest.mark.sqlite

HUGE = (2**63 - 1, 2**63, 10**30, -(2**63) - 1, 10**4000)
"""Past what JSON's readers, SQLite and PostgreSQL count to; the last has nearly as many digits as Python reads."""

DIGITS = "9" * 4400
"""More than Python reads."""

NUMBERED = (
    "at",
    "after",
    "before",
    "since",
    "limit",
    "seat",
    "eyes",
    "version",
    "wait",
    "number",
    "decision",
    "days",
    "hour",
)
"""What numbers are called in addresses and forms of pages."""

HEADERS = ("Last-Event-ID", "If-None-Match", "Idempotency-Key", "Content-Encoding")


@pytest.fixture(scope="module")
def furnished(tmp_path_factory: pytest.TempPathFactory, app: Flask) -> Iterator[Furnished]:
    service = build(Config(data=tmp_path_factory.mktemp("house"), bot_pause=0.0, sign_up="invitation"))
    yield furnish(House(service, app))
    service.close()


def leaves(value: Any, at: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Where in the value something stands that is no object and no list."""
    if isinstance(value, dict | list):
        for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
            yield from leaves(inner, (*at, key))
    else:
        yield at


def with_number(body: Any, at: tuple[Any, ...], number: int) -> Any:
    """The body with that number there."""
    if not at:
        return number
    changed = deepcopy(body)
    inner = changed
    for key in at[:-1]:
        inner = inner[key]
    inner[at[-1]] = number
    return changed


def named_in_body(name: str) -> set[str]:
    """What the document says that a body of the operation may name."""
    found = FOUND[name]
    said = document()["paths"][found.path][found.method].get("requestBody", {}).get("content", {})
    schemas = [content["schema"] for content in said.values()]
    return {one for schema in map(resolved, schemas) for one in schema.get("properties", {})}


def resolved(schema: dict[str, Any]) -> dict[str, Any]:
    name = schema.get("$ref", "").rpartition("/")[2]
    return dict(document()["components"]["schemas"][name]) if name else schema


@pytest.mark.parametrize("name", sorted(FOUND))
def test_no_operation_of_the_contract_is_upset_by_one(furnished: Furnished, name: str) -> None:
    found, said = FOUND[name], furnished.said(name)
    token = furnished.house.worker.token if "bot:play" in (found.told.scopes if found.told else ()) else None
    asked = {"headers": {"Authorization": f"Bearer {token or furnished.ann.token}"}}
    client = furnished.house.app.test_client(use_cookies=False)
    parts = {**furnished.parts, "token": DIGITS[:50]}
    answers = []
    for part in re.findall(r"{(\w+)}", found.path):
        for number in (*map(str, HUGE[:-1]), DIGITS):
            path = found.path.format(**{**parts, part: number})
            answers.append(client.open(path, method=found.method.upper(), **asked, **said))
    path = found.path.format(**parts)
    told = document()["paths"][found.path][found.method].get("parameters", [])
    for query in {one["name"] for one in told if one.get("in") == "query"}:
        for number in (*map(str, HUGE[:-1]), DIGITS):
            answers.append(client.open(path, method=found.method.upper(), **asked, query_string={query: number}))
    for header in HEADERS:
        for number in (*map(str, HUGE[:-1]), DIGITS):
            more = {"headers": {**asked["headers"], header: number}}
            if found.method == "get":
                answers.append(client.open(path, method="GET", **more))
    body = said.get("json", {})
    if found.method != "get":
        for at in {*leaves(body), *((one,) for one in named_in_body(name))}:
            for number in HUGE:
                answers.append(
                    client.open(path, method=found.method.upper(), **asked, json=with_number(body, at, number))
                )
    wrong = {(answer.request.full_path[:200], answer.status_code) for answer in answers if answer.status_code >= 500}
    assert not wrong


def test_no_page_is_upset_by_one(furnished: Furnished) -> None:
    house = furnished.house
    answer = house.stranger.post("/sessions", {"login": "ann", "password": WORD})
    browser = Browser(house)
    browser.client.set_cookie("foldtable", answer.json["token"])
    browser.look("/settings")
    wrong = []
    for rule in house.app.url_map.iter_rules():
        if not rule.endpoint.startswith("pages_") or rule.rule in {"/sign-out", "/settings/erase"}:
            continue
        said = re.findall(r"<(?:\w+:)?(\w+)>", rule.rule)
        plain = re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", rule.rule)
        parts = {**dict.fromkeys(said, "none"), **furnished.parts, "slug": "high-card", "what": "erase"}
        for number in (*map(str, HUGE[:-1]), DIGITS):
            paths = [plain.format(**{**parts, one: number}) for one in said]
            numbers = dict.fromkeys(NUMBERED, number)
            paths += [f"{plain.format(**parts)}?{name}={number}" for name in NUMBERED]
            for method in {"GET", "POST"} & (rule.methods or set()):
                for path in paths if method == "GET" else [*paths[: len(said)], plain.format(**parts)]:
                    more = (
                        {"data": {"csrf": browser.csrf, "game": "high-card", "answer": "decline", **numbers}}
                        if method == "POST"
                        else {}
                    )
                    answer = browser.client.open(path, method=method, headers=browser.headers, **more)
                    if answer.status_code >= 500:
                        wrong.append((method, path[:80], answer.status_code))
    assert not wrong


def test_every_number_of_a_path_is_one_that_every_reader_of_json_counts_to() -> None:
    numbers = {
        (found.path, one["name"]): one["schema"].get("maximum")
        for found in operations(create_app(None))
        for one in document()["paths"][found.path][found.method].get("parameters", [])
        if one.get("in") == "path" and one["schema"].get("type") == "integer"
    }
    assert numbers
    assert set(numbers.values()) == {2**53 - 1}
