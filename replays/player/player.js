// The player's main module: it replays a match in a page. The renderer draws the table; the events stand beside it.

import { drawTable, openTable, seatName } from '../table/table.js'
import { Chart } from './chart.js'
import { make, moment, pointsOf, speaker } from './dom.js'
import { Film } from './film.js'
import { laidOut, SPEEDS } from './layout.js'
import { timesOf } from './times.js'

export { judge } from './verdict.js'
export { make, speaker } from './dom.js'

const BEAT = 1500
const TRAVEL = 480
const SAMPLES = 16
/** Milliseconds of a step and of its animations at speed 1, and how many tables are measured in advance. */

/**
 * Open a player in `root`, and return it. Options:
 *
 * `load(eyes)`: returns a promise of the film's parts, as the service sends them; the viewer is 'all', 'nobody' or a seat's
 * number as a text; `eyes`: the viewers that it can load; `seen`: the one it begins with; `game`: {slug, title, palette, style};
 * `lang`, `words`; `version`: where it begins, or null; `result`: {points, ranking} or null; `onMove(version, film, eyes)`.
 */
export async function openPlayer(root, options) {
  // until the film is loaded the page stays as it is
  const [told, ...more] = await options.load(options.seen)
  const player = new Player(root, options)
  player.films.set(options.seen, new Film(told, more, options.lang))
  await player.see(options.seen, options.version ?? null)
  return player
}

class Player {
  constructor(root, options) {
    this.options = options
    this.root = root
    this.say = speaker(options.words)
    this.lang = options.lang
    this.films = new Map()
    this.film = null
    this.eyes = null
    this.version = 1
    this.known = 1
    this.seeing = 0
    this.playing = 0
    this.ending = new AbortController()
    this.isOpen = false
    root.classList.add('ft-player')
    this.parts = laidOut(root, this.say)
    this.table = openTable(this.parts.table, { game: options.game, areNamed: true, told: '', lang: options.lang, pace: TRAVEL })
    this.chart = new Chart(this.parts.chart, this.parts.legend, version => this.go(version))
    this.names = seat => seatName(seat, this.film?.names, this.lang)
  }

  /** Show the match as another viewer saw it, at the same version unless one is given. */
  async see(eyes, version) {
    const turn = (this.seeing += 1)
    const film = await this.filmOf(eyes)
    // another one was chosen meanwhile
    if (turn !== this.seeing) return
    const isFirst = !this.film
    this.film = film
    this.eyes = eyes
    if (isFirst) this.begin(version)
    this.known = Math.min(this.known, film.head)
    this.table.set({ turned: this.seat, names: film.names })
    this.fillSelects()
    this.list()
    this.go(Math.min(version ?? this.version, film.head), { isStill: true })
    this.measure()
  }

  /** Stay with the present viewer, since the other film could not be loaded. */
  stay() {
    this.parts.eyes.value = this.eyes
    this.parts.shared.textContent = this.say('broken')
  }

  async filmOf(eyes) {
    if (!this.films.has(eyes)) {
      const [told, ...more] = await this.options.load(eyes)
      this.films.set(eyes, new Film(told, more, this.lang))
    }
    return this.films.get(eyes)
  }

  /** Begin: a finished match at its start, with nothing revealed; a running one at its latest event. */
  begin(version) {
    const { film } = this
    this.isOpen = !film.isOver
    this.version = Math.min(version ?? (film.isOver ? film.stops.move[0] : film.head), film.head)
    this.known = this.isOpen ? film.head : this.version
    this.parts.spoilLabel.hidden = !film.isOver
    this.listen()
  }

  go(wanted, { isStill = false } = {}) {
    const version = Math.max(1, Math.min(this.film.head, wanted))
    const isStep = !isStill && Math.abs(this.film.stops.event.indexOf(version) - this.film.stops.event.indexOf(this.version)) < 40
    this.version = version
    if (version > this.known) this.learn(version)
    this.draw(isStep)
    this.tell()
    this.options.onMove?.(version, this.film, this.eyes)
  }

