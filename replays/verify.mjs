// @ts-check
// The second verifier: checks whether an export holds. It was written from docs/log.md alone, is one file that needs only
// WebCrypto, and works the same under Node and in a browser:
//
//   node replays/verify.mjs [--json] [--receipt FILE]... FILE...     an export, or several
//   node replays/verify.mjs [--vectors] docs/vectors.json            the page's test vectors
//   import { verify } from './verify.mjs'; await verify(bytes, { held })
//
// Exit codes: 0 all holds, 1 a check failed, 2 a file can't be read.

const FORMAT = 'foldtable-export-2'
const LONGEST = 2 ** 24 // the most bytes in a line, without its newline
const MOST_HELD = 2 ** 28 // the most bytes of a file of receipts
const DEEPEST = 100 // the deepest nesting of values, so that no stack overflows
const MOST_SEATS = 100 // a seed of more seats would only take long
const CHECKS = ['', 'file', 'header', 'order', 'chain', 'commit', 'secret', 'sealed', 'key', 'receipt', 'fork']
const SEALED = 'match/AnswerSealed', SAT = 'match/SeatTaken'
const PRIVATE = new Set([SEALED, 'match/OrderGiven', 'match/OrderWithdrawn', 'match/PremoveGiven', 'match/RungSealed'])
const NOT_CHECKED = ['LOG-11', 'LOG-12', 'LOG-13', 'LOG-14', 'LOG-15']
const ED25519 = { name: 'Ed25519' }
// How files begin that a program has packed: gzip, ZIP, zstd, xz, bzip2.
const PACKED = ['1f8b', '504b0304', '28b52ffd', 'fd377a585a', '425a68']
const isNode = Boolean(globalThis.process?.versions?.node)

// Bytes and formulas

const utf8 = new TextEncoder()
const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
const DIGITS = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))
const hex = bytes => Array.from(bytes, byte => DIGITS[byte]).join('')
const raw = text => Uint8Array.from({ length: text.length / 2 }, (_, i) => parseInt(text.slice(2 * i, 2 * i + 2), 16))

function join(...parts) {
  const pieces = parts.map(part => typeof part === 'string' ? utf8.encode(part) : part)
  const whole = new Uint8Array(pieces.reduce((size, piece) => size + piece.length, 0))
  let at = 0
  for (const piece of pieces) {
    whole.set(piece, at)
    at += piece.length
  }
  return whole
}

let subtle = null
const imported = new Map() // keys that were imported already, since importing takes longer than using one

// Without Ed25519 no signature may be called wrong. It is missing if even a good key, the first of RFC 8032, is refused.
async function prepare() {
  if (subtle) return
  const found = globalThis.crypto?.subtle ?? (isNode ? (await import('node:crypto')).webcrypto.subtle : null)
  if (!found) throw new Error('WebCrypto can not be had here: open the page over https, or use Node')
  const key = raw('d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a')
  await found.importKey('raw', key, ED25519, false, ['verify']).catch(() => {
    throw new Error('this browser can not verify Ed25519 signatures: use a newer one, or Node 20')
  })
  subtle = found
}

const sha256 = async bytes => new Uint8Array(await subtle.digest('SHA-256', bytes))

// The key of HMAC, a secret or a seed, is given as hexadecimal digits.
async function hmac(key, message) {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  if (!imported.has(key)) imported.set(key, await subtle.importKey('raw', raw(key), algorithm, false, ['sign']))
  return new Uint8Array(await subtle.sign('HMAC', imported.get(key), join(message)))
}

// Whether the key signed the canonical form of the object. 32 bytes that are no point of the curve are no key.
const isSigned = (object, signature, key) => subtle.importKey('raw', raw(key), ED25519, false, ['verify'])
  .then(made => subtle.verify(ED25519, made, raw(signature), join(canonical(object)))).catch(() => false)

// Names come from the file, so characters that a terminal or a page would obey are escaped as in JSON.
const OBEYED = new RegExp('[\\0-\\x1f\\x7f-\\x9f\\u061c\\u200b\\u200e\\u200f\\u2028-\\u202e\\u2060-\\u206f\\ufeff\\ufff9-\\ufffb'
  + '\\u{e0000}-\\u{e007f}\\ud800-\\udfff]', 'gu')
const escaped = found => found.replace(/[^]/g, unit => `\\u${unit.charCodeAt().toString(16).padStart(4, '0')}`)
const plain = text => String(text).replace(OBEYED, escaped)

class Refused extends Error {}

function demand(holds, why) {
  if (!holds) throw new Refused(why)
}

function canonical(value, depth = 0) {
  demand(depth <= DEEPEST, `nested deeper than ${DEEPEST}`)
  if (typeof value === 'number') {
    demand(Number.isSafeInteger(value) && !Object.is(value, -0), 'a number that is no integer below 2^53')
  }
  if (typeof value === 'string') demand(!/\p{Cs}/u.test(value), 'a lone surrogate')
  if (Array.isArray(value)) return `[${value.map(one => canonical(one, depth + 1)).join(',')}]`
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  const keys = Object.keys(value).sort()
  demand(keys.every(key => /^[\0-\x7f]*$/.test(key)), 'a key that is not ASCII')
  return `{${keys.map(key => `${JSON.stringify(key)}:${canonical(value[key], depth + 1)}`).join(',')}}`
}

// JSON.parse takes the last of equal keys, rounds and trims; the canonical bytes of its result then differ from these.
function decode(bytes) {
  const attempt = (act, why) => { try { return act() } catch { throw new Refused(why) } }
  demand(!['fffe', 'feff'].includes(hex(bytes.subarray(0, 2))), 'begins with a byte order mark')
  const text = attempt(() => strict.decode(bytes), 'not UTF-8')
  demand(!text.startsWith('\ufeff'), 'begins with a byte order mark')
  demand(!text.endsWith('\r'), 'ends with a carriage return')
  const value = attempt(() => JSON.parse(text), 'not JSON')
  demand(canonical(value) === text, 'not in canonical form')
  return value
}

