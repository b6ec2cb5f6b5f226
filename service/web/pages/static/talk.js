// @ts-check
// Table talk: what is said comes by asking every few seconds, and less often where nobody looks or speaks.

import { Refused, ask, have } from './api.js'

const SOON = 3000
const LATER = 15000
const HIDDEN = 30000
const LONG = 120000
/** Milliseconds until it is asked again: while people talk, when they have not for `LONG`, and while nobody looks. */

/**
 * @typedef {object} Place
 * @property {HTMLElement} list where messages stand
 * @property {any} form what is filled in to say something; null for who may not
 * @property {HTMLElement} nothing what stands there as long as nobody has said anything
 * @property {Record<string, string>} words
 * @property {(text: string) => void} onSaid is told what came of what the reader did
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
    list.scrollTop = list.scrollHeight
    document.addEventListener('visibilitychange', () => document.hidden || this.later(0))
    this.later(SOON)
  }

  later(time) {
    clearTimeout(this.timer)
    this.timer = setTimeout(() => this.read(), time)
  }

  async read() {
    try {
      const told = await ask(`${this.path}/talk`, { since: this.since })
      this.since = told.since
      for (const one of told.messages) this.show(one)
      if (told.messages.length) this.heardAt = Date.now()
      if (told.more) return this.later(0)
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
        this.onSaid(this.words.muted.replace('{name}', () => line.querySelector('b').textContent))
      } else if (form.action.includes('/do/erase')) {
        await have('DELETE', `${this.path}/talk/${number}`)
      } else {
        await have('POST', `${this.path}/talk/${number}/report`, {})
        this.onSaid(this.words.reported)
      }
      line.querySelector('details')?.removeAttribute('open')
      this.later(0)
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
    const name = this.called(message.player)
    if (message.text && message.player?.id !== this.mine) this.onHeard(this.words.said.replace('{name}', () => name).replace('{text}', () => message.text))
  }

  /** A player's name: that of a guest is told in the reader's language. */
  called(player) {
    const guest = new RegExp(`^(?:${this.words.guests})$`).exec(player?.name ?? '')
    return guest ? this.words.guest.replace('{number}', guest.slice(1).find(Boolean) ?? '') : player?.name || this.words.nobody
  }

  lineOf({ number, player, text, at }) {
    const line = document.createElement('li')
    line.dataset.number = number
    if (player) line.dataset.player = player.id
    const name = document.createElement('b')
    name.textContent = this.called(player)
    const time = document.createElement('time')
    time.dateTime = at
    time.textContent = new Date(at).toLocaleTimeString(document.documentElement.lang, { timeStyle: 'short' })
    const said = document.createElement('p')
    said.textContent = text ?? this.words.erased
    line.append(name, ' ', time, said)
    if (this.mine && text !== null) line.append(this.aboutOf(number, player))
    return line
  }

  aboutOf(number, player) {
    const about = document.createElement('details')
    about.className = 'about'
    const summary = document.createElement('summary')
    summary.textContent = '…'
    about.append(summary)
    const isOwn = player?.id === this.mine
    about.append(this.formOf(isOwn ? 'erase' : 'report', 'number', number))
    if (player && !isOwn) about.append(this.formOf('mute', 'player', player.id))
    summary.setAttribute('aria-label', `${this.called(player)}: ${[...about.querySelectorAll('button')].map(one => one.textContent).join(', ')}`)
    return about
  }

  formOf(what, name, value) {
    const form = document.createElement('form')
    form.method = 'post'
    form.action = document.location.pathname.replace(/\/$/, '') + `/do/${what}`
    const field = document.createElement('input')
    Object.assign(field, { type: 'hidden', name, value })
    const button = document.createElement('button')
    button.textContent = this.words[what]
    form.append(field, button)
    return form
  }
}
