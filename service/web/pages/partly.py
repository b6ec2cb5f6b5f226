"""Parts of pages, which htmx asks for if scripts run: a list once more, or the result of a form.

A part is a block of the page's template; it has the name of the element that it replaces. Without scripts, the same
paths return whole pages.
"""

from __future__ import annotations

from collections.abc import Container
from typing import Any

from flask import Response, request

from service.web.reply import parts_of

READER = "X-Reader"
"""The header with the reader of the page to which a part belongs; "nobody" for a stranger."""

VARIES = "HX-Request, HX-Target"
"""The headers on which an answer depends, besides those of pages."""

FRAME = frozenset({"title", "head", "page"})
"""Blocks of templates that are no parts."""

PLACE = "#trouble"
"""The element of a page that shows errors."""

CONFIG: dict[str, Any] = {
    "allowEval": False,
    "allowScriptTags": False,
    "includeIndicatorStyles": False,
    "selfRequestsOnly": True,
    "historyCacheSize": 0,
    "refreshOnHistoryMiss": True,
    "timeout": 20_000,
    "responseHandling": [
        {"code": "204", "swap": False},
        {"code": "[23]..", "swap": True},
        {"code": "422|429", "swap": True},
        {"code": "[45]..", "swap": False, "error": True},
    ],
}
"""The settings of htmx: it runs no script of a page, keeps no pages, loads a page anew when the reader goes back, and
shows forms with their errors."""


def is_wanted() -> bool:
    """Return whether a part is asked for instead of a page."""
    return "HX-Request" in request.headers and "HX-History-Restore-Request" not in request.headers


def named(blocks: Container[str]) -> str:
    """Return which of these blocks is asked for; "" for the whole page."""
    part = request.headers.get("HX-Target", "") if is_wanted() else ""
    return part if part in blocks and part not in FRAME else ""


def is_of_another(player: str | None) -> bool:
    """Return whether the page to which the part belongs was made for another reader."""
    return is_wanted() and request.headers.get(READER, player or "nobody") != (player or "nobody")


def is_here(where: str) -> bool:
    """Return whether the URL is that of the page to which the part belongs."""
    return parts_of(request.headers.get("HX-Current-URL", "")).path == parts_of(where).path


def lead(where: str) -> Response:
    """Return an answer that leads the browser to this page."""
    return Response(status=204, headers={"HX-Redirect": where})


def anew() -> Response:
    """Return an answer that has the browser load its page again."""
    return Response(status=204, headers={"HX-Refresh": "true"})


def mark(answer: Response, part: str) -> None:
    """Add the headers of parts; if the page has no such part, have it replace the old page."""
    answer.headers["Vary"] += f", {VARIES}"
    if is_wanted() and not part:
        answer.headers.update({"HX-Retarget": "#page", "HX-Reselect": "#page", "HX-Reswap": "outerHTML show:top"})


def trouble(said: str, status: int) -> Response:
    """Return an error's sentence for the element that shows errors."""
    answer = Response(said, status, content_type="text/html; charset=utf-8")
    answer.headers.update({"HX-Retarget": PLACE, "HX-Reswap": "innerHTML show:top", "Vary": VARIES})
    return answer
