// The live table: what the match's stream tells is drawn, said and written down; what is touched is tried, asked and sent.

import { inOwnTime, isAside, openTable, wearPalette } from './table/table.js'
import { touchedAt } from './table/draw.js'
import { Refused, addressOf, ask } from './api.js'
import { Attention } from './attention.js'
import { runClocks, writeDue } from './clocks.js'
import { follow } from './follow.js'
import { Lines } from './log.js'
import { Play } from './play.js'
import { Talk } from './talk.js'
import { Wishes } from './wishes.js'

const SETTLE = 20
const LOOK = 20000
const TIMED = 400
/** Milliseconds in which what comes together is taken together; between looks at what no stream tells; and until clocks
 * are read again after a move, a bit more for each who only watches. */

const TELLING = /^match\/(Seat|Started|Finished|Aborted|Paused|Resumed|Outage|ClockSet)/
/** Events after which more of the page is new than its table. */

const TOUCHED = 'a, button, input, select, summary'

const at = id => document.getElementById(id)

class Page {
  constructor(data) {
    this.data = data
    this.words = data.words
    this.root = at('table')
    this.hand = at('hand')
    this.hand.remove()
    this.hand.hidden = false
    at('skip').querySelector('.said').textContent = data.words.skip
    this.latest = data.version
    this.tried = 0
    this.held = []
    this.wasKey = false
    this.lines = new Lines(at('log'), text => inOwnTime(text, data.lang))
    this.attention = new Attention({ said: at('said'), icons: data.icons, words: data.words, game: data.game.title[data.lang] })
    this.wishes = new Wishes(at('wishes'), () => this.table.set({ pace: this.wishes.pace }))
    this.writeTimes = runClocks(data.words, data.lang)
    wearPalette(document, data.game.slug, data.game.palette)
    this.root.replaceChildren()
    this.root.hidden = !data.scene
    this.root.tabIndex = -1
    this.table = openTable(this.root, {
      game: data.game, seat: data.seat, names: data.names, areNamed: true, told: at('log').firstElementChild?.textContent ?? '', lang: data.lang, pace: this.wishes.pace,
      onTouch: id => this.play.touch(id), onBack: () => this.play.back(),
    })
    this.play = new Play(data.id, this.table, this)
  }

  begin() {
    const { data } = this
    document.documentElement.classList.add('live')
    at('settings').hidden = false
    at('list').open = false
    this.shown(data.scene, 'jump')
    this.play.begin(data.decision, data.moves)
    this.listen()
    if (data.talk !== null) this.hear()
    this.onTurn()
    if (data.seat !== null && data.status === 'playing') this.play.look().catch(error => this.onTrouble(error))
    if (data.status === 'open' || data.status === 'playing') this.follow()
    else document.documentElement.dataset.state = 'over'
  }

  get isPlaying() {
    return this.data.status === 'playing'
  }

  follow() {
    const { id, lang, version } = this.data
    const address = after => addressOf(`/api/matches/${id}/events`, { scenes: true, lang, after })
    this.following = follow(address, version, {
      onEvent: event => this.onEvent(event),
      onState: state => this.onState(state),
      onEnd: () => this.refresh(),
    })
    this.looking = setInterval(() => this.lookAround(), LOOK)
  }

  hear() {
    const { data } = this
    this.talk = new Talk(data.id, data.talk, {
      list: at('messages'), form: at('say'), nothing: at('nothing-said'), words: data.words,
      onSaid: text => this.attention.say(text), onWrong: error => (error ? this.onTrouble(error) : this.onWrong(null)),
    })
    this.talk.mine = data.me
  }

  listen() {
    document.addEventListener('keydown', event => this.pressed(event), true)
    document.addEventListener('pointerdown', () => (this.wasKey = false), true)
    document.addEventListener('focusin', event => (this.isWithin = this.root.contains(event.target)))
    this.root.addEventListener('click', event => this.touchedInVain(event), true)
    at('list').addEventListener('toggle', () => this.drawList())
    at('moves').addEventListener('submit', event => event.preventDefault())
    for (const one of [this.hand, at('skip')]) one.addEventListener('click', event => this.acted(event.target.closest('button')?.dataset.do))
    at('notify').addEventListener('click', async () => this.onWrong(await this.attention.allow(), true))
    document.addEventListener('click', event => this.copied(event.target))
  }

