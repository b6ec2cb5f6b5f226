// From one scene to the next before the eye: what moved travels, what was told turns over, what is new comes in. Transforms
// and opacity alone are animated, on elements that are measured all at once, so that slow machines keep up.

import { elementsOf } from './draw.js'
import { matched, scored } from './matching.js'

const EASE = 'cubic-bezier(.3,.1,.2,1)'
const MOST = 32
const HASTE = 3
/** How many things travel at once, of more the eye sees no more; and how much faster where others wait. */

/**
 * Calls `draw()`, which is to draw `after` where `before` is drawn now, and plays what changed. Answers
 * {finished, finish(), hasten()}: a promise; to have it all done at once; to have it done sooner.
 */
export function fly(root, before, after, draw, { duration = 480, isStill = prefersStill(root) } = {}) {
  const changes = matched(before, after)
  const old = measured(root, changes)
  const outer = old.size ? root.getBoundingClientRect() : null
  draw()
  const stage = { root, outer, duration, find: elementsOf(root), layer: layerOf(root), playing: [], raised: new Set(), flying: new Set(), veils: [] }
  const { playing } = stage
  const arrived = isStill ? highlight(stage.find, changes) : () => {}
  // a beat even where nothing moves: what is said then is to be read
  const beat = beatOf(isStill ? duration : duration * 0.4)
  if (!isStill) play(stage, changes, old)
  for (const seat of scored(before, after)) pulse(stage, root.querySelector(`[data-seat="${seat}"] .score`))
  // all at once, so that it is one frame's work
  const end = () => {
    stage.layer.remove()
    for (const one of stage.raised) one.classList.remove('raised', 'high')
    for (const one of stage.flying) one.classList.remove('flying')
    for (const veil of stage.veils) veil.remove()
    arrived()
  }
  return {
    finished: Promise.allSettled([beat.finished, ...playing.map(one => one.finished)]).then(end),
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

/** Above the table, for what is on its way without being there any more: it is there once something is put on it. */
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

/** A while in which nothing is animated: what plays on an element would cost a frame's work sixty times a second. */
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

/** Whether the reader wants nothing to move. */
export function prefersStill(root) {
  return root.ownerDocument.defaultView.matchMedia('(prefers-reduced-motion: reduce)').matches
}

function measured(root, changes) {
  const old = new Map()
  const find = elementsOf(root)
  for (const id of [...changes.flights.map(one => one.from), ...changes.gone]) {
    const element = old.has(id) ? null : find(id)
    const piece = element?.closest('.piece')
    if (piece) old.set(id, { box: element.getBoundingClientRect(), piece, zone: piece.closest('.zone') })
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
 * Above all else while it moves, and most of all what comes from elsewhere. What is drawn after a thing that moves can't be
 * drawn together with what is drawn before it, so that a thing that moved amid others would take the table apart.
 */
function raise({ raised }, element, isFromElsewhere = false) {
  const top = element.closest('.pieces > .piece') ?? element
  for (const one of [top, top.closest('.zone'), top.closest('.place')]) {
    if (!one) continue
    one.classList.add(...(isFromElsewhere ? ['raised', 'high'] : ['raised']))
    raised.add(one)
  }
}

/** All that is to be measured, before anything moves. Of several that become one stack, the first one is the stack. */
function stepsOf(find, changes, old, duration) {
  const steps = []
  const reached = new Set()
  for (const flight of changes.flights) {
    const face = find(flight.to)
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
function travels(stage, { flight, from, face, piece, box, rest, delay }) {
  const { shift, duration, playing } = stage
  const x = from.box.x + shift.x + from.box.width / 2 - box.x - box.width / 2
  const y = from.box.y + shift.y + from.box.height / 2 - box.y - box.height / 2
  const size = from.box.width && box.width ? from.box.width / box.width : 1
  raise(stage, piece, from.zone !== piece.closest('.zone'))
  piece.classList.add('flying')
  stage.flying.add(piece)
  playing.push(piece.animate(
    [{ transform: `translate(${x}px, ${y}px) scale(${size}) ${rest}` }, { transform: rest || 'none' }],
    { duration, delay, easing: EASE, fill: 'backwards' },
  ))
  if (flight.turned) turnOver(stage, face, delay)
}

/** A likeness goes to a stack that was there before, and is then one of it. */
function ghostTravel(stage, { from, box, delay }) {
  const { shift, duration, playing } = stage
  const ghost = from.ghost.cloneNode(true)
  place(stage, ghost, from.box)
  const x = box.x + box.width / 2 - from.box.x - shift.x - from.box.width / 2
  const y = box.y + box.height / 2 - from.box.y - shift.y - from.box.height / 2
  const size = from.box.width && box.width ? box.width / from.box.width : 1
  playing.push(ghost.animate(
    [{ transform: 'none', opacity: 1 }, { opacity: 1, offset: 0.85 }, { transform: `translate(${x}px, ${y}px) scale(${size})`, opacity: 0 }],
    { duration, delay, easing: EASE, fill: 'both' },
  ))
}

function goOut(stage, from) {
  if (!from) return
  place(stage, from.ghost, from.box)
  stage.playing.push(from.ghost.animate([{ opacity: 1 }, { opacity: 0 }], { duration: stage.duration * 0.6, fill: 'both' }))
}

function place({ layer, now, shift }, ghost, box) {
  ghost.style.setProperty('left', `${box.x + shift.x - now.x}px`)
  ghost.style.setProperty('top', `${box.y + shift.y - now.y}px`)
  layer.put(ghost)
}

/** Half the way its other side is seen. */
function turnOver(stage, face, delay = 0) {
  if (!face) return
  raise(stage, face)
  const times = { duration: stage.duration, delay, easing: 'ease-in-out' }
  stage.playing.push(face.animate(
    [{ transform: 'scaleX(1)' }, { transform: 'scaleX(0)', offset: 0.5 }, { transform: 'scaleX(1)' }], { ...times, fill: 'backwards' },
  ))
  const other = face.ownerDocument.createElement('span')
  other.className = face.closest('.piece').classList.contains('face-up') ? 'other back' : 'other pane'
  other.setAttribute('aria-hidden', 'true')
  face.append(other)
  stage.veils.push(other)
  stage.playing.push(other.animate(
    [{ opacity: 1 }, { opacity: 1, offset: 0.5 }, { opacity: 0, offset: 0.501 }, { opacity: 0 }], { ...times, fill: 'both' },
  ))
}

function comeIn(stage, face) {
  const piece = face?.closest('.piece')
  if (!piece) return
  raise(stage, piece)
  stage.playing.push(piece.animate([{ opacity: 0 }, { opacity: 1 }], { duration: stage.duration * 0.8, fill: 'backwards' }))
}

/** A die tumbles; anything else beats once. */
function change(stage, face) {
  const cube = face?.querySelector('.cube')
  if (!cube) return pulse(stage, face)
  raise(stage, cube)
  stage.playing.push(cube.animate(
    [{ transform: 'rotate(-300deg) scale(.7)' }, { transform: 'rotate(20deg) scale(1.1)', offset: 0.7 }, { transform: 'none' }],
    { duration: stage.duration * 1.2, easing: 'ease-out' },
  ))
}

function pulse(stage, element) {
  if (!element) return
  raise(stage, element)
  stage.playing.push(element.animate(
    [{ transform: 'scale(1)' }, { transform: 'scale(1.35)', offset: 0.3 }, { transform: 'scale(1)' }], { duration: stage.duration },
  ))
}

/** Instead of travelling: what came to be where it is stands out for a while. Answers what ends that. */
function highlight(find, changes) {
  const ids = [...changes.flights.map(one => one.to), ...changes.turns, ...changes.fresh, ...changes.counted, ...changes.changed]
  const pieces = ids.map(id => find(id)?.closest('.piece')).filter(Boolean)
  for (const piece of pieces) piece.classList.add('arrived')
  return () => {
    for (const piece of pieces) piece.classList.remove('arrived')
  }
}
