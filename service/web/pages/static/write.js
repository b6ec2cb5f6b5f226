// @ts-check
// Writing into the page. Only changes are written, since the browser works for every write, also of the same value.

/**
 * Return an element that the page has, by its id.
 * @param {string} id
 */
export const at = id => /** @type {HTMLElement} */ (document.getElementById(id))

/**
 * Set a property of an element, or of its `dataset`, if it differs.
 * @param {any} thing
 * @param {string} name
 * @param {unknown} value
 */
export function put(thing, name, value) {
  if (thing[name] !== value) thing[name] = value
}
