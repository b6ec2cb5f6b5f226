"""Every page and every game's table, asked of axe-core in both lights, as wide as a phone and as a desk."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser as Chromium

from tests.browser import Browser, browser
from tests.screens.access import COLOURS, faults, is_at_hand
from tests.screens.eyes import Look, go, turn
from tests.screens.measures import complaints
from tests.screens.places import Place
from tests.screens.staged import END, Stage

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(not is_at_hand(), reason="there is no axe-core here: it comes with the group dev"),
]

PHONE, DESK = 390, 1280
LANGS = ("en", "ja")


@pytest.fixture(scope="module")
def eyes(chromium: Chromium) -> Iterator[Browser]:
    with browser(chromium, no_viewport=True) as opened:
        yield opened


@pytest.mark.parametrize("width", [PHONE, pytest.param(DESK, marks=pytest.mark.soak)])
def test_nothing_serious_is_found_on_any_page_in_any_light(
    stage: Stage, everywhere: list[Place], eyes: Browser, width: int
) -> None:
    found = []
    ended = f"-{next(iter(stage.packs))}-{END}"
    for at, place in enumerate(one for one in everywhere if f"-{END}" not in one.name or ended in one.name):
        # a page is in one language on a phone and in the other one on a desk: all of both would take twice as long
        lang = LANGS[(at + (width == PHONE)) % 2]
        go(eyes, stage, place, Look(lang, width=width))
        for is_dark in (False, True):
            look = Look(lang, is_dark, width)
            turn(eyes, look)
            found += [f"{place.name} {look.name}: {one}" for one in faults(eyes, COLOURS if is_dark else ())]
        found += complaints(eyes, of_status=404 if place.endpoint == "not-there" else 0)
    assert not found, "\n".join(found)


SPOILT = {
    "color-contrast": "document.querySelector('main h1').style.color = 'rgba(128, 128, 128, .2)'",
    "label": "document.querySelectorAll('label').forEach(one => one.replaceWith(...one.childNodes))",
    "button-name": "document.querySelector('main button').textContent = ''",
    "html-has-lang": "document.documentElement.removeAttribute('lang')",
}
"""What takes away from a page what somebody needs, by the rule that says so."""


@pytest.mark.parametrize("rule", SPOILT)
def test_a_page_that_is_spoilt_is_noticed(stage: Stage, everywhere: list[Place], eyes: Browser, rule: str) -> None:
    place = next(one for one in everywhere if one.path == "/sign-in")
    go(eyes, stage, place, Look(width=PHONE))
    assert not faults(eyes)
    eyes.value(f"{SPOILT[rule]};0")
    assert any(one.startswith(f"{rule}:") for one in faults(eyes))