const same = (a, b) => a !== undefined && b !== undefined && canonical(a) === canonical(b)
const isSecretOfMatch = (stream, version, path) => !stream.includes('/') && version === 1 && path === 'secret'
const saltOf = async (secret, stream, version, path) =>
  isSecretOfMatch(stream, version, path) ? '' : hex(await hmac(secret, `salt:${stream}:${version}:${path}`))
const commitTo = async (salt, value) => hex(await sha256(salt ? join(raw(salt), canonical(value)) : raw(value)))
const hashOf = async (previous, { hash, secret, ...covered }) =>
  hex(await sha256(join(raw(previous), canonical(covered))))
const nonceOf = async (secret, seat) => hex(await hmac(secret, `nonce:${seat}`))

async function seedOf(secret, nonces) {
  const all = await Promise.all(nonces.map((brought, seat) => brought || nonceOf(secret, seat)))
  return hex(await hmac(secret, join('seed:', ...all.map(raw))))
}

// LOG-1: the shapes of lines

const isText = value => typeof value === 'string'
const isObject = value => value !== null && typeof value === 'object' && !Array.isArray(value)
const isHex = count => value => isText(value) && value.length === count && /^[0-9a-f]*$/.test(value)
const isListOf = test => value => Array.isArray(value) && value.every(test)
const isMapOf = test => value => isObject(value) && Object.values(value).every(test)
const isOr = (other, test) => value => value === other || test(value)
const ID = '[0-9A-Za-z][0-9A-Za-z_-]{0,63}'
const isId = value => isText(value) && new RegExp(`^${ID}$`).test(value)
const isStream = value => isText(value) && new RegExp(`^${ID}(/seat:(0|[1-9][0-9]{0,8}))?$`).test(value)
const isMoment = value => isText(value) && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(value)
  && !value.startsWith('0000') && !Number.isNaN(Date.parse(value)) && new Date(value).toISOString() === value
const isShape = shape => value => misfit(value, shape) === null

// Return what is wrong with the members of an object, or null. It reads own members only, so "__proto__" is any name.
function misfit(value, shape) {
  if (!isObject(value)) return 'not an object'
  const names = Object.keys(shape)
  if (Object.keys(value).length !== names.length || !names.every(name => Object.hasOwn(value, name))) {
    return `has other members than ${names.join(', ')}`
  }
  const wrong = names.find(name => !shape[name](value[name]))
  return wrong === undefined ? null : `"${wrong}" is not as it should be`
}

const READERS = isListOf(Number.isInteger)
const COMMIT = { readers: READERS, commit: isHex(64) }
const TOLD = { readers: READERS, salt: isOr('', isHex(64)), value: () => true }
const EVENT = {
  stream: isStream, version: Number.isInteger, type: isText, schema: Number.isInteger, at: isMoment, actor: isText,
  move: Number.isInteger, public: isObject, commits: isMapOf(isShape(COMMIT)), secret: isMapOf(isShape(TOLD)),
  hash: isHex(64),
}
const KEY = { public: isHex(64), key: isHex(16), since: isMoment, by: isOr(null, isHex(16)), signature: isHex(128) }
const PACK = { name: isText, hash: isHex(64), text: isText }
const HEADER = {
  format: isText, match: isId, game: isText, rules: Number.isInteger, pack: isShape(PACK),
  viewer: isOr(null, value => Number.isInteger(value) || isText(value)), status: isText, version: Number.isInteger,
  keys: isListOf(isShape(KEY)),
}
const RECEIPT = {
  domain: value => value === 'foldtable-receipt-1', stream: isStream, version: Number.isInteger, hash: isHex(64),
  at: isMoment, key: isHex(16), signature: isHex(128),
}

function chunksOf(source) {
  if (isText(source)) demand(!/\p{Cs}/u.test(source), 'line 1: a lone surrogate somewhere in the text')
  if (isText(source)) return [utf8.encode(source)]
  if (source instanceof ArrayBuffer) return [new Uint8Array(source)]
  return source instanceof Uint8Array ? [source] : source
}

// Yield lines. A line that is too long is refused before all of it is in memory.
async function* linesOf(chunks) {
  let pieces = [], size = 0, number = 1
  for await (const chunk of chunks) {
    for (let from = 0, end; from < chunk.length; from = end + 1) {
      end = chunk.indexOf(10, from)
      const piece = chunk.subarray(from, end < 0 ? chunk.length : end)
      pieces.push(piece)
      size += piece.length
      const begins = number === 1 && pieces.length === 1 ? hex(piece.subarray(0, 5)) : ''
      demand(!PACKED.some(mark => begins.startsWith(mark)), 'line 1: is compressed: unpack it first')
      demand(size <= LONGEST, `line ${number}: longer than 2^24 bytes`)
      if (end < 0) break
      yield pieces.length === 1 ? piece : join(...pieces)
      pieces = []
      size = 0
      number++
    }
  }
  demand(size === 0, `line ${number}: not ended by a newline`)
}

function parse(bytes, file) {
  const value = decode(bytes)
  const kind = file.header ? isObject(value) && Object.hasOwn(value, 'domain') ? 'receipt' : 'event' : 'header'
  const isOther = kind === 'header' && isObject(value) && Object.hasOwn(value, 'format') && value.format !== FORMAT
  demand(!isOther, `the format is not ${FORMAT}, the only one that is known here`)
  const wrong = misfit(value, { header: HEADER, receipt: RECEIPT, event: EVENT }[kind])
  demand(wrong === null, `no good ${kind}: ${wrong}`)
  demand(kind !== 'event' || !file.receipts.length, 'an event after the receipts')
  if (kind === 'header') file.header = value
  else file[`${kind}s`].push(value)
}

