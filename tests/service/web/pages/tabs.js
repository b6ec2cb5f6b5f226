// What tests of tables run in the page.
/* global heads:writable, written */
({
  // something that is lit, by chance, or what confirms what is asked: brought into sight, and where a finger meets it
  lit: draw => {
    if (document.documentElement.dataset.state === 'over') return { isOver: true }
    const table = document.querySelector('#table')
    const asked = table.querySelector('.confirm')
    // a finger that came as the light went out has opened this, and it may hide whatever is lit now
    const details = table.querySelector('.details:not([hidden], .passing) .details-close')
    const all = 'button.face, .zone-touch, .buttons .lit:not(:disabled), .choices button'
    const lit = details ? [details] : asked ? [asked] : [...table.querySelectorAll(all)].filter(one => !one.closest('.chosen') && one.getClientRects().length)
    if (!lit.length) return {}
    const one = lit[Math.floor(draw * lit.length)]
    one.scrollIntoView({ block: 'center', inline: 'center' })
    const bar = one.closest('.actions') ? null : table.querySelector('.actions')?.getBoundingClientRect()
    const there = one.getBoundingClientRect()
    // where the bar with the choices takes more than half of the screen people scroll on, until it is not over it
    if (bar && there.bottom > bar.top) scrollBy({ top: (there.top + there.bottom - bar.top) / 2, behavior: 'instant' })
    const box = one.getBoundingClientRect()
    const within = one.closest('[data-piece], [data-zone]') ?? one
    const over = new Set()
    for (const part of [[.5, .5], [.2, .2], [.8, .2], [.2, .8], [.8, .8], [.5, .1], [.5, .9], [.1, .5], [.9, .5]]) {
      const [x, y] = [box.x + box.width * part[0], box.y + box.height * part[1]]
      const hit = document.elementFromPoint(x, y)
      if (hit && within.contains(hit)) return { x, y, said: one === asked && table.querySelector('.asked').textContent }
      over.add(hit?.outerHTML.slice(0, 200))
    }
    return { covered: one.outerHTML.slice(0, 200), by: [...over] }
  },

  // notes what is written anywhere on the page while things are on their way
  watchFlights: () => {
    const flying = new Set()
    Object.assign(window, { written: [], flown: 0 })
    const animate = Element.prototype.animate
    Element.prototype.animate = function (...how) {
      const one = animate.apply(this, how)
      const end = () => flying.delete(one)
      one.finished.then(end, end)
      one.ready.then(() => { window.flown += 1; flying.add(one) }, () => {})
      return one
    }
    const nameOf = ({ id, className, data }) => id || className || data
    const name = one => `${one.type} ${one.attributeName ?? ''} ${nameOf(one.target)}`
    new MutationObserver(found => flying.size && written.push(...found.map(name)))
      .observe(document, { attributes: true, childList: true, characterData: true, subtree: true })
  },

  // notes from now on how high the table's head is while the match is played
  watchHead: () => {
    const state = document.getElementById('state'), head = state.parentElement
    window.heads = []
    const note = () => {
      if (document.documentElement.dataset.state === 'live' && head.matches('.playing')) heads.push(head.offsetHeight)
      heads = [...new Set(heads)]
    }
    note()
    new MutationObserver(note).observe(head, { childList: true, subtree: true, attributes: true })
  },
})
