import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Store } from '../../../core/src/store/contract.ts'
import { createMemoryStore } from '../../../core/src/store/memory.ts'
import { namedValue } from '../../../core/src/store/values.ts'
import { askableProperties } from '../../../extensions/src/query/askable.ts'
import { inferredTypes } from './type-inference.ts'
import { withTypeInference } from './with-type-inference.ts'

async function propertiesOf(store: Store): Promise<unknown> {
  const [type] = (await inferredTypes(store)).values()
  return (type?.schema as { properties?: unknown } | undefined)?.properties
}

test('a write or a bulk load widens the type descriptions, and a replacement discards them', async () => {
  const store = withTypeInference(createMemoryStore())
  await store.write([{ put: { type: 'a:thing', id: '1', attributes: { a: 1 } } }])
  const load = await store.bulk()
  await load.add([{ type: 'a:thing', id: '2', attributes: { b: 'x' } }])
  await load.commit()
  assert.deepEqual(await propertiesOf(store), { a: { type: 'integer' }, b: { type: 'string' } })
  const again = await store.bulk()
  await again.add([{ type: 'a:thing', id: '2', attributes: { c: true } }])
  await again.commit({ replace: ['a:thing'] })
  assert.deepEqual(await propertiesOf(store), { c: { type: 'boolean' } })
})

test('attributes inferred as instants or days are queried as such until any other string is written', async () => {
  const store = withTypeInference(createMemoryStore())
  const kindsAfter = async (id: string, at: string, day: string) => {
    await store.write([{ put: { type: 'a:thing', id, attributes: { at, day } } }])
    const [type] = (await inferredTypes(store)).values()
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

test('a failed write does not change any type description', async () => {
  const store = withTypeInference(createMemoryStore())
  await store.write([{ put: { type: 'a:thing', id: '1', attributes: { a: 1 } } }])
  const put = { type: 'a:thing', id: '1', attributes: { b: 1 } }
  assert.equal((await store.write([{ put, precondition: { ifAbsent: true } }])).done, false)
  assert.deepEqual(await propertiesOf(store), { a: { type: 'integer' } })
})

test('descriptions cover all entities even if writes overlap', async () => {
  const slow = createMemoryStore()
  const store = withTypeInference({
    ...slow,
    // Lets other writes run between a call and its transaction.
    write: async (...write) => {
      await new Promise(setImmediate)
      return slow.write(...write)
    },
  })
  const names = Array.from({ length: 20 }, (_, at) => `n${String(at).padStart(2, '0')}`)
  await Promise.all(
    names.map((name) => store.write([{ put: { type: 'a:thing', id: name, attributes: { [name]: 1 } } }])),
  )
  assert.deepEqual(Object.keys((await propertiesOf(store)) as object).toSorted(), names)
})

test('descriptions are read again only after another writer has changed them', async () => {
  const kept = createMemoryStore()
  let asked = 0
  const store = withTypeInference({
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
  await store.write(put('1', { a: 1 }))
  await store.write(put('2', { b: 1 }))
  assert.equal(asked, 1)
  await other.write(put('3', { c: 1 }))
  await store.write(put('4', { d: 1 }))
  assert.equal(asked, 2)
  assert.deepEqual(Object.keys((await propertiesOf(kept)) as object).toSorted(), ['a', 'b', 'c', 'd'])
})

test('a write also stores the values that its caller passes', async () => {
  const store = withTypeInference(createMemoryStore())
  await store.write([], { values: { a: '1' } })
  const load = await store.bulk()
  await load.commit({ values: { b: '2' } })
  const kept = [await namedValue(store, 'a'), await namedValue(store, 'b')]
  assert.deepEqual(
    kept.map((one) => one?.value),
    ['1', '2'],
  )
})

test('a write still checks the conditions that its caller passes', async () => {
  const store = withTypeInference(createMemoryStore())
  const load = await store.bulk()
  await load.add([{ type: 'a:thing', id: '1', attributes: {} }])
  const stale = async () => load.commit({ ifVersions: new Map([['a:thing', 'another']]) })
  await assert.rejects(stale, { code: 'stale' })
})
