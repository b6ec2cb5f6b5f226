// @ts-check
// What a screen reader is told of a table, and in which order.

import assert from 'node:assert/strict'
import { test } from 'node:test'

import { Attention } from '../../service/web/pages/static/attention.js'

const words = { 'your-turn': 'Your turn' }

function listening() {
  globalThis.document = /** @type {any} */ ({ title: 'A game', hidden: false, querySelector: () => ({ href: '' }) })
  const said = /** @type {any} */ ({ textContent: '' })
  return { said, attention: new Attention({ said, words, icon: '', game: 'A game', whenStill: write => write() }) }
}

test('that it is the reader\'s turn is said after what led to it, however much that is and whenever it comes', async () => {
  const { said, attention } = listening()
  attention.say('The other one rolls.')
  attention.call(true)
  for (const at of [1, 2, 3, 4, 5, 6, 7]) attention.say(`Thing ${at}.`)
  await new Promise(done => setTimeout(done, 600))
  assert.equal(said.textContent, 'Thing 2. Thing 3. Thing 4. Thing 5. Thing 6. Thing 7. Your turn')
  attention.say('A word.')
  await new Promise(done => setTimeout(done, 600))
  assert.equal(said.textContent, 'A word.')
})

test('a turn that is over before anything was said is not announced', async () => {
  const { said, attention } = listening()
  attention.call(true)
  attention.call(false)
  await new Promise(done => setTimeout(done, 600))
  assert.equal(said.textContent, '')
})