async function read(source) {
  /** @type {{ header: any, events: any[], receipts: any[] }} */
  const file = { header: null, events: [], receipts: [] }
  let number = 1
  for await (const bytes of linesOf(chunksOf(source))) {
    try {
      parse(bytes, file)
    } catch (error) {
      throw error instanceof Refused ? new Refused(`line ${number}: ${error.message}`) : error
    }
    number++
  }
  demand(file.header, 'line 1: the file is empty')
  return file
}

// The log as the file has it

const isEnd = event => event?.type === 'match/Finished' || event?.type === 'match/Aborted'
const eventAt = (log, stream, version) => log.named.get(`${version} ${stream}`)
const secretOf = event => {
  const value = event && Object.hasOwn(event.secret, 'secret') ? event.secret.secret.value : null
  return isHex(64)(value) ? value : null
}

// Return the value at a path such as "move.card" or "answers.1"; undefined if there is none.
function reach(value, path) {
  for (const name of path.split('.')) {
    const isThere = Array.isArray(value) ? /^(0|[1-9]\d*)$/.test(name) : isObject(value)
    if (!isThere || !Object.hasOwn(value, name)) return undefined
    value = value[name]
  }
  return value
}

function gather(match, viewer, events) {
  const streams = new Map(), named = new Map(), places = new Map()
  events.forEach((event, place) => {
    const name = `${event.version} ${event.stream}`
    if (!streams.has(event.stream)) streams.set(event.stream, [])
    streams.get(event.stream).push(event)
    if (!named.has(name)) named.set(name, event)
    places.set(event, place)
  })
  const main = streams.get(match) ?? [], over = isEnd(main.at(-1)), isOpen = over || viewer === 'all'
  const found = { ancestors: new Set(), failures: new Map() }
  // `ranks` are the places of the streams that belong into the file: the match, private ones by seat, the parents.
  const log = { match, viewer, events, streams, named, places, main, over, isOpen, ...found, seats: NaN, ranks: new Map([[match, -1]]) }
  const seats = reach(eventAt(log, match, 1)?.public, 'seats')
  log.seats = Number.isInteger(seats) ? seats : NaN // which no number is less than
  for (const name of streams.keys()) {
    const seat = name.startsWith(`${match}/seat:`) ? Number(name.slice(match.length + 6)) : NaN
    if (seat >= 0 && !(seat >= log.seats) && (isOpen || seat === viewer)) log.ranks.set(name, seat)
  }
  for (let name = match, parent; (parent = parentOf(log, name)) !== null; name = parent) {
    log.ranks.set(parent, 1e9 + log.ancestors.add(parent).size)
  }
  return log
}

const forkOf = (log, name) => [eventAt(log, name, 2)].find(event => event?.type === 'match/Forked')

function parentOf(log, name) {
  const parent = reach(forkOf(log, name)?.public, 'parent')
  return log.streams.has(parent) && !parent.includes('/') && !log.ranks.has(parent) ? parent : null
}

// A failure is named by stream, version and clause; two reasons with one name are reported together.
function fail(log, clause, where, reason, place = log.places.get(where) ?? Infinity) {
  const { stream, version } = where, name = `${clause} ${version} ${stream}`, known = log.failures.get(name)
  if (known) known.reasons.add(reason)
  else log.failures.set(name, { stream, version, clause, place, reasons: new Set([reason]) })
}

const failuresOf = log => [...log.failures.values()]
  .sort((a, b) => a.place === b.place ? a.clause - b.clause : a.place - b.place)
  .map(({ stream, version, clause, reasons }) =>
    ({ stream, version, check: CHECKS[clause], clause: `LOG-${clause}`, reason: plain([...reasons].join('; ')).slice(0, 300) }))

// The checks

async function checkHeader(log, header) {
  const wrong = reason => fail(log, 2, { stream: log.match, version: 0 }, reason, -1)
  const { game, rules, pack, viewer, status, version } = header, first = log.main[0], last = log.main.at(-1)
  if (hex(await sha256(join(pack.text))) !== pack.hash) wrong('the hash of the pack is not that of its text')
  if (first?.type !== 'match/Opened') wrong('the match does not begin with match/Opened')
  else {
    const named = { game, version: rules, pack: pack.name, pack_hash: pack.hash }
    for (const [name, value] of Object.entries(named)) {
      if (reach(first.public, name) !== value) wrong(`match/Opened has another "${name}"`)
    }
  }
  if (version !== last?.version) wrong('"version" is not that of the last event')
  const isStarted = log.main.some(event => event.type === 'match/Started')
  const due = log.over ? last.type.slice(6).toLowerCase() : isStarted ? 'playing' : 'open'
  if (status !== due) wrong(`"status" should be "${due}"`)
  const isSeat = Number.isInteger(viewer) && viewer >= 0 && viewer < log.seats
  if (log.over ? viewer !== 'all' : viewer !== null && !isSeat) wrong('"viewer" is none that this match has now')
}

function checkOrder(log) {
  const seen = new Set()
  let before = null, furthest = -Infinity
  for (const event of log.events) {
    const { stream } = event, rank = log.ranks.get(stream)
    if (stream === before) continue
    if (seen.has(stream)) fail(log, 3, event, 'its stream is not in one piece')
    else if (rank === undefined) fail(log, 3, event, 'its stream does not belong here')
    else if (rank < furthest) fail(log, 3, event, 'its stream stands too late')
    else furthest = rank
    seen.add(stream)
    before = stream
  }
  for (const [name, events] of log.streams) checkOrderOf(log, events, name.includes('/'))
}

