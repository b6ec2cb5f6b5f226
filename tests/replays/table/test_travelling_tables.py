"""An open table in a browser: what travels, what waits, what is read, keys, and what drawing leaves alone."""

from __future__ import annotations

from typing import Any

import pytest

from tests.browser import Browser
from tests.replays.table.moments import DRAWN, Json, game_of, match_of, scene_of
from tests.replays.table.served import Opened, called
from tests.replays.table.test_drawn_tables import small

pytestmark = pytest.mark.browser

SHOW = "scene => { opened.show(scene) }"
WHERE = "() => document.activeElement.dataset.id ?? document.activeElement.tagName"
IDS = "() => [...root.querySelectorAll('[data-piece]')].map(one => one.dataset.piece)"


def press(page: Browser, key: str) -> Any:
    """A key as a hand presses it; where the focus is then."""
    page.presses(key)
    return page.value(called(WHERE))


def played_card(at: int = 1) -> Json:
    """The small table after a card of the hand went to the field."""
    scene = small()
    card = scene["zones"][0]["pieces"].pop(at)
    scene["zones"][2]["pieces"].append({**card, "id": "field/1"})
    for number, one in enumerate(scene["zones"][0]["pieces"]):
        one["id"] = f"seat.0/hand/{number}"
    scene["scores"][0]["value"] = 4
    return scene


def test_what_moved_travels_by_transforms_alone_and_then_lies_still(opened: Opened) -> None:
    page = opened()
    page.value(called("asks.open", small(), {"seat": 0, "pace": 2000}))
    page.value(called(SHOW, played_card()))
    moving = page.value("asks.moving()")
    assert {"field/1", "seat.0/hand/1", "score"} <= {target for target, _ in moving}
    assert {names for target, names in moving if target != "ghosts"} == {"transform"}
    assert page.value("root.querySelectorAll('.flying').length") == 2
    page.value("opened.skip()")
    page.waits_for("!root.querySelector('.flying, .ghosts')")
    assert page.value("asks.moving()") == []
    assert "field/1" in page.value(called(IDS))


def test_what_comes_and_goes_fades_and_a_told_face_turns(opened: Opened) -> None:
    page = opened()
    before, after = small(), small()
    back = {"kind": "card", "label": "", "title": "a card face down", "face": "down"}
    before["zones"][3]["pieces"] = [{**back, "id": "seat.1/hand/0"}]
    after["zones"][2]["pieces"] = [{**before["zones"][0]["pieces"][0], "id": "field/9", "label": "3", "title": "a 3"}]
    page.value(called("asks.open", before, {"seat": 0, "pace": 2000}))
    page.value(called(SHOW, after))
    moving = page.value("asks.moving()")
    assert ["field/9", "transform"] in moving
    assert any("other" in target and names == "opacity" for target, names in moving)
    assert any("ghost" in target and names == "opacity" for target, names in moving)
    page.value("opened.skip()")
    page.waits_for("!root.querySelector('.other, .ghost')")


def test_several_scenes_play_one_after_the_other_and_can_be_skipped(opened: Opened) -> None:
    page = opened()
    scenes = [{**small(), "line": f"line {at}"} for at in range(5)]
    page.value(called("asks.open", small(), {"seat": 0, "pace": 300, "lit": ["seat.0/hand/0"]}))
    page.value(
        "window.lines = []; new MutationObserver(() => lines.push(root.querySelector('.line').textContent))"
        ".observe(root.querySelector('.line'), { childList: true, characterData: true, subtree: true }); 0"
    )
    show = "scenes => { for (const one of scenes) window.last = opened.show(one); return opened.waiting }"
    assert page.value(called(show, scenes)) == 4
    assert page.value("root.querySelectorAll('.lit').length") == 0, "nothing can be touched before the last is there"
    page.value("last")
    assert page.value("root.querySelectorAll('button.face').length") == 1
    assert page.value("lines") == [f"line {at}" for at in range(5)]
    page.value(called("scenes => { for (const one of scenes) opened.show(one) }", scenes[:3]))
    page.value("opened.skip()")
    assert page.value("root.querySelector('.line').textContent") == "line 2"
    # of very many the first ones are left out
    many = (
        "scenes => { for (const one of [...Array(6)].flatMap(() => scenes)) opened.show(one); return opened.waiting }"
    )
    assert page.value(called(many, scenes)) == 12
    page.value("opened.skip()")
    assert page.value("opened.waiting") == 0


def test_who_wants_nothing_to_move_sees_what_came_stand_out(opened: Opened) -> None:
    page = opened()
    page.page.emulate_media(reduced_motion="reduce")
    page.value(called("asks.open", small(), {"seat": 0, "pace": 400}))
    page.value(called(SHOW, played_card()))
    assert not [names for target, names in page.value("asks.moving()") if target not in {"score", "ghosts"}]
    assert page.value("[...root.querySelectorAll('.arrived')].map(one => one.dataset.piece)") == [
        "field/1",
        "seat.0/hand/1",
    ]
    page.waits_for("!root.querySelector('.arrived')")


