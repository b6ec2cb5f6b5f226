// Draws a scene: the middle of the table, the viewer's seat, the others, and the buttons. Only what has changed is
// written, so that a thing that stays keeps the focus.

import { html, noChange, nothing, render } from './lit-html.js'
import { areRich, faceOf, hasMore, isRich, signOf, toneClass, widthOf } from './pieces.js'
import { indexOf, seatOf, seatsOf } from './scene.js'
import { fill, named, nameOf, seatName, wordsOf } from './words.js'

const LENS = 'M10 4a6 6 0 1 1 0 12 6 6 0 0 1 0-12zM15 15l6 6'
const FOLD = 'M6 9l6 6 6-6'
const AGAIN = 'M5 12a7 7 0 1 1 2 5M5 19v-6h6'
const MANY = 9
const DEEP = 15
const LINE = 27
const GAP = 1.2
const SIGN = 1.3
const LEAST = 2.8
const CROWD = 3
/** The number of cards from which on a hand is drawn closer together; of pieces beyond which the middle is long; the
 * ems of a phone's line of scores, of the gap before the next seat, of a sign with its gap, and of a name that is
 * known by them; and of seats beyond which the others are folded on a phone. */
export const NOTHING = { moves: [], ids: [] }
/** What is offered if nothing can be done. */
const opened = new WeakMap()
/** For each root the seats that its reader has opened. */
const drawn = new WeakMap()
/** For each root the zones as they were last drawn: see Known. */

/**
 * Draw `scene` into `root`, in place of what was drawn there before.
 *
 * `game` is {slug, title, palette, style}; `seat` the viewer's seat, or null; `turned` the seat at the near side if that is another
 * one; `names` players' names by seat, and `areNamed` whether the scene's texts have them already; `told` the latest event
 * in words, and `isOver` whether the match is; `lit` and `chosen` sets of ids; `about` the ids of what a text beside the
 * table speaks of; `lang` 'en' or 'ja'; `onTouch(id)` is called
 * for lit things, with the id of the thing that was touched. `offered` is {moves, ids}: the moves to offer in words,
 * for one of which `onPick(move)` is called, and else the ids to touch next. `asked` is a sentence to be confirmed, or null; `beside` an element of the page to put beside the buttons, or
 * null; `onAgain()` shows again what has happened.
 */
export function drawTable(root, scene, options = {}) {
  if (!opened.has(root)) opened.set(root, new Set())
  const table = { ...tableOf(scene, options), opened: opened.get(root), isCrowded: seatsOf(scene).size > CROWD }
  root.onTouch = options.onTouch
  if (!root.classList.contains('ft-table')) begin(root)
  // setting an attribute makes the browser lay out all that is inside again, even if the value is the same
  const { slug = '', style: { surface = '', frame = '', pattern = '' } = {} } = options.game ?? {}
  for (const [name, value] of [['data-surface', surface], ['data-frame', frame], ['data-pattern', pattern], ['data-game', slug], ['lang', table.lang], ['aria-label', titleOf(table)]]) {
    if (root.getAttribute(name) !== value) root.setAttribute(name, value)
  }
  const focused = idOf(root.ownerDocument.activeElement, root)
  const known = new Known(drawn.get(root), scene, table)
  drawn.delete(root)
  render(whole(scene, { ...table, known }), root)
  drawn.set(root, known)
  arrange(root, known.fresh)
  if (focused) keepFocus(root, focused)
}

/**
 * What is known of zones: `fresh` are those that have changed since they were last drawn. If the seats, the zones or their
 * texts are others than then, all of them are fresh.
 */
class Known {
  constructor(before, scene, table) {
    const { seat, near, lang, names, areNamed } = table
    const seats = scene.zones.map(zone => [zone.id, seatOf(zone)])
    this.frame = JSON.stringify([seats, seat, near, lang, names, areNamed])
    this.palette = table.game?.palette
    this.looks = new Map(scene.zones.map(zone => [zone.id, lookOfZone(zone, table)]))
    const isSame = before?.frame === this.frame && before.palette === this.palette
    const isFresh = zone => !isSame || before.looks.get(zone.id) !== this.looks.get(zone.id)
    this.fresh = new Set(scene.zones.filter(isFresh).map(zone => zone.id))
  }
}

/** Return a text for everything visible of a zone, with what is lit, chosen or pointed at in it. */
function lookOfZone(zone, { lit, chosen, about }) {
  const look = JSON.stringify(zone)
  if (!lit.size && !chosen.size && !about.size) return look
  const ids = idsIn(zone)
  return JSON.stringify([look, ...[lit, chosen, about].map(set => ids.filter(id => set.has(id)))])
}

