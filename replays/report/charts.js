// Points over time: a line a seat, a step at each change.

const SIZE = { height: 240, left: 48, right: 16, top: 12, bottom: 24 }

const pointsAt = version => holding(seen().points, version)

// Round numbers between the least and the most, about five.
function ticksOf(least, most) {
  const rough = Math.max(1, (most - least) / 5), power = 10 ** Math.floor(Math.log10(rough))
  const step = [1, 2, 5, 10].map(one => one * power).find(one => one >= rough)
  const first = Math.floor(least / step) * step, ticks = []
  for (let tick = first; tick < most + step; tick += step) ticks.push(tick)
  return ticks
}

function scalesOf(width, values) {
  const least = Math.min(...values), ticks = ticksOf(least, Math.max(least + 1, ...values))
  const [low, high] = [ticks[0], ticks.at(-1)]
  const inner = { width: width - SIZE.left - SIZE.right, height: SIZE.height - SIZE.top - SIZE.bottom }
  return {
    ticks,
    x: version => SIZE.left + (head === 1 ? 0 : (version - 1) / (head - 1)) * inner.width,
    y: value => SIZE.top + (1 - (value - low) / (high - low)) * inner.height,
    version: x => Math.max(1, Math.min(head, Math.round(1 + (x - SIZE.left) / inner.width * (head - 1)))),
  }
}

function lineOf(number, changes, scales) {
  const path = changes.filter(([, points]) => points.length).map(([version, points], i) => {
    const [x, y] = [scales.x(version).toFixed(1), scales.y(points[number]).toFixed(1)]
    return i ? `H${x}V${y}` : `M${x} ${y}`
  })
  return make('path', { class: `line seat-${number % 6}`, d: `${path.join('')}H${scales.x(head).toFixed(1)}` })
}

function drawChart() {
  const box = $('chart'), changes = seen().points, values = changes.flatMap(([, points]) => points)
  $('chart-panel').hidden = !values.length
  if (!values.length) return
  const width = Math.max(280, box.clientWidth), scales = scalesOf(width, values)
  const result = pointsAt(head).map((points, i) => `${seat(i)} ${points}`).join(here.lang === 'ja' ? '、' : ', ')
  const grid = scales.ticks.flatMap(tick => [
    make('line', { class: tick ? 'grid' : 'grid zero', x1: SIZE.left, x2: width - SIZE.right, y1: scales.y(tick), y2: scales.y(tick) }),
    make('text', { class: 'tick', x: SIZE.left - 8, y: scales.y(tick) + 4, 'text-anchor': 'end' }, String(tick)),
  ])
  const ends = [[1, 'start'], [head, 'end']].map(([version, anchor]) =>
    make('text', { class: 'tick', x: scales.x(version), y: SIZE.height - 6, 'text-anchor': anchor }, String(version)))
  const cursor = make('line', { class: 'cursor', id: 'cursor', y1: SIZE.top, y2: SIZE.height - SIZE.bottom })
  const hover = make('line', { class: 'hover', y1: SIZE.top, y2: SIZE.height - SIZE.bottom, visibility: 'hidden' })
  const svg = make('svg', { viewBox: `0 0 ${width} ${SIZE.height}`, role: 'img', 'aria-labelledby': 'chart-name chart-text' },
    make('title', { id: 'chart-name' }, say('chart')),
    make('desc', { id: 'chart-text' }, say('chart_text', { points: result })),
    ...grid, ...ends, ...pointsAt(head).map((_, i) => lineOf(i, changes, scales)), hover, cursor)
  const tip = make('div', { class: 'tip', hidden: '' })
  const versionAt = event => {
    const frame = svg.getBoundingClientRect()
    return scales.version((event.clientX - frame.left) * width / frame.width)
  }
  svg.addEventListener('pointermove', event => {
    const version = versionAt(event), x = scales.x(version)
    hover.setAttribute('x1', x)
    hover.setAttribute('x2', x)
    hover.setAttribute('visibility', 'visible')
    tip.hidden = false
    tip.replaceChildren(make('b', {}, String(version)), ...pointsAt(version).map((points, i) =>
      make('span', { class: `key seat-${i % 6}` }, `${seat(i)} ${points}`)))
    tip.style.left = `${Math.min(x / width * 100, 100 - 12000 / width)}%`
  })
  svg.addEventListener('pointerleave', () => {
    hover.setAttribute('visibility', 'hidden')
    tip.hidden = true
  })
  svg.addEventListener('click', event => go(versionAt(event)))
  box.scales = scales
  box.replaceChildren(svg, tip)
  markChart()
}

// Where the reader is, and the points there.
function markChart() {
  const { scales } = $('chart')
  if (!scales) return
  const x = scales.x(here.version)
  $('cursor')?.setAttribute('x1', x)
  $('cursor')?.setAttribute('x2', x)
  $('legend').replaceChildren(...pointsAt(here.version).map((points, i) =>
    make('li', { class: `key seat-${i % 6}` }, `${seat(i)} `, make('b', {}, String(points)))))
}
