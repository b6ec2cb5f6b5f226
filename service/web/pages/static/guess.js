// @ts-check
// Guess the moves of a match that is over: the table as a seat saw it, a choice, then what the seat chose.

import { back, begin, chosen, fill, lit, made, offered, openTable, touch } from './table/table.js'
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
  const root = box.querySelector('.table')
  /** @type {any} */
  let table = null
  let seat = 0, turn = 0, after = 0, seen = 1, right = 0, all = 0
  /** @type {any} */
  let asked = null
  /** @type {any} */
  let hand = null

  const tell = (name, more = {}) => (said.textContent = fill(words[name], { right, all, ...more }))

  function draw() {
    table.jump(asked.scene, { seat, names, lit: hand ? lit(hand) : [], chosen: hand ? chosen(hand) : [], offered: hand ? offered(hand) : undefined })
  }

  function answered(move) {
    const played = asked.moves.find(one => one.id === asked.chosen)
    hand = null
    seen = asked.version
    all += 1
    if (move.id === asked.chosen) right += 1
    tell(move.id === asked.chosen ? 'guess-right' : 'guess-wrong', { mine: move.text, played: played.text })
    table.jump(asked.scene, { seat, names, lit: [], chosen: [], offered: undefined, about: played.touches })
    on.hidden = false
    on.focus({ preventScroll: true })
  }

  /** A thing was touched; null: the last touch is taken back. */
  function touched(id) {
    if (!hand) return
    hand = id === null ? back(hand) : touch(hand, id)
    const move = made(hand)
    if (move) answered(move)
    else draw()
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
    hand = begin(found.moves, found.scene)
    tell('guess-ask')
    table.set({ about: [] })
    draw()
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
    table ??= openTable(root, { game, lang, names, areNamed: true, told: '', pace: 0, onTouch: touched, onPick: answered, onBack: () => touched(null) })
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