def test_the_table_is_played_by_keys_alone(opened: Opened) -> None:
    page = opened()
    lit = ["seat.0/hand/1", "board/1", "do/pass"]
    page.value(called("asks.open", small(), {"seat": 0, "lit": lit}))
    # what is lit comes first
    assert [press(page, "Tab") for _ in range(3)] == ["board/1", "seat.0/hand/1", "do/pass"]
    assert press(page, "n") == "board/1"
    assert press(page, "p") == "do/pass"
    assert press(page, "p") == "seat.0/hand/1"
    # arrows go to everything
    assert press(page, "ArrowLeft") == "seat.0/hand/0"
    assert press(page, "End") == "seat.0/hand/2"
    assert press(page, "Home") == "seat.0/hand/0"
    assert press(page, "ArrowUp") in {"field/0", "board/0", "board/1", "board/1/pawn"}
    press(page, "n")
    press(page, "Enter")
    assert page.value("touched") != []
    press(page, "2")
    assert page.value("touched.at(-1)") == "do/pass"
    press(page, "1")
    assert page.value("touched.at(-1)") == "do/pass"
    press(page, "Escape")
    press(page, "Escape")
    assert page.value("backs") >= 1
    # the focus stays on a thing that is lit no more
    page.value("root.querySelector('[data-id=\"seat.0/hand/1\"]').focus()")
    page.value("opened.set({ lit: ['seat.0/hand/2'], chosen: ['seat.0/hand/1'] })")
    assert page.value(called(WHERE)) == "seat.0/hand/1"
    assert page.value("document.activeElement.getAttribute('aria-label')") == "a 7 (chosen)"


def test_what_a_thing_is_stands_beside_it_until_escape(opened: Opened) -> None:
    page = opened()
    scene = small()
    card = scene["zones"][0]["pieces"][0]
    card |= {"text": "Take <b>two</b> from seat 1", "facts": [{"title": "cost", "value": "3"}],
             "marks": [{"look": "new", "title": "drawn"}]}  # fmt: skip
    page.value(called("asks.open", scene, {"seat": 0, "names": ["Ada", "Bo"], "lit": ["seat.0/hand/1"]}))
    page.value("root.querySelector('[data-id=\"seat.0/hand/0\"]').click()")
    told = page.value("root.querySelector('.details').innerText")
    assert all(word in told for word in ("a 7", "Take <b>two</b> from Bo", "cost", "3", "drawn", "Hand"))
    assert page.value("touched") == []
    page.value("root.querySelector('[data-id=\"seat.0/hand/1\"]').focus()")
    press(page, "Escape")
    assert page.value("root.querySelector('.details').hidden")
    assert page.value("backs") == 0
    press(page, "Escape")
    assert page.value("backs") == 1


