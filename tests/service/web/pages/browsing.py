"""Somebody who looks at pages: a browser without a script, which keeps its cookies and fills in forms."""

from __future__ import annotations

import re
from html import unescape

from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from tests.service.house import House

FIELD = re.compile(r'<meta name="csrf" content="([^"]*)"')


class Browser:
    """One person's browser."""

    def __init__(self, house: House, lang: str = "en") -> None:
        self.client: FlaskClient = house.app.test_client()
        self.headers = {"Accept-Language": lang}
        self.csrf = ""

    def look(self, path: str, status: int = 200) -> str:
        """The page there, as text."""
        return self._seen(self.client.get(path, headers=self.headers), status)

    def send(self, path: str, *, status: int = 303, **fields: str) -> TestResponse:
        """The answer to a form of the page that was looked at last."""
        answer = self.client.post(path, data={"csrf": self.csrf, **fields}, headers=self.headers)
        assert answer.status_code == status, answer.text
        if status != 303:
            self._seen(answer, status)
        return answer

    def follow(self, path: str, **fields: str) -> str:
        """The page to which a form leads."""
        return self.look(self.send(path, status=303, **fields).headers["Location"])

    def _seen(self, answer: TestResponse, status: int) -> str:
        assert answer.status_code == status, answer.text
        assert answer.content_type == "text/html; charset=utf-8"
        if found := FIELD.search(answer.text):
            self.csrf = unescape(found[1])
        return str(answer.text)


def signed_up(house: House, name: str, lang: str = "en", **more: str) -> Browser:
    """Somebody who has just signed up, by the form."""
    browser = Browser(house, lang)
    browser.look("/sign-in")
    browser.follow("/sign-up", name=name, **more)
    return browser
