import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import type { Operation, Store, WriteResult } from '../../../core/src/store/contract.ts'
import { StoreFault } from '../../../core/src/store/contract.ts'
import { createMemoryStore } from '../../../core/src/store/memory.ts'
import { namedValue } from '../../../core/src/store/values.ts'
import { withGroupCommit } from './group-commit.ts'

const moon = (id: string, title = id) => ({ type: 'sol:moon', id, title, attributes: {} })
const put = (id: string, title?: string): Operation => ({ put: moon(id, title) })
const putNew = (id: string, title?: string): Operation => ({
  put: moon(id, title),
  precondition: { ifAbsent: true },
})

/** Creates a store that records the size of its commits and may refuse writes. */
function counted(
  refuse: (operations: readonly Operation[]) => Error | undefined = () => undefined,
  capabilities: Partial<Store> = {},
) {
  const memory = createMemoryStore()
  const commits: number[] = []
  const store: Store = {
    ...memory,
    ...capabilities,
    async write(operations, options) {
      const fault = refuse(operations)
      if (fault) throw fault
      const result = await memory.write(operations, options)
      if (result.done) commits.push(operations.length)
      return result
    },
  }
  // The clock is stopped, so that work takes no time.
  return { store: withGroupCommit(store, () => 0), commits }
}

function changes(result: WriteResult): string[] {
  if (result.done) return result.outcomes.map(({ change }) => change)
  return ['failed' in result ? `failed ${result.failed}` : result.failedValue]
}

test('concurrent writes share one commit, and each returns its own outcomes', async () => {
  const { store, commits } = counted()
  const results = await Promise.all([
    store.write([put('io'), put('europa')]),
    store.write([]),
    store.write([put('io', 'Io')]),
    store.write([{ delete: { type: 'sol:moon', id: 'thebe' } }]),
  ])
  assert.deepEqual(results.map(changes), [['created', 'created'], [], ['changed'], ['missing']])
  assert.deepEqual(commits, [4])
  assert.equal(JSON.parse((await store.get('sol:moon', 'io'))?.json ?? '').title, 'Io')
})

/** Creates a store that records the size of its commits, each of which takes `cost` ms per operation of its own clock. */
function slowly(capabilities: Partial<Store> = {}) {
  const memory = createMemoryStore()
  const clock = { now: 0, cost: 8 }
  const commits: number[] = []
  const slow: Store = {
    ...memory,
    ...capabilities,
    write(operations, options) {
      clock.now += clock.cost * operations.length
      commits.push(operations.length)
      return memory.write(operations, options)
    },
  }
  const store = withGroupCommit(slow, () => clock.now)
  const write = (count: number) =>
    Promise.all(Array.from({ length: count }, (_, index) => store.write([put(`moon${index}`)])))
  return { store, write, clock, commits }
}

test('groups are smaller if writes are slow', async () => {
  const { write, clock, commits } = slowly()
  await write(1)
  await write(12)
  assert.deepEqual(commits, [1, 6, 4, 2])
  // After writes become fast, groups grow again.
  clock.cost = 0.1
  for (let round = 0; round < 10; round++) await write(1)
  commits.length = 0
  await write(100)
  assert.deepEqual(commits, [100])
})

test('groups in a database are as large if writes are slow', async () => {
  const { write, commits } = slowly({ outcome: () => undefined })
  await write(1)
  await write(12)
  assert.deepEqual(commits, [1, 12])
})

test('a group in a database waits for the writers of the last one', async () => {
  const { store, commits } = slowly({ outcome: () => undefined })
  const writers = Array.from({ length: 4 }, async (_, writer) => {
    for (let count = 0; count < 3; count++) {
      await store.write([put(`moon${writer}`)])
      await pause(writer)
    }
  })
  await Promise.all(writers)
  assert.deepEqual(commits, [4, 4, 4])
})

test('a group in a database does not wait for a writer that stays away', { timeout: 5_000 }, async () => {
  const { store, write, commits } = slowly({ outcome: () => undefined })
  await write(4)
  for (let count = 0; count < 3; count++) await store.write([put('io')])
  assert.deepEqual(commits, [4, 1, 1, 1])
})

test('only the write with a failed precondition is refused, with the current state', async () => {
  const { store, commits } = counted()
  const results = await Promise.all([
    store.write([put('amalthea')]),
    store.write([putNew('io', 'first')]),
    store.write([put('leda'), putNew('io', 'second'), put('never')]),
    store.write([put('europa')]),
  ])
  assert.deepEqual(results.map(changes), [['created'], ['created'], ['failed 1'], ['created']])
  const [, , refused] = results
  assert.ok(refused && 'failed' in refused)
  assert.equal(JSON.parse(refused.current?.json ?? '').title, 'first')
  assert.deepEqual(commits, [2, 1])
  assert.equal(await store.get('sol:moon', 'never'), undefined)
  assert.equal(await store.get('sol:moon', 'leda'), undefined)
})

