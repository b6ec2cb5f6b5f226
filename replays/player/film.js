// A film in a page: puts scenes together again, and answers questions about them.

import { inOwnTime } from '../table/table.js'

/** A film. `told` is the answer of `GET /api/matches/{id}/film`; `more` are its further parts, in order. */
export class Film {
  constructor(told, more = [], lang = 'en') {
    this.parts = [told, ...more].map(part => new Part(part.reel))
    this.frames = this.parts.flatMap(part => part.frames)
    for (const frame of this.frames) frame.text = inOwnTime(frame.text, lang)
    this.names = told.names
    this.thoughts = told.thoughts
    this.forks = told.forks ?? []
    this.head = this.frames.length
    this.isOver = told.status === 'finished' || told.status === 'aborted'
    this.chapters = this.frames.filter(frame => frame.chapter).map(frame => ({ version: frame.version, title: frame.chapter }))
    this.stops = {
      event: this.frames.map(frame => frame.version),
      move: this.frames.filter((frame, i) => i === this.head - 1 || this.frames[i + 1].moves !== frame.moves).map(frame => frame.version),
    }
  }

  /** Return the frame of a version. */
  at(version) {
    return this.frames[version - 1]
  }

  /** Return whether the list of events can do without this one. */
  isAside(version) {
    return Boolean(this.at(version).aside)
  }

  /** Return the last version up to this one whose event is in the list. */
  listed(version) {
    let found = version
    while (found > 1 && this.isAside(found)) found -= 1
    return found
  }

  /** Return the version whose event is told at this one: a deadline is not, but a move is, before the event that tells it. */
  spoken(version) {
    return this.at(version).moves === this.at(this.listed(version)).moves ? this.listed(version) : version
  }

  /** Return the scene after a version; null if there was no table yet. While the table stays, it is the same object. */
  scene(version) {
    const frame = this.at(version)
    return frame.scene === null ? null : frame.part.scene(frame.scene)
  }

  /** Return the last stop before a version, or else the first one. */
  before(version, by) {
    return this.stops[by].findLast(stop => stop < version) ?? 1
  }

  /** Return the first stop after a version, or else the last one. */
  after(version, by) {
    return this.stops[by].find(stop => stop > version) ?? this.head
  }

  /** Return the chapter of a version; null before the first one. */
  chapter(version) {
    return this.chapters.findLast(one => one.version <= version) ?? null
  }

  /** Return the version at which the thing with this id came to its place; this version if there is none. */
  came(id, version) {
    const like = this.look(id, version)
    if (like === null) return version
    let found = version
    for (let one = version - 1; one >= 1 && this.look(id, one) === like; one--) found = one
    return found
  }

  /** Return a text for the thing at an id, which stays the same while it is the same thing. */
  look(id, version) {
    const frame = this.at(version)
    return frame.scene === null ? null : frame.part.look(id, frame.scene)
  }

  /** Return the points by seat at each version where they change: [version, {seat: points}]. */
  points() {
    const found = []
    let last = ''
    for (const frame of this.frames) {
      if (frame.scene === null) continue
      const scores = this.scene(frame.version).scores
      const now = JSON.stringify(scores.map(one => one.value))
      if (scores.length && now !== last) found.push([frame.version, new Map(scores.map(one => [one.seat, one.value]))])
      last = now
    }
    return found
  }
}

/** The lists of a part's distinct values, and the scenes that were put together from them. */
class Part {
  constructor(reel) {
    this.reel = reel
    this.scenes = new Map()
    this.zones = new Map()
    this.looks = new Map()
    this.frames = reel.frames.map(frame => ({ ...frame, part: this }))
  }

  scene(place) {
    if (!this.scenes.has(place)) {
      const { line, turn, zones, scores } = this.reel.scenes[place]
      this.scenes.set(place, { line, turn, scores, zones: zones.map(one => this.zone(one)), buttons: [] })
    }
    return this.scenes.get(place)
  }

  zone(place) {
    if (!this.zones.has(place)) {
      const zone = this.reel.zones[place]
      this.zones.set(place, { ...zone, pieces: zone.pieces.map(one => this.reel.pieces[one]) })
    }
    return this.zones.get(place)
  }

  look(id, place) {
    if (!this.looks.has(place)) {
      const found = new Map()
      for (const zone of this.scene(place).zones) {
        for (const piece of zone.pieces) {
          found.set(piece.id, lookOf(piece))
          for (const one of piece.on ?? []) found.set(one.id, lookOf(one))
        }
      }
      this.looks.set(place, found)
    }
    return this.looks.get(place).get(id) ?? null
  }
}

const lookOf = piece => [piece.kind, piece.label, piece.title, piece.tone, piece.count ?? 1, piece.face ?? 'up'].join('\n')
