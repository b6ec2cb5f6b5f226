// @ts-check
// Table talk: the match's stream tells when something was said. Where there is none, as after the end, the page asks for
// messages every few seconds, and less often if nobody looks or speaks.

import { Refused, ask, have } from './api.js'
import { make } from './player/dom.js'
import { fill } from './table/table.js'

const SOON = 3000
const LATER = 15000
const HIDDEN = 30000
const LONG = 120000
/** Milliseconds until the next request: while people talk, if they have not for `LONG`, and while nobody looks. */

/**
 * @typedef {object} Place
 * @property {HTMLElement} list where messages stand
 * @property {any} form the form for a message; null if the reader may not say anything
 * @property {HTMLElement} nothing what stands there as long as nobody has said anything
 * @property {Record<string, string>} words
 * @property {(text: string) => void} onSaid is told the result of what the reader did
 * @property {(text: string) => void} onHeard is told what somebody else has said
 * @property {(error: unknown) => void} onWrong is told what went wrong, or null
 */

export class Talk {
  /**
   * @param {string} match
   * @param {number} since
   * @param {string | null} mine the reader's own id
   * @param {Place} place
   */
  constructor(match, since, mine, { list, form, nothing, words, onSaid, onHeard, onWrong }) {
    this.path = `/api/matches/${match}`
    this.since = since
    this.mine = mine
    this.list = list
    this.form = form
    this.nothing = nothing
    this.words = words
    this.onSaid = onSaid
    this.onHeard = onHeard
    this.onWrong = onWrong
    this.heardAt = Date.now()
    form?.addEventListener('submit', event => {
      event.preventDefault()
      this.say()
    })
    form?.elements.text.addEventListener('keydown', event => {
      if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return
      event.preventDefault()
      this.say()
    })
    list.addEventListener('submit', event => {
      event.preventDefault()
      this.act(event.target)
    })
    list.addEventListener('toggle', event => {
      const about = /** @type {HTMLDetailsElement} */ (event.target)
      if (about.open) about.scrollIntoView({ block: 'nearest' })
    }, true)
    list.scrollTop = list.scrollHeight
    document.addEventListener('visibilitychange', () => document.hidden || this.read())
    this.later(SOON)
  }

  later(time) {
    clearTimeout(this.timer)
    this.timer = setTimeout(() => (document.documentElement.dataset.state === 'live' ? this.later(time) : this.read()), time)
  }

  async read() {
    try {
      const told = await ask(`${this.path}/talk`, { since: this.since })
      this.since = told.since
      for (const one of told.messages) this.show(one)
      if (told.messages.length) this.heardAt = Date.now()
      if (told.more) return this.read()
    } catch (error) {
      if (error instanceof Refused && [403, 404].includes(error.status)) return
    }
    this.later(document.hidden ? HIDDEN : Date.now() - this.heardAt > LONG ? LATER : SOON)
  }

  async say() {
    const field = this.form.elements.text
    const text = field.value.trim()
    if (!text || this.isSaying) return
    this.isSaying = true
    try {
      const told = await have('POST', `${this.path}/talk`, { text })
      field.value = ''
      this.onWrong(null)
      this.show(told)
      this.heardAt = Date.now()
    } catch (error) {
      this.onWrong(error)
    }
    this.isSaying = false
  }

  async act(form) {
    const number = form.elements.number?.value
    const player = form.elements.player?.value
    const line = form.closest('li')
    try {
      if (player) {
        await have('POST', '/api/me/mutes', { player })
        for (const one of /** @type {HTMLElement[]} */ ([...this.list.children])) if (one.dataset.player === player || one === line) one.remove()
        this.onSaid(fill(this.words.muted, { name: line.querySelector('b').textContent }))
      } else if (form.action.includes('/do/erase')) {
        await have('DELETE', `${this.path}/talk/${number}`)
      } else {
        await have('POST', `${this.path}/talk/${number}/report`, {})
        this.onSaid(this.words.reported)
      }
      line.querySelector('details')?.removeAttribute('open')
      this.read()
    } catch (error) {
      this.onWrong(error)
    }
  }

  show(message) {
    const known = this.list.querySelector(`[data-number="${message.number}"]`)
    const line = this.lineOf(message)
    this.nothing.hidden = true
    this.list.tabIndex = 0
    if (known) return known.replaceWith(line)
    const isAtEnd = this.list.scrollHeight - this.list.scrollTop - this.list.clientHeight < 40
    this.list.append(line)
    if (isAtEnd) this.list.scrollTop = this.list.scrollHeight
    if (message.text && message.player?.id !== this.mine) this.onHeard(fill(this.words.said, { name: this.called(message.player), text: message.text }))
  }

  /** Return a player's name, a guest's in the reader's language. */
  called(player) {
    const guest = new RegExp(`^(?:${this.words.guests})$`).exec(player?.name ?? '')
    return guest ? fill(this.words.guest, { number: guest.slice(1).find(Boolean) ?? '' }) : player?.name || this.words.gone
  }

  lineOf({ number, player, text, at }) {
    const time = new Date(at).toLocaleTimeString(document.documentElement.lang, { timeStyle: 'short' })
    return make('li', { 'data-number': number, 'data-player': player?.id },
      make('b', {}, this.called(player)), ' ', make('time', { datetime: at }, time), make('p', {}, text ?? this.words.erased),
      this.mine && text !== null && this.aboutOf(number, player))
  }

  /** What the reader can do about a message. */
  aboutOf(number, player) {
    const isOwn = player?.id === this.mine
    const deeds = isOwn ? ['erase'] : player ? ['report', 'mute'] : ['report']
    const label = `${this.called(player)}: ${deeds.map(what => this.words[what]).join(', ')}`
    const forms = deeds.map(what => this.formOf(what, what === 'mute' ? { name: 'player', value: player.id } : { name: 'number', value: number }))
    return make('details', { class: 'about' }, make('summary', { 'aria-label': label }, '…'), forms)
  }

  formOf(what, field) {
    const action = `${document.location.pathname.replace(/\/$/, '')}/do/${what}`
    return make('form', { method: 'post', action }, make('input', { type: 'hidden', ...field }), make('button', {}, this.words[what]))
  }
}
