// @ts-check
// Follows a stream of Server-Sent Events, and notices silence too. A lost connection is made again, from the last event
// on: nothing is missed, and nothing told twice. All streams of the pages are read here.

import { messagesOf } from './sse.js'

const SILENCE = 32000
/** Milliseconds without a sign of life, which comes every 14 seconds, after which a connection counts as lost. */

const BRIEF = 2000
const REST = 20_000
/** Milliseconds of silence after which a hidden page closes its stream, and until it opens it again: a browser has few
 * connections to one host, and many tables would use all of them. */

const FIRST = 500
const LONGEST = 15000
/** Milliseconds until the next try, at first and at most; they are doubled each time. */

/**
 * Where a stream is read on: the version of a match's log, or a player's cursor.
 * @typedef {number | string | null} Place
 */

/**
 * Who is told of a stream, and how it is read.
 * @typedef {object} Told
 * @property {(event: any) => void} onEvent is given each event as JSON
 * @property {(marks: { beside: string, talk: number | null }) => void} [onBeside] is given marks of what no event tells
 * @property {(state: 'live' | 'lost') => void} [onState] is given how the connection is
 * @property {(end: { why: string }) => void} [onEnd] is given why there is no more
 * @property {RequestCredentials} [credentials] is what `fetch` takes
 * @property {boolean} [hasCursors] whether a place is a message's id; else it is an event's version, and events up to it
 *   are passed over
 * @property {boolean} [rests] whether a hidden page closes the stream
 */

/**
 * Follow a stream on from a place.
 * @param {(after: any) => string} address gives where to read on after a place
 * @param {Place} after
 * @param {Told} told
 * @returns {Following} which has `close()`, and `after`, the place that was reached
 */
export function follow(address, after, told) {
  const following = new Following(address, after, told)
  following.run()
  return following
}

class Following {
  /**
   * @param {(after: any) => string} address
   * @param {Place} after
   * @param {Told} told
   */
  constructor(address, after, told) {
    this.address = address
    this.after = after
    this.told = told
    this.isClosed = false
    this.wait = FIRST
    /** @type {AbortController | null} */
    this.reading = null
    this.wake = () => {}
    this.listen = () => {}
    /** @type {[EventTarget, string, () => void][]} */
    this.heard = [
      [window, 'online', () => this.wake()],
      [window, 'offline', () => this.cut()],
      [document, 'visibilitychange', () => this.seen()],
    ]
    for (const [target, name, does] of this.heard) target.addEventListener(name, does)
  }

  async run() {
    while (!this.isClosed) {
      try {
        await this.read()
      } catch {
        // whatever it was: it is tried again
      }
      if (this.isClosed) return
      if (!this.isResting) this.told.onState?.('lost')
      await this.pause()
    }
  }

  close() {
    this.isClosed = true
    this.cut()
    this.wake()
    for (const [target, name, does] of this.heard) target.removeEventListener(name, does)
  }

  /** Whether the stream is closed because the page is hidden. */
  get isResting() {
    return this.told.rests && document.hidden
  }

  /** The page was shown or hidden. */
  seen() {
    if (document.hidden) return
    // nobody was told while the page was hidden
    if (this.told.rests && !navigator.onLine) this.told.onState?.('lost')
    this.listen()
    this.wake()
  }

  cut() {
    this.reading?.abort()
  }

  async read() {
    const reading = new AbortController()
    this.reading = reading
    const answer = await fetch(this.address(this.after), {
      headers: { Accept: 'text/event-stream' }, credentials: this.told.credentials, cache: 'no-store', signal: reading.signal,
    })
    if (answer.status === 204) return this.end({ why: 'over' })
    if (!answer.ok || !answer.body) {
      this.wait = Math.max(this.wait, 1000 * Number(answer.headers.get('Retry-After') ?? 0))
      if (answer.status === 401 || answer.status === 403 || answer.status === 404) this.end({ why: 'refused' })
      throw new Error(String(answer.status))
    }
    this.told.onState?.('live')
    this.wait = FIRST
    const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader()
    let text = ''
    for (;;) {
      /** @type {ReturnType<typeof setTimeout> | undefined} */
      let silence
      this.listen = () => {
        clearTimeout(silence)
        silence = setTimeout(() => reading.abort(), this.isResting ? BRIEF : SILENCE)
      }
      this.listen()
      const { done, value } = await reader.read().finally(() => {
        this.listen = () => {}
        clearTimeout(silence)
      })
      if (done) return
      const { messages, rest } = messagesOf(text + value)
      text = rest
      for (const message of messages) this.take(message)
      if (this.isClosed) return
    }
  }

  /** @param {import('./sse.js').Message} message */
  take({ event, id, data }) {
    if (this.isClosed) return
    const told = JSON.parse(data)
    if (event === 'end') {
      if (told.end.why !== 'stopping') this.end(told.end)
      return
    }
    if (event === 'beside') return this.told.onBeside?.(told)
    if (!this.told.hasCursors && told.version <= Number(this.after)) return
    this.after = this.told.hasCursors ? id || this.after : told.version
    this.told.onEvent(told)
  }

  /** @param {{ why: string }} end */
  end(end) {
    if (this.isClosed) return
    this.close()
    this.told.onEnd?.(end)
  }

  /** @returns {Promise<void>} */
  pause() {
    const time = (this.isResting ? REST : this.wait) * (0.75 + Math.random() / 2)
    this.wait = this.isResting ? FIRST : Math.min(this.wait * 2, LONGEST)
    return new Promise(done => {
      const timer = setTimeout(done, time)
      this.wake = () => {
        if (document.hidden || !navigator.onLine) return
        clearTimeout(timer)
        done()
      }
    })
  }
}
