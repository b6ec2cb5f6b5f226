// @ts-check
import assert from 'node:assert/strict'
import { test } from 'node:test'

import { messagesOf } from '../../service/web/pages/static/sse.js'

test('a message has the type, the place and the data that stand in it', () => {
  const { messages, rest } = messagesOf('event: end\nid: 7\ndata: {"a":1}\n\n')
  assert.deepEqual(messages, [{ event: 'end', id: '7', data: '{"a":1}' }])
  assert.equal(rest, '')
})

test('a type that is not said is "message", and data keeps its colons and inner spaces', () => {
  const { messages } = messagesOf('data:  {"at": "12:30"}\n\n')
  assert.deepEqual(messages, [{ event: 'message', id: '', data: ' {"at": "12:30"}' }])
})

test('lines of data are one text', () => {
  assert.equal(messagesOf('data: a\ndata: b\n\n').messages[0]?.data, 'a\nb')
})

test('signs of life, the time to come back and other fields are no messages', () => {
  assert.deepEqual(messagesOf(':\n\nretry: 2000\n\n: ping\n\n__proto__: 1\n\n').messages, [])
})

test('cut anywhere, a stream tells each message once and in order', () => {
  const stream = 'retry: 2000\n\nid: 1\ndata: one\n\n:\n\nid: 2\ndata: two\n\nevent: end\nid: 2\ndata: {}\n\n'
  for (let cut = 0; cut <= stream.length; cut += 1) {
    const first = messagesOf(stream.slice(0, cut))
    const second = messagesOf(first.rest + stream.slice(cut))
    assert.deepEqual([...first.messages, ...second.messages].map(one => one.data), ['one', 'two', '{}'], `cut at ${cut}`)
    assert.equal(second.rest, '')
  }
})
