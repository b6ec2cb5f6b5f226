// @ts-check
// A table of a match that is over, as one seat saw it, on which a reader chooses moves that are sent nowhere.

import { back, begin, chosen, lit, made, offered, openTable, touch } from './table/table.js'

/**
 * Open it in `root`. `choose(found, seat, told)` shows a decision `{scene, moves}` and calls `onMove(move)` for what is
 * chosen; `show(scene, seat, about, told)` shows a table on which there is nothing to choose. `told`: what has happened.
 * @param {Element | null} root
 * @param {{ game: any, lang: string, names: string[] }} shown
 * @param {(move: any) => void} onMove
 */
export function openBoard(root, { game, lang, names }, onMove) {
  /** @type {any} */
  let hand = null
  /** @type {any} */
  let scene = null
  let seat = 0
  let said = ''
  const table = openTable(root, {
    game, lang, names, areNamed: true, told: said, pace: 0, onTouch: touched, onPick: pick, onBack: () => touched(null),
  })

  /** @param {string[]} about the ids of what a text speaks of */
  function draw(about = []) {
    table.jump(scene, { seat, names, about, told: said, lit: hand ? lit(hand) : [], chosen: hand ? chosen(hand) : [], offered: hand ? offered(hand) : undefined })
  }

  function pick(move) {
    hand = null
    onMove(move)
  }

  /** A thing was touched; null: the last touch is taken back. */
  function touched(id) {
    if (!hand) return
    hand = id === null ? back(hand) : touch(hand, id)
    const move = made(hand)
    if (move) pick(move)
    else draw()
  }

  return {
    choose(found, as, told = '') {
      seat = as
      said = told
      scene = found.scene
      hand = begin(found.moves, found.scene)
      draw()
    },
    show(shown, as, about = [], told = '') {
      seat = as
      said = told
      scene = shown
      hand = null
      draw(about)
    },
  }
}
