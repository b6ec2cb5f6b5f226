// @ts-check
// The live table: it draws and tells what the match's stream brings, and tries, confirms and sends what is touched.

import { inOwnTime, openTable, wearPalette } from './table/table.js'
import { Refused, Silent, addressOf, ask } from './api.js'
import { Around } from './around.js'
import { Attention } from './attention.js'
import { Calls } from './calls.js'
import { seated, unseated } from './evidence.js'
import { follow } from './follow.js'
import { learnt } from './frame.js'
import { Hand } from './hand.js'
import { Hints } from './hints.js'
import { heed } from './input.js'
import { Lines } from './log.js'
import { Orders } from './orders.js'
import { takeParts } from './parts.js'
import { Play } from './play.js'
import { Talk } from './talk.js'
import { writeTurn } from './turn.js'
import { Wishes } from './wishes.js'
import { at, latest, put } from './write.js'

const SETTLE = 20
/** Milliseconds in which events are gathered before the page asks what is new. */

const NEWS = 1000
/** Milliseconds in which news of the reader's other matches is gathered before a page of one that is over is renewed. */

const AGAIN = 2000
const LATEST = 32000
/** Milliseconds until a request without an answer is repeated, at first and at most; they are doubled each time. */

const TELLING = /^match\/(Seat|Started|Finished|Aborted|Paused|Resumed|Outage|ClockSet)/
/** Events that change more of the page than its table. */

class Page {
  constructor(data) {
    this.data = data
    this.words = data.words
    this.root = at('table')
    this.latest = data.version
    this.since = data.since
    this.tried = 0
    this.patience = AGAIN
    this.asked = 0
    this.taken = 0
    /** @type {any[]} */
    this.held = []
    this.wasKey = false
    this.isWithin = false
    this.lines = new Lines(at('log'), text => inOwnTime(text, data.lang))
    this.again = () => this.showAgain().catch(error => this.onTrouble(error))
    this.lately = [...at('log').children].slice(0, 2).reverse().map(line => line.textContent ?? '')
    // while pieces move, nothing else on the page changes
    this.whenStill = write => this.table.whenStill(write)
    this.attention = new Attention({ said: at('said'), icon: at('match').dataset.icon ?? '', words: data.words, game: data.game.title[data.lang], whenStill: this.whenStill })
    this.wishes = new Wishes(at('wishes'), () => this.table.set({ pace: this.wishes.pace }))
    wearPalette(document, data.game)
    this.root.replaceChildren()
    this.root.hidden = !data.scene
    this.root.tabIndex = -1
    this.table = openTable(this.root, {
      game: data.game, seat: data.seat, names: data.names, areNamed: true, told: this.told(), lang: data.lang, pace: this.wishes.pace,
      onTouch: id => this.play.touch(id), onPick: move => this.play.pick(move), onBack: () => this.play.back(),
      onAgain: data.since < data.version ? this.again : undefined, isOver: data.status !== 'playing',
    })
    this.play = new Play(data.id, this.table, this)
    this.hand = new Hand(this)
    this.around = new Around(this)
    this.calls = new Calls(this.attention)
    this.orders = new Orders(this)
    this.hints = new Hints(this)
  }

  begin() {
    const { data } = this
    document.documentElement.classList.add('live')
    at('settings').hidden = false
    at('list').removeAttribute('open')
    this.shown(data.scene, 'jump')
    this.play.begin(data.decision, data.moves)
    heed(this)
    if (data.talk !== null) this.hear()
    const brought = data.seat === null ? unseated : seated
    brought(data.id).catch(error => console.warn(error))
    this.onTurn()
    this.calls.ask()
    const isPlayed = data.seat !== null && this.isPlaying
    if (isPlayed) this.orders.read().catch(() => {})
    // a rematch comes without an event of this match: its seats are kept for those who played
    document.body.addEventListener('news', () => this.isOver && this.renew())
    if (isPlayed) this.play.look().catch(error => (error instanceof Silent ? this.settle() : this.onTrouble(error)))
    if (this.isOver) document.documentElement.dataset.state = 'over'
    else this.follow()
  }

