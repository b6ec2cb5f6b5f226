// @ts-check
// Which games this browser has learnt or played: those are not offered to be learnt any more.

const KEPT = 'foldtable.known'

/** @returns {string[]} */
function known() {
  return JSON.parse(localStorage.getItem(KEPT) ?? '[]')
}

/**
 * Notes that a game was learnt or played.
 * @param {string} slug
 */
export function learnt(slug) {
  if (!known().includes(slug)) localStorage.setItem(KEPT, JSON.stringify([...known(), slug]))
}

/** Hides the links to the lessons of known games. */
export function hideKnown() {
  const all = known()
  for (const one of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll('[data-learn]'))) {
    if (all.includes(one.dataset.learn ?? '')) one.hidden = true
  }
}
