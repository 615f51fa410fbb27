import assert from 'node:assert/strict'
import { test } from 'node:test'
import { serverSentEvents } from './server-sent-events.ts'

const TEXT =
  ': hello\n\nevent: change\nid: 1\ndata: {"a":1}\n\ndata: one\r\ndata:two\r\n\r\nevent: nothing\n\ndata: é\r\r: bye\n\ndata: cut'

test('events are the same however their bytes are cut', async () => {
  const bytes = new TextEncoder().encode(TEXT)
  for (const size of [1, 2, 3, 7, bytes.length]) {
    const pieces: Uint8Array[] = []
    for (let start = 0; start < bytes.length; start += size) pieces.push(bytes.subarray(start, start + size))
    assert.deepEqual(await Array.fromAsync(serverSentEvents(pieces)), [
      undefined,
      { name: 'change', data: '{"a":1}' },
      { name: 'message', data: 'one\ntwo' },
      { name: 'message', data: 'é' },
      undefined,
    ])
  }
})

test('an event without an end is given up', async () => {
  const piece = new TextEncoder().encode('x'.repeat(1024 * 1024))
  const endless = Array.from({ length: 20 }, () => piece)
  await assert.rejects(Array.fromAsync(serverSentEvents(endless)), RangeError)
})
