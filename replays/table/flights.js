// Animates the way from one scene to the next: moved things travel, revealed ones turn over, new ones come in. Only
// transforms and opacity change, and all elements are measured at once: slow machines keep up.

import { elementsOf } from './draw.js'
import { matched, scored } from './matching.js'

const EASE = 'cubic-bezier(.3,.1,.2,1)'
const FADE = { at: 0.539, easing: 'cubic-bezier(.236,.602,.553,1)' }
const TURN = ['cubic-bezier(.42,0,.71,.5)', 'cubic-bezier(.29,.5,.58,1)']
const TUMBLE = { at: 0.514, easings: ['cubic-bezier(0,0,.457,.579)', 'cubic-bezier(.328,.56,.686,1)'] }
/** The timing of movements; for those that also fade, `ease-in-out` in two halves, and `ease-out` in two parts. */
const MOST = 32
const HASTE = 3
/** The most things that travel at once, since nobody could follow more; and how much faster they are if scenes wait. */

const LATEST = 4
/** After how many durations a flight counts as ended. */

/**
 * Call `draw()`, which must draw `after` in place of `before`, and animate the changes. Returns
 * {finished, finish(), hasten()}: a promise; a function that ends it at once; one that makes it faster.
 */
export function fly(root, before, after, draw, { duration = 480, isStill = prefersStill(root) } = {}) {
  const changes = matched(before, after)
  const old = measured(root, changes)
  const outer = old.size ? root.getBoundingClientRect() : null
  draw()
  const stage = { root, outer, duration, find: elementsOf(root), layer: layerOf(root), acts: [], playing: [], raised: new Set(), flying: new Set(), veils: [] }
  const { playing } = stage
  const arrived = isStill ? highlight(stage.find, changes) : () => {}
  // a pause even if nothing moves, so that the texts can be read
  const beat = beatOf(isStill ? duration : duration * 0.4)
  if (!isStill) play(stage, changes, old)
  for (const seat of scored(before, after)) pulse(stage, root.querySelector(`[data-seat="${seat}"] .score`))
  begin(stage)
  // all at once, so that it takes one frame
  const end = () => {
    stage.layer.remove()
    for (const one of stage.raised) one.classList.remove('raised', 'high')
    for (const one of stage.flying) one.classList.remove('flying')
    for (const veil of stage.veils) veil.remove()
    arrived()
  }
  // a browser that draws nothing may not tell that an animation ended: the next scene must not wait for it
  const late = new Promise(done => setTimeout(done, LATEST * duration))
  return {
    finished: Promise.race([Promise.allSettled([beat.finished, ...playing.map(one => one.finished)]), late]).then(end),
    finish() {
      beat.end()
      for (const one of playing) one.cancel()
      end()
    },
    hasten() {
      beat.hasten()
      for (const one of playing) one.updatePlaybackRate(HASTE)
    },
  }
}

/**
 * All animations begin and end at the same moments, each with its own part of the time: one that began or ended alone
 * would make the browser lay out and paint the page while others are moving.
 */
function begin({ acts, playing }) {
  const whole = Math.max(...acts.map(one => one.delay + one.duration))
  for (const { element, frames, delay, duration, fill } of acts) {
    playing.push(element.animate(within(frames, delay / whole, (delay + duration) / whole), { duration: whole, fill }))
  }
}

/** Return the frames as part of a longer time: before it the first frame holds, and after it the last one. */
function within(frames, since, until) {
  const last = frames.length - 1
  const placed = frames.map((frame, at) => ({ ...frame, offset: since + (until - since) * (frame.offset ?? at / last) }))
  if (since > 0) placed.unshift({ ...frames[0], offset: 0, easing: 'linear' })
  if (until < 1) placed.push({ ...frames[last], offset: 1 })
  return placed
}

function act(stage, element, frames, { duration = stage.duration, delay = 0, fill = 'backwards' } = {}) {
  stage.acts.push({ element, frames, duration, delay, fill })
}

/** Return the layer above the table for what travels but is not on it any more; it is made when first needed. */
function layerOf(root) {
  let layer = null
  return {
    put(ghost) {
      if (!layer) {
        layer = root.ownerDocument.createElement('div')
        layer.className = 'ghosts'
        layer.setAttribute('aria-hidden', 'true')
        root.append(layer)
      }
      layer.append(ghost)
    },
    remove: () => layer?.remove(),
  }
}

