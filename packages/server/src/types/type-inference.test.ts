import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Storage } from '../storage/contract.ts'
import { createMemoryStorage } from '../storage/memory.ts'
import { derivedTypes } from './derive-types.ts'
import { withTypeInference } from './type-inference.ts'

async function propertiesOf(storage: Storage): Promise<unknown> {
  const [type] = (await derivedTypes(storage)).values()
  return (type?.schema as { properties?: unknown } | undefined)?.properties
}

test('writes and imports widen what is said of their types; replacing starts over', async () => {
  const storage = withTypeInference(createMemoryStorage())
  await storage.write([{ put: { type: 'a:thing', id: '1', attributes: { a: 1 } } }])
  const load = await storage.import()
  await load.add([{ type: 'a:thing', id: '2', attributes: { b: 'x' } }])
  await load.commit()
  assert.deepEqual(await propertiesOf(storage), { a: { type: 'integer' }, b: { type: 'string' } })
  const again = await storage.import()
  await again.add([{ type: 'a:thing', id: '2', attributes: { c: true } }])
  await again.commit({ replace: ['a:thing'] })
  assert.deepEqual(await propertiesOf(storage), { c: { type: 'boolean' } })
})

test('a write that fails teaches nothing', async () => {
  const storage = withTypeInference(createMemoryStorage())
  await storage.write([{ put: { type: 'a:thing', id: '1', attributes: { a: 1 } } }])
  const put = { type: 'a:thing', id: '1', attributes: { b: 1 } }
  assert.equal((await storage.write([{ put, precondition: { ifAbsent: true } }])).done, false)
  assert.deepEqual(await propertiesOf(storage), { a: { type: 'integer' } })
})

test('what is said holds for all entities, however writes overlap', async () => {
  const slow = createMemoryStorage()
  const storage = withTypeInference({
    ...slow,
    // Others come in between a call and its transaction.
    write: async (...write) => {
      await new Promise(setImmediate)
      return slow.write(...write)
    },
  })
  const names = Array.from({ length: 20 }, (_, at) => `n${String(at).padStart(2, '0')}`)
  await Promise.all(
    names.map((name) => storage.write([{ put: { type: 'a:thing', id: name, attributes: { [name]: 1 } } }])),
  )
  assert.deepEqual(Object.keys((await propertiesOf(storage)) as object).toSorted(), names)
})

test('metadata of the caller is kept as well', async () => {
  const storage = withTypeInference(createMemoryStorage())
  await storage.write([], { metadata: { a: '1' } })
  const load = await storage.import()
  await load.commit({ metadata: { b: '2' } })
  const kept = [await storage.metadata('a'), await storage.metadata('b')]
  assert.deepEqual(
    kept.map((one) => one?.value),
    ['1', '2'],
  )
})

test('conditions of the caller hold', async () => {
  const storage = withTypeInference(createMemoryStorage())
  const load = await storage.import()
  await load.add([{ type: 'a:thing', id: '1', attributes: {} }])
  const stale = async () => load.commit({ ifVersions: new Map([['a:thing', 'another']]) })
  await assert.rejects(stale, { code: 'stale' })
})
