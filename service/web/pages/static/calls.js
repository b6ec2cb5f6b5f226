// @ts-check
// What waits for the reader besides moves: questions and messages. They are told at the head of the page, in the title
// and aloud, until the reader sees them.

import { at, put } from './write.js'

const ASKS = '#middle [data-asks]'
const SHORT = 80
/** The most characters of a message that the head shows. */

export class Calls {
  /** @param {import('./attention.js').Attention} attention */
  constructor(attention) {
    this.attention = attention
    /** @type {string[]} */
    this.asked = []
    this.seesTalk = false
    this.inSight = new IntersectionObserver(seen => this.onSight(seen))
    const talk = document.getElementById('messages')
    if (talk) this.inSight.observe(talk)
    document.addEventListener('visibilitychange', () => this.seesTalk && this.heardAll())
    at('heard').addEventListener('click', () => this.heardAll())
  }

  /** Look for questions to the reader in the page as it is now. */
  ask() {
    const asks = /** @type {HTMLElement[]} */ ([...document.querySelectorAll(ASKS)])
    const texts = asks.map(one => one.dataset.asks ?? '')
    for (const text of texts) if (!this.asked.includes(text)) this.attention.say(text)
    if (texts.some(text => !this.asked.includes(text))) this.attention.notify(texts.at(-1))
    this.asked = texts
    this.attention.mark('title-asked', texts.length > 0)
    put(at('asked'), 'textContent', texts.at(-1) ?? '')
    put(at('asked'), 'hidden', !texts.length)
    for (const one of asks) this.inSight.observe(one)
  }

  /**
   * Somebody else has said something.
   * @param {string} text
   */
  hear(text) {
    this.attention.say(text)
    if (this.seesTalk && !document.hidden) return
    const heard = at('heard')
    heard.textContent = text.length > SHORT ? `${text.slice(0, SHORT)}…` : text
    heard.hidden = false
    this.attention.mark('title-heard', true)
    this.attention.notify(text)
  }

  heardAll() {
    if (document.hidden) return
    at('heard').hidden = true
    this.attention.mark('title-heard', false)
  }

  /** @param {IntersectionObserverEntry[]} seen */
  onSight(seen) {
    for (const { target, isIntersecting } of seen) {
      if (target.id === 'messages') {
        this.seesTalk = isIntersecting
        if (isIntersecting) this.heardAll()
      } else if (target.isConnected) {
        // it is visible itself
        at('asked').hidden = isIntersecting
      }
    }
  }
}
