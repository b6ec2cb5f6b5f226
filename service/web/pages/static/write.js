// @ts-check
// Writing into the page. What is set has more of it worked out anew, also where it was the same; so only what differs is.

/**
 * An element that the page has, by its id.
 * @param {string} id
 */
export const at = id => /** @type {HTMLElement} */ (document.getElementById(id))

/**
 * Sets a property of an element, or of its `dataset`.
 * @param {any} thing
 * @param {string} name
 * @param {unknown} value
 */
export function put(thing, name, value) {
  if (thing[name] !== value) thing[name] = value
}
