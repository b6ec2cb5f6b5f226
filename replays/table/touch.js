// Turns touches into moves. A move is a path of ids; a hand follows it touch by touch. Nothing here knows a page.

import { alikeOf } from './scene.js'

const FEW = 5
/** The most moves that are offered in words. */

/** Return a hand that has touched nothing. `moves` are {touches, ways, …} as the service lists them. */
export function begin(moves, scene) {
  const paths = moves.flatMap(move => [move.touches, ...move.ways ?? []].map(touches => ({ touches, move })))
  return { moves, paths, alike: alikeOf(scene), path: [], touched: [] }
}

/** Return the moves that are still possible. */
export function possible(hand) {
  return [...new Set(left(hand).map(one => one.move))]
}

function left({ paths, path }) {
  return paths.filter(({ touches }) => path.every((id, at) => touches[at] === id))
}

/** Return the move if its path is complete; else null. */
export function made(hand) {
  return hand.path.length ? left(hand).find(one => one.touches.length === hand.path.length)?.move ?? null : null
}

/**
 * Return what to offer beside the table: {moves, ids}, the moves that are left if they are few enough to be said in words,
 * else the ids to touch next.
 */
export function offered(hand) {
  const moves = possible(hand)
  return moves.length <= FEW ? { moves, ids: [] } : { moves: [], ids: nextOf(hand) }
}

/** Return the ids to light: the next ones of every possible move, and those beside them that look the same. */
export function lit(hand) {
  const ids = new Set()
  for (const id of nextOf(hand)) for (const one of aroundOf(hand, id)) ids.add(one)
  return ids
}

/** Return the ids that were touched, to draw them as chosen. */
export function chosen(hand) {
  return new Set(hand.touched)
}

/**
 * Return the hand after a touch. A lit thing continues the path; the thing touched last is taken back; for anything else the
 * very same hand is returned, so that `===` shows that the touch meant nothing.
 */
export function touch(hand, id) {
  const next = meantBy(hand, id)
  if (next !== null) return { ...hand, path: [...hand.path, next], touched: [...hand.touched, id] }
  return hand.touched.at(-1) === id ? back(hand) : hand
}

/** Return the hand before its last touch. */
export function back(hand) {
  if (!hand.path.length) return hand
  return { ...hand, path: hand.path.slice(0, -1), touched: hand.touched.slice(0, -1) }
}

/** Return the hand with all touches taken back. */
export function cancel(hand) {
  return hand.path.length ? { ...hand, path: [], touched: [] } : hand
}

function nextOf(hand) {
  const at = hand.path.length
  return [...new Set(left(hand).flatMap(one => one.touches[at] ?? []))]
}

/**
 * Return the ids that may be touched for an id: itself and those beside it that look the same, without those touched already;
 * for an id that was in the path before, the thing that was touched for it then.
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