function checkOrderOf(log, events, isPrivate) {
  let before = { version: 0, at: '' }, hasEnded = false
  for (const event of events) {
    const { type, version, at } = event
    if (version !== before.version + 1) fail(log, 3, event, `follows version ${before.version}`)
    if (at < before.at) fail(log, 3, event, 'is earlier than the event before it')
    if (hasEnded) fail(log, 3, event, 'follows the end of the match')
    const isFirst = !isPrivate && version === 1, isSecond = !isPrivate && version === 2
    if ((type === 'match/Opened') !== isFirst) fail(log, 3, event, 'match/Opened is version 1 of a match, and no other')
    if (type === 'match/Forked' && !isSecond) fail(log, 3, event, 'match/Forked is version 2 of a match')
    if (PRIVATE.has(type) !== isPrivate) fail(log, 3, event, `${type} in this stream`)
    hasEnded ||= isEnd(event)
    before = event
  }
}

async function checkChain(log) {
  for (const events of log.streams.values()) {
    let previous = '00'.repeat(32)
    for (const event of events) {
      if (await hashOf(previous, event) !== event.hash) fail(log, 4, event, 'its hash does not fit')
      previous = event.hash
    }
  }
}

async function checkCommits(log) {
  for (const event of log.events) {
    const { stream, commits, secret } = event
    const isAll = log.isOpen || stream.includes('/')
    for (const path of Object.keys(secret)) {
      if (!Object.hasOwn(commits, path)) fail(log, 5, event, `"${path}" is told and was not committed`)
    }
    for (const [path, committed] of Object.entries(commits)) {
      const isTold = Object.hasOwn(secret, path), mayRead = isAll || committed.readers.includes(log.viewer)
      // For a stream that does not belong here it is unknown which fields are due; LOG-3 reports the stream.
      const isWrong = log.ranks.has(stream) && isTold !== mayRead
      if (isWrong) fail(log, 5, event, `"${path}" is ${isTold ? 'told' : 'withheld'}`)
      const reason = await wrongCommit(event, path, committed, isTold ? secret[path] : null)
      if (reason) fail(log, 5, event, `"${path}" ${reason}`)
    }
  }
}

async function wrongCommit({ stream, version, public: fields }, path, { readers, commit }, told) {
  const shown = reach(fields, path), isElement = /(^|\.)\d+$/.test(path), isList = Array.isArray(shown) && !isElement
  if (!(isList ? shown.every(one => one === null) : shown === null)) return 'has no null in public'
  if (!told) return null
  const { salt, value } = told
  if (Array.isArray(value) && !isElement ? shown?.length !== value.length : isList) return 'has another number of nulls in public'
  if (!same(readers, told.readers)) return 'has other readers than its commit'
  const isSecret = isSecretOfMatch(stream, version, path)
  if ((salt === '') !== isSecret || isSecret && !isHex(64)(value)) return 'has no salt, or one too many'
  return await commitTo(salt, value) === commit ? null : 'is not what was committed'
}

async function checkSecrets(log) {
  for (const name of log.isOpen ? [log.match, ...log.ancestors] : []) {
    const secret = secretOf(eventAt(log, name, 1)), last = log.streams.get(name)?.at(-1)
    if (isEnd(last) && (!secret || reach(last.public, 'secret') !== secret)) {
      fail(log, 6, last, 'its secret is not that of the opening event')
    }
    // The file has no private streams of the parents.
    const all = name === log.match ? [...log.ranks.keys()].filter(one => !log.ancestors.has(one)) : [name]
    for (const event of secret ? all.flatMap(one => log.streams.get(one)) : []) {
      for (const [path, { salt }] of Object.entries(event.secret)) {
        // LOG-5 checks the one field without a salt.
        if (isSecretOfMatch(event.stream, event.version, path)) continue
        const due = await saltOf(secret, event.stream, event.version, path)
        if (salt !== due) fail(log, 6, event, `"${path}" has another salt than its match's secret gives`)
      }
    }
  }
}

function checkSealed(log) {
  const taken = new Map(), answers = new Map() // for each private stream that belongs here
  for (const [name, events] of log.streams) {
    if (log.ranks.has(name) && name.includes('/')) answers.set(name, events.filter(({ type }) => type === SEALED))
  }
  for (const event of log.main.filter(event => event.type === 'match/AnswersClosed')) {
    for (const [path, { value }] of Object.entries(event.secret)) {
      const [, seat] = /^answers\.(0|[1-9]\d{0,8})$/.exec(path) ?? []
      if (seat === undefined) continue
      const answer = reach(value, 'answer'), sealed = reach(value, 'sealed')
      if (sealed === null && answer === 'not asked') continue
      const stream = `${log.match}/seat:${seat}`, count = taken.get(stream) ?? 0
      const given = answers.get(stream)?.[count]
      if (isText(sealed)) taken.set(stream, count + 1)
      const isIt = isText(sealed) && given?.hash === sealed && same(answer, reach(given.public, 'answer'))
      if (!isIt) fail(log, 7, event, `"${path}" is not the next answer that the seat gave under seal`)
    }
  }
  for (const [name, given] of answers) {
    const left = given.slice(taken.get(name) ?? 0)
    if (left.length > 1) fail(log, 7, left[0], 'no closing took this answer')
  }
}

// Return reasons why the history of keys does not hold; none if it does.
async function wrongKeys(keys) {
  const reasons = []
  for (const [i, { public: key, key: name, since, by, signature }] of keys.entries()) {
    const before = keys[i - 1]
    if (hex(await sha256(raw(key))).slice(0, 16) !== name) reasons.push(`${name} is not that key's name`)
    if (by !== null && by !== before?.key) reasons.push(`${name} does not name the key before it`)
    if (before && since <= before.since) reasons.push(`${name} is not later than the key before it`)
    const signed = { by, domain: 'foldtable-key-1', key: name, public: key, since }
    if (!await isSigned(signed, signature, by !== null && before ? before.public : key)) reasons.push(`${name} has a wrong signature`)
  }
  return reasons
}

