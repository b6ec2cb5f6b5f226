// The verifier's verdict on the export that lies in this page.

const verdict = { state: 'checking', result: null, reason: '' }

const exported = () => Uint8Array.from(atob($('export-data').textContent.trim()), sign => sign.charCodeAt(0))

async function judge() {
  try {
    verdict.result = await globalThis.verifyExport(exported())
    verdict.state = verdict.result.ok ? 'verified' : 'failed'
  } catch (error) {
    verdict.state = 'unchecked'
    verdict.reason = error.message
  }
  drawVerdict()
}

function drawVerdict() {
  const { state, result } = verdict, count = result?.failures.length ?? 0
  document.documentElement.dataset.verdict = state
  $('badge').className = `badge ${state}`
  $('badge-text').textContent = say(state, { count })
  const parts = [make('p', { class: `verdict ${state}` }, make('span', { class: 'sign', 'aria-hidden': 'true' }), say(state, { count }))]
  if (state === 'unchecked') parts.push(make('p', { lang: 'en' }, verdict.reason))
  if (result) {
    parts.push(make('p', {}, say(`${state}_about`, { events: result.events })))
    if (count) parts.push(make('ul', { class: 'failures' }, ...result.failures.map(failure)))
    parts.push(factsOf(result))
  }
  parts.push(make('div', { class: 'limits' }, ...limits(result)))
  $('verdict').replaceChildren(...parts)
}

function failure({ clause, check, stream, version, reason }) {
  const where = say('where', { stream, version }), isHere = stream === film.match && version >= 1 && version <= head
  return make('li', {}, make('b', {}, `${clause} ${check}`), ' · ',
    isHere ? make('button', { type: 'button', class: 'link', onclick: () => go(version) }, where) : where,
    ' · ', make('span', { lang: 'en' }, reason))
}

function factsOf({ keys, begun_anew: anew, chance, last_nonce: last, taken_again: again, seed }) {
  const fact = (name, ...values) => make('div', {}, make('dt', {}, say(name)), make('dd', {}, ...values))
  return make('dl', { class: 'facts' },
    keys.length ? fact('keys', ...keys.flatMap((key, i) => [i ? ', ' : '', make('code', {}, key)]),
      make('small', {}, say('keys_about')), ...anew.map(key => make('small', {}, say('keys_anew', { key })))) : null,
    chance ? fact('chance', say(chance === 'seats' ? 'chance_seats' : 'chance_server'),
      ...last === null ? [] : [make('small', {}, say('chance_last', { seat: last }))],
      ...again.map(seat => make('small', {}, say('chance_again', { seat })))) : null,
    seed ? fact('seed', make('code', { class: 'long' }, seed)) : null)
}

function limits(result) {
  const clauses = result?.not_checked ?? ['LOG-11', 'LOG-12', 'LOG-13', 'LOG-14', 'LOG-15']
  return [
    make('div', {}, make('h3', {}, say('not_checked')),
      make('ul', {}, ...clauses.map(clause => make('li', {},
        clause in words[here.lang] ? `${clause}: ${say(clause)}` : clause))),
      make('p', { class: 'about' }, ...say('not_checked_how').split('`').map((part, i) => i % 2 ? make('code', {}, part) : part))),
    make('div', {}, make('h3', {}, say('never')),
      make('ul', {}, ...[1, 2, 3, 4, 5].map(number => make('li', {}, say(`never_${number}`))))),
  ]
}

function download() {
  const address = URL.createObjectURL(new Blob([exported()], { type: 'application/jsonl' }))
  make('a', { href: address, download: `${film.match}.jsonl` }).click()
  setTimeout(() => URL.revokeObjectURL(address), 10000)
}
