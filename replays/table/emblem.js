// Emblems: drawings by rule, in a box of 24 by 24. The name of an emblem decides its parts, so it looks the same for ever:
// "being/space-traders" is some creature's head, and "being/great-owl/wings/beak" one that has wings and a beak in any case.

import { svg } from './lit-html.js'

/** The parts of a being, by name: `d` is filled, and through its eyes and mouth one sees the card. */
const BEING = {
  head: {
    round: 'M12 4.5a8 8 0 1 1 0 16 8 8 0 0 1 0-16z',
    egg: 'M12 3.5c5 0 8 3.6 8 7.6 0 5.4-4.6 10.4-8 10.4S4 16.5 4 11.1c0-4 3-7.6 8-7.6z',
    long: 'M12 3c3.6 0 5.6 3 5.6 8v4c0 4-2.4 6.5-5.6 6.5S6.4 19 6.4 15v-4c0-5 2-8 5.6-8z',
    wide: 'M12 6.5c6 0 9.5 3 9.5 7S17.8 21 12 21s-9.5-3.5-9.5-7.5 3.5-7 9.5-7z',
    block: 'M6 5.5h12a2 2 0 0 1 2 2V17a4 4 0 0 1-4 4H8a4 4 0 0 1-4-4V7.5a2 2 0 0 1 2-2z',
    drop: 'M12 2.5c4 4.5 7.5 8.2 7.5 12a7.5 7 0 0 1-15 0c0-3.8 3.5-7.5 7.5-12z',
  },
  top: {
    bald: '',
    feelers: 'M7.2 6.5 5.3 3.1A1.6 1.6 0 1 1 6.8 2.3L9 6zM16.8 6.5l1.9-3.4a1.6 1.6 0 1 0-1.5-.8L15 6z',
    horns: 'M5 9.5C2 7.5 1.3 4 2 1.5 4 4 6.5 4.5 9 5zM19 9.5c3-2 3.7-5.5 3-8-2 2.5-4.5 3-7 3.5z',
    ears: 'M4.5 10.5 4 2l6 3.5zM19.5 10.5 20 2l-6 3.5z',
    crown: 'M12 .8 14 5l3.5-2.5L17 7.5H7l-.5-5L10 5z',
    hare: 'M7 8.5C4 5.5 4.3 1.5 6 .8 8 1.5 9 4 9.5 7zM17 8.5c3-3 2.7-7 1-7.7-2 .7-3 3.2-3.5 6.2z',
    fins: 'M4.5 10 .8 8.5 2 13 .8 17.5 5 16zM19.5 10l3.7-1.5L22 13l1.2 4.5L19 16z',
    wings: 'M5 13C1.5 12 .5 7 1 4c3.5.5 6 2.5 7 5.5zM19 13c3.5-1 4.5-6 4-9-3.5.5-6 2.5-7 5.5z',
    horn: 'M12 .3 14 6h-4z',
    flame: 'M12 .5c.5 2 2.5 2.5 3 5h-6c0-1.5.7-1.8 1-3 .7.5.9.9 1 1.5.8-1 1.2-2 1-3.5z',
  },
  eyes: {
    one: 'M12 8.8a3.3 3.3 0 1 1 0 6.6 3.3 3.3 0 0 1 0-6.6zm0 2a1.3 1.3 0 1 0 0 2.6 1.3 1.3 0 0 0 0-2.6z',
    two: 'M8.6 10.6a1.8 1.8 0 1 1 0 3.6 1.8 1.8 0 0 1 0-3.6zM15.4 10.6a1.8 1.8 0 1 1 0 3.6 1.8 1.8 0 0 1 0-3.6z',
    slant: 'M6.2 10c3 0 4.6 2 4.8 4.4-3 0-4.6-2-4.8-4.4zM17.8 10c-3 0-4.6 2-4.8 4.4 3 0 4.6-2 4.8-4.4z',
    three: 'M8 11.6a1.4 1.4 0 1 1 0 2.8 1.4 1.4 0 0 1 0-2.8zM12 8.6a1.4 1.4 0 1 1 0 2.8 1.4 1.4 0 0 1 0-2.8zM16 11.6a1.4 1.4 0 1 1 0 2.8 1.4 1.4 0 0 1 0-2.8z',
    visor: 'M8 10.4h8a1.8 1.8 0 0 1 0 3.6H8a1.8 1.8 0 0 1 0-3.6z',
    large: 'M8.5 9.3a2.9 2.9 0 1 1 0 5.8 2.9 2.9 0 0 1 0-5.8zm0 1.7a1.2 1.2 0 1 0 0 2.4 1.2 1.2 0 0 0 0-2.4zM15.5 9.3a2.9 2.9 0 1 1 0 5.8 2.9 2.9 0 0 1 0-5.8zm0 1.7a1.2 1.2 0 1 0 0 2.4 1.2 1.2 0 0 0 0-2.4z',
    shut: 'M6.5 12c1.2 1.6 3 1.6 4.2 0v1.3c-1.2 1.5-3 1.5-4.2 0zM13.3 12c1.2 1.6 3 1.6 4.2 0v1.3c-1.2 1.5-3 1.5-4.2 0z',
  },
  mouth: {
    mute: '',
    line: 'M9.5 17h5v1.2h-5z',
    smile: 'M8.8 16.6c2 1.5 4.4 1.5 6.4 0v1.2c-2 1.7-4.4 1.7-6.4 0z',
    fangs: 'M8.5 16.6h7l-1 2.4-1.2-1.4-1.3 1.4-1.3-1.4L9.5 19z',
    beak: 'M12 14.8l2.6 2-2.6 2.8-2.6-2.8z',
    wonder: 'M12 16.4a1.3 1.3 0 1 1 0 2.6 1.3 1.3 0 0 1 0-2.6z',
  },
}

