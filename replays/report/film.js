// The match as the page was given it, and whatever of it is asked for at a version.

const read = id => JSON.parse(document.getElementById(id).textContent)
const film = read('match-data')
const words = read('words-data')
const head = film.at.length

// Where the reader is: the only state of the page.
const here = { version: head, viewer: film.viewer, lang: film.lang, by: 'move', sought: '' }

const say = (name, values = {}) => words[here.lang][name].replace(/\{(\w+)\}/g, (_, key) => values[key])
const seat = number => say('seat', { seat: number })

const seen = () => film.seen.find(one => one.viewer === here.viewer)
const told = version => film.texts[seen()[here.lang].texts[version - 1]]
const linesAt = version => version < 1 ? [] : film.pictures[seen()[here.lang].pictures[version - 1]].map(i => film.texts[i])

// Of a list of [from version, value] the value at a version.
function holding(changes, version) {
  let low = 0, high = changes.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (changes[middle][0] <= version) low = middle
    else high = middle - 1
  }
  return changes[low]?.[1] ?? []
}

// The versions at which a walk stops: after each event, or after a move and all that it brought about.
const stops = {
  event: film.at.map((_, i) => i + 1),
  move: film.at.map((_, i) => i + 1).filter(version => version === head || film.moves[version] !== film.moves[version - 1]),
}

// The last stop before a version; 0 if there is none.
function stopBefore(version, by = here.by) {
  return stops[by].findLast(stop => stop < version) ?? 0
}

function stopAfter(version, by = here.by) {
  return stops[by].find(stop => stop > version) ?? head
}

function moment(milliseconds) {
  const text = new Date(milliseconds).toISOString()
  return `${text.slice(0, 10)} ${text.slice(11, 19)} UTC`
}

// A length of time in its two greatest units.
function lasting(milliseconds) {
  const units = say('units').split(','), gap = here.lang === 'ja' ? '' : ' '
  if (milliseconds < 1000) return `${milliseconds}${gap}${units[4]}`
  if (milliseconds < 10000) return `${(milliseconds / 1000).toFixed(1)}${gap}${units[3]}`
  let rest = Math.round(milliseconds / 1000)
  const parts = []
  for (const [i, size] of [86400, 3600, 60, 1].entries()) {
    const count = Math.floor(rest / size)
    if (count) parts.push(`${count}${gap}${units[i]}`)
    rest -= count * size
  }
  return parts.slice(0, 2).join(gap)
}

// An element with attributes and children; texts are never read as HTML.
function make(name, attributes = {}, ...children) {
  const space = /^(svg|g|path|rect|line|text|circle|title|desc)$/.test(name) ? 'http://www.w3.org/2000/svg' : null
  const element = space ? document.createElementNS(space, name) : document.createElement(name)
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith('on')) element.addEventListener(key.slice(2), value)
    else if (value !== null && value !== false) element.setAttribute(key, value)
  }
  element.append(...children.filter(child => child !== null))
  return element
}

const $ = id => document.getElementById(id)
