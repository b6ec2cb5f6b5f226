// @ts-check
// Every script of the pages, and the verifier, has its types checked: tsc passes over a file that does not ask for it.
import assert from 'node:assert/strict'
import { readFileSync, readdirSync } from 'node:fs'
import { test } from 'node:test'

const ROOT = new URL('../../', import.meta.url)
const PUBLISHED = ['htmx.js']
/** As others have published it. */

test('every script asks for its types to be checked', () => {
  const folder = 'service/web/pages/static/'
  const scripts = readdirSync(new URL(folder, ROOT)).filter(name => name.endsWith('.js') && !PUBLISHED.includes(name))
  assert.ok(scripts.includes('follow.js'))
  for (const path of [...scripts.map(name => folder + name), 'replays/verify.mjs']) {
    const lines = readFileSync(new URL(path, ROOT), 'utf8').split('\n')
    assert.equal(lines[0], '// @ts-check', path)
    assert.deepEqual(lines.filter(line => /@ts-(ignore|nocheck|expect-error)/.test(line)), [], path)
  }
})