// Return reasons why the receipt does not hold for the event; none if it does. Adds the name of its key to `signers`.
async function wrongReceipt(receipt, event, keys, signers = new Set()) {
  const { signature, ...signed } = receipt, { version, hash, at, key: name } = receipt, reasons = []
  if (version !== event.version) reasons.push('the receipt is for another version')
  if (hash !== event.hash) reasons.push('the receipt has another hash')
  const i = keys.findIndex(key => key.key === name)
  if (i < 0) return [...reasons, 'the receipt is by a key that is not in the header']
  if (at < keys[i].since || keys[i + 1] && at >= keys[i + 1].since) reasons.push('its key did not sign at that time')
  const due = event.at > keys[i].since ? event.at : keys[i].since
  if (at !== due) reasons.push(`its moment should be ${due}`)
  if (await isSigned(signed, signature, keys[i].public)) signers.add(name)
  else reasons.push('the receipt has a wrong signature')
  return reasons
}

async function checkReceipts(log, receipts, keys, signers) {
  const found = new Map(), order = new Map([...log.streams.keys()].map((name, i) => [name, i]))
  let furthest = -1
  for (const receipt of receipts) {
    const { stream, version } = receipt, place = order.get(stream)
    if (place === undefined || found.has(stream)) {
      fail(log, 9, eventAt(log, stream, version) ?? { stream, version }, 'a receipt too many')
      continue
    }
    found.set(stream, receipt)
    if (place < furthest) fail(log, 9, log.streams.get(stream).at(-1), 'its receipt stands too late')
    furthest = Math.max(furthest, place)
  }
  for (const [name, events] of log.streams) {
    const last = events.at(-1), receipt = found.get(name)
    const reasons = receipt ? await wrongReceipt(receipt, last, keys, signers) : ['it has no receipt']
    for (const reason of reasons) fail(log, 9, last, reason)
  }
}

const isNonce = held => isObject(held) && Object.hasOwn(held, 'nonce') && !Object.hasOwn(held, 'domain')
const isInVain = held => isObject(held) && Object.hasOwn(held, 'in_vain') && !['nonce', 'domain'].some(name => Object.hasOwn(held, name))

// Whether the viewer may not read the private stream.
const isKept = ({ match, viewer }, { stream }) =>
  stream.startsWith(`${match}/`) && viewer !== 'all' && stream !== `${match}/seat:${viewer}`

// What players hold comes from any source, so it may be any value.
async function checkHeld(log, held, keys) {
  for (const [i, receipt] of held.entries()) {
    if (isNonce(receipt)) {
      // Without a receipt after it the nonce may never have arrived, or was refused.
      const next = held.slice(i).find(one => isInVain(one) ? one.in_vain === receipt.nonce : !isNonce(one))
      const isThere = typeof receipt.nonce === 'string' && (!next || isInVain(next)) || isHex(64)(receipt.nonce)
        && log.main.some(({ type, public: { nonce } }) => type === SAT && nonce === receipt.nonce)
      if (!isThere) fail(log, 9, { stream: log.match, version: 0 }, 'a nonce that is held is not in the log', -1)
      continue
    }
    if (isInVain(receipt)) continue
    const named = isObject(receipt) ? receipt : {}
    const where = {
      stream: isStream(named.stream) ? named.stream : '', version: Number.isInteger(named.version) ? named.version : 0,
    }
    const event = eventAt(log, where.stream, where.version), wrong = misfit(receipt, RECEIPT)
    if (wrong) fail(log, 9, event ?? where, `a receipt that is held: ${wrong}`)
    else if (!event) {
      const why = isKept(log, where) ? ': while the match runs, only the export of that seat has it' : ''
      fail(log, 9, where, `a receipt that is held is for an event that is not here${why}`)
    }
    else for (const reason of await wrongReceipt(receipt, event, keys)) fail(log, 9, event, `held elsewhere: ${reason}`)
  }
}

function checkForks(log) {
  const parents = [...log.ancestors]
  // The last parent with each secret: whoever stands before it has that of a parent.
  const oldest = new Map(parents.map((parent, i) => [secretCommitted(log, parent), i]))
  for (const [i, name] of [log.match, ...parents].entries()) {
    const fork = forkOf(log, name), parent = log.streams.get(parents[i])
    const own = fork && secretCommitted(log, name)
    if (own && (oldest.get(own) ?? -1) >= i) fail(log, 10, fork, 'its secret is its parent\'s')
    if (fork && !parent) fail(log, 10, fork, 'its parent is not here')
    if (fork && parent) checkFork(log, fork, log.streams.get(name), parent)
  }
}

const secretCommitted = (log, stream) => eventAt(log, stream, 1)?.commits.secret?.commit

function checkFork(log, fork, events, parent) {
  const last = parent.at(-1), opened = events[0].public, parentOpened = parent[0].public
  if (reach(fork.public, 'version') !== last.version || reach(fork.public, 'hash') !== last.hash) {
    fail(log, 10, fork, 'the parent does not end here with the event that it names')
  }
  for (const name of ['game', 'version', 'pack_hash', 'seats', 'options']) {
    if (!same(reach(opened, name), reach(parentOpened, name))) fail(log, 10, fork, `its parent has another "${name}"`)
  }
  const isGames = event => !event.type.startsWith('match/')
  const due = parent.filter(isGames), told = events.slice(events.indexOf(fork) + 1)
  const i = due.findIndex((event, at) => !isCopy(told[at], event))
  const lacking = { stream: fork.stream, version: events.at(-1).version + 1 }
  if (i >= 0 && !told[i]) fail(log, 10, lacking, "an event of the parent's lacks", log.places.get(events.at(-1)) + 0.5)
  else if (i >= 0) fail(log, 10, told[i], "is not the parent's event")
  else if (told[due.length] && isGames(told[due.length])) fail(log, 10, told[due.length], "is no event of the parent's")
}

