// How each kind of piece looks: its face alone, without what lies on it. Its name is given beside it, so all of this is
// hidden from screen readers.

import { emblemOf } from './emblem.js'
import { html, nothing, svg } from './lit-html.js'
import { captionOf } from './words.js'

/** The positions of a die's pips, in a box of 24 by 24. */
const PIPS = {
  1: [[12, 12]],
  2: [[7, 7], [17, 17]],
  3: [[7, 7], [12, 12], [17, 17]],
  4: [[7, 7], [17, 7], [7, 17], [17, 17]],
  5: [[7, 7], [17, 7], [12, 12], [7, 17], [17, 17]],
  6: [[7, 6.5], [17, 6.5], [7, 12], [17, 12], [7, 17.5], [17, 17.5]],
}
const PAWN = 'M12 2a4.6 4.6 0 0 1 2.7 8.3c.5 3.6 1.7 6 3.8 8.2H5.5c2.1-2.2 3.3-4.6 3.8-8.2A4.6 4.6 0 0 1 12 2zM4.5 19.7h15V22h-15z'
const EYE = 'M12 5c5 0 8.5 4 10 7-1.5 3-5 7-10 7s-8.5-4-10-7c1.5-3 5-7 10-7zm0 2.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9zm0 2.5a2 2 0 1 1 0 4 2 2 0 0 1 0-4z'
/** The widest label, in ems, whose letters on a small card are large enough to be read on any tone. */
const LARGE = 1.9
const NO_WORD = /^[^\p{L}\p{N}]+$/u

/** Return a sign of the palette as a picture without a name. */
export function signOf(tone, tones, where = 'sign') {
  const path = tones.get(tone)?.sign
  return path ? svg`<svg class=${where} viewBox="0 0 24 24" aria-hidden="true"><path d=${path}></path></svg>` : nothing
}

/** Return the class of a tone in the palette's style sheet. */
export function toneClass(tone) {
  return tone ? `toned tone-${tone}` : 'toneless'
}

/** Return the approximate width of a text in ems: 1 for a wide letter, a bit more than half for a narrow one. */
export function widthOf(text) {
  let width = 0
  for (const letter of text) width += letter.codePointAt(0) >= 0x2000 ? 1 : 0.7
  return width
}

/** Return a name whose long words may break: with a hyphen before a syllable, in Japanese after a long vowel. */
export function parted(name) {
  const hyphened = word => word.slice(0, 3) + word.slice(3).replace(/[bcdfgj-np-tv-z][aeiouy](?=[a-z])/gi, '\u00ad$&')
  return name.replace(/[a-z]{7,}/gi, hyphened).replace(/ー(?=[ァ-ヶ]{2})/g, 'ー\u200b')
}

/** Return whether most open cards have more printed on them than a label; then all are drawn large. */
export function areRich(pieces) {
  const cards = openCards(pieces)
  return cards.filter(hasMore).length * 2 > cards.length
}

/** Return whether more is printed on a card than its label. */
export function hasMore(card) {
  return !card.label || (card.facts?.length ?? 0) > 0 || (Boolean(card.text) && card.title !== card.label)
}

function openCards(pieces) {
  return pieces.flatMap(one => [...(one.kind === 'card' && one.face !== 'down' ? [one] : []), ...openCards(one.on ?? [])])
}

/** Return whether a card is drawn large. */
export function isRich(piece, areOthers) {
  return piece.kind === 'card' && piece.face !== 'down' && (areOthers || !piece.label)
}

/**
 * Return the face of a piece. `tones` are the palette's tones by name; `isCounter`: it counts for a seat, and says what;
 * `isTold`: what it does is on its face.
 */
export function faceOf(piece, tones, say = text => text, isLarge = false, { isCounter = false, isTold = false } = {}) {
  const draw = FACES[piece.kind] ?? token
  return html`${draw(piece, tones, say, isLarge, { isCounter, isTold })}${isCounter && captionOf(piece) ? nothing : countOf(piece)}${marksOf(piece)}`
}

function card(piece, tones, say, isLarge, { isTold }) {
  if (piece.face === 'down') return html`<span class="back" aria-hidden="true">${signOf(piece.tone, tones)}</span>`
  const name = isLarge ? html`<span class="name" aria-hidden="true">${parted(say(piece.title))}</span>` : nothing
  const drawing = (piece.emblem && emblemOf(piece.emblem)) || signOf(piece.tone, tones, 'sign ground')
  return html`<span class="${paneClass(piece)} ${piece.emblem ? 'drawn' : ''}" aria-hidden="true">${signOf(piece.tone, tones, 'sign corner')}${piece.emblem && isAmongMany(piece) ? nothing : labelOf(piece)}${drawing}</span>${name}${isTold && piece.text ? html`<span class="text" aria-hidden="true">${say(piece.text)}</span>` : nothing}${factsOf(piece, tones)}`
}

function tile(piece, tones, say) {
  if (piece.face === 'down') return html`<span class="back" aria-hidden="true">${signOf(piece.tone, tones)}</span>`
  return html`<span class=${paneClass(piece)} aria-hidden="true">${signOf(piece.tone, tones, 'sign corner')}${labelOf(piece)}</span>${captioned(piece, say)}${factsOf(piece, tones)}`
}

