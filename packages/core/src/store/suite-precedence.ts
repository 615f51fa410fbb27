/** Contract tests: precedence between files and other writers of the same entity. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Entity } from '@worldwright/client/protocol'
import type { ImportCounts, Precedence, Store } from './contract.ts'
import { ownedIn } from './precedence.ts'
import { countsOf, importAll, moon, type OpenStore, parsed, planet, put, walk } from './suite-data.ts'

/** Registers the precedence tests for one engine. */
export function precedenceTests(open: OpenStore): void {
  test('writes and deletions by others survive another import of the files', async (t) => {
    const { store } = await open(t)
    const rows = ['a', 'b', 'c', 'd', 'e'].map(titled)
    await fromFiles(store, rows)
    await put(store, moon('a', { title: 'ours' }), moon('new', { title: 'ours' }))
    await remove(store, 'b')
    assert.deepEqual(await fromFiles(store, [...rows.slice(0, 3), titled('f')]), counts(1, 0, 3, 2))
    assert.deepEqual(await titles(store), { a: 'ours', c: 'c', f: 'f', new: 'ours' })
    assert.deepEqual(await ownedOf(store), [{ entities: 3, shadowed: 2 }, ['a', 'b deleted']])
    assert.equal((await store.find({ text: 'ours', limit: 9, budgetMs: 60_000 })).total, 2)
    await fromFiles(store, [titled('c')])
    assert.deepEqual(await titles(store), { a: 'ours', c: 'c', new: 'ours' })
    assert.deepEqual(await ownedOf(store), [{ entities: 3, shadowed: 0 }, []])
    // A row that reappears in a file does not restore a deleted entity.
    await fromFiles(store, rows)
    assert.deepEqual(await titles(store), { a: 'ours', c: 'c', d: 'd', e: 'e', new: 'ours' })
  })

  test('a write or deletion that changes nothing gives the API no precedence', async (t) => {
    const { store } = await open(t)
    await fromFiles(store, [titled('a')])
    const { version } = await store.list('sol:moon', { limit: 0 })
    const unchanged = { put: titled('a'), precondition: { ifPresent: true } } as const
    const missing = { delete: { type: 'sol:moon', id: 'b' }, precondition: { ifAbsent: true } } as const
    const result = await store.write([unchanged, missing])
    assert.deepEqual(result.done && result.outcomes.map(({ change }) => change), ['unchanged', 'missing'])
    assert.deepEqual(await ownedOf(store), [undefined, []])
    assert.equal((await store.list('sol:moon', { limit: 0 })).version, version)
  })

  test('once the files match an owned entity, later changes in the files win again', async (t) => {
    const { store } = await open(t)
    await fromFiles(store, [titled('a')])
    await put(store, moon('a', { title: 'ours' }))
    await fromFiles(store, [moon('a', { title: 'ours' })])
    assert.deepEqual(await ownedOf(store), [undefined, []])
    await fromFiles(store, [moon('a', { title: 'theirs' })])
    assert.deepEqual(await titles(store), { a: 'theirs' })
  })

  test('an entity that was never in the files is no longer owned once others have deleted it', async (t) => {
    const { store } = await open(t)
    await fromFiles(store, [titled('a')])
    await put(store, titled('x'))
    await remove(store, 'x')
    assert.deepEqual(await ownedOf(store), [undefined, []])
    await fromFiles(store, [titled('a'), titled('x')])
    assert.deepEqual(await titles(store), { a: 'a', x: 'x' })
  })

  test('with precedence `last`, an owned entity is kept until it changes in the files', async (t) => {
    const { store } = await open(t)
    const last = { 'sol:moon': 'last' } as const
    const rows = ['a', 'b', 'c', 'd', 'e', 'f'].map(titled)
    await fromFiles(store, rows, last)
    await put(store, ...['a', 'b', 'c', 'new'].map((id) => moon(id, { title: 'ours' })))
    await remove(store, 'd')
    await remove(store, 'e')
    const news = [titled('a'), moon('b', { title: 'theirs' }), titled('d'), moon('e', { title: 'theirs' })]
    await fromFiles(store, [...news, titled('g')], last)
    assert.deepEqual(await titles(store), { a: 'ours', b: 'theirs', e: 'theirs', g: 'g', new: 'ours' })
    assert.deepEqual(await ownedOf(store), [{ entities: 3, shadowed: 2 }, ['a', 'd deleted']])
    await fromFiles(store, [...news, titled('g')], last)
    assert.equal((await titles(store))['a'], 'ours')
    await fromFiles(store, [moon('a', { title: 'theirs' }), ...news.slice(1)], last)
    assert.equal((await titles(store))['a'], 'theirs')
  })

  test('with precedence `files`, a type contains exactly the entities in the files', async (t) => {
    const { store } = await open(t)
    const rows = ['a', 'b'].map(titled)
    await fromFiles(store, rows)
    await put(store, moon('a', { title: 'ours' }), moon('new', { title: 'ours' }))
    await remove(store, 'b')
    await fromFiles(store, rows, { 'sol:moon': 'files' })
    assert.deepEqual(await titles(store), { a: 'a', b: 'b' })
    assert.deepEqual(await ownedOf(store), [undefined, []])
  })

  test('entities stored before the first file import are owned unless they match the files', async (t) => {
    const { store } = await open(t)
    await put(store, titled('same'), moon('a', { title: 'ours' }), moon('new', { title: 'ours' }))
    await put(store, planet('mars'))
    assert.deepEqual(await fromFiles(store, ['same', 'a', 'b'].map(titled)), counts(1, 0, 2, 0))
    assert.deepEqual(await titles(store), { a: 'ours', b: 'b', new: 'ours', same: 'same' })
    assert.deepEqual(await ownedOf(store), [{ entities: 2, shadowed: 1 }, ['a']])
    await fromFiles(store, [])
    assert.deepEqual(await titles(store), { a: 'ours', new: 'ours' })
  })

  test('entities that an import by others creates, changes or deletes are owned', async (t) => {
    const { store } = await open(t)
    const rows = ['a', 'b', 'c'].map(titled)
    await fromFiles(store, rows)
    await importAll(store, [titled('a'), moon('b', { title: 'ours' }), titled('x')], ['sol:moon'])
    assert.deepEqual(await titles(store), { a: 'a', b: 'ours', x: 'x' })
    await fromFiles(store, [moon('a', { title: 'theirs' }), ...rows.slice(1)])
    assert.deepEqual(await titles(store), { a: 'theirs', b: 'ours', x: 'x' })
    assert.deepEqual(await ownedOf(store), [{ entities: 3, shadowed: 2 }, ['b', 'c deleted']])
  })

  test('a write by others while files are being staged is not lost', async (t) => {
    const { store } = await open(t)
    const many = Array.from({ length: 2_500 }, (_, at) => titled(`m${at}`))
    await fromFiles(store, [...many, titled('a')])
    const load = await store.bulk({ files: {} })
    await load.add([...many.slice(0, 2_400), moon('a', { title: 'theirs' }), titled('b')])
    await put(store, moon('a', { title: 'ours' }), moon('b', { title: 'ours' }))
    await remove(store, 'm0')
    const { created, changed, deleted } = await load.commit({ replace: ['sol:moon'] })
    assert.deepEqual([created, changed, deleted], [0, 0, 100])
    const now = await titles(store)
    assert.deepEqual([now['a'], now['b'], now['m0']], ['ours', 'ours', undefined])
  })

  test('`replace` keeps and counts unstaged entities named in `keep`', async (t) => {
    const { store } = await open(t)
    await fromFiles(store, ['a', 'b', 'c', 'd', 'own'].map(titled))
    await put(store, moon('own', { title: 'ours' }))
    const load = await store.bulk({ files: {} })
    const keep = ['a', 'b', 'c', 'nobody'].map((id) => ({ type: 'sol:moon', id }))
    await load.add([titled('a')], { keep })
    assert.deepEqual(await load.add([moon('c', { title: 'new' })]), [])
    const unstaged = await load.unstaged?.(['sol:moon', 'sol:planet'])
    assert.deepEqual(unstaged?.get('sol:moon'), { kept: 1, missing: 1 })
    assert.deepEqual(unstaged?.get('sol:planet'), { kept: 0, missing: 0 })
    const preview = countsOf(await load.commit({ replace: ['sol:moon'], dryRun: true }))
    assert.deepEqual(preview, counts(0, 1, 1, 1))
    assert.deepEqual(countsOf(await load.commit({ replace: ['sol:moon'] })), counts(0, 1, 1, 1))
    assert.deepEqual(await titles(store), { a: 'a', b: 'b', c: 'new', own: 'ours' })
  })

  test('deletions that survive an import of files stay in the log', async (t) => {
    const { store } = await open(t)
    await fromFiles(store, [titled('a'), titled('b')])
    await remove(store, 'a')
    await fromFiles(store, [titled('a'), titled('b'), titled('c')])
    const { changes } = await store.changes({ limit: 9 })
    assert.deepEqual(
      changes.map(({ id, entity }) => `${id} ${entity !== undefined}`),
      ['b true', 'a false', 'c true'],
    )
  })
}