/** The parts of a sigil: how many corners, what goes around, and what one sees the card through. */
const SIGIL = { turn: ['up', 'down'], corners: [3, 4, 5, 6, 7, 8], around: ['plate', 'star', 'petals', 'rays'], inside: ['dot', 'ring', 'plate', 'bar'] }

const drawn = new Map()

/** Return the paths of an emblem: {body: [path, …], hole: path}; null if there is no such family. */
export function drawingOf(name) {
  if (!drawn.has(name)) drawn.set(name, draw(name))
  return drawn.get(name)
}

/** Return the picture of an emblem, without a name; null if there is no such family. */
export function emblemOf(name) {
  const parts = drawingOf(name)
  return parts && svg`<svg class="figure" viewBox="0 0 24 24" aria-hidden="true">${parts.body.map(path => svg`<path d=${path}></path>`)}<path class="hole" fill-rule="evenodd" d=${parts.hole}></path></svg>`
}

function draw(name) {
  const [family, who, ...certain] = name.split('/')
  if (family === 'being') {
    const part = slot => BEING[slot][certain.find(one => one in BEING[slot]) ?? chosen(Object.keys(BEING[slot]), `${slot} ${who}`)]
    return { body: [part('top'), part('head')], hole: part('eyes') + part('mouth') }
  }
  if (family !== 'sigil') return null
  const part = slot => SIGIL[slot].find(one => certain.includes(String(one))) ?? chosen(SIGIL[slot], `${slot} ${who}`)
  return sigil(part('corners'), part('around'), part('inside'), part('turn') === 'down')
}

function sigil(corners, around, inside, isTurned) {
  const start = isTurned ? 0.5 : 0
  const body = {
    plate: () => shape(corners, 10.5, 10.5, start),
    star: () => shape(corners, 11, 5.5, start),
    petals: () => dotted(corners, start, (x, y) => circle(x, y, corners > 5 ? 2.7 : 3.6), 7.2) + circle(12, 12, 6),
    rays: () => shape(corners * 2, 11, 8, start),
  }[around]()
  const rim = around === 'rays' ? dotted(corners, start, (x, y) => circle(x, y, 0.9), 6.5) : ''
  const hole = { dot: () => circle(12, 12, 2.6), ring: () => circle(12, 12, 4) + circle(12, 12, 1.8), plate: () => shape(corners, 4.2, 4.2, start + 0.5), bar: () => 'M7.5 11h9v2h-9zM11 7.5h2v9h-2z' }[inside]()
  return { body: [body], hole: rim + hole }
}

/** Return a polygon of twice as many points as corners, whose radius changes from one to the next. */
function shape(corners, outer, inner, start) {
  const points = Array.from({ length: corners * 2 }, (_, at) => place((at / 2 + start) / corners, at % 2 ? (outer === inner ? outer * Math.cos(Math.PI / corners) : inner) : outer))
  return `M${points.join('L')}z`
}

function dotted(corners, start, mark, radius) {
  return Array.from({ length: corners }, (_, at) => mark(...place((at + start) / corners, radius).split(' ').map(Number))).join('')
}

function place(part, radius) {
  return `${(12 + radius * Math.sin(part * 2 * Math.PI)).toFixed(2)} ${(12 - radius * Math.cos(part * 2 * Math.PI)).toFixed(2)}`
}

function circle(x, y, radius) {
  return `M${x - radius} ${y}a${radius} ${radius} 0 1 0 ${2 * radius} 0 ${radius} ${radius} 0 1 0 ${-2 * radius} 0z`
}

/** Return the one of them that a text decides, by FNV-1a. */
function chosen(all, text) {
  let hash = 0x811c9dc5
  for (const letter of text) hash = Math.imul(hash ^ letter.codePointAt(0), 0x01000193) >>> 0
  return all[(hash >>> 7) % all.length]
}