/** Return a pause without animations: one on an element would cost work in each of sixty frames a second. */
function beatOf(duration) {
  const begun = performance.now()
  let end
  let timer
  const finished = new Promise(done => {
    end = done
    timer = setTimeout(done, duration)
  })
  return {
    finished,
    end,
    hasten() {
      clearTimeout(timer)
      timer = setTimeout(end, Math.max(0, duration - performance.now() + begun) / HASTE)
    },
  }
}

/** Return whether the reader prefers reduced motion. */
export function prefersStill(root) {
  return root.ownerDocument.defaultView.matchMedia('(prefers-reduced-motion: reduce)').matches
}

function measured(root, changes) {
  const old = new Map()
  const find = elementsOf(root)
  for (const id of [...changes.flights.map(one => one.from), ...changes.gone]) {
    const element = old.has(id) ? null : find(id)
    const piece = element?.closest('.piece')
    if (piece) old.set(id, { box: boxOf(element), piece, zone: piece.closest('.zone') })
  }
  for (const [id, one] of old) old.set(id, { ...one, ghost: ghostOf(one.piece) })
  return old
}

/** Return where a thing is: if its place is folded, where that is. */
function boxOf(element) {
  const seen = element.getClientRects().length ? element : element.closest('.place')?.querySelector('.who') ?? element
  return seen.getBoundingClientRect()
}

/** Return a copy of a piece as it looks now, without names and ids. */
function ghostOf(piece) {
  const ghost = piece.ownerDocument.createElement('div')
  ghost.className = `${piece.className.replace(/\b(lit|chosen)\b/g, '')} ghost`
  const face = piece.querySelector(':scope > .face').cloneNode(true)
  const plain = piece.ownerDocument.createElement('span')
  plain.className = 'face'
  plain.append(...face.childNodes)
  ghost.append(plain)
  const style = piece.ownerDocument.defaultView.getComputedStyle(piece)
  for (const name of ['--w', '--rich']) ghost.style.setProperty(name, style.getPropertyValue(name))
  return ghost
}

function play(stage, changes, old) {
  const { root, outer, find } = stage
  const steps = stepsOf(find, changes, old, stage.duration)
  if (old.size) {
    stage.now = root.getBoundingClientRect()
    stage.shift = { x: stage.now.x - outer.x, y: stage.now.y - outer.y }
  }
  for (const step of steps) (step.isStacked ? ghostTravel : travels)(stage, step)
  for (const id of changes.turns) turnOver(stage, find(id))
  for (const id of changes.fresh) comeIn(stage, find(id))
  for (const id of changes.gone) goOut(stage, old.get(id))
  for (const id of changes.changed) change(stage, find(id))
  for (const id of changes.counted) pulse(stage, find(id)?.querySelector('.count'))
}

/**
 * Lift a piece above all others while it moves, highest if it comes from another zone. A browser can't paint what lies above
 * and below a moving thing together, so one that moved among others would split the table into many layers.
 */
function raise({ raised }, element, isFromElsewhere = false) {
  const top = element.closest('.pieces > .piece') ?? element
  for (const one of [top, top.closest('.zone'), top.closest('.place')]) {
    if (!one) continue
    one.classList.add(...(isFromElsewhere ? ['raised', 'high'] : ['raised']))
    raised.add(one)
  }
}

/** Measure everything before anything moves. Of several things that become one stack, the first is the stack. */
function stepsOf(find, changes, old, duration) {
  const steps = []
  const reached = new Set()
  for (const flight of changes.flights) {
    const face = find(flight.to)
    const from = old.get(flight.from)
    if (!face || !from || steps.length >= MOST) continue
    const piece = face.closest('.piece')
    const box = boxOf(face)
    const isFolded = !face.getClientRects().length
    const base = face.ownerDocument.defaultView.getComputedStyle(piece).transform
    steps.push({
      flight, from, face, piece,
      box,
      rest: base === 'none' ? '' : base,
      isStacked: isFolded || flight.stacked || reached.has(flight.to),
      delay: Math.min(steps.length, 8) * duration * 0.07,
    })
    reached.add(flight.to)
  }
  return steps
}

