// @ts-check
// A lesson on the table: each step comes from the service, which plays it by the game's rules. Nothing is sent there but
// which step is wanted, and which choices were made.

import { learnt } from './frame.js'
import { make } from './player/dom.js'
import { touchedAt } from './table/draw.js'
import { back, begin, chosen, elementOf, fill, leadIn, lit, made, openTable, touch, wearPalette } from './table/table.js'
import { at, put } from './write.js'

const READ = 1700
/** Milliseconds for which each thing that others do is shown, so that it can be read. */

class Lesson {
  constructor(data) {
    this.data = data
    this.lang = document.documentElement.lang
    this.root = make('div', { tabindex: '-1' })
    at('lesson').replaceChildren(this.root)
    this.bar = new Bar(data.words, () => this.onNext())
    this.now = data.first
    this.asked = 0
    this.hand = null
    this.turn = 0
    this.isWithin = false
    this.isHurried = false
    this.isGoing = false
    wearPalette(document, data.game)
    this.table = openTable(this.root, {
      game: data.game, seat: data.seat, names: data.names, areNamed: true, lang: this.lang, beside: this.bar.element,
      onTouch: id => this.onTouch(id), onPick: move => this.onPick(move), onBack: () => this.onBack(),
    })
    this.root.addEventListener('click', event => this.onVain(event), true)
    // the focus stays at the table if the element that had it is gone
    document.addEventListener('focusin', event => (this.isWithin = this.root.contains(/** @type {Node} */ (event.target))))
    document.addEventListener('keydown', event => {
      if (!this.root.contains(/** @type {Node} */ (event.target)) && leadIn(this.root, event)) event.preventDefault()
    })
  }

  begin() {
    this.table.jump(this.now.passage[0]?.scene ?? this.now.scene)
    this.show()
  }

  /** Show the step: what the reader's move brought about, then what the others do, then what is asked. */
  async show() {
    const { now, table } = this
    const turn = (this.turn += 1)
    this.asked = 0
    this.hand = null
    this.ahead = now.step < now.steps && now.kind !== 'choose' ? this.fetched(now.step + 1, now.chosen) : null
    this.ahead?.catch(() => {})
    table.set({ lit: [], chosen: [], offered: undefined, about: [] })
    this.bar.speak(now.passage.map(one => one.told).join(' '))
    this.bar.tell(now, now.kind === 'watch')
    for (const { scene, told } of now.passage) table.show(scene, { told })
    await table.show(now.scene, { told: now.passage.at(-1)?.told })
    if (now.film.length) this.lead(now.about)
    for (const { scene, told } of now.film) {
      if (turn !== this.turn || this.isHurried) break
      this.bar.speak(told)
      await table.show(scene, { told })
      await this.rest()
    }
    if (turn !== this.turn) return
    this.isHurried = false
    const last = now.film.at(-1)
    if (last && table.scene !== last.scene) {
      table.jump(last.scene, { told: last.told })
      this.bar.speak(last.told)
    }
    this.settle()
  }

  rest() {
    return new Promise(done => {
      this.wake = () => done(null)
      setTimeout(done, READ)
    })
  }

  /** All of the step is shown: light what it asks for, or let the reader go on. */
  settle() {
    const { now } = this
    if (now.asking.length) return this.ask()
    this.table.set({ about: now.about })
    // the bar is higher with the button
    this.bar.offer(this.isLast ? this.data.words['play-now'] : this.data.words.next)
    this.lead(now.about)
    if (this.isLast) this.end()
    this.keepFocus()
  }

  ask() {
    const { scene, ways } = this.now.asking[this.asked]
    const wanted = ways.filter(way => way.text)
    if (this.table.scene !== scene) this.table.show(scene, { told: undefined })
    this.hand = begin(wanted, scene)
    this.bar.offer(null)
    this.draw()
    this.lead([...lit(this.hand), ...this.now.about])
    this.keepFocus()
  }

  draw() {
    const { hand, now } = this
    const isFree = now.kind === 'choose' && !hand.path.length
    this.table.set({ lit: lit(hand), chosen: chosen(hand), about: now.about, offered: isFree ? { moves: hand.moves, ids: [] } : undefined })
  }

  /** Scroll the first of these things into the middle of the visible table, unless it is visible. */
  lead(ids) {
    const found = ids.map(id => elementOf(this.root, id)).find(one => one && !one.closest('.actions'))
    const bar = this.bar.element.closest('.actions')
    if (!found || !bar) return
    const box = found.getBoundingClientRect()
    const top = at('lesson').getBoundingClientRect().top
    const bottom = bar.getBoundingClientRect().top
    if (box.top >= top && box.bottom <= bottom) return
    const behavior = matchMedia('(prefers-reduced-motion: reduce)').matches ? 'instant' : 'smooth'
    at('lesson').scrollBy({ top: (box.top + box.bottom - top - bottom) / 2, behavior })
  }