  get isMine() {
    return this.play.isMine && this.isPlaying
  }

  get isPlaying() {
    return this.data.status === 'playing'
  }

  get isOver() {
    return this.data.status === 'finished' || this.data.status === 'aborted'
  }

  follow() {
    const { id, lang, version } = this.data
    const address = after => addressOf(`/api/matches/${id}/events`, { scenes: true, beside: true, lang, after })
    follow(address, version, {
      rests: true,
      onEvent: event => this.onEvent(event),
      onState: state => this.around.onState(state),
      onBeside: marks => this.around.onBeside(marks),
      onEnd: () => this.refresh().catch(() => this.settle()),
    })
  }

  hear() {
    const { data } = this
    this.talk = new Talk(data.id, data.talk, data.me, {
      list: at('messages'), form: at('say'), nothing: at('nothing-said'), words: data.words,
      onSaid: text => this.attention.say(text), onHeard: text => this.calls.hear(text), onWrong: error => (error ? this.onTrouble(error) : this.onWrong(null)),
    })
  }

  // what the stream tells

  onEvent(event) {
    this.latest = event.version
    if (event.type === 'match/MoveMade' && event.public.seat === this.data.seat) this.since = event.version
    const text = event.aside ? undefined : inOwnTime(event.text, this.data.lang)
    if (text) {
      this.lately = [this.lately.at(-1) ?? '', text]
      this.whenStill(() => this.lines.add({ ...event, text }))
      this.attention.say(text)
    }
    if (TELLING.test(event.type)) this.isStale = true
    const said = text && this.told()
    if (event.scene) this.arrived({ ...event, text: said })
    else if (said) this.whenStill(() => this.table.waiting || this.table.set({ told: said }))
    clearTimeout(this.settling)
    this.settling = setTimeout(() => this.settle(), SETTLE)
  }

  /** Return the last two things that happened, since the last often tells only whose turn it is; if long, the last. */
  told() {
    return latest(this.lately, this.data.lang, 2)
  }

  arrived(event) {
    if (this.play.isSending) this.held.push(event)
    else if (!this.play.staged.length) this.shown(event.scene, 'show', event.text)
    else this.play.scene = event.scene
  }

  shown(scene, how, said) {
    if (!scene) return
    this.play.scene = scene
    put(this.root, 'hidden', false)
    // a spectator knows by the scene whose turn it is; a seat asks the service
    if (this.data.seat === null) this.whenStill(() => this.writeTurn())
    const done = this.table[how](scene, said === undefined ? undefined : { told: said })
    this.hand.count()
    done.then(() => this.hand.count())
  }

  /** Show the others' turns since the reader's last move, slowly; what comes meanwhile waits. */
  async showAgain() {
    const { events, next } = await ask(`/api/matches/${this.data.id}/events`, { scenes: true, after: Math.max(this.since - 1, 0) })
    const scenes = events.filter(one => one.scene).map(one => ({ scene: one.scene, options: one.aside ? {} : { told: inOwnTime(one.text, this.data.lang) } }))
    // it always ends with the present scene
    if (next !== null || this.latest > (events.at(-1)?.version ?? 0)) scenes.push({ scene: this.play.scene, options: {} })
    if (scenes.length && !this.play.staged.length) await this.table.film(scenes)
  }

  /** Ask what is new. If no answer comes, nothing is said, since nobody has asked: it is tried again later. */
  async settle() {
    clearTimeout(this.settling)
    try {
      if (this.isStale) await this.refresh()
      else if (this.data.timed) this.around.readClocks()
      if (this.data.seat !== null && this.isPlaying) await this.play.look()
      else this.onTurn()
    } catch (error) {
      if (!(error instanceof Silent)) return this.onTrouble(error)
      this.settling = setTimeout(() => this.settle(), this.patience)
      this.patience = Math.min(2 * this.patience, LATEST)
      return
    }
    this.patience = AGAIN
  }

