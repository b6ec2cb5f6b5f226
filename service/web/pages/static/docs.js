// @ts-check
// The contract as a list: a line is loaded when it is opened, and opened if its name is in the address.

/**
 * Load what belongs in the line from its own page.
 * @param {HTMLDetailsElement} line
 */
async function load(line) {
  const address = line.dataset.loads
  if (!address) return
  delete line.dataset.loads
  const answer = await fetch(address).catch(() => null)
  const found = answer?.ok ? new DOMParser().parseFromString(await answer.text(), 'text/html').querySelector('article') : null
  // the link in it still leads there
  if (!found) return void (line.dataset.loads = address)
  // the line says it already
  found.querySelector('h1')?.remove()
  line.querySelector('div')?.replaceChildren(document.adoptNode(found))
}

/** Open what the address names. */
function reach() {
  const named = document.getElementById(decodeURIComponent(location.hash.slice(1)))
  for (let at = named?.closest('details'); at; at = at.parentElement?.closest('details')) at.open = true
  named?.scrollIntoView()
}

// this event does not bubble
document.addEventListener('toggle', ({ target }) => { if (target instanceof HTMLDetailsElement && target.open) load(target) }, true)
addEventListener('hashchange', reach)
reach()
for (const line of /** @type {NodeListOf<HTMLDetailsElement>} */ (document.querySelectorAll('details[open][data-loads]'))) load(line)