/** Return the ids of a zone and of all that lies in it. */
function idsIn(zone) {
  const ids = [zone.id]
  const gather = pieces => {
    for (const piece of pieces) {
      ids.push(piece.id)
      if (piece.on) gather(piece.on)
    }
  }
  gather(zone.pieces)
  return ids
}

/** Return the element of a thing by its id: the face of a piece, a button, or a zone. */
export function elementOf(root, id) {
  return root.querySelector(`[data-id="${CSS.escape(id)}"]`) ?? root.querySelector(`[data-zone="${CSS.escape(id)}"]`)
}

/** Return a function like `elementOf` for many ids, valid until the next drawing. */
export function elementsOf(root) {
  let found = null
  return id => {
    found ??= new Map(Array.from(root.querySelectorAll('[data-zone], [data-id]'), one => [one.dataset.id ?? one.dataset.zone, one]))
    return found.get(id) ?? null
  }
}

/** Return the id of the thing that an element belongs to, or null. */
export function idOf(element, root) {
  return element && root.contains(element) ? element.closest('[data-id]')?.dataset.id ?? null : null
}

/** Return the id of the lit thing that a touched element belongs to, lies on, or lies in. */
export function touchedAt(element) {
  for (let one = element?.closest('[data-id], [data-piece], [data-zone]'); one; one = one.parentElement?.closest('[data-piece], [data-zone]')) {
    if (one.matches('button[data-id]')) return one.dataset.id
    const own = one.querySelector(':scope > button[data-id], :scope > h4 > button[data-id]')
    if (own) return own.dataset.id
  }
  return null
}

function tableOf(scene, { game, seat = null, turned, names, areNamed, told, lit, chosen, about, offered = NOTHING, lang = 'en', isOver = false, asked, beside, onTouch, onPick, onConfirm, onBack, onAgain }) {
  return {
    game, seat, names, areNamed, told, offered, lang, isOver, asked, beside, onTouch, onPick, onConfirm, onBack, onAgain,
    near: turned ?? seat,
    lit: lit instanceof Set ? lit : new Set(lit ?? []),
    chosen: chosen instanceof Set ? chosen : new Set(chosen ?? []),
    about: new Set(about ?? []),
    tones: new Map((game?.palette ?? []).map(tone => [tone.name, tone])),
    words: wordsOf(lang),
    turn: new Set(scene.turn),
    scores: new Map((scene.scores ?? []).map(score => [score.seat, score])),
    say: text => (areNamed ? text : named(text, names)),
  }
}

function begin(root) {
  root.classList.add('ft-table')
  root.setAttribute('role', 'region')
  root.addEventListener('click', event => {
    const id = touchedAt(event.target)
    if (id !== null) root.onTouch?.(id)
  })
}

function titleOf(table) {
  const title = table.game?.title
  const game = typeof title === 'string' ? title : title?.[table.lang] ?? ''
  return game ? `${table.words.table}: ${game}` : table.words.table
}

function whole(scene, table) {
  const seats = seatsOf(scene)
  const middle = scene.zones.filter(zone => seatOf(zone) === null)
  const [near, others] = parted(seats, table.near)
  return html`<div class="cloth">
    <p class="line" aria-live=${table.told === undefined ? 'polite' : 'off'}>${table.say(scene.line)}</p>
    ${!table.told || isPlayed(table) ? nothing : html`<p class="happened">${table.told}</p>`}
    <div class="board ${near === null ? 'open' : 'sat'} ${areDeep(middle) ? 'deep' : ''}">
      <div class="main">
        ${middle.length ? html`<section class="middle"><h3 class="unseen">${table.words.middle}</h3><div class="zones">${middle.map(one => zoneOf(one, table))}</div></section>` : nothing}
        ${near === null ? nothing : placeOf(near, seats.get(near), table, true)}
      </div>
      ${others.length ? html`<div class="others">${others.map(one => placeOf(one, seats.get(one), table, false))}</div>` : nothing}
    </div>
    ${actionsOf(scene, table)}
  </div>`
}

/** Return whether the middle fills a phone's first screen; pieces told of are large. */
function areDeep(zones) {
  return zones.reduce((sum, zone) => sum + zone.pieces.length * (zone.kind === 'offer' ? 4 : 1), 0) > DEEP
}

/** Return the seat at the near side, and the others in their order from there. */
function parted(seats, near) {
  const all = [...seats.keys()].sort((a, b) => a - b)
  if (near === null || near === undefined || !seats.has(near)) return [null, all]
  return [near, [...all.filter(one => one > near), ...all.filter(one => one < near)]]
}

