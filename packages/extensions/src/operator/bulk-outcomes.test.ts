import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Bulk, StoreFault } from '../../../core/src/store/contract.ts'
import { operated } from './operator.fixture.ts'

const MOON = '/api/operator/v0/entities/sol%3Amoon'
const NDJSON = { 'content-type': 'application/x-ndjson', accept: 'application/x-ndjson' }
const ROW = '{"id":"a","attributes":{"radiusKm":1}}\n'
const WRITE = '0199aaaa-bbbb-7ccc-8ddd-eeeeffff0000'

/** Returns the last line of the answer to a bulk write whose import has other methods. */
async function lastLine(methods: Partial<Bulk>) {
  const { store, send } = await operated()
  const begin = store.bulk
  store.bulk = async () => ({ ...(await begin()), ...methods })
  const { text } = await send('POST', MOON, ROW, NDJSON)
  return JSON.parse(text.trimEnd().split('\n').at(-1) ?? '')
}

function failing(error: Error) {
  return () => {
    throw error
  }
}

test('if the outcome of a commit is unknown, the last line says so, and by which id to ask', async () => {
  const fault = new StoreFault('undecided', 'no answer', { details: { write: WRITE } })
  const { committed, code, details } = await lastLine({ commit: failing(fault) })
  assert.deepEqual([committed, code], [null, 'unavailable'])
  assert.deepEqual(details, { retryAfterSeconds: 1, reason: 'undecided', write: WRITE })
  for (const error of [new Error('gone'), new StoreFault('io', 'a bad disk')])
    assert.equal((await lastLine({ commit: failing(error) })).committed, null)
})

test('if the store has certainly written nothing, the last line says so', async () => {
  for (const code of ['unreachable', 'busy', 'stale'] as const) {
    const commit = failing(new StoreFault(code, 'nothing was written'))
    assert.equal((await lastLine({ commit })).committed, false)
  }
  assert.equal((await lastLine({ add: failing(new Error('gone')) })).committed, false)
})

test('the last line comes even if the import can be neither committed nor aborted', async () => {
  const lost = new StoreFault('unreachable', 'no connection')
  for (const abort of [failing(lost), () => Promise.reject(lost)])
    assert.equal((await lastLine({ add: failing(lost), abort })).committed, false)
})

test('the outcome of an undecided write can be asked for by its id, with a token', async () => {
  const { store, send } = await operated()
  const asked = (write: string, headers = {}) =>
    send('GET', `/api/operator/v0/writes/${write}`, undefined, headers)
  assert.deepEqual([(await asked(WRITE)).status, (await asked(WRITE)).json().code], [404, 'not_found'])
  store.outcome = (write) => (write === WRITE ? true : write === 'lost' ? false : undefined)
  const { status, headers, json } = await asked(WRITE)
  assert.deepEqual([status, headers['cache-control'], json()], [200, 'no-store', { committed: true }])
  assert.deepEqual((await asked('lost')).json(), { committed: false })
  assert.equal((await asked('old')).json().code, 'not_found')
  assert.equal((await asked(WRITE, { authorization: 'Bearer ww_none' })).status, 401)
})
