// @ts-check
// Calling for a player: what is said to a screen reader, the page's title and sign, and the browser's own notification.

const QUIET = 500
const MOST = 6
/** Milliseconds in which what is said is gathered, and how much of it is said at most. */

/**
 * @typedef {object} Setting
 * @property {HTMLElement} said what a screen reader reads out
 * @property {string} icon the page's sign for one's turn
 * @property {Record<string, string>} words
 * @property {string} game its title
 * @property {(write: () => void) => void} whenStill calls back when nothing travels
 */

export class Attention {
  /** @param {Setting} setting */
  constructor({ said, icon, words, game, whenStill }) {
    this.said = said
    this.sign = /** @type {HTMLLinkElement} */ (document.querySelector('link[rel=icon]'))
    this.icons = [this.sign.href, icon]
    this.words = words
    this.game = game
    this.whenStill = whenStill
    this.title = document.title
    this.isCalled = false
    /** Whether it is still to be said that it is the player's turn. */
    this.isCalling = false
    /** @type {Set<string>} */
    this.marks = new Set()
    /** @type {string[]} */
    this.waiting = []
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined
  }

  /**
   * Say something aloud, after what waits to be said.
   * @param {string | null | undefined} text
   */
  say(text) {
    if (!text) return
    this.waiting.push(text)
    if (this.waiting.length > MOST) this.waiting.splice(0, this.waiting.length - MOST)
    this.speak()
  }

  /** Say soon what waits, and last whether it is the player's turn: what led to it may come after the service has said so. */
  speak() {
    clearTimeout(this.timer)
    this.timer = setTimeout(() => this.whenStill(() => {
      const all = [...this.waiting.splice(0), ...(this.isCalling ? [this.words['your-turn']] : [])]
      this.isCalling = false
      if (all.length) this.said.textContent = all.join(' ')
    }), QUIET)
  }

  /**
   * It is the player's turn, or not any more.
   * @param {boolean} isTurn
   */
  call(isTurn) {
    if (isTurn === this.isCalled) return
    this.isCalled = this.isCalling = isTurn
    this.writeTitle()
    if (!isTurn) return
    this.speak()
    this.notify()
  }

  /**
   * Something else waits for the player, or not any more.
   * @param {string} what the name of its words
   * @param {boolean} isWaiting
   */
  mark(what, isWaiting) {
    if (this.marks.has(what) === isWaiting) return
    if (isWaiting) this.marks.add(what)
    else this.marks.delete(what)
    this.writeTitle()
  }

  writeTitle() {
    const calls = [...(this.isCalled ? ['your-turn'] : []), ...this.marks].map(name => this.words[name])
    document.title = calls.length ? `● ${calls.join(' · ')} – ${this.title}` : this.title
    this.sign.href = this.icons[calls.length ? 1 : 0] ?? ''
  }

  /**
   * Show the browser's notification if nobody looks at the page.
   * @param {string | undefined} [text] what it is; else it is the player's turn
   */
  notify(text) {
    if (!document.hidden || !('Notification' in window) || Notification.permission !== 'granted') return
    const title = text ?? this.words['notify-title'].replace('{game}', this.game)
    this.show(title)
  }

  /** Show a notification. Returns whether the browser does: on a phone it may not, whatever was allowed. */
  show(title) {
    try {
      const shown = new Notification(title, { icon: this.icons[1], tag: document.location.pathname })
      shown.onclick = () => {
        window.focus()
        shown.close()
      }
    } catch {
      return false
    }
    return true
  }

  /** Ask whether notifications are allowed, at a press of the button. Returns the answer in words. */
  async allow() {
    const is = 'Notification' in window ? await Notification.requestPermission() : 'denied'
    return this.words[is === 'granted' && this.show(this.words['notify-yes']) ? 'notify-yes' : 'notify-no']
  }
}
