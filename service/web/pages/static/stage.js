// The table on the first page: a match as it goes on, by its stream; or where none does, some steps of one, over and over.
// It can be stopped, and stands still by itself where nobody looks, or where less movement is wanted.

import { openTable, prefersStill, wearPalette } from './table/table.js'

const STEP = 1800
const PAUSE = 5000
/** Milliseconds between two steps of a film, and at its end. */

const told = JSON.parse(document.getElementById('data').textContent)
const place = document.getElementById('stage')
const button = document.getElementById('pause')
const root = document.createElement('div')
place.replaceChildren(root)
wearPalette(document, told.game.slug, told.game.palette)
// whoever looks is nobody at this table, and still sits somewhere
const lang = document.documentElement.lang
const table = openTable(root, { game: told.game, seat: null, turned: told.seat, names: told.names, lang })
table.jump(told.scene)
place.classList.add('done')

/** Follows a match from the version that is known. */
function follow() {
  let source = null
  let version = told.version
  const stop = () => {
    source?.close()
    source = null
  }
  return {
    go() {
      if (source) return
      const query = `scenes=true&texts=false&lang=${lang}&after=${version}`
      source = new EventSource(`/api/matches/${told.match}/events?${query}`)
      source.onmessage = message => {
        const event = JSON.parse(message.data)
        version = event.version
        if (event.scene) table.show(event.scene)
      }
      source.addEventListener('end', stop)
    },
    stop,
  }
}

/** Shows the steps of a film, and begins anew. */
function play() {
  let scenes = null
  let timer = 0
  let at = 0
  const step = () => {
    at = (at + 1) % scenes.length
    if (at) table.show(scenes[at])
    else table.jump(scenes[0])
    timer = setTimeout(step, at === scenes.length - 1 ? PAUSE : STEP)
  }
  return {
    async go() {
      clearTimeout(timer)
      scenes ??= await (await fetch(told.film)).json()
      clearTimeout(timer)
      timer = setTimeout(step, STEP)
    },
    stop: () => clearTimeout(timer),
  }
}

const stage = told.match ? follow() : play()
let isWanted = !prefersStill(root)
let isSeen = false
const settle = () => (isWanted && isSeen && !document.hidden ? stage.go() : stage.stop())
const words = [button.textContent, button.dataset.go]
const label = () => {
  button.textContent = words[isWanted ? 0 : 1]
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
  isSeen = found.at(-1).isIntersecting
  settle()
}).observe(place)
