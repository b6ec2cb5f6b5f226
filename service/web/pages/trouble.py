"""Errors as pages, for browsers: whoever asks for a page is told in a page what went wrong, and programs as ever."""

from __future__ import annotations

import msgspec
from flask import Flask, Response, g, request

from service.accounts import STRANGER
from service.problems import Problem
from service.web.errors import KIND
from service.web.pages import page, partly
from service.web.pages.words import COMMON

PROGRAMS = ("/api/", "/healthz", "/readyz", "/metrics", "/openapi")
"""Paths that answer programs, whatever they say that they take."""

COPIED = ("Retry-After", "Allow")


def register(app: Flask) -> None:
    """Have the app answer so."""
    app.after_request(dress)


def dress(answer: Response) -> Response:
    """The answer; as a page where it tells a browser of an error."""
    if answer.mimetype != KIND or request.path.startswith(PROGRAMS) or not _is_for_reading():
        return answer
    said = msgspec.json.decode(answer.get_data())
    _know(answer.status_code)
    words = COMMON[page.lang()]
    is_nowhere = said["code"] in {"unknown-path", "method-not-allowed"}
    told = page.refused(answer.status_code, words["not-there"] if is_nowhere else said["detail"])
    for name in COPIED:
        if name in answer.headers:
            told.headers[name] = answer.headers[name]
    return told


def _is_for_reading() -> bool:
    """Whether somebody wants a page, or a part of one: browsers say so by name, and programs take anything."""
    return partly.is_wanted() or "text/html" in request.headers.get("Accept", "")


def _know(status: int) -> None:
    """Who looks, as far as that can be known: where there is no route nobody has asked yet, where the store has failed
    nobody can.
    """
    page.listen()
    if status < 500:
        try:
            g.asker = page.looker()
        except Problem:
            g.asker = STRANGER
    else:
        g.session, g.me = None, None
