// Points over time: a line for each seat with a step at each change, up to what the reader may know.

import { figure, make } from './dom.js'

const SIZE = { height: 220, left: 44, right: 12, top: 12, bottom: 24 }

/** A chart in `box`. `draw(state)` takes {film, known, version, names, say}; a click calls `go(version)`. */
export class Chart {
  constructor(box, legend, go) {
    Object.assign(this, { box, legend, go, scales: null, state: null })
  }

  /** Draw the whole chart. Returns false if there are no points. */
  draw(state) {
    const changes = state.film.points()
    const shown = changes.filter(([version]) => version <= state.known)
    Object.assign(this, { state, changes, scales: null })
    if (!shown.length) {
      this.box.replaceChildren(...changes.length ? [make('p', { class: 'help' }, state.say('no_points'))] : [])
      this.legend.replaceChildren()
      return changes.length > 0
    }
    const width = Math.max(280, this.box.clientWidth)
    this.scales = scalesOf(width, shown.flatMap(([, points]) => [...points.values()]), state.film.head)
    this.box.replaceChildren(this.drawn(width, shown))
    this.mark(state.version)
    return true
  }

  drawn(width, shown) {
    const { x, y, ticks, version } = this.scales
    const { known, film, say } = this.state
    const grid = ticks.flatMap(tick => [
      make('line', { class: tick ? 'grid' : 'grid zero', x1: SIZE.left, x2: width - SIZE.right, y1: y(tick), y2: y(tick) }),
      make('text', { class: 'tick', x: SIZE.left - 6, y: y(tick) + 4, 'text-anchor': 'end' }, figure(tick)),
    ])
    const starts = film.chapters.map(one => make('line', { class: 'chapter', x1: x(one.version), x2: x(one.version), y1: SIZE.top, y2: SIZE.height - SIZE.bottom }))
    const end = Math.min(known, film.head)
    const lines = [...shown.at(-1)[1].keys()].map(seat => make('path', { class: `line seat-${seat % 6}`, d: pathOf(seat, shown, x, y, end) }))
    const later = end < film.head ? make('rect', { class: 'later', x: x(end), y: SIZE.top, width: x(film.head) - x(end), height: SIZE.height - SIZE.top - SIZE.bottom }) : null
    this.cursor = make('line', { class: 'cursor', y1: SIZE.top, y2: SIZE.height - SIZE.bottom })
    const svg = make('svg', { viewBox: `0 0 ${width} ${SIZE.height}`, role: 'img', 'aria-label': `${say('chart')}: ${this.told(end)}` },
      grid, starts, lines, later, this.cursor)
    svg.addEventListener('click', event => {
      const frame = svg.getBoundingClientRect()
      this.go(version((event.clientX - frame.left) * width / frame.width))
    })
    return svg
  }

  /** Mark the reader's version, and show the points there. */
  mark(version) {
    if (!this.scales) return
    const at = this.scales.x(version)
    this.cursor.setAttribute('x1', at)
    this.cursor.setAttribute('x2', at)
    const points = this.pointsAt(version)
    this.legend.replaceChildren(...[...points].map(([seat, value]) =>
      make('li', { class: `key seat-${seat % 6}` }, `${this.state.names(seat)} `, make('b', {}, figure(value)))))
  }

  pointsAt(version) {
    return this.changes.findLast(([from]) => from <= version)?.[1] ?? new Map()
  }

  told(version) {
    return [...this.pointsAt(version)].map(([seat, value]) => `${this.state.names(seat)} ${figure(value)}`).join(', ')
  }
}

function pathOf(seat, shown, x, y, end) {
  const steps = shown.map(([version, points], i) => {
    const [across, up] = [x(version).toFixed(1), y(points.get(seat)).toFixed(1)]
    return i ? `H${across}V${up}` : `M${across} ${up}`
  })
  return `${steps.join('')}H${x(end).toFixed(1)}`
}

/** Return about five round numbers between the least and the most. */
function ticksOf(least, most) {
  const rough = Math.max(1, (most - least) / 5)
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = [1, 2, 5, 10].map(one => one * power).find(one => one >= rough)
  const ticks = []
  for (let tick = Math.floor(least / step) * step; tick < most + step; tick += step) ticks.push(tick)
  return ticks
}

function scalesOf(width, values, head) {
  const least = Math.min(0, ...values)
  const ticks = ticksOf(least, Math.max(least + 1, ...values))
  const [low, high] = [ticks[0], ticks.at(-1)]
  const inner = { width: width - SIZE.left - SIZE.right, height: SIZE.height - SIZE.top - SIZE.bottom }
  return {
    ticks,
    x: version => SIZE.left + (head === 1 ? 0 : (version - 1) / (head - 1)) * inner.width,
    y: value => SIZE.top + (1 - (value - low) / (high - low)) * inner.height,
    version: x => Math.max(1, Math.min(head, Math.round(1 + (x - SIZE.left) / inner.width * (head - 1)))),
  }
}
