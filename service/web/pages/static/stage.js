// @ts-check
// The table on the first page: a running match, by its stream; if there is none, some steps of a match, over and over.
// It can be stopped, and stands still by itself if nobody looks, or if the reader wants less movement.

import { follow } from './follow.js'
import { at } from './write.js'
import { openTable, prefersStill, wearPalette } from './table/table.js'

const STEP = 1800
const PAUSE = 5000
/** Milliseconds between two steps of a film, and at its end. */

const told = JSON.parse(at('data').textContent ?? '')
const place = at('stage')
const button = at('pause')
const root = document.createElement('div')
place.replaceChildren(root)
wearPalette(document, told.game)
// the reader has no seat, but sees the table from one; nothing is told, since it goes on and on
const lang = document.documentElement.lang
const table = openTable(root, { game: told.game, seat: null, turned: told.seat, names: told.names, areNamed: true, told: '', lang })
table.jump(told.scene)
place.classList.add('done')

/** Follow the match from the version that was drawn last. */
function live() {
  /** @type {ReturnType<typeof follow> | null} */
  let following = null
  let version = told.version
  const address = after => `/api/matches/${told.match}/events?scenes=true&texts=false&lang=${lang}&after=${after}`
  return {
    go() {
      following ??= follow(address, version, {
        rests: true,
        onEvent: event => {
          version = event.version
          if (event.scene) table.show(event.scene)
        },
      })
    },
    stop() {
      following?.close()
      following = null
    },
  }
}

/** Show the steps of a film, over and over. */
function play() {
  /** @type {any} */
  let scenes = null
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer
  let step = 0
  const next = () => {
    step = (step + 1) % scenes.length
    if (step) table.show(scenes[step])
    else table.jump(scenes[0])
    timer = setTimeout(next, step === scenes.length - 1 ? PAUSE : STEP)
  }
  return {
    async go() {
      clearTimeout(timer)
      scenes ??= await (await fetch(told.film)).json()
      clearTimeout(timer)
      timer = setTimeout(next, STEP)
    },
    stop: () => clearTimeout(timer),
  }
}

const stage = told.match ? live() : play()
let isWanted = !prefersStill(root)
let isSeen = false
const settle = () => (isWanted && isSeen && !document.hidden ? stage.go() : stage.stop())
const words = [button.textContent, button.dataset.go ?? '']
const label = () => {
  button.textContent = words[isWanted ? 0 : 1] ?? ''
}

button.hidden = false
label()
button.addEventListener('click', () => {
  isWanted = !isWanted
  label()
  settle()
})
document.addEventListener('visibilitychange', settle)
addEventListener('pagehide', () => stage.stop())
new IntersectionObserver(found => {
  isSeen = Boolean(found.at(-1)?.isIntersecting)
  settle()
}).observe(place)
