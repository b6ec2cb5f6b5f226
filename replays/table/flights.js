// From one scene to the next before the eye: what moved travels, what was told turns over, what is new comes in. Transforms
// and opacity alone are animated, on elements that are measured all at once, so that slow machines keep up.

import { elementOf } from './draw.js'
import { matched, scored } from './matching.js'

const EASE = 'cubic-bezier(.3,.1,.2,1)'
const MOST = 32
/** How many things travel at once: of more, the eye sees no more. */

/**
 * Calls `draw()`, which is to draw `after` where `before` is drawn now, and plays what changed. Answers
 * {finished, finish(), hasten()}: a promise; to have it all done at once; to have it done sooner.
 */
export function fly(root, before, after, draw, { duration = 480, isStill = prefersStill(root) } = {}) {
  const changes = matched(before, after)
  const old = measured(root, changes)
  const outer = root.getBoundingClientRect()
  draw()
  const playing = []
  const layer = root.ownerDocument.createElement('div')
  layer.className = 'ghosts'
  layer.setAttribute('aria-hidden', 'true')
  const arrived = isStill ? highlight(root, changes) : () => {}
  root.append(layer)
  // a beat even where nothing moves: what is said then is to be read
  playing.push(layer.animate([{ opacity: 1 }, { opacity: 1 }], { duration: isStill ? duration : duration * 0.4 }))
  if (!isStill) {
    play(root, layer, outer, changes, old, duration, playing)
  }
  for (const seat of scored(before, after)) pulse(root.querySelector(`[data-seat="${seat}"] .score`), duration, playing)
  const end = () => {
    layer.remove()
    arrived()
  }
  return {
    finished: Promise.allSettled(playing.map(one => one.finished)).then(end),
    finish() {
      for (const one of playing) one.cancel()
      end()
    },
    hasten() {
      for (const one of playing) one.updatePlaybackRate(3)
    },
  }
}

/** Whether the reader wants nothing to move. */
export function prefersStill(root) {
  return root.ownerDocument.defaultView.matchMedia('(prefers-reduced-motion: reduce)').matches
}

function measured(root, changes) {
  const old = new Map()
  for (const id of [...changes.flights.map(one => one.from), ...changes.gone]) {
    const element = elementOf(root, id)
    const piece = element?.closest('.piece')
    if (piece && !old.has(id)) old.set(id, { box: element.getBoundingClientRect(), piece })
  }
  for (const [id, one] of old) old.set(id, { ...one, ghost: ghostOf(one.piece) })
  return old
}

/** A copy of a piece as it looks now, without names and ids. */
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

function play(root, layer, outer, changes, old, duration, playing) {
  const now = root.getBoundingClientRect()
  const shift = { x: now.x - outer.x, y: now.y - outer.y }
  for (const step of stepsOf(root, changes, old, duration)) {
    const travel = step.isStacked ? ghostTravel : travels
    travel(layer, now, shift, step, duration, playing)
  }
  for (const id of changes.turns) turnOver(elementOf(root, id), duration, 0, playing)
  for (const id of changes.fresh) comeIn(elementOf(root, id), duration, playing)
  for (const id of changes.gone) goOut(layer, now, shift, old.get(id), duration, playing)
  for (const id of changes.changed) change(elementOf(root, id), duration, playing)
  for (const id of changes.counted) pulse(elementOf(root, id)?.querySelector('.count'), duration, playing)
}

/** All that is to be measured, before anything moves. Of several that become one stack, the first one is the stack. */
function stepsOf(root, changes, old, duration) {
  const steps = []
  const reached = new Set()
  for (const flight of changes.flights) {
    const face = elementOf(root, flight.to)
    const from = old.get(flight.from)
    if (!face || !from || steps.length >= MOST) continue
    const piece = face.closest('.piece')
    const base = face.ownerDocument.defaultView.getComputedStyle(piece).transform
    steps.push({
      flight, from, face, piece,
      box: face.getBoundingClientRect(),
      rest: base === 'none' ? '' : base,
      isStacked: flight.stacked || reached.has(flight.to),
      delay: Math.min(steps.length, 8) * duration * 0.07,
    })
    reached.add(flight.to)
  }
  return steps
}

