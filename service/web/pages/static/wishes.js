// @ts-check
// The reader's settings of the table, kept in this browser.

const KEY = 'foldtable.table'
const USUAL = { confirm: 'final', pace: '480', keys: 'page' }

export class Wishes {
  constructor(form, onChange) {
    this.form = form
    this.said = { ...USUAL, ...read() }
    for (const [name, value] of Object.entries(this.said)) {
      const field = form.elements[name]
      if (field) field.value = value
    }
    form.addEventListener('submit', event => event.preventDefault())
    form.addEventListener('change', () => {
      for (const name of Object.keys(USUAL)) this.said[name] = form.elements[name].value
      try {
        localStorage.setItem(KEY, JSON.stringify(this.said))
      } catch {
        // the settings last until the page is left
      }
      onChange(this)
    })
  }

  get asksAlways() {
    return this.said.confirm === 'all'
  }

  /** Whether N and P lead to the table from anywhere on the page: who dictates to their browser may not want that. */
  get areKeysEverywhere() {
    return this.said.keys === 'page'
  }

  get pace() {
    return Number(this.said.pace)
  }
}

function read() {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? '{}')
  } catch {
    return {}
  }
}
