// @ts-check
import assert from 'node:assert/strict'
import { test } from 'node:test'

import { back, begin, cancel, chosen, lit, made, offered, possible, touch } from '../../replays/table/touch.js'

const card = (id, label) => ({ id, kind: 'card', face: 'up', label })
const scene = { zones: [{ id: 'hand', kind: 'hand', pieces: [card('a', 'FIRE'), card('b', 'FIRE'), card('c', 'ICE')] }] }
const moves = [
  { id: 'play-fire', touches: ['a', 'left'] },
  { id: 'keep-fire', touches: ['a', 'right'] },
  { id: 'play-ice', touches: ['c'] },
]

test('a hand that has touched nothing lights where each move begins', () => {
  const hand = begin(moves, scene)
  assert.equal(made(hand), null)
  assert.deepEqual(possible(hand), moves)
  assert.ok(lit(hand).has('a') && lit(hand).has('c') && !lit(hand).has('left'))
})

test('a move is made when its path is whole', () => {
  const begun = touch(begin(moves, scene), 'a')
  assert.equal(made(begun), null)
  assert.deepEqual([...lit(begun)].sort(), ['left', 'right'])
  assert.equal(made(touch(begun, 'right'))?.id, 'keep-fire')
  assert.equal(made(touch(begin(moves, scene), 'c'))?.id, 'play-ice')
})

test('moves are offered in words where at most five are left, and else by what is touched next', () => {
  const many = Array.from('abcdef', id => ({ id, touches: [id] }))
  assert.deepEqual(offered(begin(many, scene)), { moves: [], ids: [...'abcdef'] })
  assert.deepEqual(offered(begin(many.slice(1), scene)), { moves: many.slice(1), ids: [] })
  assert.deepEqual(offered(touch(begin(moves, scene), 'a')).moves.map(one => one.id), ['play-fire', 'keep-fire'])
})

test('a move with further ways is made along each of them, and offered once', () => {
  const begun = { id: 'both', touches: ['a', 'c'], ways: [['c', 'a']] }
  const more = Array.from('defgh', id => ({ id, touches: ['c', id] }))
  const hand = begin([begun, ...more], scene)
  assert.deepEqual(possible(hand), [begun, ...more])
  for (const path of [begun.touches, ...begun.ways]) assert.equal(made(path.reduce(touch, hand)), begun)
  assert.deepEqual([...lit(hand)].sort(), ['a', 'b', 'c'])
  assert.equal(offered(begin([begun], scene)).moves.length, 1)
})

test('what is not lit changes nothing, and the same hand says so', () => {
  const hand = begin(moves, scene)
  assert.equal(touch(hand, 'left'), hand)
  assert.equal(touch(hand, 'nowhere'), hand)
})

test('a touch is taken back by another one on the same thing, by a step back, and by leaving off', () => {
  const hand = begin(moves, scene)
  const begun = touch(hand, 'a')
  for (const undone of [touch(begun, 'a'), back(begun), cancel(begun)]) assert.deepEqual([undone.path, undone.touched], [[], []])
  assert.equal(back(hand), hand)
  assert.equal(cancel(hand), hand)
})

const same = { zones: [{ id: 'hand', kind: 'hand', title: 'Hand', pieces: [...'AABB'].map((label, at) => card(`hand/${at}`, label)) }] }
const elsewhere = { zones: [...same.zones, { id: 'row', kind: 'row', title: 'Row', pieces: [card('row/0', 'A')] }] }

/**
 * [what is shown, scene, paths, touches, what is lit after each or `nothing`, the path that is made, what is chosen]
 * @type {[string, any, string[][], string[], string[], string[] | null, string[]][]}
 */
const WALKS = [
  ['what looks the same beside a lit card is as good', same, [['hand/0', 'hand/1'], ['hand/0', 'hand/2']], ['hand/1', 'hand/0'],
    ['hand/0 hand/2 hand/3', ''], ['hand/0', 'hand/1'], ['hand/0', 'hand/1']],
  ['and so is what looks the same as the second', same, [['hand/0', 'hand/1'], ['hand/0', 'hand/2']], ['hand/1', 'hand/3'],
    ['hand/0 hand/2 hand/3', ''], ['hand/0', 'hand/2'], ['hand/1', 'hand/3']],
  ['what looks the same elsewhere is something else', elsewhere, [['hand/0']], ['row/0'], ['nothing'], null, []],
  ['a path may touch one thing twice', same, [['hand/2', 'hand/2'], ['hand/2', 'do/pass']], ['hand/3', 'hand/2', 'hand/3'],
    ['do/pass hand/3', 'nothing', ''], ['hand/2', 'hand/2'], ['hand/3']],
]

for (const [name, where, paths, touches, steps, path, ids] of WALKS) {
  test(name, () => {
    let hand = begin(/** @type {any} */ (paths.map(touches => ({ touches }))), where)
    const found = touches.map(id => {
      const next = touch(hand, id), step = next === hand ? 'nothing' : [...lit(next)].sort().join(' ')
      hand = next
      return step
    })
    assert.deepEqual([found, made(hand)?.touches ?? null, [...chosen(hand)].sort()], [steps, path, ids])
  })
}
