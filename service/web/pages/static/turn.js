// @ts-check
// Whose turn it is, over the table and beside the players.

import { at, put } from './write.js'

/**
 * Write whose turn it is.
 * @param {object} told
 * @param {boolean} told.isMine whether it is the reader's own turn
 * @param {number[]} told.acting all seats that are to act, as far as may be known
 * @param {boolean} told.isPlaying
 * @param {number | null} told.seat the reader's
 * @param {string[]} told.names
 * @param {Record<string, string>} told.words
 */
export function writeTurn({ isMine, acting, isPlaying, seat, names, words }) {
  put(document.documentElement.dataset, 'turn', isMine ? 'mine' : '')
  const state = at('state')
  state.classList.toggle('mine', isMine)
  state.parentElement?.classList.toggle('playing', isPlaying)
  if (isPlaying) put(state, 'textContent', isMine ? words['your-turn'] : turnOf(acting, seat, names, words))
  for (const one of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll('.people [data-seat]'))) {
    put(one.querySelector('.acting'), 'hidden', !isPlaying || !acting.includes(Number(one.dataset.seat)))
  }
}

/**
 * @param {number[]} acting
 * @param {number | null} seat
 * @param {string[]} names
 * @param {Record<string, string>} words
 */
function turnOf(acting, seat, names, words) {
  const known = acting.map(one => names[one]).filter(Boolean)
  const line = words[seat === null ? 'watching' : 'wait']
  return known.length ? words['turn-of'].replace('{names}', () => known.join(', ')) : line
}
