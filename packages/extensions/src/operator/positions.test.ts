import assert from 'node:assert/strict'
import { test } from 'node:test'
import { positionNow } from '../../../core/src/store/positions.ts'
import { operated } from './operator.fixture.ts'

const MOONS = '/api/operator/v0/entities/sol%3Amoon'
const IO = `${MOONS}/io`
const BODY = { title: 'Io', attributes: { radiusKm: 1 } }

test("the response to a write contains the store's position after the write", async () => {
  const { send, store } = await operated()
  const writes = [
    () => send('PUT', IO, BODY),
    () => send('PATCH', IO, { title: 'I' }),
    () => send('PATCH', IO, { title: 'I' }),
    () => send('PUT', `${MOONS}/europa`, BODY),
    () => send('DELETE', IO),
  ]
  const seen: string[] = []
  for (const write of writes) {
    const { headers } = await write()
    assert.equal(headers['worldwright-position'], await positionNow(store))
    assert.equal(headers['access-control-expose-headers'], '*')
    seen.push(headers['worldwright-position'] ?? '')
  }
  // The second patch changes nothing.
  assert.equal(new Set(seen).size, 4)
  const read = await send('GET', `${MOONS}/europa`, undefined, { 'worldwright-after': seen.at(-1) ?? '' })
  assert.equal(read.status, 200)
})

test('the response to a failed write has no position', async () => {
  const { send } = await operated()
  for (const response of [
    await send('PUT', IO, BODY, { 'if-match': '"other"' }),
    await send('DELETE', `${MOONS}/none`),
    await send('PUT', IO, { attributes: { radiusKm: -1 } }),
  ]) {
    assert.ok(response.status >= 400)
    assert.equal(response.headers['worldwright-position'], undefined)
  }
})

test("the last line of a bulk write contains the store's position after the write", async () => {
  const { send, store } = await operated()
  const headers = { 'content-type': 'application/x-ndjson' }
  const row = JSON.stringify({ id: 'europa', ...BODY })
  const { text } = await send('POST', MOONS, row, headers)
  const last = JSON.parse(text.trim().split('\n').at(-1) ?? '')
  assert.deepEqual([last.committed, last.position], [true, await positionNow(store)])
})