/** Animate the thing itself from its earlier place. */
function travels(stage, { flight, from, face, piece, box, rest, delay }) {
  const { shift } = stage
  const x = from.box.x + shift.x + from.box.width / 2 - box.x - box.width / 2
  const y = from.box.y + shift.y + from.box.height / 2 - box.y - box.height / 2
  const size = from.box.width && box.width ? from.box.width / box.width : 1
  raise(stage, piece, from.zone !== piece.closest('.zone'))
  piece.classList.add('flying')
  stage.flying.add(piece)
  act(stage, piece, [{ transform: `translate(${x}px, ${y}px) scale(${size}) ${rest}`, easing: EASE }, { transform: rest || 'none' }], { delay })
  if (flight.turned) turnOver(stage, face, delay)
}

/** Animate a copy that travels to an existing stack and disappears in it. */
function ghostTravel(stage, { from, box, delay }) {
  const { shift } = stage
  const ghost = from.ghost.cloneNode(true)
  place(stage, ghost, from.box)
  const x = box.x + box.width / 2 - from.box.x - shift.x - from.box.width / 2
  const y = box.y + box.height / 2 - from.box.y - shift.y - from.box.height / 2
  const size = from.box.width && box.width ? box.width / from.box.width : 1
  act(stage, ghost, [
    { transform: 'none', opacity: 1, easing: EASE }, { opacity: 1, offset: FADE.at, easing: FADE.easing },
    { transform: `translate(${x}px, ${y}px) scale(${size})`, opacity: 0 },
  ], { delay, fill: 'both' })
}

function goOut(stage, from) {
  if (!from) return
  place(stage, from.ghost, from.box)
  act(stage, from.ghost, [{ opacity: 1 }, { opacity: 0 }], { duration: stage.duration * 0.6, fill: 'both' })
}

function place({ layer, now, shift }, ghost, box) {
  ghost.style.setProperty('left', `${box.x + shift.x - now.x}px`)
  ghost.style.setProperty('top', `${box.y + shift.y - now.y}px`)
  layer.put(ghost)
}

/** Turn a face over: the other side is seen for the first half. */
function turnOver(stage, face, delay = 0) {
  if (!face) return
  raise(stage, face)
  const [away, back] = TURN
  act(stage, face, [{ transform: 'scaleX(1)', easing: away }, { transform: 'scaleX(0)', easing: back }, { transform: 'scaleX(1)' }], { delay })
  const other = face.ownerDocument.createElement('span')
  other.className = face.closest('.piece').classList.contains('face-up') ? 'other back' : 'other pane'
  other.setAttribute('aria-hidden', 'true')
  face.append(other)
  stage.veils.push(other)
  act(stage, other, [{ opacity: 1 }, { opacity: 1, offset: 0.5 }, { opacity: 0, offset: 0.501 }, { opacity: 0 }], { delay, fill: 'both' })
}

function comeIn(stage, face) {
  const piece = face?.closest('.piece')
  if (!piece) return
  raise(stage, piece)
  act(stage, piece, [{ opacity: 0 }, { opacity: 1 }], { duration: stage.duration * 0.8 })
}

/** Animate a change in place: a die tumbles, anything else beats once. */
function change(stage, face) {
  const cube = face?.querySelector('.cube')
  if (!cube) return pulse(stage, face)
  raise(stage, cube)
  const [first, then] = TUMBLE.easings
  act(stage, cube, [
    { transform: 'rotate(-300deg) scale(.7)', easing: first }, { transform: 'rotate(20deg) scale(1.1)', offset: TUMBLE.at, easing: then }, { transform: 'none' },
  ], { duration: stage.duration * 1.2 })
}

function pulse(stage, element) {
  if (!element) return
  raise(stage, element)
  act(stage, element, [{ transform: 'scale(1)' }, { transform: 'scale(1.35)', offset: 0.3 }, { transform: 'scale(1)' }])
}

/** Highlight for a while what has changed, instead of animating it. Returns a function that ends this. */
function highlight(find, changes) {
  const ids = [...changes.flights.map(one => one.to), ...changes.turns, ...changes.fresh, ...changes.counted, ...changes.changed]
  const pieces = ids.map(id => find(id)?.closest('.piece')).filter(Boolean)
  for (const piece of pieces) piece.classList.add('arrived')
  return () => {
    for (const piece of pieces) piece.classList.remove('arrived')
  }
}
