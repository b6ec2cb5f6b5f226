// @ts-check
// What a screen reader is told of a table, and in which order.

import assert from 'node:assert/strict'
import { test } from 'node:test'

import { Attention } from '../../service/web/pages/static/attention.js'

/** Milliseconds after which all is said. */
const SOON = 1000

const words = { 'your-turn': 'Your turn' }

/** @param {import('node:test').TestContext} t */
function listening(t) {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  globalThis.document = /** @type {any} */ ({ title: 'A game', hidden: false, querySelector: () => ({ href: '' }) })
  const said = /** @type {any} */ ({ textContent: '' })
  return { said, attention: new Attention({ said, words, icon: '', game: 'A game', whenStill: write => write() }) }
}

test('that it is the reader\'s turn is said after what led to it, however much that is and whenever it comes', t => {
  const { said, attention } = listening(t)
  attention.say('The other one rolls.')
  attention.call(true)
  for (const at of [1, 2, 3, 4, 5, 6, 7]) attention.say(`Thing ${at}.`)
  t.mock.timers.tick(SOON)
  assert.equal(said.textContent, 'Thing 2. Thing 3. Thing 4. Thing 5. Thing 6. Thing 7. Your turn')
  attention.say('A word.')
  t.mock.timers.tick(SOON)
  assert.equal(said.textContent, 'A word.')
})

test('a turn that is over before anything was said is not announced', t => {
  const { said, attention } = listening(t)
  attention.call(true)
  attention.call(false)
  t.mock.timers.tick(SOON)
  assert.equal(said.textContent, '')
})
