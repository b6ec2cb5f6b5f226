"""Every page on a phone that has seen none: it fits, can be read in both lights, weighs little, and asks for nothing
elsewhere.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser as Chromium

from tests.browser import Browser, browser
from tests.screens.eyes import Look, go, turn
from tests.screens.measures import (
    COLOURS,
    HEAVIEST,
    MEASURES,
    SCRIPT,
    Scales,
    complaints,
    faults,
    from_elsewhere,
)
from tests.screens.places import NOBODY, Place, places
from tests.screens.staged import END, MIDDLE, Stage, staged

pytestmark = pytest.mark.browser

SLIM, PHONE, DESK = 320, 390, 1280
LANGS = ("en", "ja")
MISPRINT = re.compile(r" is (cut|broken within a word)$")
SIGN_IN = Place("sign-in", "/sign-in", NOBODY, "sign-in")
WIDE = ("W" * 60, "\u05d0" * 60, "\u2e3b" * 60, "W\u0303\u0302\u0301" * 16, "\N{GAME DIE}" * 60)
"""Names that may be given, and of which a letter is wide, or none ends a line."""


@pytest.fixture(scope="module", params=["", pytest.param("whole", marks=pytest.mark.soak)])
def stage(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    """A service in which every page has something to show, under soak at more moments of other matches."""
    moments, seed = ((MIDDLE, END), None) if request.param else ((MIDDLE,), 1)
    with staged(tmp_path_factory.mktemp("stage"), moments, seed) as served:
        yield served


def widen(stage: Stage) -> None:
    """From now on people call themselves and say what is as wide as can be."""
    for player, name in zip(stage.people, WIDE, strict=True):
        stage.rename(player, name)
        for path in ("/me/bots", "/me/tokens"):
            assert player.post(path, {"name": name}).status_code < 300
    for match in stage.matches.values():
        assert stage.people[0].post(f"/matches/{match}/talk", {"text": "W" * 500}).status_code < 300


@pytest.fixture(scope="module")
def everywhere(stage: Stage) -> list[Place]:
    return places(stage)


@pytest.fixture(scope="module")
def eyes(chromium: Chromium) -> Iterator[Browser]:
    with browser(chromium, no_viewport=True) as opened:
        yield opened


@pytest.fixture(scope="module")
def scales(eyes: Browser) -> Scales:
    return Scales(eyes)


def seen(eyes: Browser, scales: Scales, stage: Stage, place: Place, lang: str) -> tuple[int, list[str]]:
    """Bytes of a page, and what is wrong with it."""
    scales.empty()
    go(eyes, stage, place, Look(lang, width=PHONE))
    heavy = scales.weight
    wrong = {
        **{name: eyes.value(script) for name, script in MEASURES.items()},
        "from elsewhere": from_elsewhere(eyes, stage.url),
        "said": complaints(eyes, of_status=404 if place.endpoint == "not-there" else 0),
        "too heavy": [heavy] if heavy > HEAVIEST else [],
    }
    return heavy, [f"{place.name} {lang}: {what}: {one}" for what, found in wrong.items() for one in found]


def slim(eyes: Browser, place: Place) -> list[str]:
    """What is wrong with the page on the narrowest phones."""
    turn(eyes, Look(width=SLIM))
    wrong = [*eyes.value(MEASURES["too wide"]), *filter(MISPRINT.search, eyes.value(MEASURES["in the way"]))]
    return [f"{place.name}, slim: {one}" for one in wrong]


def out_of_reach(eyes: Browser, look: Look, *, is_whole: bool = True) -> list[str]:
    """What axe-core finds on the page; in the dark only of colours. `is_whole`: in every element."""
    turn(eyes, look)
    return [f"{look.name}: {one}" for one in faults(eyes, COLOURS if look.is_dark else (), is_whole=is_whole)]


def test_every_page_fits_a_phone_can_be_read_and_asks_for_nothing_elsewhere(
    request: pytest.FixtureRequest, stage: Stage, everywhere: list[Place], eyes: Browser, scales: Scales
) -> None:
    is_whole = "whole" in request.node.name
    found: list[str] = []
    weights: dict[str, int] = {}
    judged: set[str] = set()
    others = list(stage.packs)[1:]
    if not is_whole:
        # wide names push down what is below them, so whether a player's hand is near is found out before
        for place in everywhere:
            if place.name.startswith("table-"):
                go(eyes, stage, place, Look(width=PHONE))
                found += [f"{place.name}: {one}" for one in eyes.value(MEASURES["in the way"])]
                found += slim(eyes, place)
        widen(stage)
    for at, place in enumerate(everywhere):
        # pages of several games differ in what lies there, and are made and coloured alike: the rest under soak
        is_another = any(f"-{game}" in place.name for game in others)
        if is_another and place.who == NOBODY and not is_whole:
            continue
        lang = LANGS[(at + is_whole) % 2]
        weights[place.name], wrong = seen(eyes, scales, stage, place, lang)
        found += [one for one in wrong if is_whole or not one.endswith(" is far below")]
        found += slim(eyes, place)
        # another light changes colours alone, and those of a route are alike; what was judged on one page is as good
        # or bad on others
        is_first = all(one.endpoint != place.endpoint for one in everywhere[:at])
        new = set(eyes.value(f"{SCRIPT}.sorts()")) - judged if not is_another else set()
        for is_dark in (False, True) if is_whole or is_first else (False,) if new else ():
            found += [
                f"{place.name} {one}" for one in out_of_reach(eyes, Look(lang, is_dark, PHONE), is_whole=is_whole)
            ]
        judged |= new
    assert max(weights.values()) > 10_000, "something came over the wire"
    assert not found, "\n".join(found)


@pytest.mark.soak
@pytest.mark.parametrize("stage", ["whole"], indirect=True)
def test_nothing_serious_is_found_on_any_page_at_a_desk(stage: Stage, everywhere: list[Place], eyes: Browser) -> None:
    found = []
    eyes.forgives("games/none")  # the page for what is not there
    for at, place in enumerate(everywhere):
        look = Look(LANGS[at % 2], width=DESK)
        go(eyes, stage, place, look)
        found += [f"{place.name} {one}" for one in out_of_reach(eyes, look)]
    assert not found, "\n".join(found)


BIG = 32


def test_every_page_is_written_as_big_as_its_reader_wants_it_and_fits_a_phone(
    stage: Stage, everywhere: list[Place], eyes: Browser
) -> None:
    widen(stage)
    eyes.send("Page.setFontSizes", fontSizes={"standard": BIG})
    eyes.forgives("games/none")  # the page for what is not there
    found = []
    for at, place in enumerate(everywhere):
        if place.endpoint not in {one.endpoint for one in everywhere[:at]}:
            go(eyes, stage, place, Look("ja", width=PHONE))
            size = eyes.value("parseFloat(getComputedStyle(document.body).fontSize)")
            wrong = [*([] if size == BIG else [size]), *eyes.value(MEASURES["too wide"])]
            found += [f"{place.name}: {one}" for one in wrong]
    eyes.send("Page.setFontSizes", fontSizes={"standard": BIG // 2})
    eyes.open("about:blank")
    assert not found, "\n".join(found)


MAIN = "document.querySelector('main')"
FACE = f"const face = {MAIN}.appendChild(Object.assign(document.createElement('p'), {{ className: 'face' }}))"
NARROW = "width: 3rem; overflow-wrap: anywhere"
SPOILT = {
    "too wide": f"{MAIN}.append(Object.assign(document.createElement('div'), {{ textContent: 'wide'.repeat(200) }}))",
    "too small": f"{MAIN}.querySelector('h1').style.fontSize = '10px'",
    "hard to touch": f"{MAIN}.querySelector('button').style.cssText = 'min-height: 0; height: 30px'",
    "overlapping": f"{MAIN}.querySelector('button').style.cssText = 'position: absolute; inset: 0; margin: auto'",
    "cut": f"{MAIN}.querySelector('button').style.cssText = 'width: 20px; overflow: hidden; white-space: nowrap'",
    "broken": f"{FACE}; face.innerHTML = '<span class=name>Provocation</span>'; face.style.cssText = '{NARROW}'",
    "broken in a picture": f"{FACE}; face.innerHTML = '<b><i class=label>Provocation</i></b>';"
    f" face.style.cssText = '{NARROW}'",
    "counted over": f"{FACE}; face.innerHTML = '<span class=name>Mob</span><span class=count>×2</span>';"
    " face.lastChild.style.marginLeft = '-2ch'",
    "staying": f"{MAIN}.querySelector('form').style.cssText = 'position: sticky; bottom: 0; min-height: 50vh'",
    "from elsewhere": f"{MAIN}.append(Object.assign(new Image(), {{ src: 'http://127.0.0.2:9/a.png' }}))",
    "moved": f"{MAIN}.prepend(Object.assign(document.createElement('p'), {{ textContent: 'late '.repeat(200) }}))",
    "in line": f"{MAIN}.append(Object.assign(document.createElement('script'), {{ text: '1' }}))",
}
"""What makes a page worse."""

IN_THE_WAY = ("overlapping", "cut", "broken", "broken in a picture", "counted over", "staying")


@pytest.fixture
def door(toys: str) -> Stage:
    """A service in which nothing was done."""
    return Stage(toys, "", "", {}, {}, {})


def test_a_page_that_is_spoilt_is_noticed(door: Stage, eyes: Browser, scales: Scales) -> None:
    for how, spoil in SPOILT.items():
        _, wrong = seen(eyes, scales, door, SIGN_IN, "en")
        assert not wrong
        eyes.value(f"{spoil};0")
        eyes.value("new Promise(done => setTimeout(done, 100))")
        if script := MEASURES.get("in the way" if how in IN_THE_WAY else how):
            assert eyes.value(script), how
        else:
            # the policy keeps it from being asked for or run, and says so
            assert any("Content Security Policy" in one for one in complaints(eyes)), how


BARRED = {
    "color-contrast": "document.querySelector('main h1').style.color = 'rgba(128, 128, 128, .2)'",
    "label": "document.querySelectorAll('label').forEach(one => one.replaceWith(...one.childNodes))",
    "button-name": "document.querySelector('main button').textContent = ''",
    "html-has-lang": "document.documentElement.removeAttribute('lang')",
}
"""What takes away from a page what somebody needs, by the rule that says so."""


def test_a_page_that_bars_somebody_is_noticed(door: Stage, eyes: Browser) -> None:
    for rule, spoil in BARRED.items():
        go(eyes, door, SIGN_IN, Look(width=PHONE))
        eyes.value(f"{spoil};0")
        assert any(one.startswith(f"{rule}:") for one in faults(eyes, is_whole=False)), rule