  /** Note that the reader knows everything up to this version. */
  learn(version) {
    const was = this.known
    this.known = this.isOpen ? this.film.head : version
    for (let one = was + 1; one <= this.known; one++) this.parts.list.append(this.row(one))
    this.sift()
    this.panels()
  }

  draw(isStep) {
    const scene = this.film.scene(this.version)
    this.parts.table.hidden = scene === null
    this.parts.empty.hidden = scene !== null
    if (scene === null || scene === this.table.scene) return
    const { list } = this.parts
    if (!isStep || this.table.waiting > 1 || list.hidden) this.table.jump(scene)
    else this.table.show(scene)
    this.keepHeight(this.parts.table.querySelector('.cloth').offsetHeight)
  }

  tell() {
    const { parts, film, version, say } = this
    const frame = film.at(version)
    parts.now.textContent = film.at(film.spoken(version)).text
    // a text longer than its box can be scrolled with keys too
    parts.now.toggleAttribute('tabindex', false)
    if (parts.now.scrollHeight > parts.now.clientHeight + 1) parts.now.tabIndex = 0
    const stops = film.stops[parts.by.value]
    const at = stops.findIndex(stop => stop >= version)
    parts.slider.max = stops.length - 1
    parts.slider.value = at
    parts.slider.style.setProperty('--done', String(at / Math.max(1, stops.length - 1)))
    const where = say('of', { version, head: film.head })
    parts.slider.setAttribute('aria-valuetext', `${where}: ${parts.now.textContent}`)
    parts.where.textContent = `${version} / ${film.head}`
    parts.where.title = moment(frame.at, this.lang)
    parts.chapters.value = film.chapter(version)?.version ?? ''
    this.root.dataset.version = version
    this.mark()
    this.chart.mark(version)
  }

  row(version) {
    const frame = this.film.at(version)
    const isFirst = version === 1 || this.film.at(this.film.listed(version - 1)).moves !== frame.moves
    return make('li', { value: version, class: `${isFirst ? 'starts' : ''} ${frame.chapter ? 'chapter' : ''}` },
      make('button', { type: 'button', tabindex: -1, title: moment(frame.at, this.lang) }, frame.text))
  }

  list() {
    this.parts.list.replaceChildren(...Array.from({ length: this.known }, (_, i) => this.row(i + 1)))
    this.sift()
    this.panels()
  }

  /** Show only the events whose text contains the searched one. */
  sift() {
    const { parts, film, known, say } = this
    const sought = parts.search.value.trim().toLowerCase()
    let found = 0
    for (const [i, row] of [...parts.list.children].entries()) {
      row.hidden = sought === '' ? film.isAside(i + 1) : !film.at(i + 1).text.toLowerCase().includes(sought)
      found += !row.hidden
    }
    parts.found.textContent = sought ? say('matches', { found, head: known }) : ''
    parts.more.textContent = known < film.head ? say('more', { count: film.head - known }) : ''
    this.mark()
  }

  mark() {
    const { list } = this.parts
    for (const old of list.querySelectorAll('[aria-current]')) old.removeAttribute('aria-current')
    const row = list.children[this.film.listed(this.version) - 1]
    if (!row) return
    row.setAttribute('aria-current', 'step')
    const top = row.offsetTop - list.offsetTop
    if (!row.hidden && (top < list.scrollTop || top + row.offsetHeight > list.scrollTop + list.clientHeight)) {
      list.scrollTop = top - list.clientHeight / 2
    }
  }

