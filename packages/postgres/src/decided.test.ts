import assert from 'node:assert/strict'
import { test } from 'node:test'
import { StoreFault } from '../../core/src/store/contract.ts'
import { Database, LostCommit } from './database.ts'
import { decided, mintWriteId, outcomeOf } from './decided.ts'

/** Returns a database that answers questions for an outcome with these results, one after another. */
function answering(...results: (boolean | Error)[]): Database {
  const database = new Database('postgres://nowhere.invalid/none')
  const query = async () => {
    const result = results.shift() ?? assert.fail('asked too often')
    if (result instanceof Error) throw result
    return [{ written: result }]
  }
  return Object.assign(database, { query })
}

const lost = { run: () => Promise.reject(new LostCommit('lost')), answer: () => 'done' }
const away = new StoreFault('unreachable', 'no primary')

test('a commit whose connection was lost waits for a primary that knows its outcome', async () => {
  const options = { ...lost, patienceMs: 60_000 }
  assert.equal(await decided(answering(away, true), mintWriteId(), options), 'done')
  await assert.rejects(decided(answering(away, false), mintWriteId(), options), { code: 'unreachable' })
})

test('a commit whose outcome cannot be determined is undecided, with the id to ask for it', async () => {
  const id = mintWriteId()
  await assert.rejects(decided(answering(away), id, lost), { code: 'undecided', details: { write: id } })
})

test('an error before the commit is passed on', async () => {
  const run = () => Promise.reject(away)
  await assert.rejects(decided(answering(), mintWriteId(), { ...lost, run }), away)
})

test('the outcome of an id that is malformed, or too old to be known, is undefined', async () => {
  const ids = ['', 'x', `${mintWriteId()}0`, '00000000-0000-7ccc-8ddd-eeeeffff0000']
  for (const id of ids) assert.equal(await outcomeOf(answering(), id), undefined)
  assert.equal(await outcomeOf(answering(true), mintWriteId()), true)
})