function placeOf(seat, zones, table, isNear) {
  const score = table.scores.get(seat)
  const isTurn = table.turn.has(seat)
  const isFoldable = !isNear && table.isCrowded
  const isFolded = isFoldable && !table.opened.has(seat) && !zones.some(zone => idsIn(zone).some(id => table.lit.has(id)))
  return html`
    <section class="place seat-${seat} ${isNear ? 'near' : 'far'} ${isTurn ? 'turn' : ''} ${isFolded ? 'folded' : ''}" data-seat=${seat}>
      <h3 class="who"><span class="player">${seatName(seat, table.names, table.lang)}</span>${seat === table.seat ? html`<span class="own">${table.words.own}</span>` : nothing}${isTurn ? html`<span class="to-act">${table.words.turn}</span>` : nothing}${score ? html`<span class="score">${table.say(score.title)}</span>` : nothing}${isFoldable ? foldOf(seat, table, isFolded) : nothing}</h3>
      <div class="zones">${zones.map(one => zoneOf(one, table))}</div>
    </section>`
}

/** Draw the button that opens what a seat has, where not all seats fit. */
function foldOf(seat, table, isFolded) {
  const toggle = event => {
    const isOpen = !event.currentTarget.closest('.place').classList.toggle('folded')
    table.opened[isOpen ? 'add' : 'delete'](seat)
    event.currentTarget.setAttribute('aria-expanded', String(isOpen))
  }
  const name = fill(table.words.open, { name: seatName(seat, table.names, table.lang) })
  return html`<button type="button" class="fold" aria-expanded=${String(!isFolded)} aria-label=${name} @click=${toggle}>${icon(FOLD)}</button>`
}

function zoneOf(zone, table) {
  if (!table.known.fresh.has(zone.id)) return noChange
  const { pieces, title: name } = zone
  const isLit = table.lit.has(zone.id)
  const isFan = pieces.some(one => one.face === 'down') && seatOf(zone) !== table.seat
  const held = zone.kind === 'hand' ? (isFan ? 'backs' : 'faces') : ''
  const areLarge = held !== 'backs' && areRich(pieces)
  const classes = `zone zone-${zone.kind} ${held} ${pieces.length > MANY ? 'many' : ''} ${name || pieces.length ? '' : 'void'} ${state(zone.id, table)}`
  const title = isLit
    ? html`<button type="button" class="zone-touch" data-id=${zone.id}>${table.say(name || zone.text) || table.words.say}</button>`
    : table.say(name)
  const few = pieces.reduce((sum, one) => sum + (one.kind === 'space' ? 0 : one.count ?? 1), 0)
  const sum = zone.kind === 'hand' && few > 4 ? html` <span class="sum">${few}</span>` : nothing
  return html`
    <section class=${classes} data-zone=${zone.id} data-columns=${zone.columns || nothing}>
      ${name || isLit ? html`<h4>${title}${sum}</h4>` : nothing}
      ${zone.text ? html`<p class="note">${table.say(zone.text)}</p>` : nothing}
      ${pieces.length ? html`<ul class="pieces" role="list">${pieces.map(one => pieceOf(one, table, areLarge, { isCounter: zone.kind === 'counters', isTold: zone.kind === 'offer' }))}</ul>` : html`<p class="empty"><span class="unseen">${table.words.empty}</span></p>`}
    </section>`
}

function pieceOf(piece, table, areLarge, how = {}) {
  const on = piece.on ?? []
  const isLarge = isRich(piece, areLarge)
  const looks = (piece.marks ?? []).map(one => `look-${one.look}`).join(' ')
  const count = piece.count ?? 1
  const classes = `piece kind-${piece.kind} face-${piece.face ?? 'up'} ${toneClass(piece.tone)} ${isLarge ? 'rich' : ''} ${looks} ${count > 1 ? 'several' : count === 0 ? 'none' : ''} ${on.length ? 'laden' : ''} ${state(piece.id, table)}`
  return html`<li class=${classes} data-piece=${piece.id}>${touchable(piece, table, isLarge, how)}${on.length ? html`<ul class="on" role="list">${on.map(one => pieceOf(one, table, areLarge))}</ul>` : nothing}</li>`
}

/** Draw a lit piece as a button, and any other as a picture with a name that keys and pointers can reach. */
function touchable(piece, table, isLarge, how) {
  const name = table.say(nameOf(piece, { lang: table.lang }))
  const face = faceOf(piece, table.tones, table.say, isLarge, how)
  if (table.lit.has(piece.id)) return html`<button type="button" class="face" data-id=${piece.id}>${face}<span class="unseen">${name}</span></button>`
  const said = table.chosen.has(piece.id) ? fill(table.words.marked, { piece: name, said: table.words.chosen }) : name
  return html`<span class="face" role="img" tabindex="-1" data-id=${piece.id} aria-label=${said}>${face}</span>`
}

