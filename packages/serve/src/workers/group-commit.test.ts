import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Operation, Store, WriteResult } from '../../../core/src/store/contract.ts'
import { StorageFault } from '../../../core/src/store/contract.ts'
import { createMemoryStore } from '../../../core/src/store/memory.ts'
import { namedValue } from '../../../core/src/store/values.ts'
import { withGroupCommit } from './group-commit.ts'

const moon = (id: string, title = id) => ({ type: 'sol:moon', id, title, attributes: {} })
const put = (id: string, title?: string): Operation => ({ put: moon(id, title) })
const putNew = (id: string, title?: string): Operation => ({
  put: moon(id, title),
  precondition: { ifAbsent: true },
})

/** A store that counts its commits and may refuse some writes. */
function counted(refuse: (operations: readonly Operation[]) => Error | undefined = () => undefined) {
  const memory = createMemoryStore()
  const commits: number[] = []
  const storage: Store = {
    ...memory,
    async write(operations, options) {
      const fault = refuse(operations)
      if (fault) throw fault
      const result = await memory.write(operations, options)
      if (result.done) commits.push(operations.length)
      return result
    },
  }
  // All work takes no time.
  return { storage: withGroupCommit(storage, () => 0), commits }
}

function changes(result: WriteResult): string[] {
  if (result.done) return result.outcomes.map(({ change }) => change)
  return ['failed' in result ? `failed ${result.failed}` : result.failedValue]
}

test('writes that arrive together are one commit, and each gets the outcome of its own operations', async () => {
  const { storage, commits } = counted()
  const results = await Promise.all([
    storage.write([put('io'), put('europa')]),
    storage.write([]),
    storage.write([put('io', 'Io')]),
    storage.write([{ delete: { type: 'sol:moon', id: 'thebe' } }]),
  ])
  assert.deepEqual(results.map(changes), [['created', 'created'], [], ['changed'], ['missing']])
  assert.deepEqual(commits, [4])
  assert.equal(JSON.parse((await storage.get('sol:moon', 'io'))?.json ?? '').title, 'Io')
})

test('if writes are slow, groups are smaller, so that others have their turn in between', async () => {
  const memory = createMemoryStore()
  const commits: number[] = []
  let now = 0
  let cost = 8
  const slow: Store = {
    ...memory,
    write(operations, options) {
      now += cost * operations.length
      commits.push(operations.length)
      return memory.write(operations, options)
    },
  }
  const storage = withGroupCommit(slow, () => now)
  const write = (count: number) =>
    Promise.all(Array.from({ length: count }, (_, index) => storage.write([put(`moon${index}`)])))
  await write(1)
  await write(12)
  assert.deepEqual(commits, [1, 6, 4, 2])
  // Soon after writes become fast, many go together again.
  cost = 0.1
  for (let round = 0; round < 10; round++) await write(1)
  commits.length = 0
  await write(100)
  assert.deepEqual(commits, [100])
})

test('a write whose precondition fails is refused with the state at its turn, and stops no other', async () => {
  const { storage, commits } = counted()
  const results = await Promise.all([
    storage.write([put('amalthea')]),
    storage.write([putNew('io', 'first')]),
    storage.write([put('leda'), putNew('io', 'second'), put('never')]),
    storage.write([put('europa')]),
  ])
  assert.deepEqual(results.map(changes), [['created'], ['created'], ['failed 1'], ['created']])
  const [, , refused] = results
  assert.ok(refused && 'failed' in refused)
  assert.equal(JSON.parse(refused.current?.json ?? '').title, 'first')
  assert.deepEqual(commits, [2, 1])
  assert.equal(await storage.get('sol:moon', 'never'), undefined)
  assert.equal(await storage.get('sol:moon', 'leda'), undefined)
})

test('metadata goes into the same commit, unless another write in it names the same value', async () => {
  const { storage, commits } = counted()
  const results = await Promise.all([
    storage.write([put('io')], { values: { a: '1' } }),
    storage.write([put('europa')], { values: { b: '1' }, ifValues: { c: undefined } }),
    storage.write([put('leda')], { ifValues: { c: undefined } }),
    storage.write([put('thebe')], { values: { a: '2' }, ifValues: { a: '1' } }),
    storage.write([put('metis')], { values: { c: '1' } }),
  ])
  assert.deepEqual(results.map(changes), Array(5).fill(['created']))
  assert.deepEqual(commits, [3, 2])
  const values = ['a', 'b', 'c'].map(async (key) => (await namedValue(storage, key))?.value)
  assert.deepEqual(await Promise.all(values), ['2', '1', '1'])
})

test('a write whose condition on metadata fails is refused, and stops no other', async () => {
  const { storage, commits } = counted()
  const results = await Promise.all([
    storage.write([put('io')], { values: { a: '1' } }),
    storage.write([put('never')], { values: { b: '1' }, ifValues: { c: 'x' } }),
    storage.write([put('nor')], { ifValues: { c: 'x' } }),
    storage.write([put('europa')]),
  ])
  const refused = { done: false, failedValue: 'c' }
  assert.deepEqual(results.slice(1, 3), [refused, refused])
  assert.deepEqual(commits, [2])
  assert.deepEqual(
    [await namedValue(storage, 'b'), await storage.get('sol:moon', 'never')],
    [undefined, undefined],
  )
  assert.equal((await namedValue(storage, 'a'))?.value, '1')
})

test('a write that is given up while it waits is not made', async () => {
  const { storage, commits } = counted()
  const ending = new AbortController()
  const [io, never] = [storage.write([put('io')]), storage.write([put('never')], { signal: ending.signal })]
  ending.abort()
  await assert.rejects(async () => never, { name: 'AbortError' })
  assert.deepEqual([changes(await io), commits], [['created'], [1]])
})

test('a write that the store cannot take fails alone', async () => {
  const tooMuch = (operations: readonly Operation[]) =>
    operations.some((operation) => 'put' in operation && operation.put.id === 'huge')
      ? new StorageFault('full', 'no room')
      : undefined
  const { storage } = counted(tooMuch)
  const [io, huge, europa] = await Promise.allSettled(
    ['io', 'huge', 'europa'].map(async (id) => storage.write([put(id)])),
  )
  assert.equal(io?.status, 'fulfilled')
  assert.equal(europa?.status, 'fulfilled')
  assert.ok(huge?.status === 'rejected' && huge.reason.code === 'full')
})

test('a busy store is not asked again for each write of a group', async () => {
  let asked = 0
  const { storage } = counted(() => {
    asked += 1
    return new StorageFault('busy', 'later')
  })
  const ended = await Promise.allSettled(['io', 'europa'].map(async (id) => storage.write([put(id)])))
  assert.deepEqual(
    ended.map(({ status }) => status),
    ['rejected', 'rejected'],
  )
  assert.equal(asked, 1)
})

test('closing waits for writes in progress', async () => {
  const { storage } = counted()
  const written = storage.write([put('io')])
  await storage.close()
  assert.deepEqual(changes(await written), ['created'])
})

test('the size of a group is bounded', async () => {
  const { storage, commits } = counted()
  const many = (prefix: string) => Array.from({ length: 600 }, (_, index) => put(`${prefix}${index}`))
  await Promise.all([storage.write(many('a')), storage.write(many('b')), storage.write([put('io')])])
  assert.deepEqual(commits, [600, 601])
})
