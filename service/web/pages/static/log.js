// @ts-check
// What has happened, in words, the newest first.

import { make } from './player/dom.js'

const MOST = 400
const NEW = 8
/** Lines that are kept, and how many of them stand out for a while. */

export class Lines {
  /** `say` returns a line with moments in the reader's own time. */
  constructor(list, say) {
    this.list = list
    this.fresh = []
    this.old = new Set()
    for (const line of list.children) line.textContent = say(line.textContent)
  }

  /** Add an event's line, unless it is there. */
  add({ version, text }) {
    if (!text || version <= this.last) return
    const line = make('li', { value: version, class: 'new', onanimationend: () => this.old.add(line) }, text)
    this.list.prepend(line)
    this.fresh.unshift(line)
    this.settle()
    while (this.list.children.length > MOST) this.list.lastChild.remove()
  }

  /** Make lines plain that stood out long enough, or are so far down that their animation is work that nobody sees. */
  settle() {
    for (const line of [...this.old, ...this.fresh.splice(NEW)]) line.classList.remove('new')
    this.fresh = this.fresh.filter(line => !this.old.has(line))
    this.old.clear()
  }

  get last() {
    return this.list.firstElementChild?.value ?? 0
  }
}
