// How long seats thought. Heights are logarithmic, so that a night between two moves does not flatten the seconds.

import { lasting, make } from './dom.js'

const BARS = { width: 320, height: 48, most: 80 }
const LEAST = 500
const MARKS = [1000, 60000, 3600000, 86400000]
/** Milliseconds: what has a height of 0, and where the lines are. */

/** Return the table of thinking times, as far as known; null if there are none. A click calls `go(version)`. */
export function timesOf({ film, known, names, say, lang }, go) {
  const thoughts = film.thoughts.filter(one => one.asked <= known)
  if (!thoughts.length) return null
  const longest = Math.max(LEAST * 10, ...thoughts.map(one => one.milliseconds))
  const height = milliseconds => Math.max(1.5, Math.log(Math.max(1, milliseconds / LEAST)) / Math.log(longest / LEAST) * BARS.height)
  const long = milliseconds => lasting(milliseconds, say('units'), lang)
  const isLate = thoughts.some(one => one.is_late)
  const heads = ['decisions', ...isLate ? ['late'] : [], 'median', 'longest', 'total', 'each']
  const seats = [...new Set(thoughts.map(one => one.seat))].sort((a, b) => a - b)
  const rows = seats.map(seat => {
    const own = thoughts.filter(one => one.seat === seat)
    const sorted = own.map(one => one.milliseconds).sort((a, b) => a - b)
    const cells = {
      decisions: String(own.length),
      late: String(own.filter(one => one.is_late).length),
      median: long(sorted[Math.floor((sorted.length - 1) / 2)]),
      longest: long(sorted.at(-1)),
      total: long(sorted.reduce((sum, one) => sum + one, 0)),
      each: barsOf(own, { film, say, long, height, longest }, go),
    }
    return make('tr', {}, make('th', { scope: 'row', class: `key seat-${seat % 6}` }, names(seat)), heads.map(name => make('td', {}, cells[name])))
  })
  return make('table', { class: 'times' },
    make('thead', {}, make('tr', {}, make('td'), heads.map(name => make('th', { scope: 'col' }, say(name))))), make('tbody', {}, rows))
}

/** Return as many bars as there is room for, each as high as the longest of its decisions. */
function barsOf(decisions, { film, say, long, height, longest }, go) {
  const each = Math.ceil(decisions.length / BARS.most)
  const bars = []
  for (let i = 0; i < decisions.length; i += each) {
    bars.push(decisions.slice(i, i + each).reduce((a, b) => b.milliseconds > a.milliseconds ? b : a))
  }
  const width = BARS.width / Math.max(bars.length, 24)
  const lines = MARKS.filter(one => one < longest).map(one => {
    const y = BARS.height - height(one)
    return make('line', { class: 'grid', x1: 0, x2: BARS.width, y1: y, y2: y })
  })
  return make('svg', { class: 'bars', viewBox: `0 0 ${BARS.width} ${BARS.height}`, role: 'img', 'aria-label': say('each') }, lines,
    bars.map((one, i) => make('g', { onclick: () => go(one.asked) },
      make('title', {}, `${say('of', { version: one.asked, head: film.head })}: ${long(one.milliseconds)}`),
      make('rect', { class: 'room', x: i * width, y: 0, width, height: BARS.height }),
      make('rect', {
        class: `thought seat-${one.seat % 6}${one.is_late ? ' late' : ''}`,
        x: i * width, y: BARS.height - height(one.milliseconds), width: Math.max(1, width - 1), height: height(one.milliseconds),
      }))))
}
