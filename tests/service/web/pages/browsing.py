"""Somebody who looks at pages: a browser without a script, which keeps its cookies and fills in forms."""

from __future__ import annotations

import json
import re
from html import unescape
from typing import Any

from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from tests.service.house import House, Visitor

FIELD = re.compile(r'<meta name="csrf" content="([^"]*)"')
DATA = re.compile(r'<script type="application/json" id="data">(.*?)</script>', re.DOTALL)
MOVE = re.compile(r'name="decision" value="(\d+)".*?name="id" value="([^"]+)"', re.DOTALL)


class Browser:
    """One person's browser. `who`: who is signed in there; None for nobody."""

    def __init__(self, house: House, lang: str = "en", *, who: Visitor | None = None) -> None:
        self.client: FlaskClient = house.app.test_client()
        self.headers = {"Accept-Language": lang}
        self.csrf = ""
        if who is not None:
            self.client.set_cookie("foldtable", str(who.token))

    @property
    def id(self) -> str:
        """The id of who is signed in."""
        return str(self.client.get("/api/me").get_json()["id"])

    def look(self, path: str, status: int = 200) -> str:
        """The page there, as text."""
        return self._seen(self.client.get(path, headers=self.headers), status)

    def send(self, path: str, *, status: int = 303, **fields: str) -> TestResponse:
        """The answer to a form of the page that was looked at last, or of the page where one signs in."""
        if not self.csrf:
            self.look("/sign-in")
        answer = self.client.post(path, data={"csrf": self.csrf, **fields}, headers=self.headers)
        assert answer.status_code == status, answer.text
        if status != 303:
            self._seen(answer, status)
        return answer

    def follow(self, path: str, **fields: str) -> str:
        """The page to which a form leads."""
        return self.look(self.send(path, status=303, **fields).headers["Location"])

    def move(self, table: str) -> str:
        """Make the first move that a table's page lists: the page that follows."""
        found = MOVE.search(self.look(table))
        assert found, "there is a move"
        return self.follow(f"{table}/do/move", decision=found[1], id=found[2])

    def _seen(self, answer: TestResponse, status: int) -> str:
        assert answer.status_code == status, answer.text
        assert answer.content_type == "text/html; charset=utf-8"
        if found := FIELD.search(answer.text):
            self.csrf = unescape(found[1])
        return str(answer.text)


def scripted(page: str) -> dict[str, Any]:
    """What a page's script is told, {} for nothing; nothing in it ends the element."""
    found = DATA.search(page)
    assert not found or "<" not in found[1]
    return dict(json.loads(found[1])) if found else {}


def signed_up(house: House, name: str, **more: str) -> Browser:
    """Somebody who has just signed up, by the form."""
    browser = Browser(house)
    browser.follow("/sign-up", name=name, **more)
    return browser
