// @ts-check
// The parts of a page that only the server writes: they are taken from the page as it is now.

import { Silent, addressOf, isPassing } from './api.js'

const TOUCHED = 'a, button, input, select, summary'

/** Take them all when `whenStill` allows it. Returns the data of that page, or null if it can't be had. Throws Silent.
 * @param {string} address
 * @param {string} lang
 * @param {(write: () => void) => void} whenStill
 * @param {() => boolean} [isLate] whether a page that was asked for later has been taken meanwhile: then this one is not
 * @returns {Promise<any>}
 */
export async function takeParts(address, lang, whenStill, isLate = () => false) {
  const answer = await fetch(addressOf(address), { headers: { 'Accept-Language': lang } }).catch(() => { throw new Silent() })
  if (isPassing(answer.status)) throw new Silent()
  if (!answer.ok) return null
  const now = new DOMParser().parseFromString(await answer.text(), 'text/html')
  await new Promise(done => whenStill(() => done(undefined)))
  if (isLate()) return null
  for (const part of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll('[data-live]'))) {
    const next = now.querySelector(`[data-live="${part.dataset.live}"]`)
    if (next) exchange(part, next)
  }
  return JSON.parse(now.getElementById('data')?.textContent ?? 'null')
}

/**
 * Replace a part of this page by one of another page; what was opened stays open, and the focus where it was.
 * @param {Element} part
 * @param {Element} next
 */
function exchange(part, next) {
  for (const one of part.querySelectorAll('details[open][id]')) next.querySelector(`#${CSS.escape(one.id)}`)?.setAttribute('open', '')
  for (const one of /** @type {NodeListOf<HTMLInputElement>} */ (part.querySelectorAll('input[id]:not([readonly]), select[id]'))) Object.assign(next.querySelector(`#${CSS.escape(one.id)}`) ?? {}, { value: one.value })
  const focused = part.contains(document.activeElement) ? [...part.querySelectorAll(TOUCHED)].findIndex(one => one === document.activeElement) : -1
  part.replaceWith(document.adoptNode(next))
  if (focused >= 0) /** @type {NodeListOf<HTMLElement>} */ (next.querySelectorAll(TOUCHED))[focused]?.focus({ preventScroll: true })
}
