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
  for (const source of [FILE, FILE.toString(), pieces()]) assert.equal((await verify(source)).ok, true)
})

test('one letter that is changed is noticed', async () => {
  const changed = FILE.toString().replace('"seat":1', '"seat":0')
  assert.notEqual(changed, FILE.toString())
  assert.equal((await verify(changed)).ok, false)
})

test('what is no export can not be read', async () => {
  for (const text of ['', '{}\n', 'no json\n']) assert.equal((await verify(text)).ok, false)
})