  /** The link to the table is taken along by a touch on it. */
  async copied(field) {
    if (!field.matches('input.copied')) return
    field.select()
    const isDone = await navigator.clipboard?.writeText(field.value).then(() => true, () => false)
    if (isDone) this.onWrong(this.words.copied, true)
  }

  // what the stream tells

  onEvent(event) {
    this.latest = event.version
    const text = isAside(event) ? undefined : inOwnTime(event.text, this.data.lang)
    if (text) {
      this.lines.add({ ...event, text })
      this.attention.say(text)
    }
    if (TELLING.test(event.type)) this.isStale = true
    if (event.scene) this.arrived({ ...event, text })
    else if (text && !this.table.waiting) this.table.set({ told: text })
    clearTimeout(this.settling)
    this.settling = setTimeout(() => this.settle(), SETTLE)
  }

  arrived(event) {
    if (this.play.isSending) this.held.push(event)
    else if (!this.play.staged.length) this.shown(event.scene, 'show', event.text)
    else this.play.scene = event.scene
  }

  shown(scene, how, said) {
    if (!scene) return
    this.play.scene = scene
    this.root.hidden = false
    const done = this.table[how](scene, said === undefined ? undefined : { told: said })
    this.drawHand()
    done.then(() => this.drawHand())
  }

  async settle() {
    try {
      if (this.isStale) await this.refresh()
      else if (this.data.timed) this.readClocks()
      if (this.data.seat !== null && this.isPlaying) await this.play.look()
      else this.onTurn()
    } catch (error) {
      this.onTrouble(error)
    }
  }

  readClocks() {
    clearTimeout(this.reading)
    const patience = this.data.seat === null ? TIMED * (2 + 8 * Math.random()) : TIMED
    this.reading = setTimeout(() => this.readDue().catch(() => {}), patience)
  }

  /** Who has until when: the rest of the page is as it was. */
  async readDue() {
    const { id, lang } = this.data
    const answer = await fetch(addressOf(`/matches/${id}/due`), { headers: { 'Accept-Language': lang } })
    if (answer.ok) writeDue(at('players'), await answer.json())
    this.writeTimes()
  }

  onState(state) {
    document.documentElement.dataset.state = state
    const note = at('lost')
    if (state === 'lost') this.lostAt ??= setTimeout(() => [note.hidden, note.textContent] = [false, this.words.lost], 600)
    if (state !== 'live' || this.lostAt === undefined) return
    clearTimeout(this.lostAt)
    this.lostAt = undefined
    if (!note.hidden) this.attention.say(this.words.back)
    note.hidden = true
    this.settle()
  }

  /** What no event tells: who agrees to what, for whom seats are kept. */
  async lookAround() {
    if (document.hidden || (this.data.seat === null && this.data.status !== 'open')) return
    const known = this.tag ? { 'If-None-Match': this.tag } : {}
    const answer = await fetch(addressOf(`/api/matches/${this.data.id}`), { headers: { 'Accept-Language': this.data.lang, ...known } }).catch(() => null)
    const isNews = Boolean(answer?.ok) && this.tag !== undefined
    if (answer?.ok) this.tag = answer.headers.get('ETag')
    const offered = await this.offers()
    const isOffered = offered !== this.offered
    this.offered = offered
    if (isNews || isOffered) await this.refresh().then(() => this.play.look()).catch(() => {})
  }

  /** What is offered of the seats, as text; nothing where nobody asks. */
  async offers() {
    if (this.data.seat === null || !this.isPlaying) return this.offered
    const answer = await fetch(addressOf(`/api/matches/${this.data.id}/offers`)).catch(() => null)
    return answer?.ok ? answer.text() : this.offered
  }

