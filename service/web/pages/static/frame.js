// @ts-check
// What a script adds to every page: times in the reader's own time zone; and when htmx loads a part of a page again,
// the focus stays where it was, and errors are shown.

const lang = document.documentElement.lang
const full = new Intl.DateTimeFormat(lang, { dateStyle: 'medium', timeStyle: 'short' })
const day = new Intl.DateTimeFormat(lang, { dateStyle: 'medium' })
const near = new Intl.DateTimeFormat(lang, { weekday: 'short', hour: 'numeric', minute: '2-digit' })
const today = new Intl.DateTimeFormat(lang, { hour: 'numeric', minute: '2-digit' })
const from = new Intl.RelativeTimeFormat(lang, { numeric: 'auto', style: 'short' })
const DAY = 86_400_000

/**
 * Return how long ago a moment was, or in how long it comes, in words.
 * @param {Date} at
 */
function relative(at, now = Date.now()) {
  const minutes = (at.getTime() - now) / 60_000
  const size = Math.abs(minutes)
  if (size < 1) return from.format(0, 'second')
  if (size < 60) return from.format(Math.round(minutes), 'minute')
  if (size < 36 * 60) return from.format(Math.round(minutes / 60), 'hour')
  return from.format(Math.round(minutes / 1440), 'day')
}

/**
 * Write every moment inside the node in the reader's own time.
 * @param {ParentNode} node
 */
function tell(node) {
  for (const time of /** @type {NodeListOf<HTMLTimeElement>} */ (node.querySelectorAll('time[datetime]'))) {
    const at = new Date(time.dateTime)
    if (Number.isNaN(at.getTime())) continue
    const off = Math.abs(at.getTime() - Date.now())
    const same = at.toDateString() === new Date().toDateString()
    time.title = full.format(at)
    time.textContent = 'ago' in time.dataset ? relative(at) : same ? today.format(at) : off < 6 * DAY ? near.format(at) : full.format(at)
    if ('day' in time.dataset) time.textContent = day.format(at)
    if ('due' in time.dataset) time.textContent += ` (${relative(at)})`
  }
}

// games that this browser knows

const KNOWN = 'foldtable.known'

/** @returns {string[]} The games that were learnt or played here; none if the browser keeps nothing of this site. */
function all() {
  try {
    return JSON.parse(localStorage.getItem(KNOWN) ?? '[]')
  } catch {
    return []
  }
}

/**
 * Note that a game was learnt or played here: its lesson is not offered any more.
 * @param {string} slug
 */
export function learnt(slug) {
  if (all().includes(slug)) return
  try {
    localStorage.setItem(KNOWN, JSON.stringify([...all(), slug]))
  } catch {
    // the lesson is offered here again
  }
  // a player with an account is not offered it in other browsers either
  if (document.querySelector('[data-reader]')) import('./api.js').then(({ have }) => have('POST', '/api/me/lessons', { game: slug })).catch(() => {})
}

for (const one of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll('[data-learn]'))) {
  one.hidden = all().includes(one.dataset.learn ?? '')
}

// parts that are loaded again

const trouble = /** @type {HTMLElement} */ (document.getElementById('trouble'))
const known = new Map()
let place = ''
/** @type {HTMLElement | null} */
let hand = null
let isRefused = false

/**
 * Call `act` at an event of htmx.
 * @param {string} name
 * @param {(detail: any) => void} act
 */
function on(name, act) {
  document.addEventListener(`htmx:${name}`, event => act(/** @type {CustomEvent} */ (event).detail))
}

/** Whether a list loads itself again, and nobody has asked for it. */
const isQuiet = ({ elt }) => elt.matches('[data-fresh]')

on('load', ({ elt }) => {
  tell(elt)
  // of a way back while the page was loading htmx did not hear
  if (elt === document.body && performance.getEntriesByType('navigation')[0].name.split('#')[0] !== location.href.split('#')[0]) location.reload()
})

on('configRequest', ({ verb, parameters }) => {
  if (verb !== 'get') return
  for (const [name, value] of Object.entries(parameters)) if (value === '') delete parameters[name]
})

document.addEventListener('htmx:beforeRequest', event => {
  const { detail } = /** @type {CustomEvent} */ (event)
  if (isQuiet(detail)) return document.hidden && event.preventDefault()
  trouble.textContent = ''
  hand = detail.elt.contains(document.activeElement) ? /** @type {HTMLElement} */ (document.activeElement) : null
})