  onTouch(id) {
    if (!this.hand) return
    const next = touch(this.hand, id)
    if (next === this.hand) return
    this.bar.note('')
    this.hand = next
    const move = made(next)
    if (move) this.onPick(move)
    else {
      this.draw()
      this.lead([...lit(next)])
    }
  }

  onPick(way) {
    if (!this.hand) return
    this.hand = null
    this.bar.note('')
    this.table.set({ lit: [], chosen: [], offered: undefined, about: [] })
    if (this.asked + 1 < this.now.asking.length) {
      this.asked += 1
      return this.ask()
    }
    this.go(way.choice === undefined ? this.now.chosen : [...this.now.chosen, way.choice])
  }

  onBack() {
    if (!this.hand?.path.length) return false
    this.hand = back(this.hand)
    this.draw()
    return true
  }

  /** Say why another legal move is not made now. */
  onVain(event) {
    const id = event.target.closest('[data-id]')?.dataset.id
    if (!id || !this.hand || touchedAt(event.target) !== null) return
    const { ways } = this.now.asking[this.asked]
    const { path } = this.hand
    const could = ways.flatMap(way => [way.touches, ...way.ways ?? []])
      .some(touches => touches[path.length] === id && path.every((one, place) => touches[place] === one))
    if (could) this.bar.note(this.now.otherwise)
  }

  onNext() {
    if (this.bar.isWaiting) {
      this.isHurried = true
      this.wake?.()
      return
    }
    if (this.isLast) this.leave()
    else this.go(this.now.chosen)
  }

  async go(way) {
    if (this.isGoing) return
    this.isGoing = true
    try {
      const isAhead = this.ahead && way.length === this.now.chosen.length
      this.now = await (isAhead ? this.ahead : this.fetched(this.now.step + 1, way))
    } catch {
      this.bar.note(this.data.words['no-answer'])
      this.ahead = null
      if (this.now.asking.length) this.ask()
      return
    } finally {
      this.isGoing = false
    }
    this.mark()
    this.show()
  }

  /** Write the step into the address: whoever loads the page again goes on there. */
  mark() {
    const here = new URL(location.href)
    here.searchParams.set('step', this.now.step)
    here.searchParams.set('chosen', this.now.chosen.join(','))
    history.replaceState(history.state, '', here)
  }

  async fetched(step, way) {
    const query = new URLSearchParams({ step: String(step), chosen: way.join(','), lang: this.lang })
    const answer = await fetch(`/games/${this.data.game.slug}/lesson/step?${query}`)
    if (!answer.ok) throw new Error(String(answer.status))
    return answer.json()
  }

  get isLast() {
    return this.now.step === this.now.steps
  }

  end() {
    learnt(this.data.game.slug)
    at('end').hidden = false
  }

  /** Lead to the buttons that open a match; one touch too many opens none. */
  leave() {
    /** @type {HTMLElement | null} */
    const button = at('end').querySelector('button[value=bots]')
    at('end').scrollIntoView({ block: 'nearest' })
    button?.focus()
  }

  keepFocus() {
    if (this.isWithin && document.activeElement === document.body) this.root.focus({ preventScroll: true })
  }
}

/** What stands beside the hand: the step's text, and the button that leads on. */
class Bar {
  constructor(words, onNext) {
    this.words = words
    this.count = make('p', { class: 'progress' })
    this.said = make('p', { class: 'said', role: 'status' })
    this.wrong = make('p', { class: 'aside', role: 'status' })
    this.aloud = make('p', { class: 'unseen', role: 'status' })
    this.button = make('button', { type: 'button', class: 'button next', onclick: onNext })
    this.element = make('div', { class: 'teach' }, this.said, this.wrong, this.aloud, this.count)
    this.isWaiting = false
  }

  tell({ step, steps, text }, isWaiting) {
    this.count.textContent = fill(this.words.of, { step, steps })
    this.said.textContent = text
    this.note('')
    this.offer(isWaiting ? this.words.next : null)
    this.isWaiting = isWaiting
  }

  note(text) {
    put(this.wrong, 'hidden', !text)
    put(this.wrong, 'textContent', text)
  }

  /** Tell a screen reader what happens on the table. */
  speak(text) {
    put(this.aloud, 'textContent', text ?? '')
  }

  /** Show the button with that text; null removes it. */
  offer(text) {
    this.isWaiting = false
    if (text === null) return this.button.remove()
    put(this.button, 'textContent', text)
    if (!this.element.contains(this.button)) this.element.append(this.button)
  }
}

new Lesson(JSON.parse(at('data').textContent ?? '')).begin()