  /** Takes the parts of the page that are told by the server alone from the page as it is now. */
  async refresh() {
    this.isStale = false
    const answer = await fetch(addressOf(`/matches/${this.data.id}`), { headers: { 'Accept-Language': this.data.lang } })
    if (!answer.ok) return
    const now = new DOMParser().parseFromString(await answer.text(), 'text/html')
    for (const part of document.querySelectorAll('[data-live]')) {
      const next = now.querySelector(`[data-live="${part.dataset.live}"]`)
      if (next) exchange(part, next)
    }
    const was = this.data
    this.data = JSON.parse(now.getElementById('data').textContent)
    this.table.set({ names: this.data.names, seat: this.data.seat })
    if (this.data.version > this.latest || !this.table.scene || this.data.seat !== was.seat) this.shown(this.data.scene, 'show')
    this.writeTimes()
    if (this.data.status !== was.status && this.data.status !== 'playing') this.ended()
    this.onTurn()
  }

  ended() {
    if (this.data.status === 'open') return
    clearInterval(this.looking)
    document.documentElement.dataset.state = 'over'
    this.play.forget()
    this.play.take({ decision: null, moves: [], scene: null })
    this.attention.say(this.words.over)
    at('middle').querySelector('.ended')?.scrollIntoView({ block: 'nearest' })
  }

  // what the hand does

  asksAlways() {
    return this.wishes.asksAlways
  }

  onTried(version) {
    this.tried = version
  }

  async onSending(isSending, answer) {
    this.drawHand()
    if (isSending) return
    const held = this.held.splice(0).filter(one => one.version > this.tried)
    for (const one of held) this.shown(one.scene, 'show', one.text)
    this.keepFocus()
    try {
      if (!answer || answer.sealed) await this.reload()
      await this.play.look()
    } catch (error) {
      this.onTrouble(error)
    }
  }

  /** The table as it is, where no event tells it. */
  async reload() {
    const match = await ask(`/api/matches/${this.data.id}`, { scene: true })
    if (match.version >= this.latest) this.shown(match.scene, 'show')
  }

  onTurn() {
    const isMine = this.play.isMine && this.isPlaying
    this.attention.call(isMine)
    document.documentElement.dataset.turn = isMine ? 'mine' : ''
    const state = at('state')
    state.classList.toggle('mine', isMine)
    if (this.isPlaying) state.textContent = isMine ? this.words['your-turn'] : this.turnOf()
    for (const one of document.querySelectorAll('.people [data-seat]')) {
      one.querySelector('.acting').hidden = !this.isPlaying || !this.acting.includes(Number(one.dataset.seat))
    }
    this.onHand()
  }

  /** The seats that are to act, as far as may be known. */
  get acting() {
    const others = (this.play.scene?.turn ?? []).filter(seat => seat !== this.data.seat)
    return this.play.isMine ? [...others, this.data.seat] : others
  }

  turnOf() {
    const names = this.acting.map(seat => this.data.names[seat]).filter(Boolean)
    const line = this.words[this.data.seat === null ? 'watching' : 'others-turn']
    return names.length ? this.words['turn-of'].replace('{names}', () => names.join(', ')) : line
  }

  onHand() {
    this.keepFocus()
    this.drawHand()
    this.drawList()
  }

  /** Whoever was at the table stays there, also where what had the focus is gone. */
  keepFocus() {
    if (this.isWithin && document.activeElement === document.body) this.root.focus({ preventScroll: true })
  }

  onAsked() {
    const confirm = this.root.querySelector('.confirm')
    if (this.wasKey) confirm?.focus()
    confirm?.scrollIntoView({ block: 'nearest' })
  }

  onWrong(text, isGood = false) {
    const note = at('wrong')
    note.classList.toggle('wrong', !isGood)
    note.hidden = !text
    note.textContent = text ?? ''
  }

  onTrouble(error) {
    if (!(error instanceof Refused)) console.warn(error)
    this.onWrong(error instanceof Refused && error.message ? error.message : this.words['no-answer'])
  }

  acted(what) {
    if (what === 'undo') this.play.undo()
    if (what === 'send') this.play.send()
    if (what === 'skip') this.table.skip()
  }