const titled = (id: string): Entity => moon(id, { title: id })

const counts = (created: number, changed: number, unchanged: number, deleted: number): ImportCounts => ({
  created,
  changed,
  unchanged,
  deleted,
})

async function fromFiles(
  store: Store,
  entities: Entity[],
  files: Readonly<Record<string, Precedence>> = {},
): Promise<ImportCounts> {
  const load = await store.bulk({ files })
  await load.add(entities)
  const preview = countsOf(await load.commit({ replace: ['sol:moon'], dryRun: true }))
  const result = countsOf(await load.commit({ replace: ['sol:moon'] }))
  assert.deepEqual(preview, result)
  return result
}

async function remove(store: Store, id: string): Promise<void> {
  await store.write([{ delete: { type: 'sol:moon', id } }])
}

async function titles(store: Store): Promise<Record<string, unknown>> {
  const ids = await walk(store, 'sol:moon', 1_000)
  const entities = await Promise.all(ids.map(async (id) => parsed(await store.get('sol:moon', id))))
  return Object.fromEntries(entities.map((entity, at) => [ids[at], entity?.['title']]))
}

async function ownedOf(store: Store) {
  const { types, shadowed } = await ownedIn(store, { limit: 9 })
  return [types.get('sol:moon'), shadowed.map(({ id, isDeleted }) => `${id}${isDeleted ? ' deleted' : ''}`)]
}
