import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { type TestContext, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import type { Entity } from '@worldwright/client/protocol'
import type { Store } from '../../core/src/store/contract.ts'
import { beginToFollow } from '../../core/src/store/followed.ts'
import { createMemoryStore } from '../../core/src/store/memory.ts'
import { importAll, moon, planet, put } from '../../core/src/store/suite-data.ts'
import { memorySearch } from '../../search/src/entities/memory-search.ts'
import { openSqliteStore } from './open.ts'
import { temporaryFolder } from './temporary-folder.fixture.ts'
import { verifySearchIndex } from './verify-index.ts'

/** More than a write repairs at once, and than a replica takes over in memory. */
const MANY = 2_500

const DAMAGES = [
  `'{"type'`,
  `'null'`,
  `replace(json, 'Luna', 'Selena')`,
  `replace(json, '"title":"Luna"', '"summary":"Selenas are moons"')`,
]

/** Each gives the damaged moon another text, or removes it. */
const WAYS: Readonly<Record<string, (storage: Store, all: readonly Entity[]) => Promise<unknown>>> = {
  'a write puts it': (storage, [first]) => put(storage, moon('m0', first)),
  'a write deletes it': (storage) =>
    storage.write([{ delete: { type: 'sol:moon', id: 'm0' } }]) as Promise<unknown>,
  'an import puts it': (storage, all) => importAll(storage, [...all]),
  'an import deletes it': (storage, [, ...others]) => importAll(storage, others, ['sol:moon']),
  'a copy takes it over': (storage, all) => follow(storage, [...all]),
  'a copy takes over that it was deleted': (storage, [, ...others]) => follow(storage, others),
}

for (const [way, write] of Object.entries(WAYS))
  for (const count of [3, MANY])
    test(`the index agrees with the entities after ${way}, once damaged, among ${count}`, async (t) => {
      // The large store is damaged in one way only: it differs in how the index is built.
      for (const damage of count === MANY ? DAMAGES.slice(2, 3) : DAMAGES) {
        const { storage, file } = await damagedStore(t, count, damage)
        await write(storage, moons(count, 'Titania'))
        assert.deepEqual(await found(storage, 'luna'), [])
        assert.deepEqual(await found(storage, 'selena'), [])
        const isDeleted = way.includes('deletes') || way.includes('deleted')
        assert.deepEqual(await found(storage, 'm0'), isDeleted ? [] : ['m0'])
        // The index of a small store is repaired at once; that of a large one is rebuilt in the background.
        if (count === MANY) await untilAgreed(file)
        const entities = (await storage.list('sol:moon', { limit: 0 })).total + 1
        assert.deepEqual(verifySearchIndex(file), {
          agrees: true,
          entities,
          documents: entities,
          damaged: 0,
        })
        await storage.close()
      }
    })

test('if thousands of entities are damaged, and deleted, the index agrees with the others', async (t) => {
  const { storage, file } = await damagedStore(t, MANY, `'null'`, '')
  await importAll(storage, [], ['sol:moon'])
  await untilAgreed(file)
  assert.deepEqual(verifySearchIndex(file), { agrees: true, entities: 1, documents: 1, damaged: 0 })
  assert.deepEqual(await found(storage, 'mars'), ['mars'])
})

test('an index that was left inexact is asked, and mended when the store is opened again', async (t) => {
  const { storage, file } = await damagedStore(t, MANY, `'null'`)
  await put(storage, moon('m0', { title: 'Titania' }))
  await storage.close()
  assert.equal(verifySearchIndex(file).agrees, false)
  const again = openSqliteStore(file)
  t.after(() => again.close())
  assert.deepEqual([await found(again, 'luna'), await found(again, 'm0')], [[], ['m0']])
  await untilAgreed(file)
  assert.deepEqual([await found(again, 'luna'), await found(again, 'm0')], [[], ['m0']])
})

test('an entity that is written while the index is rebuilt is in it', async (t) => {
  const { storage, file } = await damagedStore(t, MANY, `'null'`, `WHERE id IN ('m0', 'm1', 'm2')`)
  await put(storage, moon('m0', { title: 'Titania' }))
  for (let at = 0; at < 20 || !verifySearchIndex(file).agrees; at++) {
    await put(storage, moon('m1', { title: `Rhea ${at}` }), moon('m4', { title: `Dione ${at}` }))
    if (at === 1) await storage.write([{ delete: { type: 'sol:moon', id: 'm2' } }])
    await pause(5)
  }
  assert.deepEqual([await found(storage, 'luna'), await found(storage, 'rhea')], [[], ['m1']])
  assert.deepEqual([await found(storage, 'dione'), await found(storage, 'm2')], [['m4'], []])
})

function moons(count: number, title: string): Entity[] {
  return Array.from({ length: count }, (_, at) =>
    moon(`m${at}`, { title: at === 0 ? title : `Moon ${at % 7}` }),
  )
}

async function damagedStore(t: TestContext, count: number, json: string, where = `WHERE id = 'm0'`) {
  const folder = temporaryFolder()
  const file = folder.file('world.db')
  const storage = openSqliteStore(file)
  t.after(async () => {
    await storage.close()
    folder.remove()
  })
  await importAll(storage, [...moons(count, 'Luna'), planet('mars')])
  const other = new DatabaseSync(file)
  other.exec(`UPDATE entities SET json = ${json} ${where || `WHERE type = 'sol:moon'`}`)
  other.close()
  return { storage, file }
}

/** Returns the ids of the hits. */
async function found(storage: Store, text: string): Promise<string[]> {
  const { hits } = await storage.find({ text, limit: 5, budgetMs: 10_000 })
  return hits.map(({ id }) => id)
}

/** Takes over another store, with these moons, from its beginning. */
async function follow(storage: Store, all: readonly Entity[]): Promise<void> {
  const upstream = createMemoryStore({ search: memorySearch })
  await importAll(upstream, [...all, planet('mars')])
  const following = await beginToFollow(storage)
  const { changes, position, earliest, versions = new Map() } = await upstream.changes({ limit: 10_000 })
  await following.add(changes)
  await following.commit({ position, earliest, versions, fromBeginning: true })
}

async function untilAgreed(file: string): Promise<void> {
  while (!verifySearchIndex(file).agrees) await pause(20)
}
