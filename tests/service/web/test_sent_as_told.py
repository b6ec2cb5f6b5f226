"""What no answer in JSON has is as the document says: the lines of an export, and what webhooks are sent."""

from __future__ import annotations

import json
from typing import Any

from jsonschema import Draft202012Validator, FormatChecker

from service.store import notices
from service.web import create_app, document
from service.web.contract.document import MADE_BY, URL
from service.web.routes.exports import KIND
from service.webhooks.sending import ID, SIGNATURE, TIMESTAMP
from tests.service.documented import document as strict_document
from tests.service.house import House, play_out

DOCUMENT = document(create_app(None))
CALLBACKS = next(
    told["callbacks"]
    for methods in DOCUMENT["paths"].values()
    for told in methods.values()
    if told["operationId"] == MADE_BY
)


def wrong(schema: dict[str, Any], value: Any, told: dict[str, Any] = DOCUMENT) -> list[str]:
    whole = {**schema, "components": told["components"]}
    return [error.message for error in Draft202012Validator(whole, format_checker=FormatChecker()).iter_errors(value)]


def lines_of(house: House, match: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in house.stranger.get(f"/matches/{match}/export").data.splitlines()]


def test_each_line_of_an_export_is_one_that_the_document_tells(house: House) -> None:
    match, players = house.table(clock={"preset": "day"})
    told = strict_document()
    schema = told["paths"]["/api/matches/{match_id}/export"]["get"]["responses"]["200"]["content"][KIND]["schema"][
        "contentSchema"
    ]
    found = lines_of(house, match)
    play_out(match, players)
    found += lines_of(house, match)
    for line in found:
        assert wrong(schema, line, told) == [], line
    assert {wrong({"$ref": "#/components/schemas/ExportHeader"}, one, told) == [] for one in found} == {True, False}
    assert wrong(schema, {**found[0], "viewer": 1.5}, told)
    assert wrong(schema, {"something": "else"}, told)


def body_of(kind: str) -> dict[str, Any]:
    told = CALLBACKS[kind][URL]["post"]
    assert {one["name"] for one in told["parameters"]} == {ID, TIMESTAMP, SIGNATURE}
    return dict(told["requestBody"]["content"]["application/json"]["schema"])


def test_all_that_webhooks_are_told_of_is_in_the_document_and_told_apart_by_its_kind() -> None:
    assert {*CALLBACKS} == {*notices.KINDS, notices.PING}
    names = [told[URL]["post"]["operationId"] for told in CALLBACKS.values()]
    paths = [told["operationId"] for methods in DOCUMENT["paths"].values() for told in methods.values()]
    assert len({*names, *paths}) == len(names) + len(paths)
    for kind in CALLBACKS:
        sent = {"type": kind, "timestamp": "2026-03-01T12:00:00.000Z", "data": {"match": "m", "seat": "0"}}
        assert bool(wrong(body_of(kind), sent)) is (kind != notices.PING)
        assert wrong(body_of(kind), {**sent, "type": "news"})
