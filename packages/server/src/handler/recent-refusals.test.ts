import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RecentRefusals } from './recent-refusals.ts'

function request(connection: number, bytes: number, address = '192.0.2.1') {
  return { client: { address, connection }, headers: { 'content-length': String(bytes) } }
}

test('as long as others are refused, a client that asks for as much before it was told to is too early', () => {
  let now = 0
  const refusals = new RecentRefusals(() => now)
  assert.ok(refusals.isEmpty())
  refusals.note(request(1, 500), 2_000)
  assert.ok(!refusals.isEmpty())
  assert.ok(refusals.isTooEarly(request(1, 500)))
  assert.ok(refusals.isTooEarly(request(1, 900)))
  now = 999
  refusals.note(request(2, 500), 5_000)
  now = 1_900
  assert.ok(refusals.isTooEarly(request(1, 500)))
  refusals.note(request(3, 500), 5_000)
  now = 2_000
  assert.ok(!refusals.isTooEarly(request(1, 500)))
})

test('who was too early, and was told so, is too early until the time it was told last', () => {
  let now = 0
  const refusals = new RecentRefusals(() => now)
  refusals.note(request(1, 500), 1_000)
  now = 900
  refusals.note(request(2, 500), 1_000)
  refusals.postpone(request(1, 700), 3_000)
  now = 1_800
  refusals.note(request(2, 500), 1_000)
  assert.ok(refusals.isTooEarly(request(1, 500)))
  assert.ok(!refusals.isTooEarly(request(1, 400)))
  // Nobody was refused where searches wait: there is room, whatever was told.
  now = 2_800
  assert.ok(!refusals.isTooEarly(request(1, 500)))
  refusals.postpone(request(3, 500), 3_000)
  assert.ok(!refusals.isTooEarly(request(3, 500)))
})

test('where nobody was refused for a second, nobody is too early', () => {
  let now = 0
  const refusals = new RecentRefusals(() => now)
  refusals.note(request(1, 500), 5_000)
  now = 999
  assert.ok(refusals.isTooEarly(request(1, 500)))
  now = 1_000
  assert.ok(!refusals.isTooEarly(request(1, 500)))
  assert.ok(refusals.isEmpty())
})

test('smaller requests, other connections and other clients are not refused', () => {
  const refusals = new RecentRefusals(() => 0)
  refusals.note(request(1, 500), 1_000)
  assert.ok(!refusals.isTooEarly(request(1, 40)))
  assert.ok(!refusals.isTooEarly(request(2, 500)))
  assert.ok(!refusals.isTooEarly(request(1, 500, '198.51.100.7')))
  assert.ok(!refusals.isTooEarly({ headers: {} }))
})

test('no more than ten thousand are remembered', () => {
  const refusals = new RecentRefusals(() => 0)
  for (let connection = 0; connection <= 10_000; connection++) refusals.note(request(connection, 10), 5_000)
  assert.ok(!refusals.isTooEarly(request(0, 10)))
  assert.ok(refusals.isTooEarly(request(1, 10)))
  assert.ok(refusals.isTooEarly(request(10_000, 10)))
})
