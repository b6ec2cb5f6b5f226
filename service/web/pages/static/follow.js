// Following a match: its stream of Server-Sent Events, read so that silence is noticed too. A connection that is lost is
// made again after the version that came last; nothing is missed, and nothing told twice.

const SILENCE = 32000
/** Milliseconds without so much as a sign of life, of which there is one every 14 seconds, after which it is lost. */

const FIRST = 500
const LONGEST = 15000
/** Milliseconds until it is tried again, doubled each time. */

/**
 * Follows on from `after`. `address(after)` is where to read on; `onEvent(event)` is told each, `onState('live' | 'lost')`
 * how the connection is, `onEnd(end)` why there is no more. Answers {close(), after}.
 */
export function follow(address, after, { onEvent, onState, onEnd, credentials = 'same-origin' }) {
  const following = new Following(address, after, { onEvent, onState, onEnd })
  following.credentials = credentials
  following.run()
  return following
}

class Following {
  constructor(address, after, told) {
    this.address = address
    this.after = after
    this.told = told
    this.isClosed = false
    this.wait = FIRST
    this.reading = null
    this.wake = () => {}
    this.heard = { online: () => this.wake(), offline: () => this.cut(), visibilitychange: () => this.wake() }
    for (const [name, does] of Object.entries(this.heard)) (name === 'visibilitychange' ? document : window).addEventListener(name, does)
  }

  async run() {
    while (!this.isClosed) {
      try {
        await this.read()
      } catch {
        // whatever it was: it is tried again
      }
      if (this.isClosed) return
      this.told.onState('lost')
      await this.pause()
    }
  }

  close() {
    this.isClosed = true
    this.cut()
    this.wake()
    for (const [name, does] of Object.entries(this.heard)) (name === 'visibilitychange' ? document : window).removeEventListener(name, does)
  }

  cut() {
    this.reading?.abort()
  }

  async read() {
    const reading = new AbortController()
    this.reading = reading
    const answer = await fetch(this.address(this.after), {
      headers: { Accept: 'text/event-stream' }, credentials: this.credentials, cache: 'no-store', signal: reading.signal,
    })
    if (answer.status === 204) return this.end({ why: 'over' })
    if (!answer.ok) {
      this.wait = Math.max(this.wait, 1000 * Number(answer.headers.get('Retry-After') ?? 0))
      if (answer.status === 401 || answer.status === 403 || answer.status === 404) this.end({ why: 'refused' })
      throw new Error(String(answer.status))
    }
    this.told.onState('live')
    this.wait = FIRST
    const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader()
    let text = ''
    for (;;) {
      const silence = setTimeout(() => reading.abort(), SILENCE)
      const { done, value } = await reader.read().finally(() => clearTimeout(silence))
      if (done) return
      const parts = (text + value).split('\n\n')
      text = parts.pop()
      for (const part of parts) this.take(part)
      if (this.isClosed) return
    }
  }

  take(part) {
    const fields = {}
    for (const line of part.split('\n')) {
      const at = line.indexOf(':')
      if (at > 0) fields[line.slice(0, at)] = line.slice(at + 1).trimStart()
    }
    if (!fields.data) return
    const told = JSON.parse(fields.data)
    if (fields.event === 'end') {
      if (told.end.why !== 'stopping') this.end(told.end)
      return
    }
    if (told.version <= this.after) return
    this.after = told.version
    this.told.onEvent(told)
  }

  end(why) {
    if (this.isClosed) return
    this.close()
    this.told.onEnd(why)
  }

  pause() {
    const time = this.wait * (0.75 + Math.random() / 2)
    this.wait = Math.min(this.wait * 2, LONGEST)
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
