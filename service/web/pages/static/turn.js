// Whose turn it is, over the table and beside the players.

import { at, put } from './write.js'

/** Whether it is the reader's own turn, and all seats that are to act, as far as may be known; `seat` is the reader's, or null. */
export function writeTurn({ isMine, acting, isPlaying, seat, names, words }) {
  put(document.documentElement.dataset, 'turn', isMine ? 'mine' : '')
  const state = at('state')
  state.classList.toggle('mine', isMine)
  state.parentElement.classList.toggle('playing', isPlaying)
  if (isPlaying) put(state, 'textContent', isMine ? words['your-turn'] : turnOf(acting, seat, names, words))
  for (const one of document.querySelectorAll('.people [data-seat]')) {
    put(one.querySelector('.acting'), 'hidden', !isPlaying || !acting.includes(Number(one.dataset.seat)))
  }
}

function turnOf(acting, seat, names, words) {
  const known = acting.map(one => names[one]).filter(Boolean)
  const line = words[seat === null ? 'watching' : 'others-turn']
  return known.length ? words['turn-of'].replace('{names}', () => known.join(', ')) : line
}
