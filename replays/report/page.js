// The report: the page contains everything. Its films are unpacked, and the player plays them.

const { judge, make, openPlayer, speaker } = foldtable
const $ = id => document.getElementById(id)
const read = id => JSON.parse($(id).textContent)
const data = read('match-data')
const words = read('words-data')
const here = { lang: data.lang, seen: data.seen, version: null }
let player = null, films = null, keeping = 0, known = ''

/** Return the bytes that the page holds compressed in an element. */
async function unpacked(id) {
  const bytes = Uint8Array.from(atob($(id).textContent.trim()), sign => sign.charCodeAt(0))
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'))
  return new Uint8Array(await new Response(stream).arrayBuffer())
}

/** Return a film in the service's form. */
function filmOf(eyes) {
  const { texts, chapters, asides, scenes, zones, pieces, seen } = films.spoken[here.lang]
  const [told, shown] = seen[eyes]
  const frames = films.events.map(([at, actor, type, moves], i) => ({
    version: i + 1, at, actor, type, moves, text: texts[told[i]], scene: shown[i], chapter: chapters[i + 1] ?? null, aside: asides.includes(i + 1),
  }))
  return { status: data.status, names: data.names, thoughts: films.thoughts[eyes], forks: [], reel: { frames, scenes, zones, pieces } }
}

function address(version, eyes) {
  return `${location.href.split('#')[0]}#v=${version}&seat=${eyes}&lang=${here.lang}`
}

/** Note the version, and write it into the address with a delay: browsers refuse too many changes. */
function moved(version, film, eyes) {
  Object.assign(here, { version, seen: eyes })
  document.documentElement.dataset.version = version
  clearTimeout(keeping)
  keeping = setTimeout(() => {
    // the address has changed otherwise and is about to be read, so it is not overwritten
    if (location.href !== known) return
    const now = address(version, eyes)
    if (location.href !== now) history.replaceState(null, '', now)
    known = location.href
  }, 200)
}

function readAddress() {
  known = location.href
  const asked = new URLSearchParams(location.hash.slice(1))
  const version = Number(asked.get('v'))
  if (Number.isInteger(version) && version >= 1) here.version = Math.min(data.events, version)
  if (data.eyes.includes(asked.get('seat'))) here.seen = asked.get('seat')
  if (asked.get('lang') in words) here.lang = asked.get('lang')
}

/** Return the review of a seat: how the result came about, and the moves that cost most, each with a way to see it. */
function reviewed({ seat, account, moments, words: said, luck_error: luckError, notes }) {
  const say = speaker(words[here.lang])
  const tell = speaker(said[here.lang])
  const name = data.names[seat] || say('seat', { seat })
  const points = share => Math.round(100 * share)
  const signed = number => `${number > 0 ? '+' : number < 0 ? '−' : ''}${Math.abs(number)}`
  const margin = 2 * (luckError ?? 0)
  const range = points(margin) ? ['luck-about'] : []
  // what is shown adds up: the part before the result is the rest
  const names = Object.keys(account)
  const before = names.slice(0, -2).reduce((sum, part) => sum + points(account[part]), 0)
  const number = (part, at) => ['start', 'result'].includes(part) ? points(account[part])
    : signed(at === names.length - 2 ? points(account.result) - before : points(account[part]))
  const parts = names.map((part, at) => make('li', {}, `${tell(part)}: `, make('b', {}, String(number(part, at))),
    part === 'luck' && range.length ? ` (${tell('range', { low: signed(points(account.luck - margin)), high: signed(points(account.luck + margin)) })})` : ''))
  const about = ['account-about', ...range, ...notes]
  const costly = moments.map(one => {
    const see = make('button', { type: 'button' }, tell('see'))
    see.addEventListener('click', () => {
      player.see(String(seat), one.version)
      $('player').scrollIntoView()
    })
    const cost = tell('cost', { lost: points(one.lost), error: points(2 * one.error) })
    const gains = one.gains[here.lang]
    return make('li', {},
      make('p', {}, make('b', {}, tell('event', one)), `: ${cost}`),
      make('p', {}, `${tell('played')}: ${one.played[here.lang]}`),
      make('p', {}, `${tell('better')}: ${one.better[here.lang]}`),
      gains.length ? make('p', {}, tell('gains', { names: new Intl.ListFormat(here.lang).format(gains) })) : '', make('p', {}, see))
  })
  return [
    make('h2', {}, tell('of', { name })),
    make('ul', {}, ...parts), ...about.map(name => make('p', { class: 'help' }, tell(name))),
    make('h2', {}, tell('moments')), costly.length ? make('ol', {}, ...costly) : make('p', {}, tell('no-moments')),
  ]
}

/** Write all texts in the page's language. */
async function speak() {
  const say = speaker(words[here.lang])
  document.documentElement.lang = here.lang
  document.title = `${data.game.title[here.lang]} · ${data.match}`
  document.querySelector('[data-title]').textContent = data.game.title[here.lang]
  for (const element of document.querySelectorAll('[data-say]')) element.textContent = say(element.dataset.say)
  document.querySelector('[data-status]').textContent = say(data.status)
  const facts = { rules: say('rules_of', data), size: say('size_of', data), forked: data.forked && say('forked_of', data.forked) }
  for (const element of document.querySelectorAll('[data-fact]')) element.textContent = facts[element.dataset.fact]
  if (data.review) $('review').replaceChildren(...reviewed(data.review))
  $('language').textContent = say('language')
  $('language').lang = here.lang === 'ja' ? 'en' : 'ja'
  player?.close()
  player = await openPlayer($('player'), {
    lang: here.lang, words: words[here.lang], game: data.game, eyes: data.eyes, seen: here.seen, version: here.version,
    result: data.result, load: async eyes => [filmOf(eyes)], address, onMove: moved,
  })
}

async function check() {
  const say = speaker(words[here.lang])
  $('badge').textContent = say('checking_short')
  const state = await judge($('verdict'), {
    verify: globalThis.verifyExport, exported: await unpacked('export-data'), say, go: version => player.go(version), match: data.match, head: data.events,
  })
  $('badge').className = `badge ${state}`
  $('badge').textContent = say(`${state}_short`)
}

async function download() {
  const file = URL.createObjectURL(new Blob([await unpacked('export-data')], { type: 'application/jsonl' }))
  make('a', { href: file, download: `${data.match}.jsonl` }).click()
  setTimeout(() => URL.revokeObjectURL(file), 10000)
}

$('language').addEventListener('click', async () => {
  here.lang = here.lang === 'ja' ? 'en' : 'ja'
  await speak()
  await check()
})
$('download').addEventListener('click', download)
$('badge').addEventListener('click', event => {
  event.preventDefault()
  $('proof').scrollIntoView()
})
addEventListener('hashchange', async () => {
  const { lang } = here
  readAddress()
  if (lang !== here.lang) return void await speak()
  await player.see(here.seen, here.version)
})

readAddress()
foldtable.wearPalette(document, data.game)
films = JSON.parse(new TextDecoder().decode(await unpacked('films-data')))
await speak()
document.documentElement.dataset.ready = 'true'
await check()
