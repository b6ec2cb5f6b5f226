// What tests ask of a page in sight, and run in it: whether it is drawn, and what is wrong with it.
/* global axe, shifts, shifting */
({
  // whether everything is drawn: the table, and the figures in a text, which are when they come into sight
  isDrawn: () => {
    const root = document.documentElement
    if (document.getElementById('table') && ['connecting', 'loading'].includes(root.dataset.state)) return false
    const player = document.getElementById('player')
    if (player && !player.dataset.version) return false
    const data = document.getElementById('data')
    const told = data ? JSON.parse(data.textContent) : {}
    if (told?.scene && !document.querySelector('[data-piece], [data-zone], .zone')) return false
    const figures = [...document.querySelectorAll('[data-figure]')]
    return document.fonts.status === 'loaded' && figures.every(one => one.matches('.done'))
  },

  // scrolls through the page and back, as a reader does; `left` is when it began
  lookThrough: async () => {
    window.left = performance.now()
    const frame = () => new Promise(next => requestAnimationFrame(() => setTimeout(next, 15)))
    for (let y = 0; y < document.documentElement.scrollHeight; y += innerHeight) {
      scrollTo(0, y)
      await frame()
    }
    scrollTo(0, 0)
    await frame()
  },

  // what is wider than the screen, after how wide the page is
  'too wide': () => {
    const wide = document.documentElement.clientWidth
    if (document.scrollingElement.scrollWidth <= wide) return []
    const named = one => `${one.tagName.toLowerCase()}${one.id && '#' + one.id}.${[...one.classList].join('.')}`
    const out = [...document.body.querySelectorAll('*')].filter(one => one.getBoundingClientRect().right > wide + 1)
    return [document.scrollingElement.scrollWidth, ...out.slice(0, 8).map(named)]
  },

  // texts whose letters are lower than so many pixels
  'too small': least => {
    const found = new Set(), walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    while (walker.nextNode()) {
      const one = walker.currentNode.parentElement
      if (!walker.currentNode.data.trim() || one.closest('script, style, noscript, svg')) continue
      const box = one.getBoundingClientRect(), style = getComputedStyle(one)
      if (box.width < 2 || box.height < 2 || style.visibility === 'hidden') continue
      // where a table is drawn smaller as a whole, so are its letters
      const whole = one.closest('.ft-table') ?? document.body
      const scale = whole.offsetWidth ? whole.getBoundingClientRect().width / whole.offsetWidth : 1
      const size = parseFloat(style.fontSize) * Math.min(1, scale)
      if (size >= least - 0.05) continue
      found.add(`${one.closest('[class]')?.className} "${one.textContent.trim().slice(0, 30)}" ${size.toFixed(1)}`)
    }
    return [...found]
  },

  // what a finger hardly hits on a phone; not what stands in a text, a table or a match's row of names, whose lines are as
  // high as they are
  'hard to touch': least => {
    const found = new Set()
    const touched = 'a[href], button, summary, select, textarea, input:not([type=hidden])'
    const boxOf = one => {
      if (one.matches('.face')) return one.closest('.piece')
      if (one.matches('.zone-touch')) return one.closest('.zone')
      return one.matches('[type=radio], [type=checkbox]') ? one.closest('label') : one
    }
    const isInText = one => {
      const block = one.closest('p, li, dd, td, th, figcaption')
      return one.matches('a') && block && (block.matches('td, th, .seats li') || block.textContent.trim().length > one.textContent.trim().length + 3)
    }
    for (const one of innerWidth < 600 ? document.querySelectorAll(touched) : []) {
      const { width, height } = (boxOf(one) ?? one).getBoundingClientRect()
      if (!one.checkVisibility({ visibilityProperty: true }) || width < 2 || one.matches('.skip, .link') || isInText(one)) continue
      if (Math.min(width, height) >= least - 0.5) continue
      found.add(`${one.tagName.toLowerCase()}.${one.className} "${one.textContent.trim().slice(0, 20)}" ${Math.round(width)} x ${Math.round(height)}`)
    }
    return [...found]
  },

  // What overlaps by more than a share, what is written out of its box or badly broken, what hides more than a share of
  // a phone's screen, and one's own out of sight.
  'in the way': (most, share) => {
    const found = new Set()
    const shown = one => one.checkVisibility({ visibilityProperty: true }) && one.getBoundingClientRect().width > 2
    const called = one => `${one.tagName.toLowerCase()}.${[...one.classList].slice(0, 3).join('.')} "${
      (one.getAttribute('aria-label') ?? one.textContent).trim().replace(/[ \n]+/g, ' ').slice(0, 30)}"`
    const holds = (one, other) => one.contains(other) || other.contains(one)
    // rolled out of sight in a list of its own, or beyond where a picture of a table ends
    const isRolled = one => {
      const { top, bottom } = one.getBoundingClientRect()
      for (let at = one.parentElement; at && at !== document.body; at = at.parentElement) {
        if (getComputedStyle(at).overflowY === 'visible') continue
        const box = at.getBoundingClientRect()
        if (top < box.top - 1 || bottom > box.bottom + 1) return true
      }
      return false
    }
    const stuck = one => one.closest('details:not([open]), .details') || isStuck(one) || isRolled(one)
    const isStuck = one => {
      for (let at = one; at; at = at.parentElement) {
        if (['sticky', 'fixed'].includes(getComputedStyle(at).position)) return true
      }
      return false
    }
    // things lie beside each other; what is spread as a fan or a pile, or lies on another, overlaps as it should
    const common = (a, b) => Math.max(0, Math.min(a.right, b.right) - Math.max(a.left, b.left))
      * Math.max(0, Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top))
    const apart = (many, most) => {
      const boxes = many.filter(one => shown(one) && !stuck(one)).map(one => [one, one.getBoundingClientRect()])
      for (const [i, [one, a]] of boxes.entries()) {
        for (const [other, b] of boxes.slice(i + 1)) {
          if (holds(one, other)) continue
          const least = Math.min(a.width * a.height, b.width * b.height)
          if (common(a, b) > most * least) found.add(`${called(one)} overlaps ${called(other)}`)
        }
      }
    }
    apart([...document.querySelectorAll('.zone')], 0.02)
    apart([...document.querySelectorAll('.zone:not(.backs, .zone-pile) > .pieces > .piece > .face')], share)
    const touched = '.actions, button:not(.face, .zone-touch), a.button, input:not([type=hidden])'
    apart([...document.querySelectorAll(touched)], 0.02)
    // what is written stays in its box
    for (const box of document.querySelectorAll('.face, button, a.button, .tag, .chip')) {
      if (!shown(box) || box.closest('[aria-hidden=true], .details')) continue
      const outer = box.getBoundingClientRect()
      const walker = document.createTreeWalker(box, NodeFilter.SHOW_TEXT)
      while (walker.nextNode()) {
        const at = walker.currentNode.parentElement
        const isAtEdge = at.closest('.face') && at.closest('.unseen, .count, .tag')
        if (!walker.currentNode.data.trim() || isAtEdge || !shown(at)) continue
        const range = document.createRange()
        range.selectNodeContents(walker.currentNode)
        const inner = range.getBoundingClientRect()
        if (inner.left < outer.left - 1 || inner.right > outer.right + 1) found.add(`${called(box)} is cut`)
      }
    }
    // how many of a card there are hides nothing that is printed on it
    for (const count of document.querySelectorAll('.face > .count')) {
      const [at, ...under] = [count, ...count.parentElement.querySelectorAll('.fact b, .name')]
        .filter(shown).map(one => one.getBoundingClientRect())
      if (under.some(one => common(at, one) > 2)) found.add(`${called(count.parentElement)} lies under its count`)
    }
    // and a word of its name, or in its picture, goes on in the next line after a hyphen only
    for (const name of document.querySelectorAll('.face > .name, .face .label')) {
      const text = [...name.childNodes].find(one => one.nodeType === Node.TEXT_NODE && one.data.trim()), tops = []
      for (let at = 0; at < (shown(name) ? text?.length ?? 0 : 0); at += 1) {
        const range = document.createRange()
        range.setStart(text, at)
        range.setEnd(text, at + 1)
        tops.push(/[A-Za-z]/.test(text.data[at]) ? [...range.getClientRects()].at(-1)?.top ?? null : null)
      }
      const isBroken = (top, at) => at && ![top, tops[at - 1]].includes(null) && Math.abs(top - tops[at - 1]) > 4
      if (tops.some(isBroken)) found.add(`${called(name.closest('.face'))} is broken within a word`)
    }
    // what stays in sight leaves the rest of a phone's screen to what it belongs to
    for (const one of document.querySelectorAll('main *')) {
      const isLong = innerWidth < 600 && one.offsetHeight > innerHeight * most
      if (isLong && ['sticky', 'fixed'].includes(getComputedStyle(one).position) && shown(one)) {
        found.add(`${called(one)} takes ${Math.round(one.offsetHeight / innerHeight * 100)} % of the screen`)
      }
    }
    // and one's own is what a player sees first
    const own = document.querySelector('#match:not(:has(.ended)) .near :is(.zone-hand, .zone-grid)')
    const isTop = scrollY === 0 && own && shown(own)
    if (isTop && own.getBoundingClientRect().top > innerHeight * 0.75) found.add(`${called(own)} is far below`)
    return [...found]
  },

  // What was seen in one place and then in another before anybody scrolled, if it moved over more than a share of the
  // screen.
  moved: most => {
    const told = node => {
      const one = node?.nodeType === Node.ELEMENT_NODE ? node : node?.parentElement
      return one ? `${one.tagName.toLowerCase()}${one.id && '#' + one.id}.${[...one.classList].join('.')}` : 'gone'
    }
    const from = ({ node, previousRect, currentRect }) =>
      `${told(node)} from ${previousRect.x}, ${previousRect.y} to ${currentRect.x}, ${currentRect.y}`
    // what was out of sight and has come into it is where it first is seen
    const wasSeen = ({ previousRect }) => previousRect.height > 0
    const counts = one => one.value > most && one.startTime < (window.left ?? Infinity) && one.sources.some(wasSeen)
    return [...shifts, ...shifting.takeRecords()].filter(counts)
      .map(one => `${one.value.toFixed(2)}: ${one.sources.filter(wasSeen).map(from).join('; ')}`)
  },

  // every sort of element, by what may make it hard to use, with that in which it lies
  sorts() {
    return [...this.sorted().keys()]
  },

  // all elements by their sort
  sorted: () => {
    const values = ['class', 'role', 'name', 'type']
    const sort = one => [one.tagName, ...values.map(name => one.getAttribute(name)), one.getAttributeNames(), !one.textContent.trim()].join(' ')
    const found = new Map()
    for (const one of document.querySelectorAll('body *')) {
      const name = `${sort(one.parentElement)} > ${sort(one)}`
      found.set(name, [...found.get(name) ?? [], one])
    }
    return found
  },

  // what axe-core, which was put into the page, finds to be in somebody's way; `only`: by these rules; `all`: in every
  // element, and not in three of each sort alone
  async bars(only, all) {
    const options = { resultTypes: ['violations'], ...only ? { runOnly: { type: 'rule', values: only } } : {} }
    const more = new Set(all ? [] : [...this.sorted().values()].flatMap(each => each.slice(3)))
    const isMore = one => more.has(one) && [...one.querySelectorAll('*')].every(each => more.has(each))
    const exclude = [...more].filter(one => isMore(one) && !isMore(one.parentElement))
    const { violations } = await axe.run({ include: [document.documentElement], exclude }, options)
    const why = node => [...node.any, ...node.all, ...node.none].map(each => each.message).join('; ')
    return violations.flatMap(one => one.nodes.map(node => [one.id, node.target.join(' '), why(node)]))
  },
})