  /** Load the page again, and take from it the parts that only the server writes. */
  async refresh() {
    this.isStale = false
    const { id, lang } = this.data
    const turn = (this.asked += 1)
    const isLate = () => {
      if (turn < this.taken) return true
      this.taken = turn
      return false
    }
    const data = await takeParts(`/matches/${id}`, lang, write => this.table.whenDone(write), isLate).catch(error => {
      this.isStale = true
      throw error
    })
    if (!data) return
    const was = this.data
    this.data = data
    this.table.set({ names: data.names, seat: data.seat, isOver: !this.isPlaying })
    if (data.version > this.latest || !this.table.scene || data.seat !== was.seat) this.shown(data.scene, 'show')
    this.around.writeTimes()
    this.calls.ask()
    if (this.isOver && data.status !== was.status) this.ended()
    this.onTurn()
  }

  /** Load the page again soon: every move in another match is news, and bots make many in a second. */
  renew() {
    this.renewing ??= setTimeout(() => {
      this.renewing = undefined
      this.refresh().catch(() => {})
    }, NEWS)
  }

  ended() {
    document.documentElement.dataset.state = 'over'
    this.play.forget()
    this.play.take({ decision: null, moves: [], scene: null })
    // the scene before may have told whose turn it is
    this.shown(this.data.scene, 'jump')
    this.attention.say(at('state').textContent)
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
    this.hand.draw()
    if (isSending) return
    if (answer) learnt(this.data.game.slug)
    const held = this.held.splice(0).filter(one => one.version > this.tried)
    for (const one of held) this.shown(one.scene, 'show', one.text)
    this.keepFocus()
    try {
      if (!answer || answer.sealed) await this.reload()
      await this.play.look()
    } catch (error) {
      if (!(error instanceof Silent)) return this.onTrouble(error)
      // whether the move was answered has been said; what the table shows may be what was not sent
      this.isStale = true
      this.latest = 0
      this.settle()
    }
  }

  /** Load the table as it is now, if no event brings it. */
  async reload() {
    const match = await ask(`/api/matches/${this.data.id}`, { scene: true })
    if (match.version >= this.latest) this.shown(match.scene, 'show')
  }

  onTurn() {
    this.attention.call(this.isMine)
    // not before the reader has seen what led to it, and things are lit
    this.table.whenDone(() => this.writeTurn())
    this.onHand()
    this.orders.onTurn()
    this.hints.onTurn()
  }

  /** The seats that are to act, as far as the reader may know. */
  get acting() {
    const others = (this.play.scene?.turn ?? []).filter(seat => seat !== this.data.seat)
    return this.play.isMine ? [...others, this.data.seat] : others
  }

  writeTurn() {
    const { data, isMine, isPlaying, acting, words } = this
    writeTurn({ isMine, isPlaying, acting, seat: data.seat, names: data.names, words })
  }

  onHand() {
    this.keepFocus()
    this.hand.draw()
    this.hand.drawList()
  }

  /** Keep the focus at the table if the element that had it is gone. */
  keepFocus() {
    if (this.isWithin && document.activeElement === document.body) this.root.focus({ preventScroll: true })
  }

  onAsked() {
    if (this.wasKey) this.table.focusAsked()
    this.root.querySelector('.confirm')?.scrollIntoView({ block: 'nearest' })
  }

  onWrong(text, isGood = false) {
    if (this.isOld) return
    const note = at('wrong')
    note.classList.toggle('wrong', !isGood)
    put(note, 'hidden', !text)
    put(note, 'textContent', text ?? '')
  }

  onTrouble(error) {
    const isTold = error instanceof Refused || error instanceof Silent
    if (!isTold) console.warn(error)
    this.onWrong(isTold && error.message ? error.message : this.words['no-answer'])
    // that stays true
    if (error instanceof Refused && error.isOld) this.isOld = true
  }
}

const data = JSON.parse(at('data').textContent ?? '')
if (!('sits' in document.documentElement.dataset)) new Page(data).begin()
