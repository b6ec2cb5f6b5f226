// @ts-check
// Standing orders at the table: those that stand, each with a button that withdraws it, and moves for new ones.

import { ask, have } from './api.js'
import { make } from './player/dom.js'
import { at, put } from './write.js'

export class Orders {
  /** @param {any} page has `data`, `play`, `table`, `words` and `onTrouble`: see table-page.js */
  constructor(page) {
    this.page = page
    this.path = `/api/matches/${page.data.id}/orders`
    this.dialog = /** @type {HTMLDialogElement} */ (at('orders'))
    this.dialog.querySelector('.close')?.addEventListener('click', () => this.dialog.close())
    this.button = at('ordering')
    this.button.addEventListener('click', () => this.open().catch(error => page.onTrouble(error)))
    /** @type {any[]} */
    this.standing = []
    this.drawn = ''
  }

  /** Read the orders that stand, and show their number at the table. */
  async read() {
    this.standing = (await ask(this.path)).orders
    put(/** @type {Element} */ (this.button.querySelector('b')), 'textContent', this.standing.length || '')
    this.draw()
  }

  async open() {
    await this.read()
    if (!this.dialog.open) this.dialog.showModal()
  }

  /** Somebody was asked or has answered: what is shown may be outdated, and orders for that decision or round may have ended. */
  onTurn() {
    const { data, isPlaying } = this.page
    put(this.button, 'hidden', data.seat === null || !isPlaying)
    if (this.dialog.open) this.draw()
    if (this.standing.some(one => one.once || one.rule.when.length)) this.read().catch(() => {})
  }

  /** Draw what has changed; the focus and what was opened stay. */
  draw() {
    const { data, play, words } = this.page
    const state = JSON.stringify([this.standing, play.decision, play.staged.length, play.moves.map(one => one.id), data.kinds])
    if (state === this.drawn) return
    this.drawn = state
    const { activeElement } = document
    const isWithin = this.dialog.contains(activeElement)
    const isOpened = Boolean(this.dialog.querySelector('details')?.open)
    const list = /** @type {HTMLElement} */ (this.dialog.querySelector('.standing'))
    list.replaceChildren(...this.standing.map(one => lineOf(one.once ? words['order-once'] + one.text : one.text, [
      [words['order-end'], () => have('DELETE', `${this.path}/${one.order}`)],
    ], this)))
    list.hidden = !this.standing.length
    const more = /** @type {HTMLElement} */ (this.dialog.querySelector('.new'))
    const rows = play.isMine ? this.again() : this.next()
    more.replaceChildren(...rows)
    const title = /** @type {HTMLElement} */ (this.dialog.querySelector('.new-title'))
    title.textContent = words[play.isMine ? 'order-again' : 'order-next']
    title.hidden = !rows.length
    this.dialog.querySelector('details')?.toggleAttribute('open', isOpened)
    if (isWithin && !activeElement?.isConnected) this.placeOf(activeElement).focus()
  }

  /**
   * Return the element that has replaced this one: the same button, else the one that closes the dialog.
   * @param {Element | null} was
   * @returns {HTMLElement}
   */
  placeOf(was) {
    const sort = /** @type {NodeListOf<HTMLElement>} */ (this.dialog.querySelectorAll(was?.tagName ?? 'none'))
    const same = [...sort].find(one => one.ariaLabel === was?.ariaLabel)
    return same ?? /** @type {HTMLElement} */ (this.dialog.querySelector('.close'))
  }

  /** Return lines for the moves of the open decision; none while moves are tried, which the service does not know. */
  again() {
    const { data, play, words } = this.page
    if (play.staged.length) return []
    const lines = moves => moves.map(move => {
      const give = part => () => have('POST', this.path, { like: { decision: play.decision, id: move.id, part } })
      /** @type {[string, () => Promise<any>][]} */
      const ways = [[words['order-always'], give(false)]]
      if (data.part) ways.push([words[`order-part-${data.part}`] ?? words['order-part'], give(true)])
      return lineOf(move.text, ways, this)
    })
    const simple = play.moves.filter(isSimple)
    const plain = lines(simple.filter(isPlain)), others = lines(simple.filter(move => !isPlain(move)))
    if (!others.length) return plain
    const more = make('details', {}, make('summary', {}, words['order-others']), make('ul', {}, others))
    return [...plain, make('li', {}, more)]
  }

  /** Return lines for the moves without fields that the reader may make later. */
  next() {
    const { data, words } = this.page
    return data.kinds.map(([type, text]) =>
      lineOf(text, [[words['order-premove'], () => have('POST', this.path, { play: [{ type }], once: true })]], this))
  }

  async does(/** @type {() => Promise<any>} */ deed) {
    try {
      await deed()
      await this.read()
    } catch (error) {
      this.dialog.close()
      this.page.onTrouble(error)
    }
  }
}

/** Whether an order can speak of the move: it compares single values only. */
function isSimple(move) {
  return Object.values(move.move).every(value => value !== null && typeof value !== 'object')
}

/** Whether the move has no fields: an order for, say, the fourth card of a hand is seldom meant. */
function isPlain(move) {
  return Object.keys(move.move).length === 1
}

/**
 * Return a line with a text and buttons for what can be done with it.
 * @param {string} text
 * @param {[string, () => Promise<any>][]} ways
 * @param {Orders} orders
 */
function lineOf(text, ways, orders) {
  const buttons = ways.map(([label, deed]) =>
    make('button', { type: 'button', 'aria-label': `${label}${orders.page.words.colon}${text}`, onclick: () => orders.does(deed) }, label))
  return make('li', {}, make('span', {}, text), buttons)
}
