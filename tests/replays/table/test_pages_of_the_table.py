"""What pages need of the renderer beside its drawing: colours, one file of it all, room on a phone, legible letters."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from typing import Literal

import pytest

from replays.table import FOLDER, MODULES, STYLES, bundle, styles
from tests.browser import Browser
from tests.replays.table.moments import DRAWN, Json, decisions, game_of, match_of, moves_of, scene_of
from tests.replays.table.served import Opened, Served, called
from tests.replays.table.test_drawn_tables import NAMES, small

MOST = 128 * 1024


def test_the_renderer_is_small() -> None:
    assert sum((FOLDER / name).stat().st_size for name in (*MODULES, *STYLES)) <= MOST


def test_every_module_and_style_is_named_once() -> None:
    here = {path.name for path in Path(FOLDER).iterdir() if path.suffix in {".js", ".css"}}
    assert sorted((*MODULES, *STYLES)) == sorted(here)
    for name in MODULES:
        text = (FOLDER / name).read_text(encoding="utf-8")
        assert "innerHTML =" not in text or name == "lit-html.js"
        assert "import(" not in text


def tone(name: str, colour: str) -> Json:
    return {"name": name, "light": colour, "dark": colour}


@pytest.mark.browser
def test_a_tone_that_would_be_more_than_a_tone_is_refused(opened: Opened) -> None:
    mean = [["a game", [tone("a", "#000000")]], ["a", [tone("}", "#000000")]], ["b", [tone("b", "red}*{display:none")]]]
    refused = opened().value(called("asks.refused", mean))
    assert ["style sheet" in one for one in refused] == [True] * 3


@pytest.mark.browser
@pytest.mark.parametrize("slug", DRAWN)
def test_on_a_phone_nothing_is_cut_and_in_any_light_all_is_legible(opened: Opened, slug: str) -> None:
    played = match_of(slug)
    asked = list(decisions(played))
    looks = ((390, False), (1440, True), (360, True), (800, False))
    for lang, (width, is_dark) in product(("en", "ja"), looks):
        page = opened(slug, lang)
        page.looks(width, 900, is_dark=is_dark)
        for step, seat in (asked[0], asked[len(asked) // 3], asked[-1]):
            lit = {id for move in moves_of(played, step, seat) for id in move["touches"][:1]}
            options = {"game": game_of(slug), "seat": seat, "lang": lang, "names": NAMES, "lit": sorted(lit)}
            page.value(called("asks.jump", scene_of(played, step, seat, lang), options))
            assert page.value("asks.cut()") == []
            assert page.value("asks.pale()") == []


@pytest.mark.browser
def test_the_theme_of_a_page_goes_before_the_readers(opened: Opened) -> None:
    felts = {}
    for theme in ("light", "dark", ""):
        page = opened("high-card", "en", theme)
        page.looks(800, 600, is_dark=True)
        page.value(called("asks.jump", small(), {"seat": 0, "game": game_of("high-card")}))
        felts[theme] = page.value(
            "[getComputedStyle(root.querySelector('.place')).backgroundColor, "
            "getComputedStyle(root.querySelector('.tone-card')).getPropertyValue('--tone')].join()"
        )
    assert felts[""] == felts["dark"] != felts["light"]


FOCUSED = "foldtable.elementOf(root, window.at).focus({ focusVisible: true })"
DRAWN_IN = "[...new Set([...root.querySelectorAll('%s')].map(one => getComputedStyle(one).fill))]"


@pytest.mark.browser
@pytest.mark.parametrize("colours", ["none", "active"])
def test_what_is_lit_chosen_or_has_the_focus_is_told_apart(opened: Opened, colours: Literal["none", "active"]) -> None:
    page = opened()
    page.page.emulate_media(forced_colors=colours)
    options = {"seat": 0, "lit": ["seat.0/hand/0"], "chosen": ["seat.0/hand/1"], "game": game_of("high-card")}
    page.value(called("asks.jump", small(), options))
    outlines = []
    for at in ("seat.0/hand/2", "seat.0/hand/0", "seat.0/hand/1"):
        page.value(f"window.at = '{at}'")
        outlines.append(page.value("asks.outline()"))
        page.value(FOCUSED)
        outlines.append(page.value("asks.outline()"))
    plain, plain_focused, lit, lit_focused, chosen, chosen_focused = outlines
    assert plain_focused == lit_focused == chosen_focused
    assert len({plain, lit, chosen, chosen_focused}) == 4


@pytest.mark.browser
@pytest.mark.parametrize("is_dark", [False, True])
def test_drawings_are_seen_in_the_colours_that_a_reader_forces(opened: Opened, is_dark: bool) -> None:
    page = opened("terraformers")
    page.looks(1280, 900, is_dark=is_dark)
    page.page.emulate_media(forced_colors="active")
    played = match_of("terraformers")
    step, seat = next(iter(decisions(played)))
    page.value(called("asks.jump", scene_of(played, step, seat), {"game": game_of("terraformers"), "seat": seat}))
    ink, paper = "rgb(255, 255, 255)", "rgb(0, 0, 0)"
    assert page.value(DRAWN_IN % ".figure") == [ink if is_dark else paper]
    assert page.value(DRAWN_IN % ".figure > .hole") == [paper if is_dark else ink]


@pytest.mark.browser
def test_a_page_of_one_file_has_it_all_in_one_script(page: Browser, server: Served) -> None:
    server.files["one.css"] = styles().encode()
    head = b"<!doctype html><html lang=en><link rel=stylesheet href=/one.css>"
    server.files["one.html"] = head + b"<div id=root></div></html>"
    page.open(f"{server.address}/one.html")
    page.value(f"{bundle()}\nwindow.foldtable = foldtable; 0")
    told = page.value("Object.keys(foldtable)")
    exported = {"openTable", "drawTable", "begin", "touch", "lit", "made", "matched", "paletteCss", "nameOf"}
    assert exported <= set(told)
    page.value(called("scene => { foldtable.openTable(root).jump(scene, { seat: 0 }) }", small()))
    assert page.value("root.querySelectorAll('[data-piece]').length") == 7
    assert "</script" not in bundle()
    assert "<!--" not in bundle()
