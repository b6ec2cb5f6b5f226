"""Every page and every game's table, asked of axe-core in both lights, as wide as a phone and as a desk."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.replays.report.browser import CHROMIUM, Browser, browser
from tests.screens.access import COLOURS, faults, is_at_hand
from tests.screens.eyes import Look, go, turn
from tests.screens.places import places
from tests.screens.staged import MIDDLE, Stage, staged

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(CHROMIUM is None, reason="there is no chromium here: apt-get install chromium"),
    pytest.mark.skipif(not is_at_hand(), reason="there is no axe-core here: it comes with the group dev"),
]

PHONE, DESK = 390, 1280


@pytest.fixture(scope="module")
def stage(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    with staged(tmp_path_factory.mktemp("stage"), moments=(MIDDLE,)) as found:
        yield found


@pytest.fixture(scope="module")
def eyes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    with browser(tmp_path_factory.mktemp("profile")) as opened:
        yield opened


def test_nothing_serious_is_found_on_any_page_in_any_width_and_light(stage: Stage, eyes: Browser) -> None:
    found = []
    for place in places(stage):
        go(eyes, stage, place, Look(width=PHONE))
        for width in (PHONE, DESK):
            for is_dark in (False, True):
                look = Look(width=width, is_dark=is_dark)
                turn(eyes, look)
                found += [f"{place.name} {look.name}: {one}" for one in faults(eyes, COLOURS if is_dark else ())]
    assert not found, "\n".join(found)


SPOILT = {
    "color-contrast": "document.querySelector('main p, main li, main h1').style.color = 'rgba(128, 128, 128, .2)'",
    "label": "document.querySelectorAll('label').forEach(one => one.replaceWith(...one.childNodes))",
    "button-name": "document.querySelector('main button').textContent = ''",
    "html-has-lang": "document.documentElement.removeAttribute('lang')",
}
"""What takes away from a page what somebody needs, by the rule that says so."""


@pytest.mark.parametrize("rule", SPOILT)
def test_a_page_that_is_spoilt_is_noticed(stage: Stage, eyes: Browser, rule: str) -> None:
    place = next(one for one in places(stage) if one.path == "/sign-in")
    go(eyes, stage, place, Look(width=PHONE))
    assert not faults(eyes)
    eyes.value(f"{SPOILT[rule]};0")
    assert any(one.startswith(f"{rule}:") for one in faults(eyes))
