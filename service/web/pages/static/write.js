// Writing into the page. What is set has more of it worked out anew, also where it was the same; so only what differs is.

/** An element by its id. */
export const at = id => document.getElementById(id)

/** Sets a property of an element, or of its `dataset`. */
export function put(thing, name, value) {
  if (thing[name] !== value) thing[name] = value
}
