// A small panel that describes a thing: its title, its facts, its text and its marks. It opens for the thing under the
// pointer or with the focus, after a touch on a thing that is not lit, or after a long touch on any. Escape closes it.

import { html, nothing, render } from './lit-html.js'
import { elementOf, idOf } from './draw.js'
import { signOf, toneClass } from './pieces.js'
import { indexOf } from './scene.js'
import { named, wordsOf } from './words.js'

const HOVER = 350
const LONG = 450
const SLIP = 12
const SOON = 80
const BESIDE = 10
const HEAD = 52
/** Milliseconds until the panel opens for a resting pointer or finger; pixels by which the finger may slip; and
 * milliseconds between its lifting and its click. Then pixels: between the thing and the panel, and of a page's header
 * at the top of the window. */

/**
 * Attach the panel to a drawn table. `state()` returns {scene, game, lang, names, areNamed} of what is drawn now. Returns
 * {open(id), close(), detach()}.
 */
export function attachDetails(root, state) {
  const panel = root.ownerDocument.createElement('div')
  panel.className = 'details'
  panel.hidden = true
  root.append(panel)
  const view = root.ownerDocument.defaultView
  let timer = 0
  let held = null
  let pressed = null
  let isPinned = false
  const close = () => {
    view.clearTimeout(timer)
    if (!panel.hidden) panel.hidden = true
    isPinned = false
  }
  const open = (id, pinned = true) => {
    const { scene, game, lang, names, areNamed } = state()
    const found = scene && indexOf(scene).get(id)
    if (!found?.piece) return close()
    isPinned = pinned
    panel.setAttribute('aria-live', pinned ? 'polite' : 'off')
    panel.classList.toggle('passing', !pinned)
    panel.dataset.of = id
    panel.hidden = false
    render(content(found, { game, lang, names: areNamed ? undefined : names }, close), panel)
    settle(root, panel, elementOf(root, id))
  }
  const later = (id, time, pinned) => {
    view.clearTimeout(timer)
    timer = view.setTimeout(() => open(id, pinned), time)
  }
  const listeners = {
    pointerover(event) {
      const id = idOf(event.target, root)
      if (event.pointerType !== 'mouse' || panel.contains(event.target)) return
      // after a click the reader looks where the thing goes, so nothing opens for it or what is now under the pointer
      if (pressed && (id === pressed.id || near(event, pressed.place))) return
      if (id) pressed = null
      if (id) later(id, HOVER, false)
      else if (!isPinned) close()
    },
    pointerleave: () => isPinned || close(),
    focusin(event) {
      const { id } = event.target.dataset
      if (id !== pressed?.id && event.target.matches('.piece > .face:focus-visible')) open(id, false)
    },
    focusout: () => isPinned || close(),
    pointerdown(event) {
      const id = idOf(event.target, root)
      if (panel.contains(event.target)) return
      close()
      const place = { x: event.clientX, y: event.clientY }
      pressed = { id, place }
      held = null
      if (!id || event.pointerType === 'mouse') return
      timer = view.setTimeout(() => open(id), LONG)
      held = { id, place, since: event.timeStamp }
    },
    pointermove(event) {
      if (held && !near(event, held.place)) {
        view.clearTimeout(timer)
        held = null
      }
    },
    pointerup() {
      // the click of a finger comes soon or never
      view.setTimeout(() => (held = null), SOON)
    },
    pointercancel() {
      view.clearTimeout(timer)
      held = null
    },
    contextmenu: event => held && event.preventDefault(),
    keydown(event) {
      pressed = null
      if (event.key !== 'Escape' || panel.hidden) return
      close()
      event.stopImmediatePropagation()
    },
  }
  const clicked = event => {
    if (panel.contains(event.target)) return
    const look = event.target.closest('.look')
    if (look) return void (look.ariaPressed = `${look.ariaPressed !== 'true'}`)
    const wasLong = held && event.timeStamp - held.since >= LONG
    const id = idOf(event.target, root)
    held = null
    view.clearTimeout(timer)
    const lens = root.querySelector('[aria-pressed=true]')
    if (id && (lens || wasLong)) {
      event.stopPropagation()
      if (lens) lens.ariaPressed = 'false'
      open(id)
    } else if (id && event.target.closest('.face[role=img]') && !event.target.closest('.lit')) {
      open(id)
    }
  }
  for (const [name, heard] of Object.entries(listeners)) root.addEventListener(name, heard)
  root.addEventListener('click', clicked, true)
  return {
    open,
    close,
    detach() {
      close()
      for (const [name, heard] of Object.entries(listeners)) root.removeEventListener(name, heard)
      root.removeEventListener('click', clicked, true)
      panel.remove()
    },
  }
}

function content({ piece, zone }, { game, lang, names }, close) {
  const say = text => named(text, names)
  const tones = new Map((game?.palette ?? []).map(tone => [tone.name, tone]))
  const tone = tones.get(piece.tone)
  const count = piece.count ?? 1
  return html`
    <p class="details-title ${toneClass(piece.tone)}">${signOf(piece.tone, tones, 'sign mini')}<b>${say(piece.title)}</b>${count === 1 ? nothing : html` <span>×${count}</span>`}</p>
    ${piece.text ? html`<p class="details-text">${say(piece.text)}</p>` : nothing}
    ${piece.facts?.length ? html`<dl class="details-facts">${piece.facts.map(one => html`<div><dt>${say(one.title)}</dt><dd>${one.value}</dd></div>`)}</dl>` : nothing}
    ${piece.marks?.length ? html`<ul class="details-marks" role="list">${piece.marks.map(one => html`<li>${say(one.title)}</li>`)}</ul>` : nothing}
    ${piece.on?.length ? html`<ul class="details-marks" role="list">${piece.on.map(one => html`<li>${say(one.title)}</li>`)}</ul>` : nothing}
    <p class="details-place">${[tone?.title?.[lang], say(zone.title)].filter(Boolean).join(' · ')}</p>
    <button type="button" class="details-close" tabindex="-1" aria-label=${wordsOf(lang).close} @click=${close}>✕</button>`
}

function near(event, place) {
  return Math.hypot(event.clientX - place.x, event.clientY - place.y) <= SLIP
}

/** Put the panel above the thing, or below it if there is more room, but always inside the window. */
function settle(root, panel, element) {
  const outer = root.getBoundingClientRect()
  const box = element.getBoundingClientRect()
  const width = panel.offsetWidth
  const left = Math.min(Math.max(box.x + box.width / 2 - width / 2 - outer.x, 8), Math.max(outer.width - width - 8, 8))
  const height = panel.offsetHeight
  const above = box.y - height - BESIDE
  const below = Math.min(box.bottom + BESIDE, Math.max(root.ownerDocument.defaultView.innerHeight - height - BESIDE, HEAD))
  panel.style.setProperty('--left', `${left}px`)
  panel.style.setProperty('--top', `${(above > HEAD ? above : below) - outer.y}px`)
}
