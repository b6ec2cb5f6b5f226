"""From touches to moves: along what is lit every legal move is reached, and nothing else."""

from __future__ import annotations

import pytest

from tests.replays.table.moments import DRAWN, Json, decisions, match_of, moves_of, scene_of
from tests.replays.table.served import Opened, called

pytestmark = pytest.mark.browser

WALK = """(moves, scene) => {
    const { begin, touch, lit, made, possible, back, chosen } = foldtable
    const reached = new Map(), faults = [], seen = new Set()
    const go = hand => {
        const key = hand.path.join(' ')
        if (seen.has(key)) return
        seen.add(key)
        const done = made(hand)
        if (done) {
            reached.set(done.id, (reached.get(done.id) ?? 0) + 1)
            if (lit(hand).size) faults.push(`lit after ${key}`)
            return
        }
        if (!lit(hand).size) faults.push(`nothing lit after ${key}`)
        for (const id of lit(hand)) {
            const next = touch(hand, id)
            if (next === hand) faults.push(`${id} is lit and means nothing`)
            if (!possible(next).length) faults.push(`${id} leads nowhere`)
            if (!chosen(next).has(id)) faults.push(`${id} is not the one that is chosen`)
            if (back(next).path.join(' ') !== key) faults.push(`back from ${id}`)
            go(next)
        }
        for (const id of foldtable.indexOf(scene).keys()) {
            const isLit = lit(hand).has(id) || hand.touched.at(-1) === id
            if (!isLit && touch(hand, id) !== hand) faults.push(`${id} is not lit and means something`)
        }
    }
    go(begin(moves, scene))
    for (const move of moves) {
        let hand = begin(moves, scene)
        for (const id of move.touches) hand = touch(hand, id)
        if (made(hand) !== move) faults.push(`${move.touches} does not make ${move.id}`)
    }
    return { reached: [...reached], faults }
}"""


@pytest.mark.parametrize("slug", DRAWN)
def test_whoever_follows_what_is_lit_makes_every_legal_move_and_no_other(opened: Opened, slug: str) -> None:
    page = opened(slug)
    played = match_of(slug)
    for step, seat in list(decisions(played))[:60]:
        moves = moves_of(played, step, seat)
        walked: Json = page.value(called(WALK, moves, scene_of(played, step, seat)))
        assert walked["faults"] == []
        assert sorted(walked["reached"]) == sorted([move["id"], 1] for move in moves)


OFFERED = """(moves, scene, seat) => {
    const { begin, drawTable, lit, offered, possible, touch } = foldtable
    let picked = null
    const faults = []
    const hand = begin(moves, scene)
    const onTouch = id => { picked = touch(hand, id) }, onPick = move => { picked = { moves: [move] } }
    drawTable(root, scene, { seat, told: '', lit: lit(hand), offered: offered(hand), onTouch, onPick })
    const begun = new Set()
    for (const one of root.querySelectorAll('.actions .choices button, .actions .buttons .lit')) {
        one.scrollIntoView({ block: 'nearest', inline: 'nearest' })
        const box = one.getBoundingClientRect()
        if (box.bottom > innerHeight || box.top < 0) faults.push(`${one.textContent} is out of sight`)
        picked = null
        one.click()
        if (picked === null || picked === hand) faults.push(`${one.textContent} means nothing`)
        else for (const move of picked.touched ? possible(picked) : picked.moves) begun.add(move.id)
    }
    return { begun: [...begun], faults }
}"""


@pytest.mark.parametrize("slug", DRAWN)
def test_on_a_phone_every_legal_move_can_be_begun_from_the_bar_that_stays_in_sight(opened: Opened, slug: str) -> None:
    page = opened(slug)
    page.looks(390, 844)
    played = match_of(slug)
    for step, seat in list(decisions(played))[:60]:
        moves = moves_of(played, step, seat)
        offered: Json = page.value(called(OFFERED, moves, scene_of(played, step, seat), seat))
        assert offered["faults"] == []
        assert sorted(offered["begun"]) == sorted(move["id"] for move in moves)
