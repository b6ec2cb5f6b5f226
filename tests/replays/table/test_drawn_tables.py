"""What is drawn is what the scene says: every thing once, under its name, with its label and its face."""

from __future__ import annotations

import tomllib
from itertools import combinations, count
from pathlib import Path
from typing import Any

import pytest

from domain.chance import Simulation
from domain.game import Lang
from tests.browser import Browser
from tests.laws.rooms import CATALOGUE, SLUGS, known_of
from tests.replays.table.moments import DRAWN, Json, decisions, game_of, match_of, moves_of, scene_of
from tests.replays.table.served import Opened, called

pytestmark = pytest.mark.browser

NAMES = ["Ada", "<img src=x onerror=alert(1)>", "松本 さくら", "$& {title}", "Emmy"]
QUESTIONS = tomllib.loads((Path(__file__).parent / "questions.toml").read_text(encoding="utf-8"))
ASKED = 16
HEAD = 144
"""Pixels of a phone above the table."""
FEW = 3
"""Seats at a table of which none is folded on a phone."""


def pieces_of(scene: Json) -> list[tuple[Json, str, str | None]]:
    """Every piece with its zone's id and the id of what it lies on."""

    def within(pieces: list[Json], zone: str, under: str | None) -> list[tuple[Json, str, str | None]]:
        return [
            one for piece in pieces for one in ((piece, zone, under), *within(piece.get("on", []), zone, piece["id"]))
        ]

    return [one for zone in scene["zones"] for one in within(zone["pieces"], zone["id"], None)]


def check(page: Browser, scene: Json, lit: set[str]) -> None:
    found = page.value("asks.found()")
    expected = pieces_of(scene)
    in_zones: dict[str, list[tuple[str, str | None]]] = {zone["id"]: [] for zone in scene["zones"]}
    for one in found:
        in_zones[one["zone"]].append((one["id"], one.get("under")))
    told: dict[str, list[tuple[str, str | None]]] = {zone["id"]: [] for zone in scene["zones"]}
    for piece, zone, under in expected:
        told[zone].append((piece["id"], under))
    assert in_zones == told
    by_id = {one["id"]: one for one in found}
    assert len(by_id) == len(found) == len(expected)
    names = page.value(
        called("scene => [...foldtable.piecesOf(scene)].map(one => foldtable.nameOf(one.piece, said))", scene)
    )
    for (piece, _, _), name in zip(expected, names, strict=True):
        one = by_id[piece["id"]]
        assert one["same"] == piece["id"]
        assert one["seen"], piece
        assert one["name"] == name
        assert (one["tag"] == "BUTTON") == (piece["id"] in lit)
        check_face(piece, one)


def check_face(piece: Json, one: Json) -> None:
    """What is printed on it, and on its back nothing."""
    is_down = piece.get("face") == "down"
    # long words may break
    label, text = (one[name].replace("\u00ad", "") for name in ("label", "text"))
    if piece["kind"] in {"card", "tile"}:
        assert one["back"] == is_down
    if piece["kind"] in {"card", "tile", "die", "space", "token", "chip", "stone"}:
        values = [fact["value"] for fact in piece.get("facts", [])]
        is_printed_below = bool(piece.get("emblem")) and len(values) > 1 and piece["label"] in values
        assert label == ("" if is_down or is_printed_below else piece["label"])
    assert is_down or piece["label"] in text or piece["kind"] in {"die", "marker", "sheet"}
    assert piece.get("count", 1) == 1 or f"×{piece['count']}" in text
    for fact in piece.get("facts", []):
        assert is_down or fact["value"] in text


def options_of(slug: str, seat: int | None, lit: list[str], lang: str = "en") -> Json:
    """As a page gives them."""
    return {"game": game_of(slug), "seat": seat, "names": NAMES, "lang": lang, "lit": lit}


