// @ts-check
import assert from 'node:assert/strict'
import { test } from 'node:test'

import { Chart } from '../../replays/player/chart.js'
import { lasting, pointsOf, speaker } from '../../replays/player/dom.js'
import { captionOf, fill, named, seatName, wordsOf } from '../../replays/table/words.js'

test('gaps are filled with what is given, as it stands', () => {
  assert.equal(fill('{name} has {n}, {other}', { name: '$& {n}', n: 3 }), '$& {n} has 3, {other}')
})

test('both languages have the same words', () => {
  assert.deepEqual(Object.keys(wordsOf('ja')).sort(), Object.keys(wordsOf('en')).sort())
})

test('a seat is called by its name, or by its number where it has none', () => {
  assert.equal(seatName(0, ['Ann', null], 'en'), 'Ann')
  assert.match(seatName(1, ['Ann', null], 'en'), /1/)
})

test('a longer time is told in larger units', () => {
  const told = [900, 61_000, 3_700_000, 90_000_000].map(time => lasting(time, 'd,h,min,s', 'en').replaceAll('\u00a0', ' '))
  assert.deepEqual(told, ['0.9 s', '1 min 1 s', '1 h 1 min', '1 d 1 h'])
  assert.equal(lasting(61_000, '日,時間,分,秒', 'ja'), '1分1秒')
})

test('one point is told in the singular, also below zero', () => {
  const say = speaker({ point: '{points} point', points: '{points} points' })
  assert.deepEqual([-2, -1, 0, 1, 2].map(points => pointsOf(points, say)), ['−2 points', '−1 point', '0 points', '1 point', '2 points'])
})

test('a chart tells points below zero with a minus sign', () => {
  const chart = Object.assign(new Chart(null, null, null), { changes: [[1, new Map([[0, -5]])]], state: { names: () => 'Ann' } })
  assert.equal(chart.told(1), 'Ann −5')
})

test('a piece is captioned by what its title says beside its label and its numbers', () => {
  const captions = [
    ['12 mana', '12', 'mana'], ['power 1', '1', 'power'], ['no chips', '0', 'no chips'], ['1. brew', '1', 'brew'],
    ['oxygen 3 of 4', '3/4', 'oxygen'], ['tip in hand', '', 'tip in hand'], ['water', 'Water', ''], ['12マナ', '12', 'マナ'],
    ['7', '7', ''], ['マナ12個', '12', 'マナ'], ['魔術3（1〜6を示す）', '3', '魔術'], ['magic 3 (shows 1 to 6)', '3', 'magic'], ['「±2」', '±2', ''],
  ]
  for (const [title, label, caption] of captions) assert.equal(captionOf({ title, label }), caption, title)
})

test('a name that runs from right to left stands apart in a sentence', () => {
  assert.equal(named('Seat 0 draws 3.', ['دانا']), '\u2068دانا\u2069 draws 3.')
  assert.equal(named('seat 0 and seat 1', ['Dänä', '']), 'Dänä and seat 1')
})
