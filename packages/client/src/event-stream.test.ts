import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { isWorldError } from './error.ts'
import { EventStreamParser } from './event-stream.ts'

const encode = (text: string) => new TextEncoder().encode(text)

function eventsOf(text: string) {
  return new EventStreamParser().push(encode(text))
}

test('an event has a name and data and ends with an empty line', () => {
  assert.deepEqual(eventsOf('event: change\nid: 7\ndata: {"a":1}\n\ndata:second\n\n'), [
    { event: 'change', data: '{"a":1}' },
    { event: 'message', data: 'second' },
  ])
})

test('several data lines are joined with line breaks', () => {
  assert.deepEqual(eventsOf('data: one\ndata:  two\ndata\n\n'), [{ event: 'message', data: 'one\n two\n' }])
})

test('comments, unknown fields and events without data yield no event', () => {
  assert.deepEqual(eventsOf(': heartbeat\n\nretry: 10\n\nevent: change\n\ndata: x\n\n'), [
    { event: 'message', data: 'x' },
  ])
})

test('an incomplete event is not yielded', () => {
  assert.deepEqual(eventsOf('data: x\n'), [])
})

test('lines may end in CR, LF or CRLF', () => {
  // The last carriage return may be half of a CRLF until another character follows.
  for (const end of ['\n', '\r\n', '\r'])
    assert.deepEqual(eventsOf(['event: a', 'data: x', 'data: y', '', ': '].join(end)), [
      { event: 'a', data: 'x\ny' },
    ])
})

test('a stream may be split at any byte', () => {
  const text =
    'event: change\r\ndata: {"title":"Jupiterův měsíc 🪐"}\r\n\r\n: beat\rdata: a\rdata: b\r\rdata: c\n\n'
  const whole = eventsOf(text)
  assert.equal(whole.length, 3)
  fc.assert(
    fc.property(fc.array(fc.nat({ max: encode(text).length })), (cuts) => {
      const parser = new EventStreamParser()
      const places = [0, ...cuts.toSorted((a, b) => a - b), encode(text).length]
      const pieces = places.slice(1).map((end, index) => encode(text).slice(places[index], end))
      assert.deepEqual(
        pieces.flatMap((piece) => parser.push(piece)),
        whole,
      )
    }),
  )
})

test('an event that exceeds the maximum size is refused', () => {
  const parser = new EventStreamParser()
  const piece = encode('x'.repeat(2 ** 20))
  parser.push(encode('data: '))
  for (let pieces = 0; pieces < 15; pieces++) parser.push(piece)
  assert.throws(
    () => parser.push(piece),
    (error) => isWorldError(error) && error.code === 'response_too_large',
  )
})

test('the maximum event size applies to the sum of all data lines', () => {
  const parser = new EventStreamParser()
  const piece = encode(`data: ${'x'.repeat(2 ** 20)}\n`)
  for (let pieces = 0; pieces < 16; pieces++) parser.push(piece)
  assert.throws(
    () => parser.push(piece),
    (error) => isWorldError(error) && error.code === 'response_too_large',
  )
})
