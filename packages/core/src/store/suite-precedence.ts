/** Contract tests: precedence between files and other writers of the same entity. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Entity } from '@worldwright/client/protocol'
import type { ImportCounts, Precedence, Store } from './contract.ts'
import { ownedIn } from './precedence.ts'
import { countsOf, importAll, moon, type OpenStore, parsed, planet, put, walk } from './suite-data.ts'

/** Registers the tests of precedence for one engine. */
export function precedenceTests(open: OpenStore): void {
  test('writes and deletions by others stay when files are imported again', async (t) => {
    const { storage } = await open(t)
    const rows = ['a', 'b', 'c', 'd', 'e'].map(titled)
    await fromFiles(storage, rows)
    await put(storage, moon('a', { title: 'ours' }), moon('new', { title: 'ours' }))
    await remove(storage, 'b')
    assert.deepEqual(await fromFiles(storage, [...rows.slice(0, 3), titled('f')]), counts(1, 0, 3, 2))
    assert.deepEqual(await titles(storage), { a: 'ours', c: 'c', f: 'f', new: 'ours' })
    assert.deepEqual(await ownedOf(storage), [{ entities: 3, shadowed: 2 }, ['a', 'b deleted']])
    assert.equal((await storage.find({ text: 'ours', limit: 9, budgetMs: 60_000 })).total, 2)
    await fromFiles(storage, [titled('c')])
    assert.deepEqual(await titles(storage), { a: 'ours', c: 'c', new: 'ours' })
    assert.deepEqual(await ownedOf(storage), [{ entities: 3, shadowed: 0 }, []])
    // A file that holds the row again does not restore a deleted entity.
    await fromFiles(storage, rows)
    assert.deepEqual(await titles(storage), { a: 'ours', c: 'c', d: 'd', e: 'e', new: 'ours' })
  })

  test('once the files agree with the stored entity, they win again', async (t) => {
    const { storage } = await open(t)
    await fromFiles(storage, [titled('a')])
    await put(storage, moon('a', { title: 'ours' }))
    await fromFiles(storage, [moon('a', { title: 'ours' })])
    assert.deepEqual(await ownedOf(storage), [undefined, []])
    await fromFiles(storage, [moon('a', { title: 'theirs' })])
    assert.deepEqual(await titles(storage), { a: 'theirs' })
  })

  test('an entity that files never held is forgotten once others have deleted it', async (t) => {
    const { storage } = await open(t)
    await fromFiles(storage, [titled('a')])
    await put(storage, titled('x'))
    await remove(storage, 'x')
    assert.deepEqual(await ownedOf(storage), [undefined, []])
    await fromFiles(storage, [titled('a'), titled('x')])
    assert.deepEqual(await titles(storage), { a: 'a', x: 'x' })
  })

  test('with precedence last, an entity stays until the files change what they say of it', async (t) => {
    const { storage } = await open(t)
    const last = { 'sol:moon': 'last' } as const
    const rows = ['a', 'b', 'c', 'd', 'e', 'f'].map(titled)
    await fromFiles(storage, rows, last)
    await put(storage, ...['a', 'b', 'c', 'new'].map((id) => moon(id, { title: 'ours' })))
    await remove(storage, 'd')
    await remove(storage, 'e')
    const news = [titled('a'), moon('b', { title: 'theirs' }), titled('d'), moon('e', { title: 'theirs' })]
    await fromFiles(storage, [...news, titled('g')], last)
    assert.deepEqual(await titles(storage), { a: 'ours', b: 'theirs', e: 'theirs', g: 'g', new: 'ours' })
    assert.deepEqual(await ownedOf(storage), [{ entities: 3, shadowed: 2 }, ['a', 'd deleted']])
    await fromFiles(storage, [...news, titled('g')], last)
    assert.equal((await titles(storage))['a'], 'ours')
    await fromFiles(storage, [moon('a', { title: 'theirs' }), ...news.slice(1)], last)
    assert.equal((await titles(storage))['a'], 'theirs')
  })

  test('with precedence files, a type is what the files say', async (t) => {
    const { storage } = await open(t)
    const rows = ['a', 'b'].map(titled)
    await fromFiles(storage, rows)
    await put(storage, moon('a', { title: 'ours' }), moon('new', { title: 'ours' }))
    await remove(storage, 'b')
    await fromFiles(storage, rows, { 'sol:moon': 'files' })
    assert.deepEqual(await titles(storage), { a: 'a', b: 'b' })
    assert.deepEqual(await ownedOf(storage), [undefined, []])
  })

  test('entities stored before the first files of a type belong to others', async (t) => {
    const { storage } = await open(t)
    await put(storage, titled('same'), moon('a', { title: 'ours' }), moon('new', { title: 'ours' }))
    await put(storage, planet('mars'))
    assert.deepEqual(await fromFiles(storage, ['same', 'a', 'b'].map(titled)), counts(1, 0, 2, 0))
    assert.deepEqual(await titles(storage), { a: 'ours', b: 'b', new: 'ours', same: 'same' })
    assert.deepEqual(await ownedOf(storage), [{ entities: 2, shadowed: 1 }, ['a']])
    await fromFiles(storage, [])
    assert.deepEqual(await titles(storage), { a: 'ours', new: 'ours' })
  })

  test('an import by others owns everything that it changes and deletes', async (t) => {
    const { storage } = await open(t)
    const rows = ['a', 'b', 'c'].map(titled)
    await fromFiles(storage, rows)
    await importAll(storage, [titled('a'), moon('b', { title: 'ours' }), titled('x')], ['sol:moon'])
    assert.deepEqual(await titles(storage), { a: 'a', b: 'ours', x: 'x' })
    await fromFiles(storage, [moon('a', { title: 'theirs' }), ...rows.slice(1)])
    assert.deepEqual(await titles(storage), { a: 'theirs', b: 'ours', x: 'x' })
    assert.deepEqual(await ownedOf(storage), [{ entities: 3, shadowed: 2 }, ['b', 'c deleted']])
  })

  test('a write by others while files are being staged is not lost', async (t) => {
    const { storage } = await open(t)
    const many = Array.from({ length: 2_500 }, (_, at) => titled(`m${at}`))
    await fromFiles(storage, [...many, titled('a')])
    const load = await storage.bulk({ files: {} })
    await load.add([...many.slice(0, 2_400), moon('a', { title: 'theirs' }), titled('b')])
    await put(storage, moon('a', { title: 'ours' }), moon('b', { title: 'ours' }))
    await remove(storage, 'm0')
    const { created, changed, deleted } = await load.commit({ replace: ['sol:moon'] })
    assert.deepEqual([created, changed, deleted], [0, 0, 100])
    const now = await titles(storage)
    assert.deepEqual([now['a'], now['b'], now['m0']], ['ours', 'ours', undefined])
  })

  test('a kept entity stays without being staged, is counted, and may still be staged', async (t) => {
    const { storage } = await open(t)
    await fromFiles(storage, ['a', 'b', 'c', 'd', 'own'].map(titled))
    await put(storage, moon('own', { title: 'ours' }))
    const load = await storage.bulk({ files: {} })
    const keep = ['a', 'b', 'c', 'nobody'].map((id) => ({ type: 'sol:moon', id }))
    await load.add([titled('a')], { keep })
    assert.deepEqual(await load.add([moon('c', { title: 'new' })]), [])
    const unstaged = await load.unstaged?.(['sol:moon', 'sol:planet'])
    assert.deepEqual(unstaged?.get('sol:moon'), { kept: 1, missing: 1 })
    assert.deepEqual(unstaged?.get('sol:planet'), { kept: 0, missing: 0 })
    const preview = countsOf(await load.commit({ replace: ['sol:moon'], dryRun: true }))
    assert.deepEqual(preview, counts(0, 1, 1, 1))
    assert.deepEqual(countsOf(await load.commit({ replace: ['sol:moon'] })), counts(0, 1, 1, 1))
    assert.deepEqual(await titles(storage), { a: 'a', b: 'b', c: 'new', own: 'ours' })
  })

  test('deletions that survive an import of files stay in the log', async (t) => {
    const { storage } = await open(t)
    await fromFiles(storage, [titled('a'), titled('b')])
    await remove(storage, 'a')
    await fromFiles(storage, [titled('a'), titled('b'), titled('c')])
    const { changes } = await storage.changes({ limit: 9 })
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
  storage: Store,
  entities: Entity[],
  files: Readonly<Record<string, Precedence>> = {},
): Promise<ImportCounts> {
  const load = await storage.bulk({ files })
  await load.add(entities)
  const preview = countsOf(await load.commit({ replace: ['sol:moon'], dryRun: true }))
  const result = countsOf(await load.commit({ replace: ['sol:moon'] }))
  assert.deepEqual(preview, result)
  return result
}

async function remove(storage: Store, id: string): Promise<void> {
  await storage.write([{ delete: { type: 'sol:moon', id } }])
}

async function titles(storage: Store): Promise<Record<string, unknown>> {
  const ids = await walk(storage, 'sol:moon', 1_000)
  const entities = await Promise.all(ids.map(async (id) => parsed(await storage.get('sol:moon', id))))
  return Object.fromEntries(entities.map((entity, at) => [ids[at], entity?.['title']]))
}

async function ownedOf(storage: Store) {
  const { types, shadowed } = await ownedIn(storage, { limit: 9 })
  return [types.get('sol:moon'), shadowed.map(({ id, isDeleted }) => `${id}${isDeleted ? ' deleted' : ''}`)]
}