on('afterRequest', ({ successful }) => { if (successful && trouble.textContent === (trouble.dataset.silent ?? '')) trouble.textContent = '' })

on('beforeSwap', detail => {
  const { xhr, target } = detail
  // the service has said where to show it
  if (xhr.getResponseHeader('HX-Retarget')) {
    [detail.shouldSwap, detail.isError] = [!isQuiet(detail.requestConfig), false]
    isRefused = detail.shouldSwap
  }
  // what has not changed is not replaced, since somebody may be using it
  if (isQuiet(detail.requestConfig) && known.get(target.id) === xhr.responseText) detail.shouldSwap = false
  known.set(target.id, xhr.responseText)
  // what was opened stays open
  for (const { id } of target.querySelectorAll('details[open][id]')) detail.serverResponse = detail.serverResponse.replace(`<details id="${id}"`, '$& open')
  // a part that loads itself again and again does not take the focus from elsewhere
  const { elt } = detail.requestConfig
  place = target.contains(document.activeElement) || (elt !== target && target.contains(elt)) ? target.id : ''
})

/** If the focus was lost, give it back to the element that had it, or else to the result in the part that is new. */
function keep() {
  const was = hand, part = document.getElementById(place)
  // a part that later loads by itself does not move the focus
  hand = null
  place = ''
  if (document.activeElement !== document.body) return
  was?.focus({ preventScroll: true })
  /** @type {HTMLElement | null | undefined} */
  const next = part?.querySelector('.done, [role="alert"]:not(:empty)') ?? part?.querySelector('h2')
  if (!next || document.activeElement !== document.body) return
  next.tabIndex = -1
  next.focus({ preventScroll: true })
}

on('afterSettle', () => {
  keep()
  if (!isRefused) return
  isRefused = false
  // a list may show what is not so any more
  document.body.dispatchEvent(new CustomEvent('refused'))
})

function fail(detail) {
  if (!trouble.textContent) trouble.textContent = trouble.dataset.silent ?? ''
  // who has asked from further down would not see it
  if (!isQuiet(detail)) trouble.scrollIntoView({ block: 'nearest' })
  setTimeout(keep, 0)
}

for (const name of ['responseError', 'sendError', 'timeout']) on(name, fail)

// what is new to a player

const own = /** @type {HTMLElement | null} */ (document.querySelector('[data-reader]'))?.dataset.reader

/**
 * Write how many turns wait, also into the title, unless the page's own script does that.
 * @param {number} turns
 */
function writeTurns(turns) {
  const shown = document.getElementById('waiting')
  if (!shown) return
  // only a change is written: on a table, pieces may be moving
  if (shown.textContent !== String(turns)) {
    shown.textContent = String(turns)
    shown.hidden = !turns
  }
  if (document.querySelector('[data-calls]')) return
  const title = `${turns ? `(${turns}) ` : ''}${document.title.replace(/^\(\d+\) /, '')}`
  if (document.title !== title) document.title = title
}

/**
 * Listen for what is new to the reader.
 * @param {string} player
 */
async function listen(player) {
  const { hear } = await import('./news.js')
  hear(player, ({ turns, isNew }) => {
    if (turns !== undefined) writeTurns(turns)
    if (isNew) document.body.dispatchEvent(new CustomEvent('news'))
  })
}

tell(document)
if (own) {
  listen(own)
  addEventListener('pageshow', ({ persisted }) => {
    if (!persisted) return
    listen(own)
    document.body.dispatchEvent(new CustomEvent('news'))
  })
}

// another language or theme shows the same place: scripts write into the address where the reader is

document.addEventListener('click', ({ target }) => {
  const link = /** @type {HTMLAnchorElement | null} */ (/** @type {Element} */ (target).closest('footer a[hreflang]'))
  if (link?.pathname !== location.pathname) return
  const here = new URL(location.href)
  here.searchParams.set('lang', link.hreflang)
  link.href = here.href
}, true)

document.addEventListener('submit', ({ target }) => {
  const next = /** @type {any} */ (target).elements.next
  if (next?.closest('footer') && next.value.split('?')[0] === location.pathname) next.value = location.pathname + location.search
}, true)

// forms and buttons, also those that are loaded later

