// @ts-check
// What a player holds of their matches, for an audit: a nonce of their own making, which goes into a match's chance, and
// the receipts that the service has given. They are kept in this browser in the order in which they came, since a
// receipt that was here before the nonce was sent shows that the service could not choose its secret to suit it.

import { addressOf } from './api.js'

const BASE = 'foldtable.evidence'
const KEPT = 'kept'
const RECEIPT = 'foldtable-receipt-1'

/** What is held of a match: receipts, nonces as `{nonce}`, and as `{in_vain}` those that got no seat; the first first. */
export function held(match) {
  return within('readonly', kept => kept.index('match').getAll(match)).then(found => found.map(one => one.held))
}

/** Keeps what was had of a match; null stands for nothing. Then there is something to be handed out. */
export async function keep(match, ...had) {
  const all = had.filter(Boolean)
  if (!all.length) return
  await within('readwrite', kept => all.map(one => kept.add({ match, held: one })).at(-1))
  document.documentElement.dataset.held = 'true'
}

/** The lock of whoever sits down in a match by a nonce that is held here. */
const lockOf = match => `${BASE}.${match}`

/** The nonce with which to sit down in a match: the one that was made for it here before, or a new one. Until this page
 * is left, as it is with the answer, no other one takes the nonce for refused. */
export async function bring(match) {
  await new Promise(done => {
    if (!navigator.locks) return done(null)
    navigator.locks.request(lockOf(match), { mode: 'shared' }, () => {
      done(null)
      return new Promise(() => {})
    })
  })
  const sent = (await held(match)).filter(one => 'nonce' in one || 'in_vain' in one)
  const kept = sent.find(one => 'nonce' in one)
  if (kept && 'nonce' in (sent.at(-1) ?? {})) return kept.nonce
  const bytes = crypto.getRandomValues(new Uint8Array(32))
  const nonce = kept?.nonce ?? Array.from(bytes, byte => byte.toString(16).padStart(2, '0')).join('')
  await keep(match, ...(await receipts(match)), { nonce })
  return nonce
}

/** Keeps that the last nonce was sent in vain, where whoever brought it has no seat in the match, and asks for none on
 * another page. */
export async function unseated(match) {
  const note = async () => {
    const last = (await held(match)).at(-1) ?? {}
    if (!('nonce' in last)) return
    // since this page was made another one may have got the seat
    const answer = await fetch(addressOf(`/api/matches/${match}`))
    if (answer.ok && (await answer.json()).seat === null) await keep(match, { in_vain: last.nonce })
  }
  return navigator.locks ? navigator.locks.request(lockOf(match), note) : note()
}

/** Keeps the receipt for having sat down there; without one the nonce may have been sent in vain. */
export async function seated(match) {
  const last = (await held(match)).at(-1) ?? {}
  if ('nonce' in last || 'in_vain' in last) await keep(match, ...(await receipts(match)))
}

/** Hands out what is held of a match as a file, one thing a line: `audit --receipt` reads it. */
export async function hand(match) {
  const lines = (await held(match)).map(one => `${JSON.stringify(one)}\n`)
  const href = URL.createObjectURL(new Blob(lines, { type: 'application/x-ndjson' }))
  Object.assign(document.createElement('a'), { href, download: `${match}.evidence.jsonl` }).click()
  setTimeout(() => URL.revokeObjectURL(href), 60_000)
}

/** The receipt for what there is of a match now, in a list; none where it can't be had. */
async function receipts(match) {
  const answer = await fetch(addressOf(`/api/matches/${match}/export`)).catch(() => null)
  if (!answer?.ok) return []
  const lines = (await answer.text()).trim().split('\n')
  return lines.map(line => JSON.parse(line)).filter(one => one.domain === RECEIPT && one.stream === match)
}

/** What the request that `act` makes of the kept things answers, once all of it is on the disk. */
async function within(mode, act) {
  const base = await new Promise((done, fail) => {
    const asked = indexedDB.open(BASE, 1)
    asked.onupgradeneeded = () => asked.result.createObjectStore(KEPT, { autoIncrement: true }).createIndex('match', 'match')
    asked.onsuccess = () => done(asked.result)
    asked.onerror = () => fail(asked.error)
  })
  try {
    return await new Promise((done, fail) => {
      const work = base.transaction(KEPT, mode)
      const request = act(work.objectStore(KEPT))
      work.oncomplete = () => done(request.result)
      work.onabort = () => fail(work.error)
    })
  } finally {
    base.close()
  }
}