  /** Show the result, the chart and the thinking times, as far as the reader may know them. */
  panels() {
    const { parts, film, known, say, lang, names } = this
    const state = { film, known, names, say, lang, version: this.version }
    parts.chartPanel.hidden = !this.chart.draw(state)
    const times = timesOf(state, version => this.go(version))
    parts.pacePanel.hidden = times === null
    parts.pace.replaceChildren(...times ? [times] : [])
    const { result } = this.options
    parts.result.hidden = !result || known < film.head
    if (parts.result.hidden) return
    const seats = result.ranking.map((place, seat) => ({ place, seat, points: result.points[seat] })).sort((a, b) => a.place - b.place)
    parts.places.replaceChildren(...seats.map(one => make('li', { value: one.place, class: one.place === 1 ? 'winner' : null },
      make('span', { class: `key seat-${one.seat % 6}` }, names(one.seat)), ' ', make('b', {}, pointsOf(one.points, say)))))
  }

  fillSelects() {
    const { parts, film, say, options } = this
    parts.eyes.replaceChildren(...options.eyes.map(one => make('option', { value: one, selected: one === this.eyes },
      one === 'all' ? say('all') : one === 'nobody' ? say('nobody') : this.names(Number(one)))))
    parts.chapterLabel.hidden = film.chapters.length < 2
    parts.chapters.replaceChildren(make('option', { value: '' }, say('beginning')),
      ...film.chapters.map(one => make('option', { value: one.version }, one.title)))
  }

  play(isOn) {
    clearTimeout(this.playing)
    this.playing = 0
    const { parts, say } = this
    parts.play.classList.toggle('playing', isOn)
    parts.play.setAttribute('aria-label', say(isOn ? 'pause' : 'play'))
    parts.play.title = say(isOn ? 'pause' : 'play')
    parts.now.setAttribute('aria-live', isOn ? 'off' : 'polite')
    if (!isOn) return
    if (this.version === this.film.head) this.go(1, { isStill: true })
    const beat = () => {
      if (this.version >= this.film.head) return this.play(false)
      this.go(this.film.after(this.version, parts.by.value))
      this.playing = setTimeout(beat, BEAT / this.speed)
    }
    this.playing = setTimeout(beat, BEAT / this.speed / 2)
  }

  /** Stop, and remove the listeners from the page. */
  close() {
    this.play(false)
    this.ending.abort()
    this.watching?.disconnect()
    this.measuring = null
    this.table.close()
  }

  get speed() {
    return Number(this.parts.speed.value)
  }

  hasten(step) {
    const at = SPEEDS.indexOf(this.speed) + step
    this.parts.speed.value = SPEEDS[Math.max(0, Math.min(SPEEDS.length - 1, at))]
    this.table.set({ pace: Math.min(TRAVEL, TRAVEL / this.speed) })
  }

  step(step, by = this.parts.by.value) {
    this.play(false)
    this.go(step > 0 ? this.film.after(this.version, by) : this.film.before(this.version, by))
  }

  /** Reveal what is still to come, or hide it again. */
  spoil(isOpen) {
    this.isOpen = isOpen
    this.parts.spoil.checked = isOpen
    this.known = isOpen ? this.film.head : this.version
    this.list()
    this.mark()
  }

  /** Make the table's box as high as its highest table, so that nothing below moves while the reader steps. */
  async measure() {
    const { parts, film, options } = this
    const mine = this.measuring = Symbol('measuring')
    this.measured = parts.box.clientWidth
    this.height = 0
    const trial = make('div', { class: 'player-trial', 'aria-hidden': 'true', inert: true })
    const every = Math.max(1, Math.floor(film.head / SAMPLES))
    const look = { game: options.game, lang: this.lang, turned: this.seat, names: film.names, areNamed: true }
    // the last table usually has most on it, so it is measured first
    for (let version = film.head; version > 0; version -= every) {
      await new Promise(done => setTimeout(done, 0))
      if (this.measuring !== mine) break
      const scene = film.scene(version)
      if (scene === null) continue
      parts.box.append(trial)
      drawTable(trial, scene, look)
      this.keepHeight(trial.offsetHeight)
      trial.remove()
    }
    if (this.measuring === mine) this.root.dataset.measured = 'true'
  }

