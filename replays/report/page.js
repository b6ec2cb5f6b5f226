// The page: where the reader is, and what keys, buttons and the address do about it.

const PACE = 900 // milliseconds that a step is shown while it plays
let playing = 0, keeping = 0 // timers

const nameOf = viewer => viewer === null ? 'nobody' : viewer === -1 ? 'all' : String(viewer)

function go(version) {
  here.version = Math.max(1, Math.min(head, version))
  show()
}

function show() {
  const { version } = here, before = linesAt(stopBefore(version)), lines = linesAt(version)
  // the first picture is all new: nothing to point at
  const pieces = before.length ? changesOf(before, lines) : lines.map(line => [[line, false]])
  $('drawn').replaceChildren(...lines.length ? paragraphs(pieces) : [make('p', { class: 'about' }, say('no_table'))])
  $('now').textContent = told(version)
  const acts = holding(seen().to_act, version)
  $('acts').textContent = acts.length ? say('to_act', { seats: acts.join(', ') }) : ''
  const [type, actor] = [film.types, film.actors].map(places => film.texts[places[version - 1]])
  const where = say('of', { version, head, move: film.moves[version - 1] })
  $('detail').textContent = [where, moment(film.at[version - 1]), actor, type].join(' · ')
  $('where').textContent = `${version} / ${head}`
  const at = stops[here.by].findIndex(stop => stop >= version)
  $('slider').max = stops[here.by].length - 1
  $('slider').value = at
  $('slider').style.setProperty('--done', at / Math.max(1, stops[here.by].length - 1))
  $('slider').setAttribute('aria-valuetext', `${where}: ${told(version)}`)
  for (const by of ['move', 'event']) $(`by-${by}`).setAttribute('aria-pressed', here.by === by)
  document.documentElement.dataset.version = version
  mark()
  markChart()
  keepAddress()
}

// A card a paragraph of the drawing; a line that others stand in under is its title.
function paragraphs(lines) {
  const cards = [[]]
  for (const line of lines) line.length === 1 && line[0][0] === '' ? cards.push([]) : cards.at(-1).push(line)
  return cards.filter(card => card.length).map(card => {
    const isNew = card.some(line => line.some(([, fresh]) => fresh))
    return make('div', { class: isNew ? 'card new' : 'card' }, ...card.map((line, i) => lineOfCard(line, i === 0 && deepOf(card[1]) > deepOf(line))))
  })
}

const deepOf = pieces => pieces?.[0][0].match(/^ */)[0].length ?? 0

function lineOfCard(pieces, isTitle) {
  const deep = deepOf(pieces)
  const children = pieces.map(([text, isNew], i) => {
    const part = i ? text : text.slice(deep)
    return isNew ? make('mark', {}, part) : part
  })
  return make('p', { class: isTitle ? 'title' : null, style: deep ? `--deep:${deep}` : null }, ...children)
}

function listEvents() {
  const rows = film.at.map((_, i) => {
    const starts = i === 0 || film.moves[i] !== film.moves[i - 1]
    return make('li', { class: starts ? 'starts' : null, 'data-version': i + 1 },
      make('button', { type: 'button', tabindex: '-1', title: `${moment(film.at[i])} · ${film.texts[film.types[i]]}` },
        make('span', { class: 'number' }, String(i + 1)), make('span', { class: 'text' }, told(i + 1))))
  })
  $('list').replaceChildren(...rows)
  sift()
}

// Only the events that say what is searched for.
function sift() {
  const sought = here.sought.trim().toLowerCase()
  let found = 0
  for (const [i, row] of [...$('list').children].entries()) {
    row.hidden = sought !== '' && !told(i + 1).toLowerCase().includes(sought)
    found += !row.hidden
  }
  $('found').textContent = sought ? say('matches', { found, head }) : ''
  mark()
}

function mark() {
  const list = $('list'), row = list.children[here.version - 1]
  for (const old of list.querySelectorAll('[aria-current]')) old.removeAttribute('aria-current')
  if (!row) return
  row.setAttribute('aria-current', 'step')
  const top = row.offsetTop
  if (!row.hidden && (top < list.scrollTop || top + row.offsetHeight > list.scrollTop + list.clientHeight)) {
    list.scrollTop = top - list.clientHeight / 2
  }
}

function play(isOn) {
  clearInterval(playing)
  playing = isOn ? setInterval(() => here.version < head ? go(stopAfter(here.version)) : play(false), PACE) : 0
  if (isOn && here.version === head) go(1)
  $('play').classList.toggle('on', isOn)
  $('play').setAttribute('aria-label', say(isOn ? 'pause' : 'play'))
  $('play').title = say(isOn ? 'pause' : 'play')
}

