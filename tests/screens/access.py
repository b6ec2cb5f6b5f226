"""What stands in the way of people who don't see, hear or touch as most do: axe-core, asked about the page in sight."""

from __future__ import annotations

import json
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from tests.browser import Browser

GRAVE = ("serious", "critical")

ASK = """(async only => {
    const options = { resultTypes: ['violations'], ...only ? { runOnly: { type: 'rule', values: only } } : {} }
    const { violations } = await axe.run(document, options)
    const why = node => [...node.any, ...node.all, ...node.none].map(each => each.message).join('; ')
    return violations.flatMap(one => one.nodes.map(node => [one.impact, one.id, node.target.join(' '), why(node)]))
})(%s)"""

COLOURS = ("color-contrast", "link-in-text-block")
"""What another light can change."""


@cache
def script() -> str:
    """The engine; it is put into pages from outside, past their policy."""
    found = find_spec("axe_playwright_python")
    assert found is not None
    assert found.origin is not None
    return (Path(found.origin).parent / "axe.min.js").read_text(encoding="utf-8")


def is_at_hand() -> bool:
    """Whether the engine is installed."""
    return find_spec("axe_playwright_python") is not None


def faults(browser: Browser, only: tuple[str, ...] = (), impacts: tuple[str, ...] = GRAVE) -> list[str]:
    """What is wrong with the page in sight, by rule, place and reason. `only`: of these rules."""
    if browser.value("typeof axe") == "undefined":
        browser.value(f"{script()};0")
    found = browser.value(ASK % json.dumps(only or None))
    return [f"{rule}: {where}: {why}" for impact, rule, where, why in found if impact in impacts]
