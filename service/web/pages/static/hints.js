// @ts-check
// Hints at the table, where all others are bots: what a search thinks of the open decision, in words and on the table.

import { ask, have } from './api.js'
import { fill } from './table/table.js'
import { at, put } from './write.js'

const PAUSE = 500
/** Milliseconds between two looks for a hint. */

const listed = new Intl.ListFormat(document.documentElement.lang)

export class Hints {
  /** @param {any} page has `data`, `play`, `table`, `hand`, `words` and `onTrouble`: see table-page.js */
  constructor(page) {
    this.page = page
    this.path = `/api/matches/${page.data.id}/hints`
    this.button = /** @type {HTMLButtonElement} */ (at('hint'))
    this.button.addEventListener('click', () => this.want().catch(error => page.onTrouble(error)))
    /** @type {number | null} the decision that a hint was shown for */
    this.shown = null
  }

  /** Somebody was asked or has answered. */
  onTurn() {
    const { data, hand, play, table } = this.page
    // nothing beside the table changes while pieces move
    table.whenDone(() => put(this.button, 'hidden', !data.hints || !this.page.isMine || play.staged.length > 0))
    // a hint is about the table for which it was asked
    if (this.shown !== null && (this.shown !== play.decision || play.staged.length > 0)) {
      this.shown = null
      hand.forget()
      table.set({ about: [] })
    }
  }

  async want() {
    const { play, table, hand, words } = this.page
    const decision = play.decision
    this.button.disabled = true
    // this note disappears with the decision, like the hint
    hand.note(words['hint-thinks'])
    this.shown = decision
    try {
      let found = await have('POST', this.path, { decision })
      const hint = () => found.hints.find(one => one.decision === decision)
      while (hint()?.state === 'wanted' && play.decision === decision) {
        await new Promise(done => setTimeout(done, PAUSE))
        found = await ask(this.path)
      }
      // another decision, or a move that was tried meanwhile
      if (this.shown !== decision || play.staged.length > 0) return
      const { moves = [], gains = [] } = hint() ?? {}
      const points = one => Math.round(100 * one.share)
      const [best, next] = moves
      // a move that only seems to be better is not told as the next best
      const text = !best ? words['hint-none'] : fill(words[next && points(next) <= points(best) ? 'hint-of' : 'hint-only'], {
        best: best.text, share: points(best), less: next && points(next),
      })
      const names = listed.format(gains)
      hand.note(names ? fill(words['hint-gains'], { hint: text, names }) : text)
      table.set({ about: play.moves.find(one => one.id === best?.move)?.touches ?? [] })
    } catch (error) {
      hand.forget()
      throw error
    } finally {
      this.button.disabled = false
    }
  }
}