document.addEventListener('submit', event => {
  const { sure } = /** @type {HTMLFormElement} */ (event.target).dataset
  if (!sure || confirm(sure)) return
  event.preventDefault()
  event.stopImmediatePropagation()
}, true)

document.addEventListener('click', async event => {
  const target = /** @type {HTMLElement} */ (event.target)
  const { copy, share, done } = target.dataset
  const field = /** @type {HTMLInputElement | null} */ (document.getElementById(copy ?? share ?? ''))
  if (!field) return
  // the reader may cancel
  if (share) return void navigator.share({ title: document.title, url: field.value }).catch(() => {})
  // without https only the reader can copy
  if (!await navigator.clipboard?.writeText(field.value).then(() => true, () => false)) return field.select()
  target.textContent = done ?? ''
})
if ('share' in navigator) document.documentElement.dataset.shares = 'true'

// sitting down with a nonce, which becomes part of the match's chance

const SITS = 'foldtable.sits'
/**
 * Set a hidden field of a form.
 * @param {HTMLFormElement} form
 * @param {string} name
 * @param {string} value
 */
const says = (form, name, value) => {
  const field = /** @type {any} */ (form.elements)[name] ?? form.appendChild(Object.assign(document.createElement('input'), { type: 'hidden', name }))
  field.value = value
}

/**
 * Send the form again, with the nonce; if its part was loaded again meanwhile, the form that has replaced it.
 * @param {HTMLFormElement} form
 * @param {HTMLButtonElement | null} submitter
 */
async function bring(form, submitter) {
  form.dataset.brought = 'soon'
  // if nothing can be kept, no nonce is sent, as without a script
  const nonce = await import('./evidence.js').then(({ bring }) => bring(form.dataset.brings ?? '')).catch(() => '')
  const action = form.getAttribute('action')
  /** @type {HTMLFormElement | null} */
  const now = form.isConnected ? form : document.querySelector(`form[action="${CSS.escape(action ?? '')}"][data-brings]`)
  delete form.dataset.brought
  if (!now) return
  says(now, 'nonce', nonce)
  if (document.documentElement.dataset.sits) {
    // loaded again in its place, since the browser's way back would lead here in vain
    const body = new URLSearchParams(/** @type {any} */ (new FormData(now)))
    const answer = await fetch(now.action, { method: 'POST', body, redirect: 'manual' }).catch(() => null)
    if (answer?.type === 'opaqueredirect') return location.reload()
  }
  now.dataset.brought = 'now'
  now.requestSubmit(submitter && [...now.querySelectorAll('button')].find(one => one.value === submitter.value))
  delete now.dataset.brought
}

document.addEventListener('submit', event => {
  const form = /** @type {HTMLFormElement} */ (event.target)
  const submitter = /** @type {HTMLButtonElement | null} */ (event.submitter)
  if (!('brings' in form.dataset) || form.dataset.brought === 'now' || submitter?.value === 'decline') return
  if (!form.dataset.brings) {
    // the match is opened first, so its secret is chosen before anybody's nonce is known
    sessionStorage.setItem(SITS, crypto.getRandomValues(new Uint32Array(4)).join(''))
    return says(form, 'later', sessionStorage.getItem(SITS) ?? '')
  }
  event.preventDefault()
  event.stopImmediatePropagation()
  if (!form.dataset.brought) bring(form, submitter)
}, true)

// the match exists now; only the form that was sent from here knows this address
if (location.hash && location.hash === `#sit-${sessionStorage.getItem(SITS)}`) {
  sessionStorage.removeItem(SITS)
  history.replaceState(history.state, '', location.pathname + location.search)
  /** @type {HTMLFormElement | null} */
  const form = document.querySelector('main form[data-brings]')
  // this page is left at once, so its table is not drawn
  if (form) document.documentElement.dataset.sits = 'true'
  form?.requestSubmit()
}

const evidence = /** @type {HTMLElement | null} */ (document.querySelector('button[data-evidence]'))?.dataset.evidence
if (evidence) {
  import('./evidence.js').then(({ held }) => held(evidence)).then(found => {
    if (found.length) document.documentElement.dataset.held = 'true'
  }, () => {})
}
document.addEventListener('click', async event => {
  const target = /** @type {HTMLElement} */ (event.target)
  if (target.matches('button[data-evidence]')) (await import('./evidence.js')).hand(target.dataset.evidence ?? '')
})
