// Verifies the test vectors of docs/log.md, written from that page alone: node replays/verify.mjs docs/vectors.json
import { readFileSync } from 'node:fs'
const { subtle } = globalThis.crypto, utf8 = new TextEncoder(), strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
const hex = bytes => Array.from(bytes, byte => byte.toString(16).padStart(2, '0')).join('')
const raw = text => Uint8Array.from(text.match(/../g) ?? [], pair => parseInt(pair, 16))
const bytesOf = part => typeof part === 'string' ? utf8.encode(part) : part
const join = (...parts) => Uint8Array.from(parts.flatMap(part => [...bytesOf(part)]))
const sha256 = async bytes => new Uint8Array(await subtle.digest('SHA-256', bytes))
async function hmac(key, message) {
  const made = await subtle.importKey('raw', key, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
  return new Uint8Array(await subtle.sign('HMAC', made, bytesOf(message)))
}
const same = (a, b) => JSON.stringify(a) === JSON.stringify(b)
function demand(holds, why) { if (!holds) throw new Error(why) }
function canonical(value) {
  if (typeof value === 'number') demand(Number.isSafeInteger(value) && !Object.is(value, -0), 'no integer below 2^53')
  if (typeof value === 'string') demand(!/\p{Cs}/u.test(value) && value === value.normalize('NFC'), 'surrogate, or not NFC')
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  const keys = Object.keys(value).sort()
  demand(keys.every(key => /^[\0-\x7f]*$/.test(key)), 'a key that is not ASCII')
  return `{${keys.map(key => `${JSON.stringify(key)}:${canonical(value[key])}`).join(',')}}`
}
const decode = (bytes, text = strict.decode(bytes)) =>
  (demand(canonical(JSON.parse(text)) === text, 'not the canonical form'), text)
const saltOf = (secret, stream, version, field) =>
  !stream.includes('/') && version === 1 && field === 'secret' ? raw('') : hmac(secret, `salt:${stream}:${version}:${field}`)
const commitTo = async (salt, value) => hex(await sha256(salt.length ? join(salt, canonical(value)) : raw(value)))
const nonceOf = (secret, seat) => hmac(secret, `nonce:${seat}`)
const seedOf = async (secret, nonces) => hmac(secret, join('seed:', ...await Promise.all(
  nonces.map((brought, seat) => brought ? raw(brought) : nonceOf(secret, seat)))))
async function* wordsOf(seed, move) {
  for (let block = 0; ; block++) {
    const view = new DataView((await hmac(seed, `${move}:${block}`)).buffer)
    for (let at = 0; at < 32; at += 4) yield view.getUint32(at)
  }
}
async function draw(words, used, name, k) {
  if (name === 'roll') return await draw(words, used, 'below', k) + 1
  if (name === 'below') for (;;) {
    used.push((await words.next()).value)
    if (used.at(-1) < Math.floor(2 ** 32 / k) * k) return used.at(-1) % k
  }
  const order = Array.from({ length: k }, (_, i) => i)
  for (let i = k - 1; i > 0; i--) { const j = await draw(words, used, 'below', i + 1); [order[i], order[j]] = [order[j], order[i]] }
  return order
}
async function verifyStream(events, openSalt, mayRead) {
  let previous = new Uint8Array(32), time = ''
  for (const [i, { hash, secret, ...covered }] of events.entries()) {
    const { stream, version, at, commits } = covered, due = Object.keys(commits).filter(field => mayRead(commits[field].readers))
    demand(version === i + 1 && stream === events[0].stream && at >= time, 'a gap, or back in time')
    previous = await sha256(join(previous, canonical(covered))); time = at
    demand(hex(previous) === hash, 'the chain is broken')
    demand(same(due.sort(), Object.keys(secret).sort()), 'told too much or too little')
    for (const [field, { readers, commit }] of Object.entries(commits)) {
      const open = field.split('.').reduce((inner, key) => inner[key], covered.public), told = secret[field]
      demand(open === null || Array.isArray(open) && open.every(one => one === null), 'a hidden field is told')
      if (!told) continue
      demand(Array.isArray(told.value) ? open?.length === told.value.length : open === null, 'other nulls')
      demand(same(readers, told.readers) && await commitTo(raw(told.salt), told.value) === commit, 'a commit does not open')
      if (openSalt) demand(told.salt === hex(await openSalt(stream, version, field)), 'another salt')
    }
  }
}
async function verifyExport(events) {
  const streams = new Map()
  for (const event of events) streams.set(event.stream, [...streams.get(event.stream) ?? [], event])
  const log = streams.get(events[0].stream), last = log.at(-1), secret = log[0].secret.secret?.value
  demand(/^match\/(Finished|Aborted)$/.test(last.type) && last.public.secret === secret, 'no end that tells the secret')
  for (const one of streams.values()) await verifyStream(one, (...place) => saltOf(raw(secret), ...place), () => true)
  for (const event of log) for (const [field, { value }] of event.type === 'match/AnswersClosed' ? Object.entries(event.secret) : []) {
    const given = streams.get(`${event.stream}/seat:${field.split('.')[1]}`)?.find(one => one.hash === value.sealed)
    demand(value.sealed === null ? value.answer === 'not asked' : given && same(given.public.answer, value.answer), 'another answer was sealed')
  }
}
async function verifyDraws({ seed, move, draws }) {
  const words = wordsOf(raw(seed), move)
  for (const { words: expected, result, ...asked } of draws) {
    const used = []
    demand(same([await draw(words, used, ...Object.entries(asked)[0]), used], [result, expected]), 'other draws')
  }
}
const checks = {
  canonical: ({ bytes, value }) => demand(decode(raw(bytes)) === canonical(value), 'another value'),
  salts: async one => demand(hex(await saltOf(raw(one.secret), one.stream, one.version, one.field)) === one.salt, 'another salt'),
  commits: async one => demand(await commitTo(raw(one.salt), one.value) === one.commit, 'another commit'),
  nonces: async one => demand(hex(await nonceOf(raw(one.secret), one.seat)) === one.nonce, 'another nonce'),
  seeds: async one => demand(hex(await seedOf(raw(one.secret), one.nonces)) === one.seed, 'another seed'),
  draws: verifyDraws, exports: ({ events }) => verifyExport(events),
  views: ({ seat, events }) => verifyStream(events, null, readers => readers.includes(seat)),
}
const { about, ...groups } = JSON.parse(readFileSync(process.argv[2], 'utf8')), count = { passed: 0, failed: 0 }
for (const [group, vectors] of Object.entries(groups)) for (const [i, { holds = true, ...vector }] of vectors.entries()) {
  const why = await Promise.resolve(vector).then(checks[group]).then(() => null, error => error.message)
  count[(why === null) === holds ? 'passed' : 'failed']++
  if ((why === null) !== holds) console.log(`${group} ${i} ${vector.name ?? ''}: ${why ?? 'passes, and should not'}`)
}
console.log(`${count.passed} passed, ${count.failed} failed`)
process.exitCode = count.failed || !count.passed ? 1 : 0