  /** The seat whose view is shown, or null. */
  get seat() {
    return /^\d+$/.test(this.eyes) ? Number(this.eyes) : null
  }

  keepHeight(height) {
    if (height <= this.height) return
    this.height = height
    this.parts.box.style.setProperty('--height', `${height}px`)
  }

  listen() {
    const { parts } = this
    const clicks = {
      first: () => this.go(1), back: () => this.step(-1), on: () => this.step(1), last: () => this.go(this.film.head),
      play: () => this.play(!this.playing), share: () => this.share(),
    }
    for (const [name, act] of Object.entries(clicks)) parts[name].addEventListener('click', act)
    parts.slider.addEventListener('input', () => this.go(this.film.stops[parts.by.value][Number(parts.slider.value)]))
    parts.speed.addEventListener('change', () => this.hasten(0))
    parts.by.addEventListener('change', () => this.tell())
    parts.eyes.addEventListener('change', () => this.see(parts.eyes.value).catch(() => this.stay()))
    parts.chapters.addEventListener('change', () => this.go(Number(parts.chapters.value) || 1, { isStill: true }))
    parts.spoil.addEventListener('change', () => this.spoil(parts.spoil.checked))
    parts.search.addEventListener('input', () => this.sift())
    parts.list.addEventListener('click', event => {
      const row = event.target.closest('li')
      if (row) this.go(row.value, { isStill: true })
    })
    parts.list.addEventListener('keydown', event => this.walked(event))
    parts.table.addEventListener('click', event => this.touched(event))
    document.addEventListener('keydown', event => this.pressed(event), { signal: this.ending.signal })
    this.watching = new ResizeObserver(() => parts.box.clientWidth !== this.measured && this.resized())
    this.watching.observe(parts.box)
  }

  resized() {
    this.measure()
    this.panels()
  }

  /** Go to the version at which the clicked piece came to its place, and name the piece. */
  touched(event) {
    const id = event.target.closest('.face[data-id]')?.dataset.id
    if (!id || this.film.look(id, this.version) === null) return
    const came = this.film.came(id, this.version)
    this.play(false)
    if (came === this.version) return
    this.go(came, { isStill: true })
    this.table.details.open(id)
  }

  /** Lead keys up and down the list of events, from the one that is shown or was found first. */
  walked(event) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (!step || event.altKey || event.ctrlKey || event.metaKey) return
    event.preventDefault()
    const { list } = this.parts
    const rows = [...list.children].filter(row => !row.hidden)
    const at = rows.indexOf(event.target.closest('li'))
    const shown = Math.max(0, rows.indexOf(list.querySelector('[aria-current]')))
    rows[at < 0 ? shown : Math.max(0, Math.min(rows.length - 1, at + step))]?.querySelector('button').focus()
  }

  pressed(event) {
    if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey || !this.film || this.root.hidden) return
    if (event.target.closest?.('input:not([type=range], [type=checkbox]), select, textarea')) return
    const by = event.shiftKey ? 'event' : this.parts.by.value
    const isPress = event.target.closest?.('button, a, summary, input')
    const acts = {
      ArrowRight: () => this.step(1, by), ArrowLeft: () => this.step(-1, by), Home: () => this.go(1), End: () => this.go(this.film.head),
      '+': () => this.hasten(1), '-': () => this.hasten(-1), '/': () => this.parts.search.focus(),
      ' ': isPress ? null : () => this.play(!this.playing),
    }
    if (!acts[event.key]) return
    event.preventDefault()
    acts[event.key]()
  }

  /** Copy the address of this moment. */
  async share() {
    const { parts, say, options } = this
    const address = options.address(this.version, this.eyes)
    try {
      await navigator.clipboard.writeText(address)
      parts.shared.textContent = say('copied')
    } catch {
      const field = make('input', { readonly: true, value: address, 'aria-label': say('share') })
      parts.shared.replaceChildren(field)
      field.select()
    }
  }
}
