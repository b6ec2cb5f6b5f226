// @ts-check
// What stands beside the table about the reader's moves: those tried and not sent, a list of all, and refusals.

import { make } from './player/dom.js'
import { at, put } from './write.js'

/** `page` has `play`, `table`, `data`, `words` and `attention`: see table-page.js. */
export class Hand {
  constructor(page) {
    this.page = page
    this.element = at('hand')
    this.element.remove()
    this.element.hidden = false
    const skip = /** @type {HTMLElement} */ (at('skip').querySelector('.said'))
    skip.textContent = page.words.skip
    this.drawn = null
    this.isCrowded = false
  }

  /** Note between two scenes whether others wait: nothing beside the table changes while pieces move. */
  count() {
    const { table } = this.page
    table.whenStill(() => {
      this.isCrowded = table.waiting > 0
      this.draw()
    })
  }

  draw() {
    const { element: hand } = this
    const { play, table } = this.page
    put(at('skip'), 'hidden', !this.isCrowded)
    const state = JSON.stringify([play.staged.map(one => one.text), play.isSending])
    if (state !== this.drawn) {
      this.drawn = state
      for (const one of hand.querySelectorAll(':scope > :not(.why)')) one.remove()
      hand.prepend(...this.parts())
    }
    // it stands inside the table, where moves are confirmed: nothing above it moves when it appears
    const beside = hand.children.length ? hand : null
    if ((table.options.beside ?? null) !== beside) table.set({ beside })
  }

  parts() {
    const { play, words } = this.page
    /** @type {Node[]} */
    const parts = []
    if (play.staged.length) {
      const list = make('ol', { class: 'staged', 'aria-label': words.staged }, play.staged.map(one => make('li', {}, one.text)))
      parts.push(make('b', {}, `${words.staged}${words.colon}`), list, buttonOf('undo', words.undo), buttonOf('send', words.send))
    }
    if (play.isSending) parts.push(make('span', {}, words.sending))
    return parts
  }

  drawList() {
    const details = /** @type {HTMLDetailsElement} */ (at('list'))
    const { play } = this.page
    put(details, 'hidden', !play.isMine || !play.moves.length)
    if (!details.open || details.hidden) return
    const list = /** @type {HTMLElement} */ (details.querySelector('ol'))
    const wasAt = [...list.querySelectorAll('button')].findIndex(one => one === document.activeElement)
    list.replaceChildren(...play.moves.map(move =>
      make('li', {}, make('button', { type: 'button', onclick: () => play.pick(move) }, move.text))))
    details.querySelector('form > button')?.remove()
    if (wasAt >= 0) list.querySelectorAll('button')[Math.min(wasAt, play.moves.length - 1)]?.focus()
  }

  /** Say why no move begins with that thing. */
  tell(id, refusal) {
    const { data, table, words } = this.page
    const why = make('p', { class: 'why' }, `${words.why}${words.colon}${refusal.detail} `)
    if (refusal.clause) {
      const href = `/games/${data.game.slug}/rules#${refusal.clause.toLowerCase()}`
      why.append(make('a', { href, target: '_blank' }, refusal.clause))
    }
    const panel = table.root.querySelector('.details:not([hidden])')
    this.put(why, panel?.dataset.of === id ? panel : this.element)
  }

  /** Show a sentence by the hand until the next one. */
  note(text) {
    this.put(make('p', { class: 'why' }, text), this.element)
  }

  put(why, where) {
    this.page.attention.say(why.textContent)
    this.forget()
    where.append(why)
    this.draw()
  }

  forget() {
    for (const old of document.querySelectorAll('.why')) old.remove()
  }
}

/**
 * @param {string} what
 * @param {string} text
 */
function buttonOf(what, text) {
  return make('button', { type: 'button', class: 'button', 'data-do': what }, text)
}
