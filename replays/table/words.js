// The table's own texts in each language; scenes bring all others.

const WORDS = {
  en: {
    table: 'Table', middle: 'Middle of the table', seat: 'Seat {seat}', own: 'you', turn: 'to act', empty: 'nothing here',
    marked: '{piece} ({said})', fact: '{title} {value}', counted: '{piece} ×{count}', comma: ', ',
    chosen: 'chosen', confirm: 'Confirm', back: 'Back', say: 'What can be said', look: 'Look closer', close: 'Close',
    again: 'Show again', open: 'All that {name} has',
  },
  ja: {
    table: '卓', middle: '場', seat: '席{seat}', own: 'あなた', turn: '手番', empty: '何もない',
    marked: '{piece}（{said}）', fact: '{title}{value}', counted: '{piece}×{count}', comma: '、',
    chosen: '選択中', confirm: '決定', back: '戻る', say: '選べる操作', look: '詳しく見る', close: '閉じる',
    again: 'もう一度見る', open: '{name}のすべて',
  },
}

const LEFTWARD = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]/

/** Return the words of a language; English for an unknown one. */
export function wordsOf(lang) {
  return WORDS[lang] ?? WORDS.en
}

/** Return a text with its {gaps} filled in once: values are not searched for gaps. */
export function fill(text, gaps) {
  return text.replace(/\{(\w+)\}/g, (gap, name) => (name in gaps ? String(gaps[name]) : gap))
}

/** Return a scene's text, which has "seat 0" and 「席0」, with players' names in their place if known. */
export function named(text, names) {
  if (!text || !names) return text
  return text.replace(/\bseat (\d+)\b|席(\d+)/gi, (said, english, japanese) => apart(names[english ?? japanese] ?? '') || said)
}

/** Return a name to put into a sentence: one that runs from right to left does not turn what is beside it. */
function apart(name) {
  return LEFTWARD.test(name) ? `\u2068${name}\u2069` : name
}

const MOMENT = /\b(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d) UTC\b/g

/** Return an event's text, which has "2026-11-23 13:13:18 UTC", with the reader's own time, without the day if it is today. */
export function inOwnTime(text, lang) {
  return text.replace(MOMENT, (said, day, time) => {
    const moment = new Date(`${day}T${time}Z`)
    if (Number.isNaN(moment.getTime())) return said
    const isToday = moment.toDateString() === new Date().toDateString()
    return moment.toLocaleString(lang, isToday ? { timeStyle: 'short' } : { dateStyle: 'medium', timeStyle: 'short' })
  })
}

/** Return a seat's name: its player's, or its number. */
export function seatName(seat, names, lang) {
  return names?.[seat] || fill(wordsOf(lang).seat, { seat })
}

/** Return a piece in words: its title, its facts, its marks, and how many there are. */
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

/** Return what a piece is, in as few words as its title has beside its label and numbers: "mana" of "12 mana"; "" for none. */
export function captionOf({ title, label }) {
  const [before, ...after] = label ? title.split(label) : [title]
  // Japanese counts things with words
  const rest = before + after.join(label).replace(/^[個枚]/, '')
  const [words] = rest.replace(/^[\s.:：「]+/, '').split(/\s*[\d:：(（」]/)
  return words.trim().toLowerCase() === label.toLowerCase() ? '' : words.trim()
}
