// @ts-check
// Guess the moves of a match that is over: the table as a seat saw it, a choice, then what the seat chose.

import { openBoard } from './board.js'
import { fill } from './table/table.js'
import { at } from './write.js'

/**
 * Begin when the form is sent. Returns a function `(seat, after)` that lets the decision after that version be made again.
 * `next(seat, after)` returns a promise of the seat's next decision after that version, or null; `judge(choice, move)`
 * returns what is said of a move, and what it touches, or null; `onBegin()` is called at the beginning, to hide what
 * would tell the answers, and `onEnd(version)` at the end, with the version of the last answer that was told.
 */
export function guessing({ game, lang, words, names, next, judge, onBegin, onEnd }) {
  const form = /** @type {HTMLFormElement} */ (at('guess'))
  const box = at('guessed')
  const said = /** @type {HTMLElement} */ (box.querySelector('output'))
  const on = /** @type {HTMLButtonElement} */ (box.querySelector('.next'))
  /** @type {any} */
  let board = null
  let seat = 0, turn = 0, after = 0, since = 0, seen = 1, right = 0, all = 0
  /** @type {any} */
  let asked = null
  /** Whether one decision alone is tried again. */
  let only = false

  const tell = (name, more = {}) => (said.textContent = fill(words[name], { right, all, ...more }))

  function answered(move) {
    const told = judge(asked, move)
    if (told) {
      said.textContent = told.text
      board.show(asked.scene, seat, told.touches)
      after = since
      return offer('again-more')
    }
    const played = asked.moves.find(one => one.id === asked.chosen)
    seen = asked.version
    all += 1
    if (move.id === asked.chosen) right += 1
    tell(move.id === asked.chosen ? 'guess-right' : 'guess-wrong', { mine: move.text, played: played.text })
    board.show(asked.scene, seat, played.touches)
    offer('guess-on')
  }

  /** Show the button that leads to the next choice, and what was said beside it: the reader may have scrolled past it. */
  function offer(name) {
    on.textContent = words[name]
    on.hidden = false
    on.focus({ preventScroll: true })
    said.parentElement?.scrollIntoView({ block: 'nearest' })
  }

  async function go() {
    // the pressed button is gone, so the focus moves to what is said
    said.tabIndex = -1
    said.focus({ preventScroll: true })
    on.hidden = true
    const mine = ++turn
    const found = await next(seat, after)
    // meanwhile another seat may have been chosen
    if (mine !== turn) return
    if (!found) return void tell('guess-over')
    asked = found
    after = found.version
    tell(only ? 'again-ask' : all ? 'guess-ask' : 'guess-first')
    board.choose(found, seat)
  }

  const run = () => go().catch(() => {
    said.textContent = words.broken
    offer('guess-on')
  })
  function begin(who, from) {
    seat = who
    after = since = from
    right = all = 0
    seen = Math.max(1, from)
    board ??= openBoard(box.querySelector('.table'), { game, lang, names }, answered)
    box.hidden = false
    onBegin()
    run()
    box.scrollIntoView({ block: 'start' })
  }
  form.addEventListener('submit', event => {
    event.preventDefault()
    only = false
    begin(Number(new FormData(form).get('seat')), 0)
  })
  on.addEventListener('click', run)
  box.querySelector('.end')?.addEventListener('click', () => {
    box.hidden = true
    onEnd(seen)
    // who tried one decision again came from its review
    const back = only && document.querySelectorAll('#reviews ~ .names a')[seat]
    ;/** @type {HTMLElement} */ (back || form.querySelector('button')).focus()
  })
  return (who, from) => {
    only = true
    begin(who, from)
  }
}
