// The table's main module: a table on a page, with animations, details and keys. It also exports the parts.

import { NOTHING, drawTable } from './draw.js'
import { attachDetails } from './details.js'
import { fly } from './flights.js'
import { attachKeys, letIn } from './keys.js'

export { begin, possible, made, offered, lit, chosen, touch, back, cancel } from './touch.js'
export { drawTable, elementOf } from './draw.js'
export { drawingOf } from './emblem.js'
export { matched, scored } from './matching.js'
export { fly, prefersStill } from './flights.js'
export { attachDetails } from './details.js'
export { attachKeys, leadIn, letIn } from './keys.js'
export { paletteCss, wearPalette } from './palette.js'
export { alikeOf, indexOf, lookOf, piecesOf, seatOf, seatsOf } from './scene.js'
export { fill, inOwnTime, named, nameOf, seatName, wordsOf } from './words.js'

const PACE = 480
const LEAST = 110
const MOST = 12
const DWELL = 900
/** Milliseconds of a change without hurry and of the fastest one; how many changes may wait; and the milliseconds for which
 * each scene of a film stands still. */

/**
 * Open a table in `root`. `options` are those of `drawTable`, and `pace` in milliseconds (0: no animations).
 *
 * `show(scene, options?)` animates the change to that scene, after the scenes that wait; `jump(scene, options?)` shows it
 * at once; `film([{scene, options}, …])` shows scenes that were before, slowly; `set(options)` draws the same scene with other options; `focusAsked()` leads keys to what is asked; `skip()` goes to the last scene that waits. Each
 * returns a promise that resolves when its scene stands still. `scene` is what is drawn, `waiting` how many wait.
 */
export function openTable(root, options = {}) {
  return new OpenTable(root, options)
}

class OpenTable {
  constructor(root, options) {
    this.root = root
    this.options = { ...options }
    this.scene = null
    this.queue = []
    this.flight = null
    this.running = null
    this.isWhole = true
    this.unwritten = []
    this.isAwaited = false
    this.details = attachDetails(root, () => ({ ...this.options, scene: this.scene }))
    this.detachKeys = attachKeys(root, {
      onBack: () => (this.options.onBack ? this.options.onBack() : false),
      onLook: id => this.details.open(id),
    })
    this.isHurried = false
    this.hurry = () => this.hurryOn()
    // the click of that touch alone, and no key's
    this.swallow = event => {
      if (this.isHurried && event.detail) event.stopPropagation()
      this.isHurried = false
    }
    root.addEventListener('pointerdown', this.hurry)
    root.addEventListener('click', this.swallow, true)
    this.leave = () => this.isUnseen && this.writeAll()
    root.ownerDocument.addEventListener('visibilitychange', this.leave)
  }

  get waiting() {
    return this.queue.length
  }

  show(scene, options) {
    if (!this.scene || this.pace === 0) return this.jump(scene, options)
    this.queue.push({ scene, options })
    if (this.queue.length > MOST) this.queue.splice(0, this.queue.length - MOST)
    if (this.flight) {
      this.flight.hasten()
      if (this.isWhole && this.isAsking) this.draw(false)
    }
    this.running ??= this.run()
    return this.running
  }

  film(scenes) {
    const [{ scene, options }] = scenes
    this.skip()
    this.take(scene, options)
    this.draw(false)
    this.queue.push(...scenes.map(one => ({ ...one, dwell: DWELL })))
    this.running ??= this.run()
    return this.running
  }

  jump(scene, options) {
    this.queue = []
    this.land()
    this.take(scene, options)
    this.draw()
    return Promise.resolve()
  }

  set(options) {
    Object.assign(this.options, options)
    if (this.scene && !this.queue.length) this.draw()
    return this.running ?? Promise.resolve()
  }

  /** The focus goes to the button that confirms as soon as that is drawn: now, or after the scenes that wait. */
  focusAsked() {
    this.isAwaited = true
    this.leadToAsked()
  }

  leadToAsked() {
    const { activeElement, body } = this.root.ownerDocument
    /** @type {HTMLElement | null} */
    const confirm = this.root.querySelector('.confirm')
    if (confirm && this.isAwaited && (activeElement === body || this.root.contains(activeElement))) confirm.focus()
    if (confirm || !this.options.asked) this.isAwaited = false
  }

  /** Call `write` when the last scene that waits stands still: now, or later. */
  whenDone(write) {
    if (this.running) this.running.then(write)
    else write()
  }

  /** Call `write` when nothing moves: now, or between two scenes. Writing into the page makes the browser lay it all out. */
  whenStill(write) {
    if (!this.isUnseen && (this.flight || this.unwritten.length)) this.unwritten.push(write)
    else write()
  }

  /** Whether the page is hidden: browsers stop animations there. */
  get isUnseen() {
    return this.root.ownerDocument.hidden
  }

  skip() {
    const last = this.queue.at(-1)
    if (!last && !this.flight) return Promise.resolve()
    for (const one of this.queue) Object.assign(this.options, one.options)
    return this.jump(last?.scene ?? this.scene)
  }

  close() {
    this.queue = []
    this.land()
    this.details.detach()
    this.detachKeys()
    this.root.removeEventListener('pointerdown', this.hurry)
    this.root.removeEventListener('click', this.swallow, true)
    this.root.ownerDocument.removeEventListener('visibilitychange', this.leave)
  }

  /** Whether anything can be touched or is asked. */
  get isAsking() {
    const { lit, chosen, asked } = this.options
    return Boolean(lit?.size ?? lit?.length) || Boolean(chosen?.size ?? chosen?.length) || Boolean(asked)
  }

  get pace() {
    return this.options.pace ?? PACE
  }

  /** Play the scenes that wait, faster if there are more; nothing can be touched before the last one is shown. */
  async run() {
    while (this.queue.length) {
      const { scene, options, dwell } = this.queue.shift()
      this.writeAll()
      const before = this.scene
      this.take(scene, options)
      const duration = dwell ? this.pace || PACE : Math.max(LEAST, this.pace / (1 + this.queue.length * 0.7))
      const isLast = !this.queue.length
      const flight = fly(this.root, before, scene, () => this.draw(isLast), { duration, isStill: this.pace === 0 || undefined })
      this.flight = flight
      await flight.finished
      if (this.flight === flight) this.flight = null
      // a pause, in which the reader reads, or at least the browser paints what was drawn before the next scene is prepared
      if (this.queue.length) await new Promise(done => setTimeout(done, dwell))
    }
    this.running = null
    this.writeAll()
    if (!this.isWhole) this.draw()
  }

  /** Finish at once when the reader touches the table; a touch does not count if other scenes were waiting. */
  hurryOn() {
    this.isHurried = this.queue.length > 0
    this.skip()
  }

  take(scene, options) {
    this.scene = scene
    Object.assign(this.options, options)
    this.details.close()
  }

  /** End the animations at their destinations. */
  land() {
    const flight = this.flight
    this.flight = null
    flight?.finish()
    this.writeAll()
  }

  /** Call the writes that have waited until nothing moves. */
  writeAll() {
    for (const write of this.unwritten.splice(0)) write()
  }

  draw(isLast = true) {
    const quiet = isLast ? {} : { lit: [], chosen: [], offered: NOTHING, asked: null }
    this.isWhole = isLast
    // a button that goes while scenes wait, and comes again, is the same to who was at it
    this.isAwaited ||= Boolean(this.root.ownerDocument.activeElement?.matches('.confirm'))
    drawTable(this.root, this.scene, { ...this.options, ...quiet })
    letIn(this.root)
    this.leadToAsked()
  }
}