function state(id, table) {
  return `${table.lit.has(id) ? 'lit' : ''} ${table.chosen.has(id) ? 'chosen' : ''} ${table.about.has(id) ? 'about' : ''}`
}

const icon = path => html`<svg class="lens" viewBox="0 0 24 24" aria-hidden="true"><path d=${path}></path></svg>`

/** Return whether what happened is shown beside the buttons. */
function isPlayed(table) {
  return table.seat !== null && !table.isOver
}

/** Draw what has just happened, for a reader who plays, and what can be done now. */
function actionsOf(scene, table) {
  const isAsked = Boolean(table.asked)
  const isTold = table.told !== undefined && isPlayed(table)
  const isOpen = table.lit.size > 0 || table.chosen.size > 0
  if (!isAsked && !isTold && !table.beside && !isOpen) return nothing
  return html`
    <div class="actions" role="group" aria-label=${table.words.say}>
      ${isTold ? html`${sumsOf(scene, table)}<div class="strip"><p class="happened">${table.told}</p>${table.onAgain ? html`<button type="button" class="button again" aria-label=${table.words.again} @click=${table.onAgain}>${icon(AGAIN)}</button>` : nothing}</div>` : nothing}
      ${table.beside ?? nothing}
      ${isAsked ? html`<p class="asked" role="status">${table.say(table.asked)}</p>` : nothing}
      ${choicesOf(scene, table, isAsked)}
      <div class="buttons">
        ${isAsked || !isOpen || table.offered.moves.length ? nothing : (scene.buttons ?? []).filter(one => table.lit.has(one.id) || !table.chosen.size).map(one => html`<button type="button" class="button ${state(one.id, table)}" data-id=${one.id} ?disabled=${!table.lit.has(one.id)}>${table.say(one.title)}</button>`)}
        ${isAsked && table.onConfirm ? html`<button type="button" class="button confirm" @click=${table.onConfirm}>${table.words.confirm}</button>` : nothing}
        ${table.chosen.size && table.onBack ? html`<button type="button" class="button return" @click=${table.onBack}>${table.words.back}</button>` : nothing}
        ${isAsked || !isOpen ? nothing : html`<button type="button" class="button look" aria-pressed="false" aria-label=${table.words.look}>${icon(LENS)} <span class="said">${table.words.look}</span></button>`}
      </div>
    </div>`
}

/** Draw everybody's score and what the others hold, where not all seats are in sight. */
function sumsOf(scene, table) {
  const seats = seatsOf(scene)
  if (seats.size < 2) return nothing
  const rows = [...seats.keys()].sort((a, b) => a - b).map(seat => ({
    seat,
    whole: seat === table.seat ? table.words.own : seatName(seat, table.names, table.lang),
    score: table.scores.has(seat) ? String(table.scores.get(seat).value).replace('-', '−') : '',
    held: seat === table.seat ? [] : heldBy(seats.get(seat)),
  }))
  const deck = deckOf(scene, table)
  const numbers = (deck ? GAP + widthOf(deck.title) + SIGN + 1 : 0) + rows.reduce((sum, { score, held }) => sum + GAP + widthOf(score) + held.reduce((all, one) => all + SIGN + widthOf(one.number), 0), 0)
  const [one, two] = [1, 2].map(lines => (lines * LINE - numbers) / rows.length)
  const room = one < LEAST ? Math.min(two - GAP, LINE / 4) : one
  const cut = rows.map(({ whole }) => cutTo(whole, room))
  // two bots of one kind differ at the end of their names
  const short = at => (cut.filter(one => one === cut[at]).length > 1 ? seatName(rows[at].seat, null, table.lang) : cut[at])
  const heldOf = ({ sort, tone, number }) => html` <span class="held held-${sort} ${toneClass(tone)}">${signOf(tone, table.tones, 'sign mini')}${number}</span>`
  return html`<p class="sums" aria-hidden="true">${rows.map(({ seat, score, held }, at) => html`<span class=${table.turn.has(seat) ? 'turn' : ''}><bdi>${short(at)}</bdi>${score ? html` <b>${score}</b>` : nothing}${held.map(heldOf)}</span>`)}${deck ? html`<span>${deck.title}${heldOf({ sort: 'card', tone: '', number: deck.number })}</span>` : nothing}</p>`
}

