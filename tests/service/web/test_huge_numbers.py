"""A number that nobody counts to is refused wherever it may stand: in a path, a query, a header, a body or a form."""

from __future__ import annotations

import re
from collections.abc import Iterator
from copy import deepcopy
from typing import Any

import pytest
from flask import Flask
from werkzeug.routing import Rule

from service.accounts import BOT, PLAY
from service.config import Config
from service.web import create_app
from service.web.contract import operations
from tests.service.accounts.insiders import WORD
from tests.service.documented import document
from tests.service.house import House, build
from tests.service.security.furnished import FOUND, Furnished, furnish
from tests.service.web.pages.browsing import Browser

pytestmark = pytest.mark.sqlite

HUGE = (2**63 - 1, -(2**63) - 1, 10**4000)
"""Past what JSON's readers, SQLite and PostgreSQL count to; the last has nearly as many digits as Python reads."""

DIGITS = "9" * 4400
"""More than Python reads."""

NUMBERED = (
    *("at", "after", "before", "since", "limit", "seat", "eyes", "version", "wait", "number", "decision"),
    *("days", "hour"),
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
    said = document()["paths"][found.path][found.method.lower()].get("requestBody", {}).get("content", {})
    schemas = [content["schema"] for content in said.values()]
    return {one for schema in map(resolved, schemas) for one in schema.get("properties", {})}


def resolved(schema: dict[str, Any]) -> dict[str, Any]:
    name = schema.get("$ref", "").rpartition("/")[2]
    return dict(document()["components"]["schemas"][name]) if name else schema


def asked_with(furnished: Furnished, name: str) -> Iterator[dict[str, Any]]:
    """Each way to ask for the operation with such a number: its path, and what is sent with it."""
    found, said = FOUND[name], furnished.said(name)
    parts = {**furnished.parts, "token": DIGITS[:50]}
    path = found.path.format(**parts)
    told = document()["paths"][found.path][found.method.lower()].get("parameters", [])
    for number in (*map(str, HUGE[:-1]), DIGITS):
        for part in re.findall(r"{(\w+)}", found.path):
            yield {"path": found.path.format(**{**parts, part: number}), **said}
        for query in {one["name"] for one in told if one.get("in") == "query"}:
            yield {"path": path, "query_string": {query: number}}
        for header in HEADERS if found.method == "GET" else ():
            yield {"path": path, "headers": {header: number}}
    if found.method != "GET":
        body = said.get("json", {})
        for at in {*leaves(body), *((one,) for one in named_in_body(name))}:
            for large in HUGE:
                yield {"path": path, "json": with_number(body, at, large)}


@pytest.mark.parametrize("name", sorted(FOUND))
def test_no_operation_of_the_contract_is_upset_by_one(furnished: Furnished, name: str) -> None:
    found, house = FOUND[name], furnished.house
    is_workers = BOT in found.scopes and PLAY not in found.scopes
    token = house.worker.token if is_workers else furnished.ann.token
    client, wrong = house.app.test_client(use_cookies=False), set()
    for asked in asked_with(furnished, name):
        headers = {"Authorization": f"Bearer {token}", **asked.get("headers", {})}
        answer = client.open(**{**asked, "method": found.method, "headers": headers})
        answer.close()
        if answer.status_code >= 500:
            wrong.add((answer.status_code, asked["path"][:200], str(asked)[:300]))
    assert not wrong


def forms_and_addresses(furnished: Furnished, rule: Rule) -> Iterator[dict[str, Any]]:
    """Each way to ask for a page with such a number."""
    said = re.findall(r"<(?:\w+:)?(\w+)>", rule.rule)
    plain = re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", rule.rule)
    parts = {**dict.fromkeys(said, "none"), **furnished.parts, "slug": "high-card", "what": "erase"}
    path = plain.format(**parts)
    for number in (*map(str, HUGE[:-1]), DIGITS):
        named = [plain.format(**{**parts, one: number}) for one in said]
        if "GET" in (rule.methods or ()):
            yield from ({"method": "GET", "path": one} for one in named)
            yield {"method": "GET", "path": path, "query_string": dict.fromkeys(NUMBERED, number)}
        if "POST" in (rule.methods or ()):
            fields = {"game": "high-card", "answer": "decline", **dict.fromkeys(NUMBERED, number)}
            yield from ({"method": "POST", "path": one, "data": fields} for one in (path, *named))


def test_no_page_is_upset_by_one(furnished: Furnished) -> None:
    house, wrong = furnished.house, []
    browser = Browser(house)
    browser.client.set_cookie(
        "foldtable", house.stranger.post("/sessions", {"login": "ann", "password": WORD}).json["token"]
    )
    browser.look("/settings")
    for rule in house.app.url_map.iter_rules():
        if not rule.endpoint.startswith("pages_") or rule.rule in {"/sign-out", "/settings/erase"}:
            continue
        for asked in forms_and_addresses(furnished, rule):
            if "data" in asked:
                asked["data"]["csrf"] = browser.csrf
            answer = browser.client.open(**{**asked, "headers": browser.headers})
            answer.close()
            if answer.status_code >= 500:
                wrong.append((answer.status_code, str(asked)[:200]))
    assert not wrong


def test_every_number_of_a_path_is_one_that_every_reader_of_json_counts_to() -> None:
    numbers = {
        (found.path, one["name"]): one["schema"].get("maximum")
        for found in operations(create_app(None))
        for one in document()["paths"][found.path][found.method.lower()].get("parameters", [])
        if one.get("in") == "path" and one["schema"].get("type") == "integer"
    }
    assert numbers
    assert set(numbers.values()) == {2**53 - 1}