// All that is said in the page's language, and by the viewer's knowledge.
function speak() {
  document.documentElement.lang = here.lang
  document.title = `${film.title[here.lang]} · ${film.match}`
  for (const element of document.querySelectorAll('[data-say]')) element.textContent = say(element.dataset.say)
  for (const element of document.querySelectorAll('[data-hint]')) {
    const hint = say(element.dataset.hint)
    element.setAttribute('aria-label', hint)
    if (element.type === 'search') element.placeholder = hint
    else if (element.type !== 'range') element.title = hint
  }
  document.querySelector('[data-title]').textContent = film.title[here.lang]
  document.querySelector('[data-status]').textContent = say(film.status)
  $('language').textContent = say('language')
  $('language').lang = here.lang === 'ja' ? 'en' : 'ja'
  const facts = {
    rules: say('rules_of', film), begun: moment(film.at[0]), ended: moment(film.at.at(-1)),
    size: say('size_of', { moves: film.moves.at(-1), events: head }), forked: film.forked && say('forked_of', film.forked),
  }
  for (const element of document.querySelectorAll('[data-fact]')) element.textContent = facts[element.dataset.fact]
  const ranked = film.result.map(([place, points], number) => ({ place, points, number })).sort((a, b) => a.place - b.place)
  $('result')?.replaceChildren(...ranked.map(({ place, points, number }) => make('li', { class: place === 1 ? 'winner' : null },
    make('span', { class: 'place' }, say('place', { place })), make('span', { class: `key seat-${number % 6}` }, seat(number)),
    make('b', {}, say('points', { points })))))
  $('result')?.setAttribute('aria-label', say('result'))
  $('eyes').replaceChildren(...film.seen.map(({ viewer }) => make('option',
    { value: nameOf(viewer), selected: viewer === here.viewer ? '' : null },
    viewer === null ? say('nobody') : viewer === -1 ? say('all') : say('seat_eyes', { seat: viewer }))))
  play(false)
  listEvents()
  drawChart()
  drawPace()
  drawVerdict()
  show()
}

// The address says where the reader is, so that it can be sent to somebody. Browsers mind when it changes too often.
function keepAddress() {
  clearTimeout(keeping)
  keeping = setTimeout(() => {
    const address = `#v=${here.version}&seat=${nameOf(here.viewer)}&lang=${here.lang}`
    if (location.hash !== address) history.replaceState(null, '', address)
  }, 200)
}

function readAddress() {
  const asked = new URLSearchParams(location.hash.slice(1))
  const version = Number(asked.get('v')), found = film.seen.find(({ viewer }) => nameOf(viewer) === asked.get('seat'))
  if (Number.isInteger(version) && version >= 1) here.version = Math.min(head, version)
  if (found) here.viewer = found.viewer
  if (asked.get('lang') in words) here.lang = asked.get('lang')
}

function onKey(event) {
  if (event.altKey || event.ctrlKey || event.metaKey || event.target.closest('input[type=search], select')) return
  const by = event.shiftKey ? 'event' : here.by
  const acts = {
    ArrowRight: () => go(stopAfter(here.version, by)), ArrowLeft: () => go(stopBefore(here.version, by)),
    Home: () => go(1), End: () => go(head), '/': () => $('search').focus(),
    ' ': event.target.closest('button, a') ? null : () => play(!playing),
  }
  if (!acts[event.key]) return
  event.preventDefault()
  acts[event.key]()
}

const clicks = {
  first: () => go(1), back: () => go(stopBefore(here.version)), on: () => go(stopAfter(here.version)), last: () => go(head),
  play: () => play(!playing), download,
  'by-move': () => { here.by = 'move'; show() }, 'by-event': () => { here.by = 'event'; show() },
  language: () => { here.lang = here.lang === 'ja' ? 'en' : 'ja'; speak() },
}
for (const [id, act] of Object.entries(clicks)) $(id).addEventListener('click', act)
$('slider').addEventListener('input', () => go(stops[here.by][Number($('slider').value)]))
$('eyes').addEventListener('change', () => {
  here.viewer = film.seen.find(({ viewer }) => nameOf(viewer) === $('eyes').value).viewer
  speak()
})
$('search').addEventListener('input', () => { here.sought = $('search').value; sift() })
$('list').addEventListener('click', event => {
  const row = event.target.closest('li')
  if (row) go(Number(row.dataset.version))
})
$('badge-text').addEventListener('click', event => {
  event.preventDefault()
  $('proof').scrollIntoView()
})
addEventListener('keydown', onKey)
addEventListener('hashchange', () => { readAddress(); speak() })
new ResizeObserver(() => drawChart()).observe($('chart'))

readAddress()
speak()
judge()
