// @ts-check
// Keys and touches on the page of a table, besides those that the table handles itself.

import { touchedAt } from './table/draw.js'
import { leadIn } from './table/table.js'
import { at } from './write.js'

/** Handle them for the page: see table-page.js. */
export function heed(page) {
  document.addEventListener('keydown', event => pressed(page, event), true)
  document.addEventListener('pointerdown', () => (page.wasKey = false), true)
  document.addEventListener('focusin', event => (page.isWithin = page.root.contains(event.target)))
  page.root.addEventListener('click', event => touchedInVain(page, event), true)
  at('list').addEventListener('toggle', () => page.hand.drawList())
  at('moves').addEventListener('submit', event => event.preventDefault())
  for (const one of [page.hand.element, at('skip')]) one.addEventListener('click', event => acted(page, event.target.closest('button')?.dataset.do))
  at('notify').addEventListener('click', async () => (at('notified').textContent = await page.attention.allow()))
  document.addEventListener('click', event => copied(page, event.target))
}

/** Copy the link to the table when it is touched. */
async function copied(page, field) {
  if (!field.matches('input.copied')) return
  field.select()
  const isDone = await navigator.clipboard?.writeText(field.value).then(() => true, () => false)
  if (isDone) page.onWrong(page.words.copied, true)
}

function acted({ play, table }, what) {
  if (what === 'undo') play.undo()
  if (what === 'send') play.send()
  if (what === 'skip') table.skip()
}

function pressed(page, event) {
  page.wasKey = true
  const isWithin = page.root.contains(event.target)
  if (event.key === 'Enter' && event.repeat && isWithin) return event.preventDefault()
  if (isWithin || event.target.matches('input, textarea, select')) return
  if (page.wishes.areKeysEverywhere && leadIn(page.root, event)) return event.preventDefault()
  if (event.key === 'Escape' && page.play.back()) event.preventDefault()
}

/** Say why a thing is not lit, if it is the reader's turn. */
async function touchedInVain(page, event) {
  const id = event.target.closest('[data-id]')?.dataset.id
  // while pieces move, things are not lit that can be touched
  if (!id || !page.play.hand || touchedAt(event.target) !== null || new Set(page.table.options.lit).has(id)) return
  const refusal = await page.play.explain(id).catch(() => null)
  if (refusal) page.hand.tell(id, refusal)
}
