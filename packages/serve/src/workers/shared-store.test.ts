import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import { test } from 'node:test'
import { type Bulk, StoreFault } from '../../../core/src/store/contract.ts'
import { createMemoryStore } from '../../../core/src/store/memory.ts'
import { namedValue } from '../../../core/src/store/values.ts'
import { withGroupCommit } from './group-commit.ts'
import { AnswerLost, answerCalls, type Channel, createCaller } from './rpc.ts'
import { createSharedStore, shareStore } from './shared-store.ts'

/** Creates a store that records the numbers of aborted imports. Aborting an import in `busy` fails. */
function watched(busy: readonly number[] = []) {
  const store = createMemoryStore()
  const ended: number[] = []
  let count = 0
  async function begin(): Promise<Bulk> {
    const number = ++count
    const load = await store.bulk()
    return {
      ...load,
      async abort() {
        if (busy.includes(number)) throw new StoreFault('busy', 'Not now.')
        ended.push(number)
        await load.abort()
      },
    }
  }
  return { shared: shareStore({ ...store, bulk: begin }), ended }
}

test('all imports of an exited worker are aborted even if aborting one of them fails', async () => {
  const { shared, ended } = watched([1])
  const { beginImport } = shared.methods as { beginImport: () => Promise<number> }
  for (let begun = 0; begun < 3; begun++) await beginImport()
  await shared.abandon()
  assert.deepEqual(ended, [2, 3])
})

test('an import that begins while its worker exits is aborted too', async () => {
  const { shared, ended } = watched()
  const { beginImport } = shared.methods as { beginImport: () => Promise<number> }
  const begun = beginImport()
  await shared.abandon()
  await begun
  assert.deepEqual(ended, [1])
})

/** Returns both ends of a channel. */
function channels(): [Channel, Channel] {
  const [left, right] = [new EventEmitter(), new EventEmitter()]
  const end = (own: EventEmitter, other: EventEmitter): Channel => ({
    send: (message) => other.emit('message', structuredClone(message)),
    on: (event, listener) => own.on(event, listener),
  })
  return [end(left, right), end(right, left)]
}

test('a write of metadata reaches the primary unless the write is aborted while waiting', async () => {
  const store = createMemoryStore()
  const [workerEnd, primaryEnd] = channels()
  answerCalls(primaryEnd, shareStore(withGroupCommit(store)).methods)
  const shared = createSharedStore(store, createCaller(workerEnd))
  const put = (id: string) => [{ put: { type: 'sol:moon', id, attributes: {} } }]

  const ending = new AbortController()
  const never = shared.write(put('never'), { values: { moons: '9' }, signal: ending.signal })
  ending.abort()
  await assert.rejects(async () => never, { name: 'AbortError' })

  const options = { values: { moons: '1' }, ifValues: { moons: undefined } }
  assert.equal((await shared.write(put('io'), options)).done, true)
  assert.deepEqual(await shared.write(put('europa'), options), { done: false, failedValue: 'moons' })
  assert.equal((await namedValue(store, 'moons'))?.value, '1')
  assert.equal(await store.get('sol:moon', 'never'), undefined)
  assert.equal(await store.get('sol:moon', 'europa'), undefined)
})

test('if the primary does not answer, a write fails as undecided and a search as busy', async () => {
  const lost = async () => {
    throw new AnswerLost('The process that should answer hangs.')
  }
  const shared = createSharedStore(createMemoryStore(), lost)
  await assert.rejects(async () => shared.write([]), { name: 'StoreFault', code: 'undecided' })
  await assert.rejects(async () => shared.write([], { values: { '~a': 'b' } }), { code: 'undecided' })
  await assert.rejects(async () => shared.find({ limit: 1, budgetMs: 1 }), { code: 'busy' })
})

test('a worker learns the outcome of an undecided write, and the id to ask for it, from the primary', async () => {
  const fault = new StoreFault('undecided', 'The database gave no answer.', { details: { write: 'w1' } })
  const store = {
    ...createMemoryStore(),
    write: () => Promise.reject(fault),
    outcome: (write: string) => (write === 'w1' ? true : undefined),
  }
  const [workerEnd, primaryEnd] = channels()
  answerCalls(primaryEnd, shareStore(store).methods)
  const shared = createSharedStore(createMemoryStore(), createCaller(workerEnd))
  await assert.rejects(async () => shared.write([]), { code: 'undecided', details: { write: 'w1' } })
  assert.deepEqual([await shared.outcome?.('w1'), await shared.outcome?.('w2')], [true, undefined])
})
