import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Store } from '../../../core/src/store/contract.ts'
import { createMemoryStore } from '../../../core/src/store/memory.ts'
import { namedValue } from '../../../core/src/store/values.ts'
import { askableProperties } from '../../../extensions/src/query/askable.ts'
import { inferredTypes } from './type-inference.ts'
import { withTypeInference } from './with-type-inference.ts'

async function propertiesOf(storage: Store): Promise<unknown> {
  const [type] = (await inferredTypes(storage)).values()
  return (type?.schema as { properties?: unknown } | undefined)?.properties
}

test('writes and imports widen the descriptions of their types; replacing starts over', async () => {
  const storage = withTypeInference(createMemoryStore())
  await storage.write([{ put: { type: 'a:thing', id: '1', attributes: { a: 1 } } }])
  const load = await storage.bulk()
  await load.add([{ type: 'a:thing', id: '2', attributes: { b: 'x' } }])
  await load.commit()
  assert.deepEqual(await propertiesOf(storage), { a: { type: 'integer' }, b: { type: 'string' } })
  const again = await storage.bulk()
  await again.add([{ type: 'a:thing', id: '2', attributes: { c: true } }])
  await again.commit({ replace: ['a:thing'] })
  assert.deepEqual(await propertiesOf(storage), { c: { type: 'boolean' } })
})

test('inferred instants and days are queried as such until another text comes', async () => {
  const storage = withTypeInference(createMemoryStore())
  const kindsAfter = async (id: string, at: string, day: string) => {
    await storage.write([{ put: { type: 'a:thing', id, attributes: { at, day } } }])
    const [type] = (await inferredTypes(storage)).values()
    assert.ok(type)
    return [...askableProperties(type).values()].map(({ kinds, isDate }) => [[...kinds].join(), isDate])
  }
  const both = [
    ['instant', false],
    ['text', true],
  ]
  assert.deepEqual(await kindsAfter('1', '2024-02-29T12:00:00+02:00', '2024-02-29'), both)
  assert.deepEqual(await kindsAfter('2', '2024-02-29T10:00:00Z', '2024-03-01'), both)
  const texts = [
    ['text', false],
    ['text', false],
  ]
  assert.deepEqual(await kindsAfter('3', 'at noon', '2024-02-30'), texts)
})

test('a failed write changes no description', async () => {
  const storage = withTypeInference(createMemoryStore())
  await storage.write([{ put: { type: 'a:thing', id: '1', attributes: { a: 1 } } }])
  const put = { type: 'a:thing', id: '1', attributes: { b: 1 } }
  assert.equal((await storage.write([{ put, precondition: { ifAbsent: true } }])).done, false)
  assert.deepEqual(await propertiesOf(storage), { a: { type: 'integer' } })
})

test('descriptions hold for all entities, however writes overlap', async () => {
  const slow = createMemoryStore()
  const storage = withTypeInference({
    ...slow,
    // Other writes come in between a call and its transaction.
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

test('the store is asked for descriptions only if others may have changed them', async () => {
  const kept = createMemoryStore()
  let asked = 0
  const storage = withTypeInference({
    ...kept,
    values(...args) {
      asked++
      return kept.values(...args)
    },
  })
  const other = withTypeInference(kept)
  const put = (id: string, attributes: Record<string, number>) => [
    { put: { type: 'a:thing', id, attributes } },
  ]
  await storage.write(put('1', { a: 1 }))
  await storage.write(put('2', { b: 1 }))
  assert.equal(asked, 1)
  await other.write(put('3', { c: 1 }))
  await storage.write(put('4', { d: 1 }))
  assert.equal(asked, 2)
  assert.deepEqual(Object.keys((await propertiesOf(kept)) as object).toSorted(), ['a', 'b', 'c', 'd'])
})

test('metadata of the caller is kept as well', async () => {
  const storage = withTypeInference(createMemoryStore())
  await storage.write([], { values: { a: '1' } })
  const load = await storage.bulk()
  await load.commit({ values: { b: '2' } })
  const kept = [await namedValue(storage, 'a'), await namedValue(storage, 'b')]
  assert.deepEqual(
    kept.map((one) => one?.value),
    ['1', '2'],
  )
})

test('conditions of the caller hold', async () => {
  const storage = withTypeInference(createMemoryStore())
  const load = await storage.bulk()
  await load.add([{ type: 'a:thing', id: '1', attributes: {} }])
  const stale = async () => load.commit({ ifVersions: new Map([['a:thing', 'another']]) })
  await assert.rejects(stale, { code: 'stale' })
})
