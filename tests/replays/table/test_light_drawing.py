"""What drawing and travelling leave alone, so that slow machines keep up."""

from __future__ import annotations

import pytest

from tests.replays.table.moments import DRAWN, game_of, match_of, scene_of
from tests.replays.table.served import Opened, called
from tests.replays.table.test_drawn_tables import small
from tests.replays.table.test_travelling_tables import OPEN, SHOW, played_card

pytestmark = pytest.mark.browser

WATCH = """() => {
    window.changed = []
    const name = one => `${one.type} ${one.attributeName ?? ''} ${one.target.className ?? one.target.data}`
    new MutationObserver(found => changed.push(...found.map(name)))
        .observe(root, { attributes: true, childList: true, characterData: true, subtree: true })
}"""
ASKED = """scene => {
    window.asked = {}
    for (const zone of scene.zones) {
        for (const piece of zone.pieces) {
            // what is not counted among a thing's own parts is seen by nobody but who draws it
            Object.defineProperty(piece, 'marks', { get: () => void (asked[zone.id] = true) })
        }
    }
    return scene
}"""
ANIMATED = """() => {
    window.animated = new Set()
    const animate = Element.prototype.animate
    Element.prototype.animate = function (frames, ...rest) {
        for (const { offset, easing, ...rest } of frames) for (const name of Object.keys(rest)) animated.add(name)
        return animate.call(this, frames, ...rest)
    }
}"""
TIMES = """async scenes => {
    const found = []
    for (const scene of scenes) {
        const shown = opened.show(scene)
        const times = root.getAnimations({ subtree: true }).map(one => one.effect.getComputedTiming())
        found.push([times.length, new Set(times.map(one => `${one.delay} ${one.endTime}`)).size])
        opened.skip()
        await shown
    }
    return found
}"""
LEFT = "root.querySelectorAll('.raised, .high, .flying, .other, .ghosts').length"
PLAIN = """one => one.querySelector('.cloth').outerHTML
    .replace(/<!--.*?-->|tabindex="[^"]*"|style="[^"]*"/g, '').replace(/\\s+/g, ' ').replace(/ (?=["'>])/g, '')"""
FRESH = """(scene, options) => {
    const place = document.createElement('div')
    document.body.append(place)
    foldtable.drawTable(place, scene, options)
    const drawn = place
    place.remove()
    return (%s)(drawn)
}"""


def test_a_scene_that_is_drawn_already_changes_nothing_in_the_page(opened: Opened) -> None:
    page = opened()
    page.value(called(OPEN, small(), {"seat": 0, "lit": ["seat.0/hand/1"], "names": ["Ada", "Bo"]}))
    page.value(called(WATCH))
    page.value(called("scene => { opened.jump(scene); opened.set({ lit: ['seat.0/hand/1'] }) }", small()))
    assert page.value("Promise.resolve().then(() => changed)") == []
    page.value("opened.set({ lit: ['seat.0/hand/2'] })")
    assert page.value("Promise.resolve().then(() => changed.length)") > 0


def test_a_zone_that_is_as_it_was_is_not_drawn_again(opened: Opened) -> None:
    page = opened()
    page.value(called(OPEN, small(), {"seat": 0, "pace": 0}))
    page.value(called(f"scene => {{ opened.show(({ASKED})(scene)) }}", played_card()))
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
    page.value(called(ANIMATED))
    scenes = [scene_of(played, step, None) for step in played.positions[:60]]
    page.value(called(OPEN, scenes[0], options))
    found = page.value(called(TIMES, scenes[1:]))
    assert sum(moving for moving, _ in found) > 1
    # each beginning and each end of its own would be a frame that the page has to work out
    assert {times for moving, times in found if moving} == {1}
    assert {"transform"} <= set(page.value("[...animated]")) <= {"transform", "opacity"}
    page.waits_for(f"{LEFT} === 0")
    assert page.value(f"({PLAIN})(root)") == page.value(called(FRESH % PLAIN, scenes[-1], options))


def test_while_anything_is_on_its_way_nothing_is_written(opened: Opened) -> None:
    page = opened()
    page.value(called(OPEN, small(), {"seat": 0, "pace": 60000}))
    page.value(called(SHOW, played_card()))
    page.value(called(WATCH))
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
    page.value(called(OPEN, small(), {"seat": 0, "pace": 60000}))
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
