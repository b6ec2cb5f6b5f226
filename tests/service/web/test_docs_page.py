"""The page at /docs: the document to read, without a script and without anybody else."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest

from service.web.contract import page
from tests.service.house import House

pytestmark = pytest.mark.sqlite


class Read(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.ids: list[str] = []
        self.asked: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        for name, value in attrs:
            if name == "id":
                self.ids.append(value or "")
            elif name in {"href", "src"}:
                self.asked.add(value or "")


def test_it_shows_every_operation_and_every_shape_runs_nothing_and_asks_nobody_else(house: House) -> None:
    answer, found = house.send("GET", "/docs"), Read()
    found.feed(answer.text)
    told = house.stranger.get("/openapi.json").json
    operations = {one["operationId"] for methods in told["paths"].values() for one in methods.values()}
    assert operations | {f"schema-{name}" for name in told["components"]["schemas"]} <= set(found.ids)
    assert len(found.ids) == len(set(found.ids))
    inside = {one[1:] for one in found.asked if one.startswith("#")}
    assert inside <= set(found.ids)
    assert found.asked - {f"#{one}" for one in inside} == {"/docs/style.css", "/api/openapi.json"}
    assert answer.headers["Content-Security-Policy"].startswith("default-src 'none'; style-src 'self';")
    assert not found.tags & {"script", "iframe", "img", "form", "object"}
    assert " style=" not in answer.text
    style = house.send("GET", "/docs/style.css")
    assert style.mimetype == "text/css"
    assert not re.search(r"url\(|@import", style.text)


def test_what_the_document_says_is_text_on_it_and_no_markup() -> None:
    assert page.prose("a <b> & `<c>`\n\n*so*") == "<p>a &lt;b&gt; &amp; <code>&lt;c&gt;</code></p><p><em>so</em></p>"