  pressed(event) {
    this.wasKey = true
    if (event.key === 'Enter' && event.repeat && this.root.contains(event.target)) return event.preventDefault()
    if (event.key !== 'Escape' || this.root.contains(event.target) || event.target.matches('input, textarea, select')) return
    if (this.play.back()) event.preventDefault()
  }

  /** What is not lit says why, if it is one's turn. */
  async touchedInVain(event) {
    const id = event.target.closest('[data-id]')?.dataset.id
    if (!id || !this.play.hand || touchedAt(event.target) !== null) return
    const refusal = await this.play.explain(id).catch(() => null)
    if (refusal) this.tell(id, refusal)
  }

  tell(id, refusal) {
    const why = document.createElement('p')
    why.className = 'why'
    why.append(`${this.words.why}: ${refusal.detail} `)
    if (refusal.clause) {
      const link = document.createElement('a')
      link.href = `/games/${this.data.game.slug}/rules#${refusal.clause.toLowerCase()}`
      link.target = '_blank'
      link.textContent = refusal.clause
      why.append(link)
    }
    this.attention.say(why.textContent)
    const panel = this.root.querySelector('.details:not([hidden])')
    for (const old of document.querySelectorAll('.why')) old.remove()
    if (panel?.dataset.of === id) panel.append(why)
    else this.hand.append(why)
    this.drawHand()
  }

  // what stands beside the table

  drawHand() {
    const { hand, play, table, words } = this
    at('skip').hidden = !table.waiting
    for (const one of hand.querySelectorAll(':scope > :not(.why)')) one.remove()
    const parts = []
    if (play.staged.length) {
      const list = document.createElement('ol')
      list.className = 'staged'
      list.setAttribute('aria-label', words.staged)
      list.append(...play.staged.map(one => Object.assign(document.createElement('li'), { textContent: one.text })))
      const title = Object.assign(document.createElement('b'), { textContent: `${words.staged}:` })
      parts.push(title, list, buttonOf('undo', words.undo), buttonOf('send', words.send))
    }
    if (play.isSending) parts.push(Object.assign(document.createElement('span'), { textContent: words.sending }))
    hand.prepend(...parts)
    // it lies in the table, where what is done is confirmed: nothing above it moves when it comes
    const beside = hand.children.length ? hand : null
    if (table.options.beside !== beside) table.set({ beside })
  }

  drawList() {
    const details = at('list')
    const { play } = this
    details.hidden = !play.isMine || !play.moves.length
    if (!details.open || details.hidden) return
    const list = details.querySelector('ol')
    const wasAt = [...list.querySelectorAll('button')].indexOf(document.activeElement)
    list.replaceChildren(...play.moves.map(move => {
      const line = document.createElement('li')
      const button = Object.assign(document.createElement('button'), { type: 'button', textContent: move.text })
      button.addEventListener('click', () => play.pick(move))
      line.append(button)
      return line
    }))
    details.querySelector('form > button')?.remove()
    if (wasAt >= 0) list.querySelectorAll('button')[Math.min(wasAt, play.moves.length - 1)]?.focus()
  }
}

function buttonOf(what, text) {
  const button = Object.assign(document.createElement('button'), { type: 'button', className: 'button', textContent: text })
  button.dataset.do = what
  return button
}

/** Puts a part of another page in the place of one's own; what was opened there stays open, and the focus where it was. */
function exchange(part, next) {
  for (const one of part.querySelectorAll('details[open][id]')) next.querySelector(`#${CSS.escape(one.id)}`)?.setAttribute('open', '')
  for (const one of part.querySelectorAll('input[id]:not([readonly]), select[id]')) Object.assign(next.querySelector(`#${CSS.escape(one.id)}`) ?? {}, { value: one.value })
  const focused = part.contains(document.activeElement) ? [...part.querySelectorAll(TOUCHED)].indexOf(document.activeElement) : -1
  part.replaceWith(document.adoptNode(next))
  if (focused >= 0) next.querySelectorAll(TOUCHED)[focused]?.focus({ preventScroll: true })
}

const data = JSON.parse(at('data').textContent)
const page = new Page(data)
page.begin()
