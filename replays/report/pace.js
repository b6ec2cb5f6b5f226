// How long seats thought.

const BARS = { width: 240, height: 36, most: 60 }

// As many bars as there is room for, each the longest of its decisions; heights by the root, so that short ones show.
function barsOf(decisions, longest, number) {
  const each = Math.ceil(decisions.length / BARS.most), bars = []
  for (let i = 0; i < decisions.length; i += each) {
    bars.push(decisions.slice(i, i + each).reduce((a, b) => b.milliseconds > a.milliseconds ? b : a))
  }
  const width = BARS.width / Math.max(bars.length, 20)
  return make('svg', { class: 'bars', viewBox: `0 0 ${BARS.width} ${BARS.height}`, role: 'img', 'aria-label': say('each') },
    ...bars.map((one, i) => {
      const height = Math.max(1.5, Math.sqrt(one.milliseconds / Math.max(1, longest)) * BARS.height)
      return make('g', { onclick: () => go(one.asked) },
        make('title', {}, `${say('of', { version: one.asked, head, move: film.moves[one.asked - 1] })}: ${lasting(one.milliseconds)}`),
        make('rect', { class: 'room', x: i * width, y: 0, width, height: BARS.height }),
        make('rect', {
          class: `thought seat-${number % 6}${one.is_late ? ' late' : ''}`,
          x: i * width, y: BARS.height - height, width: Math.max(1, width - 1), height,
        }))
    }))
}

function drawPace() {
  const { thoughts } = seen()
  if (!thoughts.length) {
    $('pace').replaceChildren(make('p', {}, say('nothing')))
    return
  }
  const longest = Math.max(...thoughts.map(one => one.milliseconds))
  const columns = ['seat', 'decisions', 'late', 'total', 'mean', 'longest', 'each'].filter(name =>
    name !== 'late' || thoughts.some(one => one.is_late))
  const rows = Array.from({ length: film.seats }, (_, number) => {
    const decisions = thoughts.filter(one => one.seat === number), times = decisions.map(one => one.milliseconds)
    const total = times.reduce((sum, one) => sum + one, 0)
    const cells = {
      decisions: String(times.length),
      late: String(decisions.filter(one => one.is_late).length),
      total: times.length ? lasting(total) : '–',
      mean: times.length ? lasting(Math.round(total / times.length)) : '–',
      longest: times.length ? lasting(Math.max(...times)) : '–',
      each: barsOf(decisions, longest, number),
    }
    return make('tr', {}, make('th', { scope: 'row', class: `key seat-${number % 6}` }, seat(number)),
      ...columns.slice(1).map(name => make('td', {}, cells[name])))
  })
  const heads = columns.map(name => make('th', { scope: 'col' }, name === 'seat' ? '' : say(name)))
  $('pace').replaceChildren(make('table', {}, make('thead', {}, make('tr', {}, ...heads)), make('tbody', {}, ...rows)))
}
