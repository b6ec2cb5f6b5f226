// @ts-check
// Draws the figures of a page: scenes that are given as JSON in it, to be looked at and not to be touched. A figure is
// drawn when it comes near the screen, so that a long page of them costs nothing that nobody sees.

import { openTable, wearPalette } from './table/table.js'

const told = document.getElementById('data')
const { game, figures } = told ? JSON.parse(told.textContent) : {}
const lang = document.documentElement.lang

function draw(place) {
  const figure = figures[place.dataset.figure]
  if (!figure) return
  const root = document.createElement('div')
  place.replaceChildren(root)
  openTable(root, { game, seat: figure.seat, lang, pace: 0 }).jump(figure.scene)
  // several tables on a page: each is called by what stands below it, and none is a place of its own to go to
  root.setAttribute('role', 'group')
  root.setAttribute('aria-label', place.closest('figure').querySelector('figcaption').textContent)
  place.classList.add('done')
}

if (figures) {
  wearPalette(document, game)
  const near = new IntersectionObserver(
    found => {
      for (const one of found) {
        if (!one.isIntersecting) continue
        near.unobserve(one.target)
        draw(one.target)
      }
    },
    { rootMargin: '600px' },
  )
  for (const place of document.querySelectorAll('[data-figure]')) near.observe(place)
}
