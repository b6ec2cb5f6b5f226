// Reads a scene: its things by id, and which of them look alike. Scenes are those of domain/scene.py, as JSON.

/** Yield every piece with its zone and the piece that it lies on, in reading order. */
export function* piecesOf(scene) {
  for (const zone of scene.zones) yield* within(zone, zone.pieces, null)
}

function* within(zone, pieces, under) {
  for (const piece of pieces) {
    yield { piece, zone, under }
    if (piece.on?.length) yield* within(zone, piece.on, piece)
  }
}

/** Return a map from id to {piece, zone, under}, {zone} or {button}. */
export function indexOf(scene) {
  const index = new Map()
  for (const zone of scene.zones) index.set(zone.id, { zone })
  for (const place of piecesOf(scene)) index.set(place.piece.id, place)
  for (const button of scene.buttons ?? []) index.set(button.id, { button })
  return index
}

/** Return the seat of a zone, or null. */
export function seatOf(zone) {
  const seat = Array.isArray(zone.seat) ? zone.seat[0] : zone.seat
  return seat ?? null
}

/** Return the seats of a scene, each with its zones, in the scene's order. */
export function seatsOf(scene) {
  const seats = new Map()
  for (const zone of scene.zones) {
    const seat = seatOf(zone)
    if (seat === null) continue
    if (!seats.has(seat)) seats.set(seat, [])
    seats.get(seat).push(zone)
  }
  return seats
}

/** Return a text for everything visible of a piece but its count: pieces with the same text look the same. */
export function lookOf(piece) {
  return JSON.stringify([
    piece.kind, piece.label, piece.title, piece.tone ?? '', piece.face ?? 'up',
    (piece.facts ?? []).map(one => [one.title, one.value]),
    (piece.marks ?? []).map(one => [one.look, one.title]),
    (piece.on ?? []).map(one => [lookOf(one), one.count ?? 1]),
  ])
}

/** Return a map from id to the ids beside it that look the same, itself included: any of them may be touched. */
export function alikeOf(scene) {
  const groups = new Map()
  const alike = new Map()
  for (const { piece, zone, under } of piecesOf(scene)) {
    const key = `${under?.id ?? zone.id} ${piece.count ?? 1} ${lookOf(piece)}`
    if (!groups.has(key)) groups.set(key, [])
    groups.get(key).push(piece.id)
    alike.set(piece.id, groups.get(key))
  }
  return alike
}
