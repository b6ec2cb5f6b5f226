// What is new in a drawn table against another: by lines, and within a line by words, numbers and Japanese signs.

const partsOf = line => line.match(/[0-9]+|[A-Za-z]+|\s+|./gu) ?? []

// Which places of `after` are in the longest row of things that both have, in order: [place before, place after].
function common(before, after) {
  const width = after.length + 1
  const best = new Uint16Array((before.length + 1) * width)
  for (let i = before.length - 1; i >= 0; i--) {
    for (let j = after.length - 1; j >= 0; j--) {
      best[i * width + j] = before[i] === after[j]
        ? best[(i + 1) * width + j + 1] + 1
        : Math.max(best[(i + 1) * width + j], best[i * width + j + 1])
    }
  }
  const pairs = []
  for (let i = 0, j = 0; i < before.length && j < after.length;) {
    if (before[i] === after[j]) pairs.push([i++, j++])
    else if (best[(i + 1) * width + j] >= best[i * width + j + 1]) i++
    else j++
  }
  return pairs
}

// For each line of `after` its pieces: [text, whether it is new].
function changesOf(before, after) {
  const found = after.map(line => [[line, false]])
  let a = 0, c = 0
  for (const [b, d] of [...common(before, after), [before.length, after.length]]) {
    const left = before.slice(a, b).map(partsOf)
    for (let i = c; i < d; i++) found[i] = against(left, after[i])
    a = b + 1
    c = d + 1
  }
  return found
}

// A line against the first of those left that is like it; that one and those before it are taken out.
function against(left, line) {
  const parts = partsOf(line)
  for (const [i, other] of left.entries()) {
    const pairs = common(other, parts)
    if (2 * pairs.length < 0.5 * (other.length + parts.length)) continue
    left.splice(0, i + 1)
    const kept = new Set(pairs.map(([, at]) => at))
    return joined(parts.map((part, at) => [part, !kept.has(at)]))
  }
  return [[line, line !== '']]
}

// Pieces of a kind as one; what only a space parts is one, too.
function joined(pieces) {
  const found = []
  for (const [i, [text, isNew]] of pieces.entries()) {
    const isBridge = !isNew && /^\s+$/.test(text) && found.at(-1)?.[1] && pieces[i + 1]?.[1]
    const last = found.at(-1)
    if (last && last[1] === (isNew || Boolean(isBridge))) last[0] += text
    else found.push([text, isNew])
  }
  return found
}
