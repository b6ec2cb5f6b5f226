// What all pages do better with a script: moments in the reader's own time, and lists that stay fresh.

const lang = document.documentElement.lang
const full = new Intl.DateTimeFormat(lang, { dateStyle: 'medium', timeStyle: 'short' })
const day = new Intl.DateTimeFormat(lang, { dateStyle: 'medium' })
const near = new Intl.DateTimeFormat(lang, { weekday: 'short', hour: 'numeric', minute: '2-digit' })
const today = new Intl.DateTimeFormat(lang, { hour: 'numeric', minute: '2-digit' })
const from = new Intl.RelativeTimeFormat(lang, { numeric: 'auto', style: 'short' })
const DAY = 86_400_000

/** How far off a moment is, in words. */
export function relative(at, now = Date.now()) {
  const minutes = (at - now) / 60_000
  const size = Math.abs(minutes)
  if (size < 1) return from.format(0, 'second')
  if (size < 60) return from.format(Math.round(minutes), 'minute')
  if (size < 36 * 60) return from.format(Math.round(minutes / 60), 'hour')
  return from.format(Math.round(minutes / 1440), 'day')
}

/** Tell every moment below the node in the reader's own time. */
export function tell(node) {
  for (const time of node.querySelectorAll('time[datetime]')) {
    const at = new Date(time.dateTime)
    if (Number.isNaN(at.getTime())) continue
    const off = Math.abs(at - Date.now())
    const same = at.toDateString() === new Date().toDateString()
    time.title = full.format(at)
    time.textContent = 'ago' in time.dataset ? relative(at) : same ? today.format(at) : off < 6 * DAY ? near.format(at) : full.format(at)
    if ('day' in time.dataset) time.textContent = day.format(at)
    if ('due' in time.dataset) time.textContent += ` (${relative(at)})`
  }
}

/** Load the page again and put what has changed of the parts that stay fresh in their places. */
async function refresh() {
  const answer = await fetch(location.href, { headers: { Accept: 'text/html' }, credentials: 'same-origin' })
  if (!answer.ok || answer.redirected) return
  const next = new DOMParser().parseFromString(await answer.text(), 'text/html')
  for (const part of document.querySelectorAll('[data-fresh]')) {
    const news = next.getElementById(part.id)
    // nothing is taken from under somebody's hand
    if (!news || part.contains(document.activeElement) || part.dataset.was === news.innerHTML) continue
    part.dataset.was = news.innerHTML
    tell(news)
    part.replaceChildren(...news.childNodes)
  }
  const badge = document.getElementById('waiting')
  const now = next.getElementById('waiting')
  if (badge && now && badge.textContent !== now.textContent) {
    badge.textContent = now.textContent
    badge.hidden = now.hidden
  }
  document.title = next.title
}

let asked = 0

/** Soon, once for many who ask, and not while nobody looks. */
function soon(wait) {
  clearTimeout(asked)
  asked = setTimeout(() => (document.hidden ? document.addEventListener('visibilitychange', () => soon(0), { once: true }) : refresh().catch(() => {})), wait)
}

function listen(address) {
  const news = new EventSource(address)
  const close = () => news.close()
  let begun = false
  news.addEventListener('message', ({ data }) => { if (JSON.parse(data).kind !== 'now') soon(300) })
  // what came while the line was down
  news.addEventListener('open', () => { if (begun) soon(0); begun = true })
  news.addEventListener('end', () => { close(); setTimeout(listen, 10_000, address) })
  addEventListener('pagehide', close, { once: true })
}

function follow(part) {
  if (part.dataset.every) setInterval(() => soon(0), Number(part.dataset.every) * 1000)
  if (part.dataset.news) listen(part.dataset.news)
}

tell(document)
for (const part of document.querySelectorAll('[data-fresh]')) {
  part.dataset.was = ''
  follow(part)
}
for (const form of document.querySelectorAll('form[data-sure]')) {
  form.addEventListener('submit', (event) => { if (!confirm(form.dataset.sure)) event.preventDefault() })
}
for (const button of document.querySelectorAll('button[data-copy]')) {
  button.hidden = false
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(document.getElementById(button.dataset.copy).value)
    button.textContent = button.dataset.done
  })
}
