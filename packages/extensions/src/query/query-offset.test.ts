import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from '@worldwright/client/protocol'
import type { Extension } from '../../../core/src/handler/extension.ts'
import { createWorld } from '../../../core/src/handler/handler.ts'
import { pieces } from '../../../core/src/handler/world.fixture.ts'
import type { Source, Store } from '../../../core/src/store/contract.ts'
import { createMemoryStore } from '../../../core/src/store/memory.ts'
import { memorySearch } from '../../../search/src/entities/memory-search.ts'
import { withIndex } from '../../../search/src/entities/with-index.ts'
import { changes } from '../changes/routes.ts'
import { query } from './index.ts'

const schema = { type: 'object', properties: { mass: { type: 'number' } } }
const HEAVY = { op: '>', args: [{ property: 'mass' }, 5] }

function storeOfMoons() {
  const store = createMemoryStore({ search: memorySearch })
  const put = (id: string, mass: number) =>
    store.write([{ put: { type: 'sol:moon', id, attributes: { mass } } }])
  return { store, put }
}

function worldOver(store: Source, extensions: Extension[]) {
  const types = [{ type: 'sol:moon', schema }, { type: 'sol:planet' }]
  const handler = createWorld({ id: 'urn:x:sol', types, store, publicUrl: 'https://sol.example', extensions })
  const send = async (method: string, target: string, body?: unknown) => {
    const headers = { 'content-type': 'application/json' }
    const request = { method, target: `/api/world/v0/${target}`, headers }
    const sent = body === undefined ? request : { ...request, body: pieces(JSON.stringify(body)) }
    return JSON.parse(Buffer.from((await handler.handle(sent)).body as Uint8Array).toString())
  }
  const ask = async (input: JsonObject) =>
    (await send('POST', 'actions/worldwright%3Aquery', { input })).output
  /** Returns the changes after an offset, of the given types. */
  const after = async (offset: string, types: string, where: unknown = HEAVY) => {
    const query = `since=${offset}${types}&where=${encodeURIComponent(JSON.stringify(where))}`
    const { changes } = await send('GET', `changes?${query}`)
    return changes?.map(({ op, id }: { op: string; id: string }) => `${op} ${id}`)
  }
  return { ask, after }
}

for (const [order, extensions] of [
  ['before', [query(), changes()]],
  ['after', [changes(), query()]],
] as const)
  test(`an answer and the changes since its offset are complete, with query() mounted ${order} changes()`, async () => {
    const { store, put } = storeOfMoons()
    const { ask, after } = worldOver(store, [...extensions])
    await put('io', 9)
    const { entities, offset } = await ask({ types: ['sol:moon'], where: HEAVY })
    assert.deepEqual(
      entities.map(({ id }: { id: string }) => id),
      ['io'],
    )
    await put('io', 1)
    await put('europa', 8)
    const types = '&types=sol:moon'
    assert.deepEqual(await after(offset, types), ['leave io', 'put europa'])
    assert.deepEqual(await after(offset, types, { op: 'isNull', args: [{ property: 'mass' }] }), [
      'leave io',
      'leave europa',
    ])
    assert.equal(await after(offset, ''), undefined)
    for (const input of [{}, { types: [] }, { facets: ['mass'], limit: 0 }]) {
      const answer = await ask(input)
      assert.deepEqual(await after(answer.offset, ''), [])
      assert.equal(await after(answer.offset, '&types=sol:moon,sol:planet'), undefined)
    }
  })

test('the changes since an offset include a write during the query', async () => {
  const { store, put } = storeOfMoons()
  const find: Store['find'] = async (query) => {
    await put('io', 9)
    return store.find(query)
  }
  const { ask, after } = worldOver({ ...store, find }, [query(), changes()])
  const { total, offset } = await ask({ where: HEAVY })
  assert.equal(total, 1)
  assert.deepEqual(await after(offset, ''), ['put io'])
})

test('an answer from a lagging index has the offset up to which the index has read, or none', async () => {
  const { store, put } = storeOfMoons()
  let reached = (await store.changes({ limit: 0 })).next
  const find: Store['find'] = async (query) => ({ ...(await store.find(query)), reached })
  const { ask, after } = worldOver({ ...store, find }, [query(), changes()])
  await put('io', 9)
  const { offset } = await ask({ where: HEAVY })
  assert.deepEqual(await after(offset, ''), ['put io'])
  reached = ''
  assert.equal((await ask({ where: HEAVY })).offset, undefined)
})

test('the end of the log is read once per version of the store', async () => {
  const { store, put } = storeOfMoons()
  let reads = 0
  const counted: Store['changes'] = (options) => {
    reads += 1
    return store.changes(options)
  }
  const counting: Store = { ...store, changes: counted }
  const { ask, after } = worldOver(counting, [query(), changes()])
  await put('io', 9)
  for (let times = 0; times < 3; times++) await ask({ where: HEAVY })
  assert.equal(reads, 1)
  await put('europa', 9)
  assert.deepEqual(await after((await ask({ where: HEAVY })).offset, ''), [])
})

test('an answer has no offset if its world serves no changes or has no log', async () => {
  const { store, put } = storeOfMoons()
  await put('io', 9)
  assert.equal((await worldOver(store, [query()]).ask({ where: HEAVY })).offset, undefined)
  const { ask } = worldOver(withIndex(store), [query()])
  const { total, offset } = await ask({ where: HEAVY })
  assert.deepEqual([total, offset], [1, undefined])
})
