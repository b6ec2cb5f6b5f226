// A game's tones as a style sheet: strict pages allow no style attributes, so colours are set by classes.

const NAME = /^[a-z0-9-]+$/
const COLOUR = /^#[0-9a-f]{6}$/

/** Return the style sheet of a palette. Throws for a name that can't be a class, and for what is no colour. */
export function paletteCss(slug, palette) {
  if (!NAME.test(slug)) throw new Error(`a game can't be called ${slug} in a style sheet`)
  for (const tone of palette) {
    if (!NAME.test(tone.name) || !COLOUR.test(tone.light) || !COLOUR.test(tone.dark)) {
      throw new Error(`the tone ${tone.name} of ${slug} can't stand in a style sheet`)
    }
  }
  const rules = (before, shade) =>
    palette.map(tone => `${before}.ft-table[data-game="${slug}"] .tone-${tone.name}{--tone:${tone[shade]}}\n`).join('')
  return `${rules('', 'light')}@media (prefers-color-scheme: dark){\n${rules(':root:not([data-theme="light"]) ', 'dark')}}\n${rules(':root[data-theme="dark"] ', 'dark')}`
}

/** Add a game's tones to a page that does not link them; the page's policy allows constructed style sheets. */
export function wearPalette(document, slug, palette) {
  const sheet = new document.defaultView.CSSStyleSheet()
  sheet.replaceSync(paletteCss(slug, palette))
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet]
}
