"""The page at /docs: the document to read, without a script and without anybody else."""

from __future__ import annotations

import re

import pytest

from service.web.contract import page
from tests.service.house import House

pytestmark = pytest.mark.sqlite


def test_it_shows_every_operation_and_every_shape_runs_nothing_and_asks_nobody_else(house: House) -> None:
    answer = house.send("GET", "/docs")
    ids, asked = re.findall(r' id="([^"]*)"', answer.text), {*re.findall(r' (?:href|src)="([^"]*)"', answer.text)}
    told = house.stranger.get("/openapi.json").json
    operations = {one["operationId"] for methods in told["paths"].values() for one in methods.values()}
    assert operations | {f"schema-{name}" for name in told["components"]["schemas"]} <= {*ids}
    assert len(ids) == len({*ids})
    inside = {f"#{id}" for id in ids}
    assert {address for address in asked if address.startswith("#")} <= inside
    assert asked - inside == {"/docs/style.css", "/api/openapi.json"}
    assert answer.headers["Content-Security-Policy"].startswith("default-src 'none'; style-src 'self';")
    assert not re.search(r"<(script|iframe|img|form|object)\b", answer.text, re.IGNORECASE)
    assert " style=" not in answer.text
    style = house.send("GET", "/docs/style.css")
    assert style.mimetype == "text/css"
    assert not re.search(r"url\(|@import", style.text)


def test_what_the_document_says_is_text_on_it_and_no_markup() -> None:
    assert page.prose("a <b> & `<c>`\n\n*so*") == "<p>a &lt;b&gt; &amp; <code>&lt;c&gt;</code></p><p><em>so</em></p>"
