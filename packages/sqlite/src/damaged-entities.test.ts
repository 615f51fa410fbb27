import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { type TestContext, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import type { Entity } from '@worldwright/client/protocol'
import { IS_THOROUGH } from '../../../test/rounds.ts'
import type { Store } from '../../core/src/store/contract.ts'
import { beginToFollow } from '../../core/src/store/followed.ts'
import { createMemoryStore } from '../../core/src/store/memory.ts'
import { importAll, moon, planet, put } from '../../core/src/store/suite-data.ts'
import { memorySearch } from '../../search/src/entities/memory-search.ts'
import { openSqliteStore } from './open.ts'
import { temporaryFolder } from './temporary-folder.fixture.ts'
import { verifySearchIndex } from './verify-index.ts'

/** More entities than a write repairs at once or a replica applies in memory. */
const MANY = 2_500

const DAMAGES = [
  `'{"type'`,
  `'null'`,
  `replace(json, 'Luna', 'Selena')`,
  `replace(json, '"title":"Luna"', '"summary":"Selenas are moons"')`,
]

/** Operations that replace or remove the damaged moon. */
const WAYS: Readonly<Record<string, (store: Store, all: readonly Entity[]) => Promise<unknown>>> = {
  'a write puts it': (store, [first]) => put(store, moon('m0', first)),
  'a write deletes it': (store) =>
    store.write([{ delete: { type: 'sol:moon', id: 'm0' } }]) as Promise<unknown>,
  'an import puts it': (store, all) => importAll(store, [...all]),
  'an import deletes it': (store, [, ...others]) => importAll(store, others, ['sol:moon']),
  'a replica takes it over': (store, all) => follow(store, [...all]),
  'a replica takes over that it was deleted': (store, [, ...others]) => follow(store, others),
}

for (const [way, write] of Object.entries(WAYS))
  for (const count of IS_THOROUGH ? [3, MANY] : [3])
    test(`an index of ${count} entities, one of them damaged, stays correct if ${way}`, async (t) => {
      // The large store is tested with only one kind of damage, since it differs only in how its index is rebuilt.
      for (const damage of count === MANY ? DAMAGES.slice(2, 3) : DAMAGES) {
        const { store, file } = await damagedStore(t, count, damage)
        await write(store, moons(count, 'Titania'))
        assert.deepEqual(await found(store, 'luna'), [])
        assert.deepEqual(await found(store, 'selena'), [])
        const isDeleted = way.includes('deletes') || way.includes('deleted')
        assert.deepEqual(await found(store, 'm0'), isDeleted ? [] : ['m0'])
        // The index of a small store is repaired at once. A large store's index is rebuilt in the background.
        if (count === MANY) await untilAgreed(file)
        const entities = (await store.list('sol:moon', { limit: 0 })).total + 1
        assert.deepEqual(verifySearchIndex(file), {
          agrees: true,
          entities,
          documents: entities,
          damaged: 0,
        })
        await store.close()
      }
    })

test('the index matches the remaining entities after thousands of damaged ones are deleted', async (t) => {
  const { store, file } = await damagedStore(t, MANY, `'null'`, '')
  await importAll(store, [], ['sol:moon'])
  await untilAgreed(file)
  assert.deepEqual(verifySearchIndex(file), { agrees: true, entities: 1, documents: 1, damaged: 0 })
  assert.deepEqual(await found(store, 'mars'), ['mars'])
})

test('an inexact index is still searched, and is repaired when the store is reopened', async (t) => {
  const { store, file } = await damagedStore(t, MANY, `'null'`)
  await put(store, moon('m0', { title: 'Titania' }))
  await store.close()
  assert.equal(verifySearchIndex(file).agrees, false)
  const again = openSqliteStore(file)
  t.after(() => again.close())
  assert.deepEqual([await found(again, 'luna'), await found(again, 'm0')], [[], ['m0']])
  await untilAgreed(file)
  assert.deepEqual([await found(again, 'luna'), await found(again, 'm0')], [[], ['m0']])
})

test('entities written during an index rebuild are included in the new index', async (t) => {
  const { store, file } = await damagedStore(t, MANY, `'null'`, `WHERE id IN ('m0', 'm1', 'm2')`)
  await put(store, moon('m0', { title: 'Titania' }))
  for (let at = 0; at < 20 || !verifySearchIndex(file).agrees; at++) {
    await put(store, moon('m1', { title: `Rhea ${at}` }), moon('m4', { title: `Dione ${at}` }))
    if (at === 1) await store.write([{ delete: { type: 'sol:moon', id: 'm2' } }])
    await pause(5)
  }
  assert.deepEqual([await found(store, 'luna'), await found(store, 'rhea')], [[], ['m1']])
  assert.deepEqual([await found(store, 'dione'), await found(store, 'm2')], [['m4'], []])
})

function moons(count: number, title: string): Entity[] {
  return Array.from({ length: count }, (_, at) =>
    moon(`m${at}`, { title: at === 0 ? title : `Moon ${at % 7}` }),
  )
}

async function damagedStore(t: TestContext, count: number, json: string, where = `WHERE id = 'm0'`) {
  const folder = temporaryFolder()
  const file = folder.file('world.db')
  const store = openSqliteStore(file)
  t.after(async () => {
    await store.close()
    folder.remove()
  })
  await importAll(store, [...moons(count, 'Luna'), planet('mars')])
  const other = new DatabaseSync(file)
  other.exec(`UPDATE entities SET json = ${json} ${where || `WHERE type = 'sol:moon'`}`)
  other.close()
  return { store, file }
}

async function found(store: Store, text: string): Promise<string[]> {
  const { hits } = await store.find({ text, limit: 5, budgetMs: 10_000 })
  return hits.map(({ id }) => id)
}

/** Makes the store follow an upstream that contains these moons, from the beginning of its log. */
async function follow(store: Store, all: readonly Entity[]): Promise<void> {
  const upstream = createMemoryStore({ search: memorySearch })
  await importAll(upstream, [...all, planet('mars')])
  const following = await beginToFollow(store)
  const { changes, position, earliest, versions = new Map() } = await upstream.changes({ limit: 10_000 })
  await following.add(changes)
  await following.commit({ position, earliest, versions, fromBeginning: true })
}

async function untilAgreed(file: string): Promise<void> {
  while (!verifySearchIndex(file).agrees) await pause(20)
}
