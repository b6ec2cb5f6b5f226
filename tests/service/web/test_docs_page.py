"""The pages at /docs: the document to read, a list first, then each part by itself, in the site's frame."""

from __future__ import annotations

import re

import pytest

from service.web.pages import docs
from tests.service.house import House
from tests.service.web.pages.browsing import Browser

pytestmark = pytest.mark.sqlite

LOADS = re.compile(
    r'<details data-loads="(/docs/(?:operations|schemas)/\w+)">.*?<div id="([^"]+)"><a href="\1">', re.DOTALL
)


def test_it_lists_every_operation_and_every_shape_and_each_has_a_page_that_names_only_what_is_there(
    house: House,
) -> None:
    told = house.stranger.get("/openapi.json").json
    operations = {one["operationId"] for methods in told["paths"].values() for one in methods.values()}
    page = Browser(house).look("/docs")
    assert len(page) < 130_000, "what is opened is loaded then"
    lines = LOADS.findall(page)
    assert {id for _, id in lines} == operations | {f"schema-{name}" for name in told["components"]["schemas"]}
    ids = set(re.findall(r' id="([^"]*)"', page))
    asked: set[str] = set()
    for path, _ in lines:
        asked |= set(re.findall(r'"(?:/docs)?#([^"]*)"', Browser(house).look(path)))
    assert len(asked) > 100
    assert asked - {"page"} <= ids
    for path in ("/docs/operations/none", "/docs/schemas/none"):
        Browser(house).look(path, 404)


def test_it_is_in_the_frame_of_whoever_reads_and_asks_nobody_else(house: House) -> None:
    ann = house.player("Ann")
    page = Browser(house, "ja", who=ann).look("/docs")
    assert '<html lang="ja">' in page
    assert ">Ann</a>" in page
    assert '<div class="docs" lang="en">' in page
    asked = re.findall(r' (?:href|src)="([^"]*)"', page)
    assert not [address for address in asked if not address.startswith(("/", "#"))]
    style = house.send("GET", "/docs/style.css")
    assert style.mimetype == "text/css"
    assert not re.search(r"url\(|@import", style.text)


def test_what_the_document_says_is_text_on_it_and_no_markup() -> None:
    assert docs.prose("a <b> & `<c>`\n\n*so*") == "<p>a &lt;b&gt; &amp; <code>&lt;c&gt;</code></p><p><em>so</em></p>"
