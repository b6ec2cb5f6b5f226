// Finds what went where between two scenes. An id is a place, so a thing that moved is missing at one id and new at another;
// things that look alike are taken for the same thing, each only once. Nothing here knows a page.

import { piecesOf, seatOf } from './scene.js'

const STILL = new Set(['space', 'sheet'])
/** The kinds that never travel: places and boards. */
const SHIFTING = new Set(['card', 'tile', 'pawn'])
/** The kinds in rows that close gaps. Of all others, what has the same id in both scenes is the same thing. */
const PLAIN = new Set(['chip', 'token', 'stone', 'pawn'])
/** The kinds without names of their own: their titles depend on where they lie. */

/**
 * Return what changed from one scene to the next:
 * `flights` {from, to, count, turned, stacked}: ids; `turned` if a face was shown or hidden on the way, `stacked` if the
 * place at `to` had some of it before; `turns`: ids of things that were turned over in place; `fresh`: ids of things that
 * came from nowhere; `gone`: ids in the earlier scene of things that disappeared; `counted`: ids whose number changed;
 * `changed`: ids of things with other texts.
 */
export function matched(before, after) {
  const still = sameOf(before, after)
  const earlier = placesOf(before, still)
  const later = placesOf(after, still)
  const sources = unitsOf(earlier, later)
  const targets = unitsOf(later, earlier)
  const flights = []
  const turns = []
  const take = (source, target, turned) => {
    const count = Math.min(source.left, target.left)
    source.left -= count
    target.left -= count
    flights.push({ from: source.id, to: target.id, count, turned, stacked: target.stays })
  }
  pair(sources, targets, (a, b) => a.body === b.body && a.zone === b.zone, take)
  pair(sources, targets, (a, b) => a.body === b.body, take)
  for (const target of targets) {
    const source = target.left && sources.find(one => one.id === target.id)
    if (!source?.left || source.piece.kind !== target.piece.kind || !isTurned(source, target)) continue
    source.left = target.left = 0
    turns.push(target.id)
  }
  pair(sources, targets, (a, b) => a.piece.kind === b.piece.kind && isTurned(a, b) && a.seat === b.seat, take, true)
  pair(sources, targets, (a, b) => a.piece.kind === b.piece.kind && isTurned(a, b), take, true)
  const counted = [...later].filter(([id, place]) => earlier.has(id) && countOf(earlier.get(id)) !== countOf(place))
  return {
    flights,
    turns,
    fresh: targets.filter(one => one.left && !one.stays).map(one => one.id),
    gone: sources.filter(one => one.left && !one.stays && !later.has(one.id)).map(one => one.id),
    counted: counted.map(([id]) => id),
    changed: [...later].filter(([id, place]) => isSame(place, earlier.get(id)) && bodyOf(earlier.get(id).piece) !== bodyOf(place.piece)).map(([id]) => id),
  }
}

/** Return the seats whose scores differ. */
export function scored(before, after) {
  const was = new Map((before.scores ?? []).map(one => [one.seat, one.value]))
  return (after.scores ?? []).filter(one => was.has(one.seat) && was.get(one.seat) !== one.value).map(one => one.seat)
}

function pair(sources, targets, fits, take, turned = false) {
  for (const target of targets) {
    for (const source of sources) {
      if (!target.left) break
      if (source.left && fits(source, target)) take(source, target, turned)
    }
  }
}

/** Return the zones without any change: nothing came, and nothing left. */
function sameOf(before, after) {
  const was = new Map(before.zones.map(zone => [zone.id, JSON.stringify(zone)]))
  return new Set(after.zones.filter(zone => was.get(zone.id) === JSON.stringify(zone)).map(zone => zone.id))
}

function placesOf(scene, still) {
  const places = new Map()
  for (const place of piecesOf({ zones: scene.zones.filter(zone => !still.has(zone.id)) })) places.set(place.piece.id, place)
  return places
}

/** Return the things that are at a place in one scene and not in the other, as many as there are more here. */
function unitsOf(here, there) {
  const units = []
  for (const [id, place] of here) {
    if (STILL.has(place.piece.kind)) continue
    const other = there.get(id)
    const stays = isSame(place, other)
    const left = stays ? countOf(place) - countOf(other) : countOf(place)
    if (left > 0) {
      units.push({ id, left, stays, piece: place.piece, body: bodyOf(place.piece), zone: place.zone.id, seat: seatOf(place.zone) })
    }
  }
  return units
}

function isSame(place, other) {
  if (other?.piece.kind !== place.piece.kind) return false
  return !SHIFTING.has(place.piece.kind) || bodyOf(other.piece) === bodyOf(place.piece)
}

function countOf(place) {
  return place.piece.count ?? 1
}

/** Return a text of what stays the same of a thing wherever it goes. */
function bodyOf(piece) {
  return JSON.stringify([piece.kind, piece.tone ?? '', piece.label || (PLAIN.has(piece.kind) ? '' : piece.title), piece.face ?? 'up'])
}

function isTurned(source, target) {
  return (source.piece.face ?? 'up') !== (target.piece.face ?? 'up')
}
