// From touches to moves. A move is a path of ids; a hand goes along it touch by touch. Nothing here knows a page.

import { alikeOf } from './scene.js'

/** A hand that has touched nothing yet. `moves` are {touches, …} as the service lists them, whatever else they have. */
export function begin(moves, scene) {
  return { moves, alike: alikeOf(scene), path: [], touched: [] }
}

/** The moves that can still be made from here. */
export function possible(hand) {
  return hand.moves.filter(move => begins(move.touches, hand.path))
}

/** The move that was made, once the path is whole; null before. */
export function made(hand) {
  return hand.path.length ? possible(hand).find(move => move.touches.length === hand.path.length) ?? null : null
}

/** The ids to be lit: the next ones of every possible move, and what lies beside them and looks the same. */
export function lit(hand) {
  const ids = new Set()
  for (const id of nextOf(hand)) for (const one of aroundOf(hand, id)) ids.add(one)
  return ids
}

/** The ids that were touched, for drawing them as chosen. */
export function chosen(hand) {
  return new Set(hand.touched)
}

/**
 * The hand after a touch. On what is lit it goes on; on what was touched last it takes that back; on anything else it is
 * the same hand as before: `===` tells that nothing was meant by it here.
 */
export function touch(hand, id) {
  const next = meantBy(hand, id)
  if (next !== null) return { ...hand, path: [...hand.path, next], touched: [...hand.touched, id] }
  return hand.touched.at(-1) === id ? back(hand) : hand
}

/** The hand before its last touch. */
export function back(hand) {
  if (!hand.path.length) return hand
  return { ...hand, path: hand.path.slice(0, -1), touched: hand.touched.slice(0, -1) }
}

/** The hand that has touched nothing. */
export function cancel(hand) {
  return hand.path.length ? { ...hand, path: [], touched: [] } : hand
}

function begins(touches, path) {
  return path.length <= touches.length && path.every((id, at) => touches[at] === id)
}

function nextOf(hand) {
  const at = hand.path.length
  return [...new Set(possible(hand).filter(move => move.touches.length > at).map(move => move.touches[at]))]
}

/**
 * What may be touched for an id: itself and what looks the same beside it, but for what has been touched already; for an
 * id that the path has named before, what was touched for it then.
 */
function aroundOf(hand, id) {
  const before = hand.path.indexOf(id)
  if (before >= 0) return [hand.touched[before]]
  const free = (hand.alike.get(id) ?? [id]).filter(one => !hand.touched.includes(one))
  return free.length ? free : [id]
}

function meantBy(hand, id) {
  const next = nextOf(hand)
  if (next.includes(id) && aroundOf(hand, id).includes(id)) return id
  return next.find(one => aroundOf(hand, one).includes(id)) ?? null
}
