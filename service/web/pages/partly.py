"""Parts of pages, which htmx asks for where a script runs: a list anew, or what came of a form.

What is asked for is a block of the page's template that has the name of the element which it is to replace. Without a
script the same addresses answer whole pages.
"""

from __future__ import annotations

from collections.abc import Container
from typing import Any

from flask import Response, request

from service.web.reply import parts_of

READER = "X-Reader"
"""The header that says for whom the page was made in which a part is to stand; "nobody" for a stranger."""

VARIES = "HX-Request, HX-Target"
"""On what an answer depends, beside what pages do."""

FRAME = frozenset({"title", "head", "page"})
"""Blocks of templates that are no parts."""

PLACE = "#trouble"
"""Where a page says what was not done."""

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
"""Of htmx: it runs nothing that stands in a page, keeps no pages, goes back by loading the page anew, and shows forms
with what is wrong in them."""


def is_wanted() -> bool:
    """Whether a part is asked for, and no page."""
    return "HX-Request" in request.headers and "HX-History-Restore-Request" not in request.headers


def named(blocks: Container[str]) -> str:
    """The part that is asked for, of those; "" where the whole page is."""
    part = request.headers.get("HX-Target", "") if is_wanted() else ""
    return part if part in blocks and part not in FRAME else ""


def is_of_another(player: str | None) -> bool:
    """Whether the page in which the part is to stand was made for somebody else than who asks now."""
    return is_wanted() and request.headers.get(READER, player or "nobody") != (player or "nobody")


def is_here(where: str) -> bool:
    """Whether the address is of the page in which the part is to stand."""
    return parts_of(request.headers.get("HX-Current-URL", "")).path == parts_of(where).path


def lead(where: str) -> Response:
    """Have the browser go to that page."""
    return Response(status=204, headers={"HX-Redirect": where})


def anew() -> Response:
    """Have the browser load its page again."""
    return Response(status=204, headers={"HX-Refresh": "true"})


def mark(answer: Response, part: str) -> None:
    """Say on what the answer depends; and where no such part is, that the page is to stand in the place of the old."""
    answer.headers["Vary"] += f", {VARIES}"
    if is_wanted() and not part:
        answer.headers.update({"HX-Retarget": "#page", "HX-Reselect": "#page", "HX-Reswap": "outerHTML show:top"})


def trouble(said: str, status: int) -> Response:
    """What was not done, for the place where the page says so."""
    answer = Response(said, status, content_type="text/html; charset=utf-8")
    answer.headers.update({"HX-Retarget": PLACE, "HX-Reswap": "innerHTML show:top", "Vary": VARIES})
    return answer
