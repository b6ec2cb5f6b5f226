// @ts-check
// The replay page: the film is fetched, the player plays it, and the address says where the reader is.

import { held } from './evidence.js'
import { guessing } from './guess.js'
import { openNotes } from './notes.js'
import { make } from './player/dom.js'
import { judge, openPlayer, speaker } from './player/player.js'
import { wearPalette } from './table/table.js'
import { whatIf } from './what-if.js'
import { at } from './write.js'

const data = JSON.parse(at('data').textContent ?? '')
const say = speaker(data.words)
const root = at('player')
const path = `/api/matches/${encodeURIComponent(data.match)}`
/** @type {ReturnType<typeof setTimeout> | undefined} */
let keeping

/** Return the API's answer. Throws an error with its sentence if it is a problem, and with none if there is no answer. */
async function ask(address, query = {}) {
  const said = new URLSearchParams({ lang: data.lang, ...query, ...(data.link ? { link: data.link } : {}) })
  // what a browser or a proxy says is not in the reader's words
  const answer = await fetch(`${address}?${said}`, { headers: { Accept: 'application/json' } }).catch(() => { throw new Error() })
  if (!answer.ok) throw new Error((await answer.json().catch(() => ({}))).detail ?? '')
  return answer
}

/** Return the film's parts, as somebody saw it. */
async function load(eyes) {
  const whose = eyes === 'nobody' ? { nobody: true } : /^\d+$/.test(eyes) ? { seat: eyes } : {}
  const parts = []
  for (let after = 0; after !== null; after = parts.at(-1).next) {
    parts.push(await (await ask(`${path}/film`, { ...whose, after })).json())
  }
  return parts
}

/** Return the address of a moment, which can be read without a script. */
function address(version, eyes) {
  const said = new URLSearchParams({ at: version, ...(eyes === data.eyes[0] ? {} : { eyes }), ...(data.link ? { link: data.link } : {}) })
  return `${location.origin}${location.pathname}?${said}`
}

const AGAIN = /^(\d+)\.(\d+)$/
/** A decision to make again, in an address: the seat, and the version at which it was asked. */

/** The one in this page's address, which stays as it is until the decision was made, or is not found. */
let again = document.getElementById('guess') && AGAIN.exec(new URLSearchParams(location.search).get('again') ?? '')

/** Return what a review says of a move that is tried, and the touches of the best one. `decision`: the review's. */
function weighed(decision, asked, move) {
  const of = id => decision.moves.find(one => one.move === id)
  const [mine, best, then] = [of(move.id), decision.moves[0], of(decision.move)]
  const points = one => Math.round(100 * one.share)
  // what no percentage shows is not called better
  const less = mine && points(mine) < points(best) ? mine === then ? 'again-same' : 'again-less' : 'again-near'
  // a move that seems to be better, but not surely, is not the best
  const name = mine ? mine === best ? 'again-best' : mine.behind > 0 ? less : 'again-near' : 'again-other'
  const text = say(name, { mine: move.text, share: mine ? points(mine) : 0, best: best.text, most: points(best), played: then.text, then: points(then) })
  return { text, touches: asked.moves.find(one => one.id === best.move)?.touches ?? [] }
}

/** @type {(version: number) => void} */
let noted = () => {}

/** A moment is shown: write its address, after a pause, since browsers don't allow very many changes. */
function moved(version, film, eyes) {
  noted(version)
  /** @type {any} */
  const form = document.querySelector('#fork')
  if (form) {
    form.elements.version.value = version
    form.querySelector('button').disabled = !film.forks.some(one => one <= version)
  }
  clearTimeout(keeping)
  if (!again) keeping = setTimeout(() => history.replaceState(null, '', address(version, eyes)), 250)
}

async function check(player, button) {
  const box = at('verdict')
  // the button can't be pressed any more, so the focus moves to the result
  box.tabIndex = -1
  box.focus({ preventScroll: true })
  button.disabled = true
  box.textContent = say('checking')
  const [{ verify }, exported, published, had] = await Promise.all([
    import('./verify.mjs'),
    ask(`${path}/export`).then(answer => answer.arrayBuffer()).then(bytes => new Uint8Array(bytes)),
    ask('/api/keys').then(answer => answer.json()),
    held(data.match).catch(() => []),
  ])
  // until the match is over, receipts for private logs are left out: another player of this browser may hold them
  const own = had.filter(one => data.result || !one.stream?.includes('/'))
  await judge(box, { verify, exported, published: published.keys, held: own, say, go: version => player.go(version), match: data.match, head: data.head })
  button.hidden = true
}

async function begin() {
  wearPalette(document, data.game)
  const player = await openPlayer(root, { ...data, load, address, onMove: moved })
  const button = /** @type {HTMLButtonElement} */ (at('judge'))
  button.addEventListener('click', () => check(player, button).catch(() => {
    button.disabled = false
    at('verdict').textContent = data.words.broken
  }))
  noted = openNotes(data.match, version => player.go(version))
  noted(player.version)
  if (document.getElementById('guess')) {
    // one is ended before the other begins: both hide the replay
    const showForms = isShown => ['guess', 'if'].forEach(id => (at(id).hidden = !isShown))
    const shared = {
      game: data.game, lang: data.lang, words: data.words, names: player.film.names,
      onBegin: () => {
        player.play(false)
        clearTimeout(keeping)
        root.hidden = true
        showForms(false)
      },
      onEnd: version => {
        root.hidden = false
        showForms(true)
        player.go(version)
      },
    }
    /** @type {any} */
    let reviewed = null
    const guess = guessing({
      ...shared,
      next: async (seat, after) => (await (await ask(`${path}/choice`, { seat, after })).json()).choice,
      judge: (asked, move) => reviewed && weighed(reviewed, asked, move),
      onEnd: version => {
        reviewed = again = null
        shared.onEnd(version)
      },
    })
    if (again) {
      const [seat, asked] = again.slice(1).map(Number)
      const found = await ask(`${path}/reviews/${seat}`).then(answer => answer.json()).catch(() => null)
      reviewed = found?.decisions.find(one => one.version === asked) ?? null
      if (reviewed) guess(seat, asked)
      else again = null
    }
    whatIf({
      ...shared,
      look: async ({ seat, after, moves }) => (await ask(`${path}/what-if`, { seat, after, moves: moves.join(',') })).json(),
      now: () => player.version,
      addressOf: ({ seat, after, moves }) => `${address(after, data.eyes[0])}&if=${seat}.${after}.${moves.join(',')}`,
    })
  }
  document.documentElement.dataset.ready = 'true'
}

begin().catch(error => {
  root.prepend(make('p', { class: 'wrong', role: 'alert' }, data.words.broken))
  throw error
})
