// What the table itself says, in each language; all else is said by scenes.

const WORDS = {
  en: {
    table: 'Table', middle: 'Middle of the table', seat: 'Seat {seat}', own: 'you', turn: 'to act', empty: 'nothing here',
    marked: '{piece} ({said})', fact: '{title} {value}', counted: '{piece} ×{count}', comma: ', ',
    chosen: 'chosen', confirm: 'Confirm', back: 'Back', say: 'What can be said', look: 'Look closer', close: 'Close',
  },
  ja: {
    table: 'テーブル', middle: '場', seat: '席{seat}', own: 'あなた', turn: '手番', empty: '何もない',
    marked: '{piece}（{said}）', fact: '{title}{value}', counted: '{piece}×{count}', comma: '、',
    chosen: '選択中', confirm: '決定', back: '戻る', say: '言えること', look: '詳しく見る', close: '閉じる',
  },
}

/** The words of a language; English for one that isn't known. */
export function wordsOf(lang) {
  return WORDS[lang] ?? WORDS.en
}

/** A text with its {gaps} filled. What fills them is never looked at again, whatever it holds. */
export function fill(text, gaps) {
  return text.replace(/\{(\w+)\}/g, (gap, name) => (name in gaps ? String(gaps[name]) : gap))
}

/** Texts of a scene write "seat 0" and 「席0」: with the players' names in their place, where they are known. */
export function named(text, names) {
  if (!text || !names) return text
  return text.replace(/\bseat (\d+)\b|席(\d+)/gi, (said, english, japanese) => names[english ?? japanese] || said)
}

/** Whether an event is no news, but until when somebody is to answer: clocks show that, and it follows nearly every move. */
export function isAside(event) {
  return event.type === 'match/DeadlineSet'
}

const MOMENT = /\b(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d) UTC\b/g

/** Events write "2026-11-23 13:13:18 UTC": with the reader's own time in its place, and without the day if it is today. */
export function inOwnTime(text, lang) {
  return text.replace(MOMENT, (said, day, time) => {
    const moment = new Date(`${day}T${time}Z`)
    if (Number.isNaN(moment.getTime())) return said
    const isToday = moment.toDateString() === new Date().toDateString()
    return moment.toLocaleString(lang, isToday ? { timeStyle: 'short' } : { dateStyle: 'medium', timeStyle: 'short' })
  })
}

/** What a seat is called: its player's name, or its number. */
export function seatName(seat, names, lang) {
  return names?.[seat] || fill(wordsOf(lang).seat, { seat })
}

/** A piece in words: its title, what is printed on it, what is so of it now, and how many there are. */
export function nameOf(piece, { lang = 'en', names } = {}) {
  const words = wordsOf(lang)
  const said = [
    ...(piece.facts ?? []).map(one => fill(words.fact, one)),
    ...(piece.marks ?? []).map(one => one.title),
  ]
  let name = piece.title
  if (said.length && piece.kind !== 'marker') name = fill(words.marked, { piece: name, said: said.join(words.comma) })
  if ((piece.count ?? 1) !== 1) name = fill(words.counted, { piece: name, count: piece.count })
  return named(name, names)
}
