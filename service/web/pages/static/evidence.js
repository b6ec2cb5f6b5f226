// @ts-check
// A player's evidence for an audit: the nonces that they made, which become part of a match's chance, and the service's
// receipts. The browser keeps them in order, since a receipt from before the nonce was sent shows that the service did
// not know the nonce when it chose its secret.

import { addressOf } from './api.js'

const BASE = 'foldtable.evidence'
const KEPT = 'kept'
const RECEIPT = 'foldtable-receipt-1'

/** Whose page this is; "" if nobody has signed in. */
const reader = () => /** @type {HTMLElement | null} */ (document.querySelector('[data-reader]'))?.dataset.reader ?? ''

/** Whether evidence may be the reader's: others play in this browser too, and who comes as a guest gets a name later. */
const isMine = ({ player }) => !player || !reader() || player === reader()

/** Return the reader's evidence of a match in order: receipts, nonces as `{nonce}`, those that got no seat as `{in_vain}`. */
export function held(match) {
  return within('readonly', kept => kept.index('match').getAll(match)).then(found => found.filter(isMine).map(one => one.held))
}

/** Keep evidence of a match, without nulls. From then on the page offers it as a file. */
export async function keep(match, ...had) {
  const all = had.filter(Boolean)
  if (!all.length) return
  await within('readwrite', kept => all.map(one => kept.add({ match, player: reader(), held: one })).at(-1))
  document.documentElement.dataset.held = 'true'
}

/** The name of the lock for sitting down in a match with a nonce. */
const lockOf = match => `${BASE}.${match}`

/** Return the nonce with which to sit down in a match: the one that was made here before, or a new one. Until this page
 * is left, no other page notes that the nonce was sent in vain. */
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

/** Note that the last nonce was sent in vain, if the player has no seat in the match and no other page asks for one. */
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

/** The reader sits there: what this browser's guest had before they had a name is theirs. Also keep the receipt for having
 * sat down; without it the nonce may have been sent in vain. */
export async function seated(match) {
  await within('readwrite', kept => {
    const request = kept.index('match').openCursor(match)
    request.onsuccess = () => {
      const at = request.result
      if (at && !at.value.player) at.update({ ...at.value, player: reader() })
      at?.continue()
    }
    return request
  })
  const last = (await held(match)).at(-1) ?? {}
  if ('nonce' in last || 'in_vain' in last) await keep(match, ...(await receipts(match)))
}

/** Download the evidence of a match as a file, with one entry a line: `audit --receipt` reads it. */
export async function hand(match) {
  const lines = (await held(match)).map(one => `${JSON.stringify(one)}\n`)
  const href = URL.createObjectURL(new Blob(lines, { type: 'application/x-ndjson' }))
  Object.assign(document.createElement('a'), { href, download: `${match}.evidence.jsonl` }).click()
  setTimeout(() => URL.revokeObjectURL(href), 60_000)
}

/** Return a list of the receipt for the match as it is now; an empty list if it can't be had. */
async function receipts(match) {
  const answer = await fetch(addressOf(`/api/matches/${match}/export`)).catch(() => null)
  if (!answer?.ok) return []
  const lines = (await answer.text()).trim().split('\n')
  return lines.map(line => JSON.parse(line)).filter(one => one.domain === RECEIPT && one.stream === match)
}

/** Return the result of the request that `act` makes to the store, once it is on the disk. */
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
