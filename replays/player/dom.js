// Makes elements without parsing text as HTML, and fills in the texts of a page.

const SVG = new Set(['svg', 'g', 'path', 'rect', 'line', 'text', 'title'])

/** Return a new element with attributes and children; `on…` are listeners, null and false leave an attribute out. */
export function make(name, attributes = {}, ...children) {
  const element = SVG.has(name) ? document.createElementNS('http://www.w3.org/2000/svg', name) : document.createElement(name)
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith('on')) element.addEventListener(key.slice(2), value)
    else if (value === true) element.setAttribute(key, '')
    else if (value !== null && value !== false && value !== undefined) element.setAttribute(key, value)
  }
  element.append(...children.flat(Infinity).filter(child => child !== null && child !== undefined && child !== false))
  return element
}

/** Return a function for texts: `say('of', { version: 3 })` returns the text `of` with `{version}` filled in. */
export function speaker(words) {
  return (name, values = {}) => words[name].replace(/\{(\w+)\}/g, (_, key) => values[key] ?? '')
}

/** Return a number as text, with a minus sign and no hyphen. */
export function figure(number) {
  return String(number).replace('-', '−')
}

/** Return so many points as text. */
export function pointsOf(points, say) {
  return say(Math.abs(points) === 1 ? 'point' : 'points', { points: figure(points) })
}

/** Return a moment as text, in the reader's time zone. */
export function moment(at, lang) {
  return new Intl.DateTimeFormat(lang, { dateStyle: 'medium', timeStyle: 'medium' }).format(new Date(at))
}

const SIZES = [86400, 3600, 60, 1]

/** Return a duration as text, in its two greatest units; `units` is "d,h,min,s". */
export function lasting(milliseconds, units, lang) {
  const names = units.split(',')
  const gap = lang === 'ja' ? '' : '\u00a0'
  if (milliseconds < 10000) return `${(milliseconds / 1000).toFixed(1)}${gap}${names[3]}`
  let rest = Math.round(milliseconds / 1000)
  const parts = []
  for (const [i, size] of SIZES.entries()) {
    const count = Math.floor(rest / size)
    if (count) parts.push(`${count}${gap}${names[i]}`)
    rest -= count * size
  }
  return parts.slice(0, 2).join(lang === 'ja' ? '' : ' ')
}
