// The verdict of the second verifier (replays/verify.mjs) on the match's log, in this page, and the keys it trusted.

import { make } from './dom.js'

const CLAUSES = ['LOG-11', 'LOG-12', 'LOG-13', 'LOG-14', 'LOG-15']
const NEVER = [1, 2, 3, 4, 5, 6, 7, 8, 9]

/**
 * Check the log and show the result in `box`; returns 'verified', 'failed' or 'unchecked'. `verify` is the verifier's, `exported`
 * the file's bytes, `published` the keys that the service publishes, or null where only the file's own are at hand, `held`
 * the receipts and nonces that whoever reads holds.
 */
export async function judge(box, { verify, exported, published = null, held = [], say, go, match, head }) {
  let state, result = null, reason = ''
  try {
    result = await verify(exported, { held })
    const strange = published ? strangers(exported, result.keys, published) : []
    if (strange.length) {
      result.failures.push({ stream: match, version: 0, clause: 'LOG-8', check: 'key', reason: say('strange', { keys: strange.join(', ') }) })
      result.ok = false
    }
    state = result.ok ? 'verified' : 'failed'
  } catch (error) {
    state = 'unchecked'
    reason = error.message
  }
  const count = result?.failures.length ?? 0
  const parts = [make('p', { class: `verdict ${state}`, role: 'status' }, say(state, { count }))]
  if (state === 'unchecked') parts.push(make('p', { lang: 'en' }, reason))
  if (result) {
    parts.push(make('p', {}, say(`${state}_about`, { events: result.events })))
    if (count) parts.push(make('ul', { class: 'failures' }, result.failures.slice(0, 50).map(one => failure(one, { say, go, match, head }))))
    parts.push(facts(result, published, held, say))
  }
  parts.push(limits(result?.not_checked ?? CLAUSES, say))
  box.replaceChildren(...parts)
  document.documentElement.dataset.verdict = state
  return state
}

/** Return the keys that signed the file and that the service does not publish in this form. */
function strangers(exported, names, published) {
  const own = JSON.parse(new TextDecoder().decode(exported.subarray(0, exported.indexOf(10)))).keys ?? []
  const known = new Map(published.map(one => [one.key, one.public]))
  return names.filter(name => known.get(name) === undefined || own.find(one => one.key === name)?.public !== known.get(name))
}

function failure({ clause, check, stream, version, reason }, { say, go, match, head }) {
  const where = say('where', { stream, version })
  const isHere = stream === match && version >= 1 && version <= head
  return make('li', {}, make('b', {}, `${clause} ${check}`), ' · ',
    isHere ? make('button', { type: 'button', class: 'link', onclick: () => go(version) }, where) : where, ' · ', reason)
}

function facts(result, published, held, say) {
  const { ok, keys, begun_anew: anew, chance, last_nonce: last, taken_again: again, seed } = result
  const receipts = held.filter(one => 'signature' in one).length
  const fact = (name, ...values) => make('div', {}, make('dt', {}, say(name)), make('dd', {}, values))
  return make('dl', { class: 'facts' },
    keys.length ? fact('keys', keys.flatMap((key, i) => [i ? ', ' : '', make('code', {}, key)]),
      make('small', {}, say(published ? 'keys_published' : 'keys_about')), anew.map(key => make('small', {}, say('keys_anew', { key })))) : null,
    chance ? fact('chance', say(chance === 'seats' ? 'chance_seats' : 'chance_server'),
      last === null ? [] : make('small', {}, say('chance_last', { seat: last })), own(result, say), again.map(seat => make('small', {}, say('chance_again', { seat })))) : null,
    ok && receipts ? fact('held', say('held_about', { receipts })) : null,
    seed ? fact('seed', make('code', { class: 'long' }, seed)) : null)
}

/** Return lines about the part of the reader's own nonces in the seed. */
function own({ last_nonce: last, own_nonces: seats, unbound_nonces: unbound, overtaken_nonces: overtaken }, say) {
  return seats.flatMap(seat => {
    const doubt = unbound.includes(seat) ? 'chance_unbound' : overtaken.includes(seat) ? 'chance_overtaken' : null
    const about = say(seat === last && !doubt ? 'chance_not_alone' : 'chance_own', { seat })
    return [make('small', {}, about), ...(doubt ? [make('small', {}, say(doubt))] : [])]
  })
}

function limits(clauses, say) {
  return make('div', { class: 'limits' },
    make('div', {}, make('h3', {}, say('not_checked')), make('ul', {}, clauses.map(clause => make('li', {}, `${clause}: ${say(clause)}`))),
      make('p', {}, say('not_checked_how').split('`').map((part, i) => i % 2 ? make('code', {}, part) : part))),
    make('div', {}, make('h3', {}, say('never')), make('ul', {}, NEVER.map(number => make('li', {}, say(`never_${number}`))))))
}
