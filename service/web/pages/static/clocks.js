// @ts-check
// Times as the reader's own clock has them, and what is left until something is due.

import { make } from './player/dom.js'

const TICK = 1000

/**
 * Write every time on the page, and again every second when `whenStill` allows it. Returns a function that does it now.
 * @param {Record<string, string>} words
 * @param {string} lang
 * @param {(write: () => void) => void} whenStill
 */
export function runClocks(words, lang, whenStill) {
  const write = () => {
    for (const time of /** @type {NodeListOf<HTMLTimeElement>} */ (document.querySelectorAll('time[datetime]'))) {
      if (time.matches('.left')) writeLeft(time, words, lang)
      else writeMoment(time, lang)
    }
  }
  setInterval(() => document.hidden || whenStill(write), TICK)
  write()
  return write
}

/**
 * Write each player's deadline beside their name.
 * @param {HTMLElement} players
 * @param {{ due: { seat: number, due: string }[], said: string }} told
 */
export function writeDue(players, { due, said }) {
  for (const one of /** @type {NodeListOf<HTMLElement>} */ (players.querySelectorAll('li[data-seat]'))) {
    const moments = due.filter(({ seat }) => seat === Number(one.dataset.seat)).map(told => told.due)
    const times = [.../** @type {NodeListOf<HTMLTimeElement>} */ (one.querySelectorAll('.due time'))]
    if (times.map(time => time.dateTime).join() === moments.join()) continue
    for (const old of one.querySelectorAll('.due')) old.remove()
    for (const moment of moments) {
      one.append(make('span', { class: 'due' }, `${said} `, make('time', { class: 'left', datetime: moment })))
    }
  }
}

/**
 * Write the seat's deadline above the table; if it has none, the first deadline of the others.
 * @param {HTMLElement} line
 * @param {{ due: { seat: number, due: string }[], said: string }} told
 * @param {number | null} seat
 */
export function writeUntil(line, { due, said }, seat) {
  const own = due.filter(one => one.seat === seat)
  const [first] = (own.length ? own : due).map(one => one.due).sort()
  if (line.querySelector('time')?.dateTime === first) return
  line.replaceChildren()
  if (!first) return
  const title = `${said} ${first.slice(0, 16).replace('T', ' ')} UTC`
  line.append(make('time', { class: 'left brief', datetime: first, title }))
}

/**
 * @param {HTMLTimeElement} time
 * @param {string} lang
 */
function writeMoment(time, lang) {
  const today = new Date().toDateString()
  if (time.dataset.written === today) return
  time.dataset.written = today
  const moment = new Date(time.dateTime)
  time.textContent = shortly(moment, lang)
  time.title = moment.toLocaleString(lang)
}

/**
 * Return the moment in words, with its day unless that is today.
 * @param {Date} moment
 * @param {string} lang
 */
function shortly(moment, lang) {
  const isToday = moment.toDateString() === new Date().toDateString()
  return moment.toLocaleString(lang, isToday ? { timeStyle: 'short' } : { dateStyle: 'medium', timeStyle: 'short' })
}

/**
 * @param {HTMLTimeElement} time
 * @param {Record<string, string>} words
 * @param {string} lang
 */
function writeLeft(time, words, lang) {
  const moment = new Date(time.dateTime)
  const seconds = Math.round((moment.getTime() - Date.now()) / 1000)
  const said = seconds < 0 ? words.late : words.left.replace('{time}', leftOf(seconds, words))
  const text = time.matches('.brief') ? said : `${shortly(moment, lang)} · ${said}`
  if (time.textContent !== text) time.textContent = text
  time.classList.toggle('soon', seconds < 60)
}

/**
 * @param {number} seconds
 * @param {Record<string, string>} words
 */
function leftOf(seconds, words) {
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60)]
  if (hours >= 24) return words.days.replace('{n}', String(Math.floor(hours / 24))).replace('{m}', String(hours % 24))
  const two = number => String(number).padStart(2, '0')
  return hours ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`
}