// Compares only values that are shown here; LOG-5 covers the others when the match is over.
function isCopy(event, source) {
  const kept = ({ type, schema, public: fields, commits }) =>
    ({ type, schema, fields, readers: Object.entries(commits).map(([path, { readers }]) => [path, readers]) })
  return event !== undefined && event.actor === 'service' && event.move === 0 && same(kept(event), kept(source))
    && Object.entries(event.secret).every(([path, { value }]) =>
      isSecretOfMatch(event.stream, event.version, path) || !Object.hasOwn(source.secret, path)
      || same(value, source.secret[path].value))
}

const UNKNOWN = { chance: null, last_nonce: null, taken_again: [], own_nonces: [], unbound_nonces: [], overtaken_nonces: [], seed: null }

// For a match that was started and is over: whose nonces are in the seed, whose came last, who sat down again when one was
// known, which of them the reader holds, before which of these the reader had no receipt, and which of them somebody else's
// nonce may have been chosen to suit: it is in the log after the last receipt that the reader had before.
async function chanceOf(log, held) {
  const secret = secretOf(eventAt(log, log.match, 1))
  const start = log.main.findIndex(event => event.type === 'match/Started')
  if (!log.over || start < 0 || Number.isNaN(log.seats)) return UNKNOWN
  const nonces = new Map(), left = new Set(), again = new Set(), versions = new Map()
  let isKnown = false
  for (const { type, version, public: { seat, nonce } } of log.main.slice(0, start)) {
    if (!Number.isInteger(seat) || seat < 0 || seat >= log.seats) continue
    if (type === SAT) {
      if (isKnown && left.has(seat)) again.add(seat)
      nonces.delete(seat) // so that the last nonce is the last key
      nonces.set(seat, isHex(64)(nonce) ? nonce : '')
      versions.set(seat, version)
      isKnown ||= nonces.get(seat) !== ''
    }
    if (type === 'match/SeatLeft' && left.add(seat)) nonces.delete(seat)
  }
  const brought = [...nonces.keys()].filter(seat => nonces.get(seat))
  const placeOf = seat => held.findIndex(one => isNonce(one) && one.nonce === nonces.get(seat))
  // Who brings a nonce that is in the log already copies it: it is not theirs.
  const bringers = new Map([...brought].reverse().map(seat => [nonces.get(seat), seat]))
  const own = [...bringers.values()].filter(seat => placeOf(seat) >= 0).sort((a, b) => a - b)
  const isBefore = (one, seat) => isObject(one) && !isNonce(one) && one.stream === log.match
    && one.version >= 1 && one.version < versions.get(seat)
  const boundAt = seat => held.slice(0, placeOf(seat))
    .reduce((at, one) => isBefore(one, seat) ? Math.max(at, one.version) : at, 0)
  const bound = new Map(own.map(seat => [seat, boundAt(seat)]))
  const isOvertaken = seat => bound.get(seat) && brought.some(one =>
    !own.includes(one) && bound.get(seat) < versions.get(one) && versions.get(one) < versions.get(seat))
  const all = log.seats <= MOST_SEATS ? Array.from({ length: log.seats }, (_, seat) => nonces.get(seat) ?? '') : null
  return {
    chance: brought.length ? 'seats' : 'server alone', last_nonce: brought.at(-1) ?? null,
    taken_again: [...again].sort((a, b) => a - b), own_nonces: own, unbound_nonces: own.filter(seat => !bound.get(seat)),
    overtaken_nonces: own.filter(isOvertaken),
    seed: secret && all && await seedOf(secret, all),
  }
}

const unreadable = reason => ({
  ok: false, match_id: null, events: 0, viewer: null, status: null,
  failures: [{ stream: '', version: 0, check: 'file', clause: 'LOG-1', reason }],
  keys: [], begun_anew: [], ...UNKNOWN, not_checked: NOT_CHECKED,
})

/**
 * `held` are the receipts, and the nonces as `{nonce}`, that a player holds, in the order in which they got them.
 * @param {Uint8Array | string | AsyncIterable<Uint8Array>} source
 * @param {{ held?: any[] }} [options]
 */
export async function verify(source, { held = [] } = {}) {
  await prepare()
  let file
  try {
    file = await read(source)
  } catch (error) {
    if (error instanceof Refused) return unreadable(error.message)
    throw error
  }
  const { header, events } = file, { match, viewer, status, keys } = header
  const log = gather(match, viewer, events), signers = new Set()
  await checkHeader(log, header)
  checkOrder(log)
  await checkChain(log)
  await checkCommits(log)
  await checkSecrets(log)
  checkSealed(log)
  for (const reason of await wrongKeys(keys)) fail(log, 8, { stream: match, version: 0 }, reason, -1)
  await checkReceipts(log, file.receipts, keys, signers)
  await checkHeld(log, held, keys)
  checkForks(log)
  const failures = failuresOf(log)
  return {
    ok: !failures.length, match_id: match, events: events.length, viewer, status, failures,
    keys: [...signers], begun_anew: keys.slice(1).filter(key => key.by === null).map(key => key.key), ...await chanceOf(log, held), not_checked: NOT_CHECKED,
  }
}

// The test vectors

async function* wordsOf(seed, move) {
  for (let block = 0; ; block++) {
    const view = new DataView((await hmac(seed, `${move}:${block}`)).buffer)
    for (let at = 0; at < 32; at += 4) yield view.getUint32(at)
  }
}

