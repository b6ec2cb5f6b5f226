// @ts-check
// What is shown of a match besides its events: whether they arrive, deadlines, and what no event tells.

import { addressOf } from './api.js'
import { runClocks, writeDue, writeUntil } from './clocks.js'
import { at } from './write.js'

const TIMED = 400
/** Milliseconds until clocks are read after a move, for spectators a random time longer. */

/** `page` is told when more of it is new: see table-page.js. */
export class Around {
  constructor(page) {
    this.page = page
    this.marks = page.data.marks
    this.writeTimes = runClocks(page.words, page.data.lang, page.whenStill)
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
    // it answers again
    if (at('wrong').textContent === words['no-answer']) this.page.onWrong(null)
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
    if (marks.talk !== null && marks.talk !== known.talk) this.page.talk?.read()
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
}
