// A game's tones as a style sheet: strict pages allow no style attributes, so colours are set by classes.

const NAME = /^[a-z0-9-]+$/
const COLOUR = /^#[0-9a-f]{6}$/

/**
 * Return the style sheet of a game's tones and of its table. `game` is {slug, palette, style}; without a style the table
 * looks like any. Throws for a name that can't be a class, and for what is no colour.
 */
export function paletteCss({ slug, palette, style }) {
  if (!NAME.test(slug)) throw new Error(`a game can't be called ${slug} in a style sheet`)
  for (const tone of palette) {
    if (!NAME.test(tone.name) || !COLOUR.test(tone.light) || !COLOUR.test(tone.dark)) {
      throw new Error(`the tone ${tone.name} of ${slug} can't stand in a style sheet`)
    }
  }
  const rules = (before, shade) =>
    palette.map(tone => `${before}.ft-table[data-game="${slug}"] .tone-${tone.name}{--tone:${tone[shade]}}\n`).join('')
  return `${styleCss(slug, style)}${rules('', 'light')}@media (prefers-color-scheme: dark){\n${rules(':root:not([data-theme="light"]) ', 'dark')}}\n${rules(':root[data-theme="dark"] ', 'dark')}`
}

/** Return the colours of a table, and of letters on them, as one rule. */
function styleCss(slug, style) {
  if (!style) return ''
  const shade = (name, { light, dark }) => {
    if (!COLOUR.test(light) || !COLOUR.test(dark)) throw new Error(`the ${name} of ${slug} can't stand in a style sheet`)
    return `--${name}:light-dark(${light},${dark});`
  }
  const letters = `--on-ground:light-dark(${letterOn(style.ground.light)},${letterOn(style.ground.dark)});`
  return `.ft-table[data-game="${slug}"]{${shade('ground', style.ground)}${shade('panel', style.board)}${shade('back-a', style.back)}${letters}}\n`
}

/** Return the colour of letters that can be read on a colour: white or black. */
function letterOn(colour) {
  const [red, green, blue] = [1, 3, 5].map(at => parseInt(colour.slice(at, at + 2), 16))
  return red * 0.299 + green * 0.587 + blue * 0.114 < 140 ? '#ffffff' : '#1d2621'
}

/** Add a game's colours to a page that does not link them; the page's policy allows constructed style sheets. */
export function wearPalette(document, game) {
  const sheet = new document.defaultView.CSSStyleSheet()
  sheet.replaceSync(paletteCss(game))
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet]
}
