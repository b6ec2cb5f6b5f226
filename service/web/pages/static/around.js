// @ts-check
// What is shown of a match besides its events: whether they arrive, deadlines, and what no event tells.

import { addressOf } from './api.js'
import { runClocks, writeDue, writeUntil } from './clocks.js'
import { at } from './write.js'

const LOOK = 20000
const TIMED = 400
/** Milliseconds between looks at what no stream tells; and until clocks are read after a move, for spectators a random
 * time longer. */

/** `page` is told when more of it is new: see table-page.js. */
export class Around {
  constructor(page) {
    this.page = page
    this.marks = page.data.marks
    this.writeTimes = runClocks(page.words, page.data.lang, page.whenStill)
  }

  begin() {
    this.looking = setInterval(() => this.look(), LOOK)
  }

  end() {
    clearInterval(this.looking)
  }

  onState(state) {
    const { attention, words } = this.page
    document.documentElement.dataset.state = state
    const note = at('lost')
    if (state === 'lost') this.lostAt ??= setTimeout(() => [note.hidden, note.textContent] = [false, words.lost], 600)
    if (state !== 'live' || this.lostAt === undefined) return
    clearTimeout(this.lostAt)
    this.lostAt = undefined
    if (!note.hidden) attention.say(words.back)
    note.hidden = true
    this.page.settle()
  }

  /**
   * Something may have changed that no event tells.
   * @param {{ beside: string, talk: number | null }} marks
   */
  onBeside(marks) {
    const known = this.marks
    this.marks = marks
    // players who have left the table get null
    if (marks.talk !== null && marks.talk !== known.talk) this.page.talk?.later(0)
    if (marks.beside === known.beside) return
    this.page.isStale = true
    this.page.settle()
  }

  readClocks() {
    clearTimeout(this.reading)
    const patience = this.page.data.seat === null ? TIMED * (2 + 8 * Math.random()) : TIMED
    this.reading = setTimeout(() => this.readDue().catch(() => {}), patience)
  }

  /** Read and write the deadlines alone. */
  async readDue() {
    const { id, lang } = this.page.data
    const answer = await fetch(addressOf(`/matches/${id}/due`), { headers: { 'Accept-Language': lang } })
    const due = answer.ok ? await answer.json() : null
    this.page.whenStill(() => {
      if (due) {
        writeDue(at('players'), due)
        writeUntil(at('until'), due, this.page.data.seat)
      }
      this.writeTimes()
    })
  }

  /** Look for what no event tells: who agrees to what, for whom seats are kept. */
  async look() {
    const { id, lang, seat, status } = this.page.data
    if (document.hidden || (seat === null && status !== 'open')) return
    const known = this.tag ? { 'If-None-Match': this.tag } : {}
    const answer = await fetch(addressOf(`/api/matches/${id}`), { headers: { 'Accept-Language': lang, ...known } }).catch(() => null)
    const isNews = Boolean(answer?.ok) && this.tag !== undefined
    if (answer?.ok) this.tag = answer.headers.get('ETag')
    const offered = await this.offers()
    const isOffered = offered !== this.offered
    this.offered = offered
    if (isNews || isOffered) await this.page.refresh().then(() => this.page.play.look()).catch(() => {})
  }

  /** Return the offers of seats, as text; if they can't be asked for, the last ones. */
  async offers() {
    const { data, isPlaying } = this.page
    if (data.seat === null || !isPlaying) return this.offered
    const answer = await fetch(addressOf(`/api/matches/${data.id}/offers`)).catch(() => null)
    return answer?.ok ? answer.text() : this.offered
  }
}
