// @ts-check
// A table that is only watched: it is drawn as it stands, and follows the match.

import { follow } from './follow.js'
import { at } from './write.js'
import { inOwnTime, openTable, wearPalette } from './table/table.js'

const data = JSON.parse(at('data').textContent ?? '')
const said = at('said')
const place = at('table')
const { game, lang, names } = data
/** @type {any} */
let table = null

function show(scene) {
  if (!table) {
    place.replaceChildren()
    table = openTable(place, { game, lang, names, areNamed: true })
  }
  // nothing can be said here
  table.show({ ...scene, buttons: [] })
}

wearPalette(document, game)
if (data.scene) show(data.scene)
document.documentElement.dataset.ready = 'true'

const address = after => `/api/matches/${encodeURIComponent(data.match)}/events?${new URLSearchParams({
  lang, scenes: 'true', after, ...(data.link ? { link: data.link } : {}),
})}`

follow(address, data.version, {
  rests: true,
  onEvent(event) {
    if (!event.aside) said.textContent = inOwnTime(event.text ?? '', lang)
    if (event.scene) show(event.scene)
  },
  // without the cookie: the page shows only what anybody may see
  credentials: 'omit',
})