/** The thing itself comes from where it was. */
function travels(layer, now, shift, { flight, from, face, piece, box, rest, delay }, duration, playing) {
  const x = from.box.x + shift.x + from.box.width / 2 - box.x - box.width / 2
  const y = from.box.y + shift.y + from.box.height / 2 - box.y - box.height / 2
  const size = from.box.width && box.width ? from.box.width / box.width : 1
  piece.classList.add('flying')
  const way = piece.animate(
    [{ transform: `translate(${x}px, ${y}px) scale(${size}) ${rest}` }, { transform: rest || 'none' }],
    { duration, delay, easing: EASE, fill: 'backwards' },
  )
  way.finished.then(() => {}, () => {}).then(() => piece.classList.remove('flying'))
  playing.push(way)
  if (flight.turned) turnOver(face, duration, delay, playing)
}

/** A likeness goes to a stack that was there before, and is then one of it. */
function ghostTravel(layer, now, shift, { from, box, delay }, duration, playing) {
  const ghost = from.ghost.cloneNode(true)
  place(layer, now, shift, ghost, from.box)
  const x = box.x + box.width / 2 - from.box.x - shift.x - from.box.width / 2
  const y = box.y + box.height / 2 - from.box.y - shift.y - from.box.height / 2
  const size = from.box.width && box.width ? box.width / from.box.width : 1
  playing.push(ghost.animate(
    [{ transform: 'none', opacity: 1 }, { opacity: 1, offset: 0.85 }, { transform: `translate(${x}px, ${y}px) scale(${size})`, opacity: 0 }],
    { duration, delay, easing: EASE, fill: 'both' },
  ))
}

function goOut(layer, now, shift, from, duration, playing) {
  if (!from) return
  place(layer, now, shift, from.ghost, from.box)
  playing.push(from.ghost.animate([{ opacity: 1 }, { opacity: 0 }], { duration: duration * 0.6, fill: 'both' }))
}

function place(layer, now, shift, ghost, box) {
  ghost.style.setProperty('left', `${box.x + shift.x - now.x}px`)
  ghost.style.setProperty('top', `${box.y + shift.y - now.y}px`)
  layer.append(ghost)
}

/** Half the way its other side is seen. */
function turnOver(face, duration, delay, playing) {
  if (!face) return
  const times = { duration, delay, fill: 'backwards', easing: 'ease-in-out' }
  playing.push(face.animate(
    [{ transform: 'scaleX(1)' }, { transform: 'scaleX(0)', offset: 0.5 }, { transform: 'scaleX(1)' }], times,
  ))
  const other = face.ownerDocument.createElement('span')
  other.className = face.closest('.piece').classList.contains('face-up') ? 'other back' : 'other pane'
  other.setAttribute('aria-hidden', 'true')
  face.append(other)
  const veil = other.animate([{ opacity: 1 }, { opacity: 1, offset: 0.5 }, { opacity: 0, offset: 0.501 }, { opacity: 0 }], times)
  veil.finished.then(() => {}, () => {}).then(() => other.remove())
  playing.push(veil)
}

function comeIn(face, duration, playing) {
  const piece = face?.closest('.piece')
  if (piece) playing.push(piece.animate([{ opacity: 0 }, { opacity: 1 }], { duration: duration * 0.8, fill: 'backwards' }))
}

/** A die tumbles; anything else beats once. */
function change(face, duration, playing) {
  const cube = face?.querySelector('.cube')
  if (!cube) return pulse(face, duration, playing)
  playing.push(cube.animate(
    [{ transform: 'rotate(-300deg) scale(.7)' }, { transform: 'rotate(20deg) scale(1.1)', offset: 0.7 }, { transform: 'none' }],
    { duration: duration * 1.2, easing: 'ease-out' },
  ))
}

function pulse(element, duration, playing) {
  if (!element) return
  playing.push(element.animate(
    [{ transform: 'scale(1)' }, { transform: 'scale(1.35)', offset: 0.3 }, { transform: 'scale(1)' }], { duration },
  ))
}

/** Instead of travelling: what came to be where it is stands out for a while. Answers what ends that. */
function highlight(root, changes) {
  const ids = [...changes.flights.map(one => one.to), ...changes.turns, ...changes.fresh, ...changes.counted, ...changes.changed]
  const pieces = ids.map(id => elementOf(root, id)?.closest('.piece')).filter(Boolean)
  for (const piece of pieces) piece.classList.add('arrived')
  return () => {
    for (const piece of pieces) piece.classList.remove('arrived')
  }
}
