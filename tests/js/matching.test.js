// @ts-check
import assert from 'node:assert/strict'
import { test } from 'node:test'

import { matched, scored } from '../../replays/table/matching.js'

const card = (id, label, face = 'up') => ({ id, kind: 'card', face, label })
const table = (hand, row) => ({ zones: [{ id: 'hand', kind: 'hand', seat: [0], pieces: hand }, { id: 'row', kind: 'row', pieces: row }] })

test('nothing travels between a scene and itself', () => {
  const scene = table([card('hand/0', 'FIRE')], [card('row/0', 'ICE')])
  const { flights, turns, fresh, gone, counted, changed } = matched(scene, scene)
  assert.deepEqual([flights, turns, fresh, gone, counted, changed], [[], [], [], [], [], []])
})

test('a card that is played flies from the hand to the row', () => {
  const before = table([card('hand/0', 'FIRE'), card('hand/1', 'ICE')], [])
  const after = table([card('hand/0', 'ICE')], [card('row/0', 'FIRE')])
  const flights = matched(before, after).flights.map(({ from, to, turned }) => [from, to, turned])
  assert.ok(flights.some(([from, to, turned]) => from === 'hand/0' && to === 'row/0' && !turned), JSON.stringify(flights))
})

test('what comes from nowhere is fresh, what goes nowhere is gone', () => {
  assert.deepEqual(matched(table([], []), table([], [card('row/0', 'FIRE')])).fresh, ['row/0'])
  assert.deepEqual(matched(table([], [card('row/0', 'FIRE')]), table([], [])).gone, ['row/0'])
})

test('a seat whose points differ has scored', () => {
  const points = (...values) => ({ zones: [], scores: values.map((value, seat) => ({ seat, value })) })
  assert.deepEqual(scored(points(1, 2), points(1, 5)), [1])
  assert.deepEqual(scored(points(1), points(1, 5)), [])
})

/** A letter is a card, a small one a token; `?` lies face down, a figure is a stack of so many that do. */
const piece = (id, one) => /[?\d]/.test(one)
  ? { id, kind: 'card', label: '', title: 'a back', face: 'down', count: one === '?' ? 1 : Number(one) }
  : { id, kind: one === one.toLowerCase() ? 'token' : 'card', label: one, title: `a ${one}` }
/** @returns {any} */
const zones = cards => ({
  zones: Object.entries(cards).map(([id, row]) => ({ id, kind: 'row', title: id, pieces: [...row].map((one, at) => piece(`${id}/${at}`, one)) })),
})

/**
 * [what changes, before, after, flights (from, to, what else), the other lists that are not empty]
 * @type {[string, any, any, string[], any][]}
 */
const CHANGES = [
  ['a card that is played travels and those behind it close up', { hand: 'ABC', row: '' }, { hand: 'AC', row: 'B' },
    ['hand/2 hand/1', 'hand/1 row/0'], {}],
  ['a face that is told turns over on the way', { hand: '???', row: 'A' }, { hand: '??', row: 'AB' }, ['hand/2 row/1 turned'], {}],
  ['what lies where it lay turns over there', { row: 'A?' }, { row: 'AB' }, [], { turns: ['row/1'] }],
  ['a stack gives as many as it lost', { deck: '5', hand: '?', own: 'A' }, { deck: '3', hand: '??', own: 'AB' },
    ['deck/0 hand/1', 'deck/0 own/1 turned'], { counted: ['deck/0'] }],
  ['of what a stack did not lose the rest is fresh', { deck: '5', own: 'A' }, { deck: '4', own: 'ABC' },
    ['deck/0 own/1 turned'], { counted: ['deck/0'], fresh: ['own/2'] }],
  ['what joins a stack is one of it', { hand: '??', pile: '4' }, { hand: '', pile: '6' },
    ['hand/0 pile/0 stacked', 'hand/1 pile/0 stacked'], { counted: ['pile/0'] }],
  ['no two become one', { a: 'BB', b: '' }, { a: '', b: 'B' }, ['a/0 b/0'], { gone: ['a/1'] }],
  ['other kinds are other things', { a: 'x', b: '' }, { a: '', b: 'Y' }, [], { gone: ['a/0'], fresh: ['b/0'] }],
  ['a token that says another number is the same token', { a: 'x', b: 'y' }, { a: 'y', b: 'x' }, [], { changed: ['a/0', 'b/0'] }],
]

for (const [name, before, after, ways, others] of CHANGES) {
  test(name, () => {
    const { flights, turns, fresh, gone, counted, changed } = matched(zones(before), zones(after))
    const words = flights.map(({ from, to, turned, stacked }) => [from, to, turned && 'turned', stacked && 'stacked'].filter(Boolean).join(' '))
    assert.deepEqual(words.sort(), [...ways].sort())
    /** @type {[string, any][]} */
    const found = Object.entries({ turns, fresh, gone, counted, changed }).filter(([, ids]) => ids.length)
    assert.deepEqual(Object.fromEntries(found), others)
  })
}
