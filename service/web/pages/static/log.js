// What has happened, in words, the newest first.

const MOST = 400
/** Lines that are kept. */

export class Lines {
  /** `say` writes a line as its reader has it: in their own time. */
  constructor(list, say) {
    this.list = list
    for (const line of list.children) line.textContent = say(line.textContent)
  }

  /** Adds an event's line, unless it is there. */
  add({ version, text }) {
    if (!text || version <= this.last) return
    const line = document.createElement('li')
    line.value = version
    line.textContent = text
    line.className = 'new'
    line.addEventListener('animationend', () => line.classList.remove('new'))
    this.list.prepend(line)
    while (this.list.children.length > MOST) this.list.lastChild.remove()
  }

  get last() {
    return this.list.firstElementChild?.value ?? 0
  }
}