/** Return the pile that is drawn from, where a long middle hides it on a phone. */
function deckOf(scene, table) {
  const middle = scene.zones.filter(zone => seatOf(zone) === null)
  const zone = areDeep(middle) && middle.find(one => one.kind === 'pile' && one.pieces[0]?.face === 'down')
  return zone ? { title: table.say(zone.title), number: String(zone.pieces[0].count ?? 1) } : null
}

/** Return as much of a name as has room, in ems. */
function cutTo(name, room) {
  const letters = [...name]
  while (letters.length > 1 && widthOf(letters.join('')) > room) letters.pop()
  return letters.length < [...name].length ? `${letters.slice(0, -1).join('')}…` : name
}

/** Return what a seat holds, counted: the first of its counters that is a number, its cards in hand, and its stones. */
function heldBy(zones) {
  const numbered = ({ label, count = 1 }) => label || String(count)
  const counters = zones.filter(zone => zone.kind === 'counters').flatMap(zone => zone.pieces)
  const counter = counters.find(piece => (piece.kind === 'chip' || piece.kind === 'token') && /^\d+$/.test(numbered(piece)))
  const held = counter ? [{ sort: 'counter', tone: counter.tone, number: numbered(counter) }] : []
  const sum = pieces => pieces.reduce((all, piece) => all + (piece.count ?? 1), 0)
  const hands = zones.filter(zone => zone.kind === 'hand')
  if (hands.length) held.push({ sort: 'card', tone: '', number: String(sum(hands.flatMap(zone => zone.pieces))) })
  const stones = zones.flatMap(zone => zone.pieces.filter(piece => piece.kind === 'stone'))
  if (stones.length) held.push({ sort: 'stone', tone: '', number: String(sum(stones)) })
  return held
}

/** Draw all that can be chosen now: the moves in words if they are few, else a small button for each thing to touch. */
function choicesOf(scene, table, isAsked) {
  const { moves, ids } = table.offered
  if (isAsked || !table.lit.size) return nothing
  if (moves.length) {
    return html`<div class="choices words">${moves.map(move => html`<button type="button" class="button lit" @click=${() => table.onPick(move)}>${table.say(move.text)}</button>`)}</div>`
  }
  const index = indexOf(scene)
  const things = ids.map(id => index.get(id)).filter(one => one && !one.button).map(({ piece, zone }) => {
    const thing = piece ?? zone
    return { thing, zone, title: table.say(thing.title || thing.text) || table.words.say }
  })
  return things.length ? html`<div class="choices things">${things.map(one => thingOf(one, things, table))}</div>` : nothing
}

function thingOf({ thing, zone, title }, all, table) {
  const isShort = thing.kind === 'card' && thing.label && !hasMore(thing)
  // the same thing may lie in two places, and means something else in each
  const isTwin = all.some(one => one.title === title && one.zone !== zone)
  const placed = said => (isTwin ? fill(table.words.marked, { piece: said, said: whereIs(zone, table) }) : said)
  return html`<button type="button" class="button thing ${toneClass(thing.tone)}" data-thing=${thing.id} aria-label=${placed(title)} @click=${() => table.onTouch?.(thing.id)}>${thing.kind === 'die' ? faceOf(thing, table.tones) : html`${signOf(thing.tone, table.tones, 'sign mini')}<span>${placed(isShort ? thing.label : title)}</span>`}</button>`
}

function whereIs(zone, table) {
  const seat = seatOf(zone)
  const title = table.say(zone.title)
  return seat === null || seat === table.seat ? title : [seatName(seat, table.names, table.lang), title].join(table.words.comma)
}

/** Set counts as style variables: a sheet can't count, a strict page has no style attributes. */
function arrange(root, fresh) {
  for (const zone of root.querySelectorAll('[data-zone]')) {
    if (!fresh.has(zone.dataset.zone)) continue
    if (zone.dataset.columns) put(zone, '--columns', zone.dataset.columns)
    for (const label of zone.querySelectorAll('.label[data-width]')) put(label, '--width', label.dataset.width)
    if (!zone.matches('.zone-hand, .zone-pile')) continue
    for (const list of zone.querySelectorAll(':scope > .pieces')) {
      put(list, '--n', String(list.children.length))
      for (let at = 0; at < list.children.length; at += 1) put(list.children[at], '--i', String(at))
    }
  }
}

/** Set a style variable if it differs. */
function put(element, name, value) {
  if (element.style.getPropertyValue(name) !== value) element.style.setProperty(name, value)
}

/** Give the focus to the thing again if it became another element by being lit or not. */
function keepFocus(root, id) {
  const now = elementOf(root, id)
  if (now && !root.contains(root.ownerDocument.activeElement)) now.focus({ preventScroll: true })
}