test('writes share a commit unless they concern the same metadata value', async () => {
  const { store, commits } = counted()
  const results = await Promise.all([
    store.write([put('io')], { values: { a: '1' } }),
    store.write([put('europa')], { values: { b: '1' }, ifValues: { c: undefined } }),
    store.write([put('leda')], { ifValues: { c: undefined } }),
    store.write([put('thebe')], { values: { a: '2' }, ifValues: { a: '1' } }),
    store.write([put('metis')], { values: { c: '1' } }),
  ])
  assert.deepEqual(results.map(changes), Array(5).fill(['created']))
  assert.deepEqual(commits, [3, 2])
  const values = ['a', 'b', 'c'].map(async (key) => (await namedValue(store, key))?.value)
  assert.deepEqual(await Promise.all(values), ['2', '1', '1'])
})

test('only the write with a failed metadata condition is refused', async () => {
  const { store, commits } = counted()
  const results = await Promise.all([
    store.write([put('io')], { values: { a: '1' } }),
    store.write([put('never')], { values: { b: '1' }, ifValues: { c: 'x' } }),
    store.write([put('nor')], { ifValues: { c: 'x' } }),
    store.write([put('europa')]),
  ])
  const refused = { done: false, failedValue: 'c' }
  assert.deepEqual(results.slice(1, 3), [refused, refused])
  assert.deepEqual(commits, [2])
  assert.deepEqual(
    [await namedValue(store, 'b'), await store.get('sol:moon', 'never')],
    [undefined, undefined],
  )
  assert.equal((await namedValue(store, 'a'))?.value, '1')
})

test('a write that is aborted while it waits is not committed', async () => {
  const { store, commits } = counted()
  const ending = new AbortController()
  const [io, never] = [store.write([put('io')]), store.write([put('never')], { signal: ending.signal })]
  ending.abort()
  await assert.rejects(async () => never, { name: 'AbortError' })
  assert.deepEqual([changes(await io), commits], [['created'], [1]])
})

test('a write refused by the store does not make the other writes of its group fail', async () => {
  const tooMuch = (operations: readonly Operation[]) =>
    operations.some((operation) => 'put' in operation && operation.put.id === 'huge')
      ? new StoreFault('full', 'no room')
      : undefined
  const { store } = counted(tooMuch)
  const [io, huge, europa] = await Promise.allSettled(
    ['io', 'huge', 'europa'].map(async (id) => store.write([put(id)])),
  )
  assert.equal(io?.status, 'fulfilled')
  assert.equal(europa?.status, 'fulfilled')
  assert.ok(huge?.status === 'rejected' && huge.reason.code === 'full')
})

test('a busy store fails all writes of a group without retries', async () => {
  let asked = 0
  const { store } = counted(() => {
    asked += 1
    return new StoreFault('busy', 'later')
  })
  const ended = await Promise.allSettled(['io', 'europa'].map(async (id) => store.write([put(id)])))
  assert.deepEqual(
    ended.map(({ status }) => status),
    ['rejected', 'rejected'],
  )
  assert.equal(asked, 1)
})

test('if a type is held in a database, only its writes fail', async () => {
  const { store, commits } = counted(
    (operations) =>
      operations.some((operation) => 'put' in operation && operation.put.type === 'sol:planet')
        ? new StoreFault('busy', 'held')
        : undefined,
    { outcome: () => undefined },
  )
  const held: Operation = { put: { ...moon('mars'), type: 'sol:planet' } }
  const writes = [[put('io')], [held], [put('europa')], [held, put('moon')]]
  const ended = await Promise.allSettled(writes.map((write) => store.write(write)))
  assert.deepEqual(
    ended.map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled', 'rejected'],
  )
  assert.deepEqual(commits, [2])
})

test('closing waits for writes in progress', async () => {
  const { store } = counted()
  const written = store.write([put('io')])
  await store.close()
  assert.deepEqual(changes(await written), ['created'])
})

test('the size of a group is bounded', async () => {
  const { store, commits } = counted()
  const many = (prefix: string) => Array.from({ length: 600 }, (_, index) => put(`${prefix}${index}`))
  await Promise.all([store.write(many('a')), store.write(many('b')), store.write([put('io')])])
  assert.deepEqual(commits, [600, 601])
  const database = counted(undefined, { outcome: () => undefined })
  await Promise.all(many('c').map((write) => database.store.write([write])))
  assert.deepEqual(database.commits, [100, 100, 100, 100, 100, 100])
})
