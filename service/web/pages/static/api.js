// @ts-check
// Asking the service: with the browser's cookie, in the page's language, and so that a repeated request acts once.

const TRIES = 3
const WAIT = 700
/** How often a change is sent if no answer comes, and the milliseconds between two tries. */
const LONGEST = 30_000
/** The milliseconds until an answer that has not begun is given up. */

/** Why a page is refused whose session has ended, here or in another tab; their sentences tell programs what to send. */
const OLD = ['token-missing', 'unknown-token', 'csrf-token-missing']

/** The service has refused, with the reason. */
export class Refused extends Error {
  /**
   * @param {number} status
   * @param {{ detail?: string, code?: string, errors?: object }} problem
   */
  constructor(status, problem) {
    const isOld = OLD.includes(problem.code ?? '')
    // what is wrong with a field says more than which field it is
    super((isOld ? document.getElementById('trouble')?.dataset.old : texts(problem.errors).join(' ') || problem.detail) ?? '')
    this.status = status
    /** Whether the page has to be loaded again. */
    this.isOld = isOld
  }
}

/**
 * Return the sentences of a problem's errors, which stand below the names of fields.
 * @param {unknown} errors
 * @returns {string[]}
 */
function texts(errors) {
  return typeof errors === 'string' ? [errors] : Object.values(errors ?? {}).flatMap(texts)
}

/** No answer came, or one that says to ask later. */
export class Silent extends Error {}

const BUSY = 429

/**
 * Whether an answer with that status says nothing about what was asked: too much was asked, or the service can't answer
 * now. The same may be asked again later.
 * @param {number} status
 */
export function isPassing(status) {
  return status === BUSY || (status > 500 && status < 505)
}

/**
 * Return an address of the service with a query, and with the link by which the reader found the match.
 * @param {string} path
 * @param {Record<string, any>} [query]
 * @returns {string}
 */
export function addressOf(path, query = {}) {
  const link = new URLSearchParams(document.location.search).get('link')
  const said = Object.entries({ ...query, ...(link ? { link } : {}) }).filter(([, value]) => value !== undefined && value !== null)
  const text = new URLSearchParams(said).toString()
  return text ? `${path}?${text}` : path
}

/**
 * Return the answer to a question, as JSON. Throws Refused and Silent.
 * @param {string} path
 * @param {Record<string, any>} [query]
 * @returns {Promise<any>}
 */
export async function ask(path, query) {
  return read(await sent(addressOf(path, query), { headers: headers() }))
}

/**
 * Have something done: POST with a body, or DELETE. Returns the answer as JSON, or null. Throws Refused and Silent.
 * @param {'POST' | 'DELETE'} method
 * @param {string} path
 * @param {object | null} [body]
 * @returns {Promise<any>}
 */
export async function have(method, path, body = null) {
  /** @type {Record<string, string>} */
  const said = { ...headers(), 'X-CSRF-Token': csrf() }
  // browsers make UUIDs only with https
  if (method === 'POST') said['Idempotency-Key'] = crypto.getRandomValues(new Uint32Array(4)).join('-')
  /** @type {RequestInit} */
  const request = { method, headers: said }
  if (body !== null) {
    said['Content-Type'] = 'application/json'
    request.body = JSON.stringify(body)
  }
  for (let tried = 1; ; tried += 1) {
    try {
      return await read(await sent(addressOf(path), request))
    } catch (error) {
      // whoever asks too much has to wait longer
      if (!(error instanceof Silent) || error.cause === BUSY || tried === TRIES) throw error
      await new Promise(done => setTimeout(done, WAIT * tried))
    }
  }
}

/** Return the value that only the service's own pages can read. */
function csrf() {
  return /** @type {HTMLMetaElement} */ (document.querySelector('meta[name=csrf]')).content
}

function headers() {
  return { Accept: 'application/json', 'Accept-Language': document.documentElement.lang }
}

/**
 * @param {string} address
 * @param {RequestInit} request
 */
async function sent(address, request) {
  // a connection that was lost in silence would let whoever asked wait for minutes
  const stop = new AbortController()
  const late = setTimeout(() => stop.abort(), LONGEST)
  try {
    return await fetch(address, { credentials: 'same-origin', signal: stop.signal, ...request })
  } catch {
    throw new Silent()
  } finally {
    clearTimeout(late)
  }
}

/** @param {Response} answer */
async function read(answer) {
  if (answer.status === 204) return null
  const told = await answer.json().catch(() => {
    // an answer that was cut off is none; what a proxy says of trouble may be no JSON
    if (answer.ok) throw new Silent()
    return {}
  })
  if (isPassing(answer.status)) throw new Silent(told.detail, { cause: answer.status })
  if (!answer.ok) throw new Refused(answer.status, told)
  return told
}
