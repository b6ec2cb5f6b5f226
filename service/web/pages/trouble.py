"""Errors as pages, for browsers; programs get problem+json."""

from __future__ import annotations

import msgspec
from flask import Response, g, request

from service.accounts import STRANGER
from service.problems import Problem
from service.web.errors import KIND
from service.web.pages import page, partly
from service.web.pages.words import COMMON

PROGRAMS = ("/api/", "/healthz", "/readyz", "/metrics", "/openapi")
"""The paths for programs, which never return pages."""

COPIED = ("Retry-After", "Allow")


def dress(answer: Response) -> Response:
    """Return the answer; an error for a browser as a page."""
    if answer.mimetype != KIND or request.path.startswith(PROGRAMS) or not _is_for_reading():
        return answer
    problem = msgspec.json.decode(answer.get_data())
    _know(answer.status_code)
    words = COMMON[page.lang()]
    is_nowhere = problem["code"] in {"unknown-path", "method-not-allowed"}
    dressed = page.refused(answer.status_code, words["not-there"] if is_nowhere else problem["detail"])
    for name in COPIED:
        if name in answer.headers:
            dressed.headers[name] = answer.headers[name]
    return dressed


def _is_for_reading() -> bool:
    """Return whether the request wants a page, or a part of one: browsers name HTML, programs accept anything."""
    return partly.is_wanted() or "text/html" in request.headers.get("Accept", "")


def _know(status: int) -> None:
    """Find out the reader: an unknown path has no route that did so. After an error of the service nobody is known."""
    page.listen()
    if status < 500:
        try:
            g.asker = page.looker()
        except Problem:
            g.asker = STRANGER
    else:
        g.session, g.me = None, None
