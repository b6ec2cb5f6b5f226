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
