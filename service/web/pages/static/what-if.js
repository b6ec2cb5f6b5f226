// @ts-check
// What if: a match that is over is played on from a moment with other moves, as one of its seats, against bots. The
// line of moves is kept only in the page's address, so that it can be passed on.

import { openBoard } from './board.js'
import { make } from './player/dom.js'
import { fill, seatName } from './table/table.js'
import { at, latest } from './write.js'

const LINE = /^(\d+)\.(\d+)\.([\w.,-]*)$/
/** A line in an address: the seat, the version after which it begins, and the moves. */

/** Return the line in an address; null if there is none. */
function lineOf(search) {
  const [, seat, after, moves] = LINE.exec(new URLSearchParams(search).get('if') ?? '') ?? []
  return seat === undefined ? null : { seat: Number(seat), after: Number(after), moves: moves.split(',').filter(Boolean) }
}

/**
 * Begin when the form is sent, or now if the address has a line. `look(line)` returns a promise of the position on the line
 * `{seat, after, moves}`; `now()` returns the version that is shown; `addressOf(line)` returns an address; `onBegin()` and
 * `onEnd(version)` are called for the page to put its player away and show it again, at the version where the line began.
 */
export function whatIf({ game, lang, words, names, look, now, addressOf, onBegin, onEnd }) {
  const form = /** @type {HTMLFormElement} */ (at('if'))
  const box = at('line')
  const told = /** @type {HTMLElement} */ (box.querySelector('.told'))
  const said = /** @type {HTMLElement} */ (box.querySelector('output'))
  const button = name => /** @type {HTMLButtonElement} */ (box.querySelector(`.${name}`))
  const copy = button('copies').textContent
  /** @type {any} */
  let board = null
  let line = { seat: 0, after: 0, moves: /** @type {string[]} */ ([]) }
  let turn = 0
  /** @type {any} */
  let shown = null
  let happened = ''

  function show(found) {
    shown = found
    const played = line.moves.length ? null : found.moves.find(one => one.id === found.played)
    const lines = played ? [fill(words['if-played'], { move: played.text })] : found.told
    told.replaceChildren(...lines.map(text => make('li', {}, text)))
    const title = words[found.standing.over ? 'if-over' : !found.moves.length ? 'if-none' : line.moves.length ? 'if-ask' : 'if-first']
    said.textContent = fill(title, { name: seatName(line.seat, names, lang), number: line.moves.length })
    button('undo').disabled = !line.moves.length
    // what was copied is another line
    button('copies').textContent = copy
    // who has moved looks at the table, and not above it
    happened = played ? '' : latest(found.told, lang)
    if (found.moves.length) board.choose(found, line.seat, happened)
    else board.show(found.scene, line.seat, [], happened)
    history.replaceState(null, '', addressOf(line))
  }

  /** Show the position on that line; if there is none, the one before stays, and the reason is told. */
  async function go(next) {
    const mine = ++turn
    const { activeElement } = document
    const isHere = box.contains(activeElement) || form.contains(activeElement)
    try {
      const found = await look(next)
      // meanwhile another move may have been chosen or taken back
      if (mine !== turn) return
      line = next
      show(found)
      if (isHere) keepFocus()
    } catch (error) {
      if (mine !== turn) return
      said.textContent = error instanceof Error && error.message ? error.message : words.broken
      if (shown) board.choose(shown, line.seat, happened)
    }
  }

  /** If the pressed button is gone, move the focus to what is said; a focus that is elsewhere by now stays there. */
  function keepFocus() {
    const { activeElement, body } = document
    if (activeElement !== body && activeElement?.checkVisibility() && !activeElement.matches(':disabled')) return
    said.tabIndex = -1
    said.focus({ preventScroll: true })
  }

  function begin(first) {
    board ??= openBoard(box.querySelector('.table'), { game, lang, names }, move => go({ ...line, moves: [...line.moves, move.id] }))
    shown = null
    line = first
    box.hidden = false
    onBegin()
    go(first).then(() => box.scrollIntoView({ block: 'start' }))
  }

  form.addEventListener('submit', event => {
    event.preventDefault()
    begin({ seat: Number(new FormData(form).get('seat')), after: now(), moves: [] })
  })
  button('undo').addEventListener('click', () => go({ ...line, moves: line.moves.slice(0, -1) }))
  button('copies').hidden = !navigator.clipboard
  button('copies').addEventListener('click', () => navigator.clipboard?.writeText(addressOf(line)).then(() => {
    button('copies').textContent = words['if-copied']
  }).catch(() => {}))
  button('end').addEventListener('click', () => {
    turn += 1
    box.hidden = true
    onEnd(shown?.version ?? line.after)
    form.querySelector('button')?.focus()
  })
  const first = lineOf(location.search)
  if (first) begin(first)
}
