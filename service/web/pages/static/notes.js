// @ts-check
// Notes on the moments of a match, for the reader alone: they are kept in this browser and sent nowhere.

import { make } from './player/dom.js'
import { at } from './write.js'

const MOST = 500
/** The most notes on a match. */

/**
 * Open the notes. `go(version)` leads to a moment. Returns a function that is to be called with the version that is shown.
 * @param {string} match
 * @param {(version: number) => void} go
 */
export function openNotes(match, go) {
  const key = `foldtable.notes.${match}`
  const field = /** @type {HTMLTextAreaElement} */ (at('note'))
  const list = at('notes')
  /** @type {Record<string, string>} */
  let notes = {}
  let shown = 0
  try {
    notes = JSON.parse(localStorage.getItem(key) ?? '{}')
  } catch {
    // what can't be read is no note
  }

  function keep() {
    const text = field.value.trim()
    if (text && (notes[shown] || Object.keys(notes).length < MOST)) notes[shown] = text
    else delete notes[shown]
    try {
      if (Object.keys(notes).length) localStorage.setItem(key, JSON.stringify(notes))
      else localStorage.removeItem(key)
    } catch {
      // the notes last until the page is left
    }
    draw()
  }

  function draw() {
    list.replaceChildren(...Object.entries(notes).map(([version, text]) =>
      make('li', {}, make('button', { type: 'button', onclick: () => go(Number(version)) }, version), ' ', text)))
  }

  field.addEventListener('input', keep)
  draw()
  return version => {
    if (version === shown) return
    shown = version
    field.value = notes[version] ?? ''
  }
}
