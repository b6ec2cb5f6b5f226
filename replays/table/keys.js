// The table by keys alone: Tab goes from one lit thing to the next, arrows to any thing, N and P to lit ones, Enter touches,
// Escape goes back, digits press buttons.

const ITEMS = '.piece > .face, .zone-touch'
const BUTTONS = '.button:not(.look, .again, .thing)'
/** The buttons that keys lead to: the others repeat what lies on the table, or do nothing in the match. */
const STEPS = { n: 1, p: -1 }
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }

/** Attach keys to a drawn table: `onBack()` for Escape, `onLook(id)` for Enter on an unlit thing. Returns what detaches them. */
export function attachKeys(root, { onBack = () => {}, onLook = () => {} } = {}) {
  const pressed = event => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.target.matches('input, textarea, select')) return
    const item = event.target.closest(ITEMS)
    if (!acts(root, event, item, { onBack, onLook })) return
    event.preventDefault()
    // the page may use arrow keys itself
    event.stopPropagation()
  }
  const focused = ({ target }) => {
    // not under the buttons, which stay in sight
    root.style.setProperty('--bar', `${root.querySelector('.actions')?.offsetHeight ?? 0}px`)
    if (target.matches(ITEMS)) rove(root, target)
  }
  root.addEventListener('keydown', pressed)
  root.addEventListener('focusin', focused)
  return () => {
    root.removeEventListener('keydown', pressed)
    root.removeEventListener('focusin', focused)
  }
}

/** Call after each drawing: lit things are in the Tab order anyway; if there are none, put one thing into it. */
export function letIn(root) {
  const items = [...root.querySelectorAll(ITEMS)]
  const isLit = items.some(one => one.matches('button')) || root.querySelector(`${BUTTONS}:enabled`)
  const current = items.find(one => one.matches('.current'))
  const entry = isLit ? current : current ?? items[0]
  for (const one of items) {
    const index = one === entry ? 0 : -1
    if (one.tabIndex !== index && one.matches('[role=img]')) one.tabIndex = index
  }
}

/** Let N and P anywhere in the page lead to lit things. Returns false for other keys, in a field, and if nothing is lit. */
export function leadIn(root, event) {
  if (event.altKey || event.ctrlKey || event.metaKey || event.target.matches('input, textarea, select')) return false
  const step = STEPS[event.key.toLowerCase()]
  return step !== undefined && goToLit(root, null, step)
}

function acts(root, event, item, { onBack, onLook }) {
  if (event.key in ARROWS) return item !== null && go(root, item, event.key)
  if (event.key === 'Home' || event.key === 'End') return item !== null && goToEnd(item, event.key)
  if (event.key === 'Escape') return onBack() !== false
  if (event.key === 'Enter' || event.key === ' ') {
    if (!item?.matches('[role=img]')) return false
    onLook(item.dataset.id)
    return true
  }
  const letter = event.key.toLowerCase()
  if (letter in STEPS) return goToLit(root, item, STEPS[letter])
  // one that is held would go on into the next decision
  if (/^[1-9]$/.test(event.key)) return event.repeat || pressButton(root, Number(event.key) - 1)
  return false
}

function focus(element) {
  element?.focus({ focusVisible: true })
  element?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  return Boolean(element)
}

/** Go left or right along a row of things in reading order, or to the nearest thing above or below. */
function go(root, item, key) {
  const [x, y] = ARROWS[key]
  const items = [...root.querySelectorAll(ITEMS)].filter(one => one.offsetParent !== null)
  if (x) return focus(items[items.indexOf(item) + x] ?? item)
  const here = middleOf(item)
  let best = null
  let least = Infinity
  for (const one of items) {
    const there = middleOf(one)
    const ahead = (there.y - here.y) * y
    const far = ahead + 2 * Math.abs(there.x - here.x)
    if (one !== item && ahead > 8 && far < least) [best, least] = [one, far]
  }
  return focus(best ?? item)
}

function middleOf(element) {
  const box = element.getBoundingClientRect()
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 }
}

function goToEnd(item, key) {
  const items = [...item.closest('.zone').querySelectorAll(ITEMS)]
  return focus(key === 'Home' ? items[0] : items.at(-1))
}

function goToLit(root, item, step) {
  const lit = [...root.querySelectorAll(`button.face, .zone-touch, ${BUTTONS}:enabled`)]
  if (!lit.length) return false
  const at = lit.indexOf(root.ownerDocument.activeElement)
  if (at < 0 && !item) return focus(lit.at(step > 0 ? 0 : -1))
  if (at >= 0) return focus(lit[(at + step + lit.length) % lit.length])
  const later = lit.findIndex(one => item.compareDocumentPosition(one) & Node.DOCUMENT_POSITION_FOLLOWING)
  const next = later < 0 ? 0 : later
  return focus(lit[step > 0 ? next : (next - 1 + lit.length) % lit.length])
}

function pressButton(root, at) {
  // what a page puts beside them is no answer
  const button = [...root.querySelectorAll(`${BUTTONS}:not(.hand *)`)][at]
  if (!button || button.disabled) return false
  button.click()
  return true
}

/** Of the unlit things, put only the last one that had the focus into the Tab order. */
function rove(root, item) {
  for (const one of root.querySelectorAll('.current')) one.classList.remove('current')
  item.classList.add('current')
  if (item.matches('[role=img]')) {
    for (const one of root.querySelectorAll('.piece > .face[role=img][tabindex="0"]')) one.tabIndex = -1
    item.tabIndex = 0
  }
}
