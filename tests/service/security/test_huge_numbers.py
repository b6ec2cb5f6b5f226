"""A number that nobody counts to is refused wherever it may stand: in a path, a query, a header, a body or a form."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from werkzeug.routing import Rule

from service.accounts import BOT, PLAY
from tests.service.accounts.insiders import WORD
from tests.service.documented import document
from tests.service.security.furnished import FOUND, Furnished
from tests.service.web.pages.browsing import Browser

pytestmark = pytest.mark.sqlite

HUGE = (2**63 - 1, -(2**63) - 1, 10**4000)
"""Past what JSON's readers, SQLite and PostgreSQL count to; the last has nearly as many digits as Python reads."""

WRITTEN = (*map(str, HUGE[:-1]), "9" * 4400)
"""The same in addresses; the last has more digits than Python reads."""

NUMBERED = (
    *("at", "after", "before", "since", "limit", "seat", "eyes", "version", "wait", "number", "decision"),
    *("days", "hour"),
)
"""What numbers are called in addresses and forms of pages."""

HEADERS = ("Last-Event-ID", "If-None-Match", "Idempotency-Key", "Content-Encoding")


def declared(name: str) -> dict[str, Any]:
    told: dict[str, Any] = document()["paths"][FOUND[name].path][FOUND[name].method.lower()]
    return told


def changed(value: Any, number: int) -> Iterator[Any]:
    """The value with the number in place of each of its parts."""
    if isinstance(value, dict):
        yield from ({**value, key: inner} for key in value for inner in changed(value[key], number))
    elif isinstance(value, list):
        for place, part in enumerate(value):
            yield from ([*value[:place], inner, *value[place + 1 :]] for inner in changed(part, number))
    else:
        yield number


def asked_with(furnished: Furnished, name: str) -> Iterator[dict[str, Any]]:
    """Each way to ask for the operation with such a number: its path, and what is sent with it."""
    found, sent, told = FOUND[name], furnished.said(name), declared(name)
    parts = {**furnished.parts, "token": WRITTEN[-1][:50]}
    path = found.path.format(**parts)
    for number in WRITTEN:
        for part in re.findall(r"{(\w+)}", found.path):
            yield {"path": found.path.format(**{**parts, part: number}), **sent}
        for query in {one["name"] for one in told.get("parameters", []) if one.get("in") == "query"}:
            yield {"path": path, "query_string": {query: number}}
        for header in HEADERS if found.method == "GET" else ():
            yield {"path": path, "headers": {header: number}}
    if found.method != "GET":
        schemas = [content["schema"] for content in told.get("requestBody", {}).get("content", {}).values()]
        named = {ref.rpartition("/")[2] for schema in schemas if (ref := schema.get("$ref"))}
        properties = [document()["components"]["schemas"][one].get("properties", {}) for one in named]
        body = sent.get("json", {})
        for number in HUGE:
            for wrong in changed(body, number):
                yield {"path": path, "json": wrong}
            for key in {key for one in properties for key in one}:
                yield {"path": path, "json": {**body, key: number}}


@pytest.mark.parametrize("name", sorted(FOUND))
def test_no_operation_of_the_contract_is_upset_by_one(furnished: Furnished, name: str) -> None:
    found, house = FOUND[name], furnished.house
    for one in declared(name).get("parameters", []):
        if one.get("in") == "path" and one["schema"].get("type") == "integer":
            assert one["schema"]["maximum"] == 2**53 - 1
    is_workers = BOT in found.scopes and PLAY not in found.scopes
    token = house.worker.token if is_workers else furnished.ann.token
    client, wrong = house.app.test_client(use_cookies=False), set()
    for asked in asked_with(furnished, name):
        headers = {"Authorization": f"Bearer {token}", **asked.get("headers", {})}
        with client.open(**{**asked, "method": found.method, "headers": headers}) as answer:
            if answer.status_code >= 500:
                wrong.add((answer.status_code, asked["path"][:200], str(asked)[:300]))
    assert not wrong


def forms_and_addresses(furnished: Furnished, rule: Rule) -> Iterator[dict[str, Any]]:
    said = re.findall(r"<(?:\w+:)?(\w+)>", rule.rule)
    plain = re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", rule.rule)
    parts = {**dict.fromkeys(said, "none"), **furnished.parts, "slug": "high-card", "what": "erase"}
    path = plain.format(**parts)
    for number in WRITTEN:
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
            with browser.client.open(**{**asked, "headers": browser.headers}) as answer:
                if answer.status_code >= 500:
                    wrong.append((answer.status_code, str(asked)[:200]))
    assert not wrong