@pytest.mark.parametrize("slug", DRAWN)
def test_every_thing_of_a_scene_is_drawn_once_and_as_it_is(opened: Opened, slug: str) -> None:
    page = opened(slug)
    asked = list(decisions(match_of(slug)))
    for at, (step, seat) in enumerate(asked[:: max(1, len(asked) // 12)]):
        lang = ("en", "ja")[at % 2]
        scene = scene_of(match_of(slug), step, seat, lang)
        lit = {id for move in moves_of(match_of(slug), step, seat) for id in move["touches"]}
        page.value(f"window.said = {{ lang: {lang!r}, names: {NAMES!r} }}; 0")
        page.value(called("asks.show", scene, options_of(slug, seat, sorted(lit), lang)))
        check(page, scene, lit)
        check_frame(page, scene, seat, lit)


def check_frame(page: Browser, scene: Json, seat: int, lit: set[str]) -> None:
    """Zones, seats, whose turn it is, points, and buttons."""
    zones = page.value("[...root.querySelectorAll('[data-zone]')].map(one => one.dataset.zone)")
    assert sorted(zones) == sorted(zone["id"] for zone in scene["zones"])
    seats = page.value("[...root.querySelectorAll('.place')].map(one => Number(one.dataset.seat))")
    assert seats[0] == seat
    assert sorted(seats) == sorted({seat for zone in scene["zones"] for seat in zone.get("seat", [])})
    turn = page.value("[...root.querySelectorAll('.place:has(.to-act)')].map(one => Number(one.dataset.seat))")
    assert sorted(turn) == sorted(scene["turn"])
    scores: list[str] = page.value("[...root.querySelectorAll('.score')].map(one => one.textContent)")
    assert len(scores) == len(scene.get("scores", []))
    buttons: list[Any] = page.value(
        "[...root.querySelectorAll('.button[data-id]')].map(one => [one.dataset.id, one.disabled])"
    )
    assert buttons == [[button["id"], button["id"] not in lit] for button in scene.get("buttons", [])]
    assert page.value("document.querySelectorAll('img').length") == 0


def test_on_a_phone_others_are_folded_until_they_are_opened_or_something_of_them_is_lit(opened: Opened) -> None:
    page = opened("troll-master")
    page.looks(390, 844)
    played = match_of("troll-master")
    step, seat = next(decisions(played))
    scene = scene_of(played, step, seat)
    ids = {zone["seat"][0]: zone["id"] for zone in scene["zones"] if zone.get("seat") and zone["kind"] != "counters"}
    first, second, *more = (other for other in ids if other != seat)
    assert more, "a table of four or five"

    def shown(*lit: str) -> list[bool]:
        page.value(called("asks.show", scene, options_of("troll-master", seat, [*lit], "en")))
        width = "document.querySelector('[data-zone=\"{}\"]').getBoundingClientRect().width > 0"
        return [page.value(width.format(ids[one])) for one in (seat, first, second)]

    assert shown() == [True, False, False]
    page.value(f"document.querySelector('[data-seat=\"{first}\"] .fold').click()")
    assert shown() == [True, True, False]
    assert shown(ids[second]) == [True, True, True]
    assert shown() == [True, True, False]
    page.looks(1280, 844)
    assert shown() == [True, True, True]


@pytest.mark.parametrize("slug", [slug for slug in DRAWN if CATALOGUE.rooms[slug].game.seats[-1] > FEW])
def test_a_table_of_four_or_five_fits_two_screens_of_a_phone(opened: Opened, slug: str) -> None:
    """But for what is opened of others, since something of it is lit; the bar over the table is not counted."""
    most = CATALOGUE.rooms[slug].game.seats[-1]
    page = opened(slug)
    page.looks(390, 844)
    seed = next(seed for seed in count(1) if known_of(slug).options(Simulation(f"{slug} {seed} "))[1] == most)
    played = match_of(slug, seed)
    asked = list(decisions(played))
    for at, (step, seat) in enumerate(asked[:: max(1, len(asked) // 24)]):
        lang = ("en", "ja")[at % 2]
        page.value(called("asks.show", scene_of(played, step, seat, lang), options_of(slug, seat, [], lang)))
        assert page.value("root.querySelector('.board').getBoundingClientRect().height") <= 2 * 844


def test_over_a_phones_table_stand_all_scores_and_what_the_others_hold(opened: Opened) -> None:
    page = opened("troll-master")
    page.looks(390, 844)
    scene = small()
    back = {"kind": "card", "label": "", "title": "a card face down", "face": "down"}
    scene["zones"][3]["pieces"] = [{**back, "id": f"seat.1/hand/{at}"} for at in range(4)]
    scene["scores"].append({"seat": 1, "value": -2, "title": "-2 points"})
    page.value(called("asks.show", scene, {"seat": 0, "told": "", "lit": ["seat.0/hand/0"], "names": ["Ada", "Bob"]}))
    assert page.value("root.querySelector('.sums').innerText.replace(/\\s+/g, ' ')") == "you 3 Bob −2 4"
    assert page.value("root.querySelectorAll('.held-card').length") == 1
    for seat in (2, 3):
        scene["zones"].append({**scene["zones"][3], "id": f"seat.{seat}/hand", "seat": [seat]})
    alike = ["Ada", "Bob", "greedy bot (seat 2)", "greedy bot (seat 3)"]
    page.value(called("asks.show", scene, {"seat": 0, "told": "", "lit": ["seat.0/hand/0"], "names": alike}))
    names = page.value("[...root.querySelectorAll('.sums bdi')].map(one => one.textContent)")
    assert len({*names}) == 4, "names that are cut alike are told apart"


def test_a_number_of_three_digits_on_a_small_card_stands_in_one_line(opened: Opened) -> None:
    page, scene = opened("magicative"), small()
    scene["zones"][0]["pieces"][0]["count"] = 141
    page.value(called("asks.show", scene, {"seat": 1, "told": "", "lit": [], "names": NAMES}))
    card = "root.querySelector('[data-piece=\"seat.0/hand/0\"]')"
    # as on the first page: small, in a list whose words may be broken
    page.value(f"{card}.style.cssText = '--w: 2.2rem; overflow-wrap: anywhere'")
    assert page.value(f"{card}.querySelector('.count').offsetHeight") < 20


def test_on_a_phone_ones_own_comes_before_a_middle_of_four_boxes_and_long_news_leave_room(opened: Opened) -> None:
    page = opened("terraformers")
    page.looks(390, 844)
    scene = small()
    boxes = [{"kind": "card", "label": "6", "title": "a power box", "id": f"boxes/{at}"} for at in range(4)]
    own = [zone for zone in scene["zones"] if zone.get("seat")]

    def shown(count: int) -> bool:
        scene["zones"] = [{"id": "boxes", "title": "Power boxes", "kind": "offer", "pieces": boxes[:count]}, *own]
        said = {"told": "Bartholomew of the Hills says so. " * 20, "names": NAMES}
        page.value(called("asks.show", scene, {"seat": 0, "lit": ["seat.0/hand/0"], **said}))
        top = "root.querySelector('{}').getBoundingClientRect().top"
        return bool(page.value(f"{top.format('.near')} < {top.format('.middle')}"))

    assert [shown(3), shown(4)] == [False, True]
    assert page.value("root.querySelector('.actions').offsetHeight") < 0.4 * 844


def test_every_kind_of_card_with_an_emblem_has_its_own(opened: Opened) -> None:
    drawing = "all => all.map(name => JSON.stringify(foldtable.drawingOf(name)))"
    page = opened("high-card")
    for slug in SLUGS:
        for pack in CATALOGUE.rooms[slug].packs.values():
            zones = CATALOGUE.rooms[slug].game.showcase(pack.pack, "en")
            titles = {piece.emblem: piece.title for zone in zones for piece in zone.pieces if piece.emblem}
            drawn = dict(zip(titles, page.value(called(drawing, [*titles])), strict=True))
            alike = [
                (titles[one], titles[other]) for one, other in combinations(titles, 2) if drawn[one] == drawn[other]
            ]
            assert not alike
            assert "null" not in drawn.values()


def test_a_touch_tells_the_very_thing_and_falls_through_to_what_is_lit_below_it(opened: Opened) -> None:
    page = opened()
    scene = small()
    page.value(called("asks.show", scene, {"seat": 0, "lit": ["seat.0/hand/1", "board/1", "field", "do/pass"]}))
    touch = "id => root.querySelector(`[data-id='${id}']`).click()"
    touched = "seat.0/hand/1 seat.0/hand/0 board/1 board/1/pawn board/0 field/0 field do/pass do/raise"
    for id in touched.split():
        page.value(called(touch, id))
    assert page.value("touched") == ["seat.0/hand/1", "board/1", "board/1", "field", "field", "do/pass"]


def test_another_seat_can_sit_at_the_near_side_and_who_watches_sits_nowhere(opened: Opened) -> None:
    page = opened()
    places = "[...root.querySelectorAll('.place')].map(one => [Number(one.dataset.seat), one.className.split(' ')[2]])"
    page.value(called("asks.show", small(), {"seat": 0}))
    assert page.value(places) == [[0, "near"], [1, "far"]]
    assert page.value("root.querySelector('.own').closest('.place').dataset.seat") == "0"
    page.value(called("asks.show", small(), {"seat": 0, "turned": 1}))
    assert page.value(places) == [[1, "near"], [0, "far"]]
    assert page.value("root.querySelector('.own').closest('.place').dataset.seat") == "0"
    page.value(called("asks.show", small(), {"seat": None}))
    assert page.value(places) == [[0, "far"], [1, "far"]]
    assert page.value("root.querySelector('.own')") is None


def test_names_that_would_be_html_stay_names_and_nothing_is_a_pattern(opened: Opened) -> None:
    page = opened()
    page.value(called("asks.show", small(), {"seat": 0, "names": NAMES[1:4]}))
    players = page.value("[...root.querySelectorAll('.player')].map(one => one.textContent)")
    assert players == [NAMES[1], NAMES[2]]
    assert page.value("root.querySelector('.line').textContent") == f"{NAMES[1]} waits for {NAMES[2]}"
    page.value(called("asks.show", small(), {"seat": 0, "names": ["$& {title}", ""]}))
    assert page.value("root.querySelector('.line').textContent") == "$& {title} waits for seat 1"
    assert page.value("document.querySelectorAll('img').length") == 0


def test_marks_are_drawn_and_said(opened: Opened) -> None:
    page = opened()
    scene = small()
    looks = ("new", "across", "spent", "blocked", "raised", "shown", "bright", "noted")
    marks = [{"look": look, "title": f"is {look}"} for look in looks]
    scene["zones"][0]["pieces"][0]["marks"] = marks
    page.value(called("asks.show", scene, {"seat": 0}))
    name = page.value("root.querySelector('[data-id=\"seat.0/hand/0\"]').getAttribute('aria-label')")
    assert name == f"a 7 ({', '.join(mark['title'] for mark in marks)})"
    item = "root.querySelector('[data-piece=\"seat.0/hand/0\"]')"
    assert page.value(f"{[*looks]}.every(look => {item}.classList.contains('look-' + look))")
    assert page.value(f"['.eye', '.dot', '.strike'].every(one => {item}.querySelector(one))")


def small() -> Json:
    """A table with something of every sort to be touched."""
    card = {"kind": "card", "label": "7", "title": "a 7", "face": "up", "tone": "card"}
    hand = [{**card, "id": f"seat.0/hand/{at}", "label": str(7 + at)} for at in range(3)]
    pawn = {"id": "board/1/pawn", "kind": "pawn", "label": "", "title": "a pawn"}
    space = {"kind": "space", "label": "0", "title": "space 0"}
    board = [{**space, "id": "board/0"}, {**space, "id": "board/1", "label": "1", "title": "space 1", "on": [pawn]}]
    field = [{"id": "field/0", "kind": "token", "label": "", "title": "a token", "count": 3}]
    return {
        "line": "Seat 0 waits for seat 1",
        "turn": [0],
        "zones": [
            {"id": "seat.0/hand", "kind": "hand", "title": "Hand", "seat": [0], "pieces": hand},
            {"id": "board", "kind": "track", "title": "Board", "seat": [], "pieces": board},
            {"id": "field", "kind": "area", "title": "Field", "seat": [], "pieces": field},
            {"id": "seat.1/hand", "kind": "hand", "title": "Hand", "seat": [1], "pieces": []},
        ],
        "scores": [{"seat": 0, "value": 3, "title": "3 points"}],
        "buttons": [{"id": "do/raise", "title": "Raise"}, {"id": "do/pass", "title": "Pass"}],
    }


@pytest.mark.parametrize("slug", QUESTIONS)
def test_a_phones_first_screen_answers_what_a_newcomer_asks(opened: Opened, slug: str) -> None:
    page = opened(slug)
    page.looks(390, 844 - HEAD)
    questions = dict(QUESTIONS[slug])
    played = match_of(slug)
    step, seat = list(decisions(played))[questions.pop("decision")]
    assert len(questions) == ASKED, "twenty with the page's head"
    options = {**options_of(slug, seat, []), "told": "It is your turn.", "names": ["Ada", "Bob", "Cy", "Dan", "Eve"]}
    seen = page.value(called("asks.answered", moves_of(played, step, seat), scene_of(played, step, seat), options))
    for question, (where, answer) in questions.items():
        assert answer in seen[where], question


@pytest.mark.parametrize("slug", DRAWN)
def test_a_low_screen_has_what_is_asked_a_move_and_what_the_viewer_holds(opened: Opened, slug: str) -> None:
    page = opened(slug)
    played = match_of(slug)
    asked = list(decisions(played))
    told = "It was told at length what had happened before. " * 3
    for at, (step, seat) in enumerate(asked[:: max(1, len(asked) // 12)]):
        lang: Lang = ("en", "ja")[at % 2]
        moves, scene = moves_of(played, step, seat, lang), scene_of(played, step, seat, lang)
        options = {**options_of(slug, seat, [], lang), "told": told, "names": ["Ada", "Bob", "Cy", "Dan", "Eve"]}
        page.looks(320, 568 - HEAD)
        seen = page.value(called("asks.answered", moves, scene, options))
        assert seen["line"]
        assert seen["choices"] or seen["buttons"], at
        # what a browser's own bars leave of a phone
        page.looks(390, 664 - HEAD)
        page.value(called("asks.answered", moves, scene, options))
        assert page.value("asks.holds()"), at
