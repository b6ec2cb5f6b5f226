// @ts-check
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'

import { verify } from '../../replays/verify.mjs'

const FILE = readFileSync(new URL('../../docs/match.jsonl', import.meta.url))

test('a match that nobody has touched holds, as bytes, as text and as a stream', async () => {
  const pieces = async function* () {
    for (let at = 0; at < FILE.length; at += 1000) yield FILE.subarray(at, at + 1000)
  }
  for (const source of [FILE, new Uint8Array(FILE), FILE.toString(), pieces()]) assert.equal((await verify(source)).ok, true)
})

test('one letter that is changed is noticed', async () => {
  const changed = FILE.toString().replace('"seat":1', '"seat":0')
  assert.notEqual(changed, FILE.toString())
  assert.equal((await verify(changed)).ok, false)
})

test('what is no export can not be read', async () => {
  for (const source of ['', '{}\n', 'no json\n', '\ud800', new Uint8Array()]) assert.equal((await verify(source)).ok, false)
})

test('without Ed25519 no verdict is given', async () => {
  const { crypto } = globalThis
  /** @type {any} */
  const { subtle } = crypto
  /** @type {(...all: any[]) => unknown} */
  const importKey = (form, key, algorithm, ...rest) => algorithm.name === 'Ed25519'
    ? Promise.reject(new Error('NotSupportedError')) : subtle.importKey(form, key, algorithm, ...rest)
  Object.defineProperty(globalThis, 'crypto', { value: { subtle: { importKey } }, configurable: true })
  // which it finds out once for all that it is asked
  const anew = '../../replays/verify.mjs?anew'
  const again = await import(anew)
  await assert.rejects(again.verify(''), /can not verify Ed25519 signatures/)
  Object.defineProperty(globalThis, 'crypto', { value: crypto, configurable: true })
})
