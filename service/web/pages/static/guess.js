// @ts-check
// Guess the moves of a match that is over: the table as a seat saw it, a choice, then what the seat chose.

import { openBoard } from './board.js'
import { fill } from './table/table.js'
import { at } from './write.js'

/**
 * Begin when the form is sent. `next(seat, after)` returns a promise of the seat's next decision after that version, or
 * null; `onBegin()` is called then, to hide what would tell the answers, and `onEnd(version)` at the end, with the version of the last answer that was told.
 */
export function guessing({ game, lang, words, names, next, onBegin, onEnd }) {
  const form = /** @type {HTMLFormElement} */ (at('guess'))
  const box = at('guessed')
  const said = /** @type {HTMLElement} */ (box.querySelector('output'))
  const on = /** @type {HTMLButtonElement} */ (box.querySelector('.next'))
  /** @type {any} */
  let board = null
  let seat = 0, turn = 0, after = 0, seen = 1, right = 0, all = 0
  /** @type {any} */
  let asked = null

  const tell = (name, more = {}) => (said.textContent = fill(words[name], { right, all, ...more }))

  function answered(move) {
    const played = asked.moves.find(one => one.id === asked.chosen)
    seen = asked.version
    all += 1
    if (move.id === asked.chosen) right += 1
    tell(move.id === asked.chosen ? 'guess-right' : 'guess-wrong', { mine: move.text, played: played.text })
    board.show(asked.scene, seat, played.touches)
    on.hidden = false
    on.focus({ preventScroll: true })
  }

  async function go() {
    on.hidden = true
    const mine = ++turn
    const found = await next(seat, after)
    // meanwhile another seat may have been chosen
    if (mine !== turn) return
    if (!found) return void tell('guess-over')
    asked = found
    after = found.version
    tell('guess-ask')
    board.choose(found, seat)
  }

  const run = () => go().catch(() => {
    said.textContent = words.broken
    on.hidden = false
  })
  form.addEventListener('submit', event => {
    event.preventDefault()
    seat = Number(new FormData(form).get('seat'))
    after = right = all = 0
    seen = 1
    board ??= openBoard(box.querySelector('.table'), { game, lang, names }, answered)
    box.hidden = false
    form.hidden = true
    onBegin()
    run()
    box.scrollIntoView({ block: 'start' })
  })
  on.addEventListener('click', run)
  box.querySelector('.end')?.addEventListener('click', () => {
    box.hidden = true
    form.hidden = false
    onEnd(seen)
  })
}