/** Return whether the label is printed once more, beside other facts. */
function isAmongMany({ label, facts = [] }) {
  return facts.length > 1 && facts.some(one => one.value === label)
}

function captioned(piece, say, isCounter = false) {
  const caption = captionOf(piece)
  const count = isCounter && (piece.count ?? 1) !== 1 ? `×${piece.count} ` : ''
  return caption ? html`<span class="name" aria-hidden="true">${count}${parted(say(caption))}</span>` : nothing
}

/** Return the classes of a label's pane: a long label has small letters, which need a darker ground. */
function paneClass(piece) {
  return piece.label && widthOf(piece.label) > LARGE ? 'pane deep' : 'pane'
}

function die(piece) {
  const pips = piece.face === 'down' ? [] : PIPS[piece.label]
  const shown = pips
    ? pips.map(([x, y]) => svg`<circle class="pip" cx=${x} cy=${y} r="2.3"></circle>`)
    : svg`<text class="numeral" x="12" y="17" text-anchor="middle">${piece.label}</text>`
  return html`<svg class="cube" viewBox="0 0 24 24" aria-hidden="true"><rect class="side" x="1" y="1" width="22" height="22" rx="5"></rect>${shown}</svg>`
}

function pawn(piece, tones, say, isLarge, { isCounter }) {
  return html`<svg class="man" viewBox="0 0 24 24" aria-hidden="true"><path d=${PAWN}></path></svg>${piece.label ? html`<span class="tag" aria-hidden="true">${signOf(piece.tone, tones, 'sign mini')}${piece.label}</span>` : signOf(piece.tone, tones, 'sign chest')}${isCounter ? captioned(piece, say, true) : nothing}`
}

function token(piece, tones, say, isLarge, { isCounter }) {
  const isWide = widthOf(piece.label) > 1.4
  const inner = piece.face === 'down' ? nothing : html`${piece.label ? labelOf(piece) : signOf(piece.tone, tones)}`
  return html`<span aria-hidden="true" class="disc ${isWide ? 'wide' : ''}">${inner}</span>${isCounter ? captioned(piece, say, true) : nothing}${factsOf(piece, tones)}`
}

function marker(piece, tones, say) {
  return html`${signOf(piece.tone, tones, 'sign mini')}<span class="words" aria-hidden="true">${NO_WORD.test(piece.label) ? html`<b>${piece.label}</b> ` : nothing}${say(piece.title)}</span>${factsOf(piece, tones)}`
}

function sheet(piece, tones, say) {
  if (piece.face === 'down') return html`<span class="back" aria-hidden="true">${signOf(piece.tone, tones)}</span>`
  return html`<span class="head" aria-hidden="true">${signOf(piece.tone, tones, 'sign mini')}<b>${say(piece.title)}</b>${piece.label && piece.label !== piece.title ? html`<span class="tag" aria-hidden="true">${piece.label}</span>` : nothing}</span>${piece.text ? html`<span class="text" aria-hidden="true">${say(piece.text)}</span>` : nothing}${factsOf(piece, tones)}`
}

function space(piece, tones, say) {
  return html`${signOf(piece.tone, tones, 'sign ground')}${piece.label ? html`<span class="label" aria-hidden="true">${piece.label}</span>` : nothing}${captioned(piece, say)}${factsOf(piece, tones)}`
}

const FACES = { card, tile, die, pawn, token, stone: token, chip: token, marker, sheet, space }

function labelOf(piece) {
  if (!piece.label) return nothing
  const width = widthOf(piece.label)
  return html`<span class="label ${width > LARGE ? 'long' : ''}" data-width=${Math.max(width, 1).toFixed(2)}>${parted(piece.label)}</span>`
}

function factsOf(piece, tones) {
  // its label is that one already
  const isSaid = piece.kind === 'card' && piece.facts?.length === 1 && piece.facts[0].value === piece.label
  if (!piece.facts?.length || isSaid) return nothing
  return html`<span class="facts" aria-hidden="true">${piece.facts.map(one => html`<span class="fact ${toneClass(one.tone)}">${signOf(one.tone, tones, 'sign mini')}<b>${one.value}</b></span>`)}</span>`
}

function countOf(piece) {
  const count = piece.count ?? 1
  return count === 1 ? nothing : html`<span class="count" aria-hidden="true">×${count}</span>`
}

function marksOf(piece) {
  const looks = new Set((piece.marks ?? []).map(one => one.look))
  return html`${looks.has('shown') ? svg`<svg class="eye" viewBox="0 0 24 24" aria-hidden="true"><path d=${EYE}></path></svg>` : nothing}${looks.has('noted') ? html`<span class="dot"></span>` : nothing}${looks.has('blocked') ? svg`<svg class="strike" viewBox="0 0 10 10" preserveAspectRatio="none" aria-hidden="true"><path d="M1 9 9 1" vector-effect="non-scaling-stroke"></path></svg>` : nothing}`
}
