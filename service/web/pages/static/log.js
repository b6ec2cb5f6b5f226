// @ts-check
// What has happened, in words, the newest first.

import { make } from './player/dom.js'

const MOST = 400
const NEW = 8
/** Lines that are kept, and how many of them stand out for a while. */

export class Lines {
  /** `say` writes a line as its reader has it: in their own time. */
  constructor(list, say) {
    this.list = list
    this.fresh = []
    this.old = new Set()
    for (const line of list.children) line.textContent = say(line.textContent)
  }

  /** Adds an event's line, unless it is there. */
  add({ version, text }) {
    if (!text || version <= this.last) return
    const line = make('li', { value: version, class: 'new', onanimationend: () => this.old.add(line) }, text)
    this.list.prepend(line)
    this.fresh.unshift(line)
    this.settle()
    while (this.list.children.length > MOST) this.list.lastChild.remove()
  }

  /** What stood out long enough is as all others are, and so is what was pushed far down: nobody sees it there, and it would be worked out all the time. */
  settle() {
    for (const line of [...this.old, ...this.fresh.splice(NEW)]) line.classList.remove('new')
    this.fresh = this.fresh.filter(line => !this.old.has(line))
    this.old.clear()
  }

  get last() {
    return this.list.firstElementChild?.value ?? 0
  }
}
