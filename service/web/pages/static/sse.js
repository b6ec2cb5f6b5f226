// @ts-check
// Server-Sent Events as text: what has come so far is split into messages. This needs no browser.

/**
 * One message of a stream.
 * @typedef {{ event: string, id: string, data: string }} Message
 */

/**
 * Return the complete messages of a text. Lines that begin with a colon are signs of life and are left out.
 * @param {string} text
 * @returns {{ messages: Message[], rest: string }} the messages, and the beginning of the next one
 */
export function messagesOf(text) {
  const parts = text.split('\n\n')
  const rest = parts.pop() ?? ''
  return { messages: parts.map(messageOf).filter(message => message.data !== ''), rest }
}

/**
 * @param {string} part
 * @returns {Message}
 */
function messageOf(part) {
  const message = { event: 'message', id: '', data: '' }
  for (const line of part.split('\n')) {
    const colon = line.indexOf(':')
    const [name, value] = [line.slice(0, colon), line.slice(colon + 1).replace(/^ /, '')]
    if (colon > 0 && (name === 'event' || name === 'id' || name === 'data')) {
      message[name] = name === 'data' && message.data ? `${message.data}\n${value}` : value
    }
  }
  return message
}
