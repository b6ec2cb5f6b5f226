// @ts-check
// Writing into the page. Only changes are written, since the browser works for every write, also of the same value.

/**
 * Return an element that the page has, by its id.
 * @param {string} id
 */
export const at = id => /** @type {HTMLElement} */ (document.getElementById(id))

/**
 * Set a property of an element, or of its `dataset`, if it differs.
 * @param {any} thing
 * @param {string} name
 * @param {unknown} value
 */
export function put(thing, name, value) {
  if (thing[name] !== value) thing[name] = value
}

const LONG = 110
/** The most letters of what has happened, about three lines on a phone. */

/**
 * Return the last of these lines as one text: as many as are not too long together, at least one and at most `most`.
 * @param {string[]} lines
 * @param {string} lang
 */
export function latest(lines, lang, most = Infinity) {
  let text = ''
  for (const line of lines.slice(-most).reverse()) {
    // a move is told by its label, which has no full stop
    const stop = /[\p{L}\p{N}]$/u.test(line) ? (lang === 'ja' ? '。' : '.') : ''
    const both = text ? `${line}${stop} ${text}`.trim() : line
    // Japanese signs are twice as wide
    const width = [...both].reduce((sum, sign) => sum + (sign > '\u2e80' ? 2 : 1), 0)
    if (text && width > LONG) break
    text = both
  }
  return text
}