async function draw(words, used, name, k) {
  if (name === 'roll') return await draw(words, used, 'below', k) + 1
  while (name === 'below') {
    used.push((await words.next()).value)
    if (used.at(-1) < Math.floor(2 ** 32 / k) * k) return used.at(-1) % k
  }
  const order = Array.from({ length: k }, (_, i) => i)
  for (let i = k - 1; i > 0; i--) {
    const j = await draw(words, used, 'below', i + 1)
    order.splice(j, 1, ...order.splice(i, 1, order[j]))
  }
  return order
}

async function verifyDraws({ seed, move, draws }) {
  const words = wordsOf(seed, move)
  for (const { words: expected, result, ...asked } of draws) {
    const used = [], [[name, k]] = Object.entries(asked)
    demand(same([await draw(words, used, name, k), used], [result, expected]), 'other draws')
  }
}

async function verifyEvents(events, viewer, checks) {
  const log = gather(events[0].stream, viewer, events)
  demand(viewer !== 'all' || log.over, 'the match is not over')
  for (const check of checks) await check(log)
  const [first] = failuresOf(log)
  demand(!first, `${first?.clause} ${first?.stream} ${first?.version}: ${first?.reason}`)
}

const OF_VIEWS = [checkOrder, checkChain, checkCommits]
const VECTORS = {
  canonical: ({ bytes, value }) => demand(same(decode(raw(bytes)), value), 'another value'),
  salts: async one => demand(await saltOf(one.secret, one.stream, one.version, one.field) === one.salt, 'another salt'),
  commits: async one => demand(await commitTo(one.salt, one.value) === one.commit, 'another commit'),
  nonces: async one => demand(await nonceOf(one.secret, one.seat) === one.nonce, 'another nonce'),
  seeds: async one => demand(await seedOf(one.secret, one.nonces) === one.seed, 'another seed'),
  draws: verifyDraws,
  keys: async ({ keys }) => demand(!(await wrongKeys(keys)).length, 'the keys do not hold'),
  receipts: async ({ keys, event, receipt }) => {
    const wrong = misfit(receipt, RECEIPT) ?? (await wrongReceipt(receipt, event, keys))[0]
    demand(receipt.stream === event.stream && !wrong, wrong)
  },
  exports: ({ events }) => verifyEvents(events, 'all', [...OF_VIEWS, checkSecrets, checkSealed]),
  views: ({ seat, events }) => verifyEvents(events, seat, OF_VIEWS),
}

// Return the lines to print; the last is "N passed, M failed".
export async function verifyVectors({ about, ...groups }) {
  await prepare()
  const count = { passed: 0, failed: 0 }, lines = []
  for (const [group, vectors] of Object.entries(groups)) {
    for (const [i, { holds = true, ...vector }] of vectors.entries()) {
      const why = await Promise.resolve(vector).then(VECTORS[group]).then(() => null, error => error.message)
      const isRight = (why === null) === holds
      count[isRight ? 'passed' : 'failed']++
      if (!isRight) lines.push(`${group} ${i} ${vector.name ?? ''}: ${why ?? 'passes, and should not'}`)
    }
  }
  return { ...count, lines: [...lines, `${count.passed} passed, ${count.failed} failed`] }
}

// The command line

function report(result) {
  if (result.failures[0]?.clause === 'LOG-1') return [`  can't be read: LOG-1, ${result.failures[0].reason}`]
  const { match_id, status, events, viewer, failures, keys, begun_anew, chance, last_nonce, own_nonces, unbound_nonces, overtaken_nonces, taken_again, seed } = result
  return [
    `  match ${match_id}, ${status}, ${events} events, as ${viewer === null ? 'nobody' : viewer} may read it`,
    `  checked: LOG-1 to LOG-10: ${failures.length ? `${failures.length} failed` : 'all hold'}`,
    ...failures.map(one => `  ${one.clause} ${one.check}: ${one.stream} version ${one.version}: ${one.reason}`),
    `  signed by ${keys.join(', ') || 'nobody'}: compare that with the keys that the service publishes`,
    ...begun_anew.map(key => `  ${key} begins the keys anew: the one before it was lost, and does not vouch for it`),
    ...chance === 'server alone' ? ['  chance: server alone, since no seat brought a nonce'] : [],
    ...chance === 'seats' ? [`  chance: server and seats; the nonce of seat ${last_nonce} came last`] : [],
    ...own_nonces.map(seat => `  the nonce of seat ${seat} is held here${unbound_nonces.includes(seat) ? '; no receipt from before it was sent is' : ''}`),
    ...overtaken_nonces.map(seat => `  after the last receipt before the nonce of seat ${seat} the log has another one, which may suit it`),
    ...taken_again.map(seat => `  seat ${seat} was left, and taken again once a nonce was known`),
    ...seed ? [`  seed: ${seed}`] : [],
    '  not checked here: LOG-11 to LOG-15, which need the rules (./foldtable replays audit)',
    "  no check can show: who sat on a seat; that the service did not move in a player's place; that an operator",
    '    or a confederate who joined last did not choose a nonce that fits the secret, and that no join was refused,',
    '    and nobody stayed away, until the seed suited;',
    '    that nobody was shown another history, or told of hidden cards, all of which the service holds during play;',
    "    when things happened, which only the service says; that a seat left no more orders after its last answer under",
    "    seal; that no whole match was hidden",
  ]
}

// Return the receipts in a saved answer of the service: up to two, and none if it was refused. Else the value itself.
function heldIn(one) {
  const isAnswer = isObject(one) && !['nonce', 'in_vain', 'domain'].some(name => Object.hasOwn(one, name))
  return isAnswer ? [one, one.sealed].filter(isObject).map(part => part.receipt ?? null).filter(it => it !== null) : [one]
}