def test_a_long_touch_reads_and_touches_nothing(opened: Opened) -> None:
    page = opened()
    page.value(called("asks.open", small(), {"seat": 0, "lit": ["seat.0/hand/1"]}))
    where = page.value(
        "(() => { const box = root.querySelector('[data-id=\"seat.0/hand/1\"]').getBoundingClientRect();"
        " return [box.x + box.width / 2, box.y + box.height / 2] })()"
    )
    point = [{"x": where[0], "y": where[1]}]
    page.send("Emulation.setTouchEmulationEnabled", enabled=True)
    page.send("Input.dispatchTouchEvent", type="touchStart", touchPoints=point)
    page.waits_for("!root.querySelector('.details').hidden")
    page.send("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])
    assert "a 7" in page.value("root.querySelector('.details').innerText")
    assert page.value("touched") == []
    page.value("root.querySelector('.details-close').click()")
    pressed = "root.querySelector('.look').getAttribute('aria-pressed')"
    for is_pressed in ("true", "false", "true"):
        page.value("root.querySelector('.look').click()")
        assert page.value(pressed) == is_pressed
    page.value("root.querySelector('[data-id=\"seat.0/hand/1\"]').click()")
    assert page.value("touched") == []
    assert page.value(pressed) == "false"
    page.value("root.querySelector('[data-id=\"seat.0/hand/1\"]').click()")
    assert page.value("touched") == ["seat.0/hand/1"]


def test_what_is_asked_is_confirmed_or_taken_back(opened: Opened) -> None:
    page = opened()
    page.value(called("asks.open", small(), {"seat": 0, "names": ["Ada", "Bo"], "chosen": ["seat.0/hand/1"]}))
    page.value("window.confirmed = 0; opened.set({ asked: 'Give it to seat 1', onConfirm: () => { confirmed += 1 } })")
    assert page.value("root.querySelector('.asked').textContent") == "Give it to Bo"
    page.value("root.querySelector('.confirm').click()")
    page.value("root.querySelector('.button.return').click()")
    assert (page.value("confirmed"), page.value("backs"), page.value("touched")) == (1, 1, [])


def test_the_focus_goes_to_what_is_asked_as_soon_as_it_is_drawn_and_again_when_it_is_drawn_anew(opened: Opened) -> None:
    page = opened()
    asks = "() => { opened.set({ asked: 'Play a 2', onConfirm: () => {} }); opened.focusAsked() }"
    at_confirm = "document.activeElement.matches('.confirm')"
    page.value(called("asks.open", small(), {"seat": 0, "pace": 2000, "lit": ["seat.0/hand/0"]}))
    page.presses("n")
    page.value(called("scenes => { for (const one of scenes) opened.show(one) }", [played_card(), small()]))
    page.value(called(asks))
    assert not page.value("root.querySelector('.confirm')"), "nothing is asked while scenes wait"
    page.value("opened.skip()")
    assert page.value(at_confirm)
    page.value(called("scenes => { for (const one of scenes) opened.show(one) }", [played_card(), small()]))
    assert not page.value("root.querySelector('.confirm')")
    page.value("opened.skip()")
    assert page.value(at_confirm)
    # who has gone elsewhere meanwhile, or whose question has gone, is left where they are
    page.value(called("scenes => { for (const one of scenes) opened.show(one) }", [played_card(), small()]))
    page.value("opened.set({ asked: null })")
    page.value("opened.skip()")
    page.value("opened.set({ asked: 'Play a 3' })")
    assert not page.value(at_confirm)


LEFT = "root.querySelectorAll('.raised, .high, .flying, .other, .ghosts').length"


def test_a_scene_that_is_drawn_already_changes_nothing_in_the_page(opened: Opened) -> None:
    page = opened()
    page.value(called("asks.open", small(), {"seat": 0, "lit": ["seat.0/hand/1"], "names": ["Ada", "Bo"]}))
    page.value("asks.watch()")
    page.value(called("scene => { opened.jump(scene); opened.set({ lit: ['seat.0/hand/1'] }) }", small()))
    assert page.value("Promise.resolve().then(() => changed)") == []
    page.value("opened.set({ lit: ['seat.0/hand/2'] })")
    assert page.value("Promise.resolve().then(() => changed.length)") > 0


def test_a_zone_that_is_as_it_was_is_not_drawn_again(opened: Opened) -> None:
    page = opened()
    page.value(called("asks.open", small(), {"seat": 0, "pace": 0}))
    page.value(called("scene => { opened.show(asks.noting(scene)) }", played_card()))
    assert set(page.value("asked")) == {"seat.0/hand", "field"}
    # what is said otherwise is drawn again, wherever it lies
    page.value("asked = {}; opened.set({ lang: 'ja' })")
    assert set(page.value("asked")) == {"seat.0/hand", "field", "board"}
    page.value("asked = {}; opened.set({ told: 'a card was played' })")
    assert page.value("asked") == {}


@pytest.mark.parametrize("slug", DRAWN)
def test_along_a_match_only_transforms_and_opacity_are_animated_all_at_once_and_what_is_drawn_last_is_as_if_at_once(
    opened: Opened, slug: str
) -> None:
    page = opened(slug)
    played, options = match_of(slug), {"game": game_of(slug), "names": ["Ada", "Bo", "Cy", "Di", "Em"]}
    page.value("asks.animations()")
    scenes = [scene_of(played, step, None) for step in played.positions[:60]]
    page.value(called("asks.open", scenes[0], options))
    found = page.value(called("asks.times", scenes[1:]))
    assert sum(moving for moving, _ in found) > 1
    # each beginning and each end of its own would be a frame that the page has to work out
    assert {times for moving, times in found if moving} == {1}
    assert {"transform"} <= set(page.value("[...animated]")) <= {"transform", "opacity"}
    page.waits_for(f"{LEFT} === 0")
    assert page.value("asks.plain(root)") == page.value(called("asks.fresh", scenes[-1], options))


def test_while_anything_is_on_its_way_nothing_is_written(opened: Opened) -> None:
    page = opened()
    page.value(called("asks.open", small(), {"seat": 0, "pace": 60000}))
    page.value(called(SHOW, played_card()))
    page.value("asks.watch()")
    page.value(called(SHOW, {**small(), "line": "then"}))
    page.value("window.written = []; for (const one of [1, 2]) opened.whenStill(() => written.push(one))")
    assert page.value("Promise.resolve().then(() => changed)") == []
    assert page.value("written") == []
    page.value("opened.skip()")
    assert page.value("written") == [1, 2]
    page.value("opened.whenStill(() => written.push(3))")
    assert page.value("written") == [1, 2, 3]


def test_what_comes_from_elsewhere_is_above_all_that_it_passes(opened: Opened) -> None:
    page = opened()
    page.value(called("asks.open", small(), {"seat": 0, "pace": 60000}))
    page.value(called(SHOW, played_card()))
    # at the beginning it is where it was, upon the hand that closes up there
    assert page.value(
        """(() => {
            const piece = root.querySelector('[data-piece="field/1"]')
            for (const one of root.getAnimations({ subtree: true })) one.currentTime = 9000
            const box = piece.getBoundingClientRect()
            return piece.contains(document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2))
        })()"""
    )
    page.value("opened.skip()")
    assert page.value(LEFT) == 0