// Parse JSON as JSON.parse does, but read null for a number that canonical JSON does not have, such as 50.0: it is no version.
function parseExactly(text) {
  JSON.parse(text) // what is no JSON is refused before its numbers are looked for
  const isExact = token => /^-?\d+$/.test(token) && Number.isSafeInteger(Number(token))
  let isInString = false
  const read = token => {
    if (token === '"') isInString = !isInString
    return isInString || /^["\\]/.test(token) || isExact(token) ? token : 'null'
  }
  return JSON.parse(text.replace(/\\.|"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g, read))
}

// Say why a value is neither a nonce nor a receipt; null if it is one.
function unfit(one) {
  const nonce = isNonce(one) ? one.nonce : isInVain(one) ? one.in_vain : null
  if (isNonce(one) || isInVain(one)) return isText(nonce) ? null : 'a nonce is no text'
  const why = misfit(one, RECEIPT)
  return why && `a receipt: ${why}`
}

// Parse receipts and nonces: one object, a list of them, or one a line. An empty file is an error.
function parseReceipts(text, file) {
  const lines = text.split('\n').filter(line => line.trim())
  let found
  try {
    found = [parseExactly(text)].flat()
  } catch {
    try { found = lines.map(parseExactly) } catch { throw new Error(`${file} holds no receipts: not JSON`) }
  }
  if (!found.length) throw new Error(`${file} holds no receipts: it is empty`)
  const held = found.flatMap(heldIn)
  if (!held.length) throw new Error(`${file} holds no receipts: no answer in it has one`)
  const wrong = held.map(unfit).find(why => why)
  if (wrong) throw new Error(`${file} holds no receipts: ${wrong}`)
  return held
}

// Node opens no file whose name is not UTF-8: it replaces what it can't read in its arguments.
const whyUnread = (file, { code }) => file.includes('\ufffd') ? 'its name is not UTF-8: give it as /dev/stdin' : code

// Return the content of a file of receipts, of which a device has no end.
function contentOf({ openSync, readSync, closeSync }, file) {
  const pieces = [], fd = openSync(file, 'r')
  try {
    for (let size = 0, count = -1; count; size += count) {
      const piece = new Uint8Array(2 ** 20)
      count = readSync(fd, piece)
      pieces.push(piece.subarray(0, count))
      if (size > MOST_HELD) throw Object.assign(new Error(), { code: 'it is larger than 256 MiB' })
    }
  } finally {
    closeSync(fd)
  }
  return join(...pieces)
}

function textOf(fs, file) {
  let content
  try {
    content = contentOf(fs, file)
  } catch (cause) {
    throw new Error(`${file} can't be read (${whyUnread(file, /** @type {any} */ (cause))})`, { cause })
  }
  const begins = hex(content.subarray(0, 5)), wrong = why => new Error(`${file} holds no receipts: ${why}`)
  if (PACKED.some(mark => begins.startsWith(mark))) throw wrong('it is compressed: unpack it first')
  if (['efbbbf', 'fffe', 'feff'].some(mark => begins.startsWith(mark))) throw wrong('it begins with a byte order mark')
  try {
    return strict.decode(content)
  } catch (cause) {
    throw new Error(wrong('not UTF-8').message, { cause })
  }
}

// Print a text. The console would hide that it can't be written; but whoever has read enough may close a pipe.
function print(text) {
  const { stdout } = globalThis.process
  return new Promise((resolve, reject) => {
    if (!stdout.listenerCount('error')) stdout.on('error', () => {})
    stdout.write(`${text}\n`, /** @param {any} error */ error => {
      if (!error || ['EPIPE', 'ERR_STREAM_DESTROYED'].includes(error.code)) resolve(undefined)
      else reject(new Error(`the output can't be written (${error.code})`))
    })
  })
}

async function main(args) {
  const fs = await import('node:fs'), { createReadStream, readFileSync } = fs
  const files = [], held = []
  let isJson = false, isVectors = false, code = 0
  while (args.length) {
    const word = args.shift()
    if (word === '--json') isJson = true
    else if (word === '--vectors') isVectors = true
    else if (word === '--receipt') {
      if (!args.length) throw new Error('--receipt is followed by a file')
      held.push(...parseReceipts(textOf(fs, args[0]), args.shift()))
    }
    else if (word.startsWith('--')) throw new Error(`${word} is not known`)
    else files.push(word)
  }
  if (!files.length) throw new Error('name a file: node verify.mjs [--json] [--receipt FILE]... FILE...')
  for (const file of files) {
    if (isVectors || /(^|[/\\])vectors\.json$/.test(file)) {
      const { passed, failed, lines } = await verifyVectors(JSON.parse(readFileSync(file, 'utf8')))
      await print(lines.map(plain).join('\n'))
      code = Math.max(code, failed || !passed ? 1 : 0)
      continue
    }
    const result = await verify(createReadStream(file, { highWaterMark: 2 ** 20 }), { held }).catch(error => {
      if (!error.code) throw error
      return unreadable(`no such file, or not to be read (${whyUnread(file, error)})`)
    })
    await print(isJson ? plain(JSON.stringify(result)) : [file, ...report(result)].map(plain).join('\n'))
    code = Math.max(code, result.ok ? 0 : result.failures[0].clause === 'LOG-1' ? 2 : 1)
  }
  return code
}

// Only under Node, and not when another module imports this one, is there a command line to run.
async function isMain() {
  const { realpathSync } = await import('node:fs'), { pathToFileURL } = await import('node:url')
  try {
    return pathToFileURL(realpathSync(globalThis.process.argv[1])).href === import.meta.url
  } catch {
    return false
  }
}

if (isNode && await isMain()) {
  const { argv } = globalThis.process
  globalThis.process.exitCode = await main(argv.slice(2)).catch(error => {
    console.error(plain(error.message))
    return 2
  })
}
