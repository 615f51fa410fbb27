/** Contract tests: imports. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Entity } from '@worldwright/client/protocol'
import { positionNow } from './positions.ts'
import {
  countsOf,
  importAll,
  moon,
  type OpenStore,
  parsed,
  planet,
  put,
  stateOf,
  walk,
} from './suite-data.ts'
import { namedValue } from './values.ts'

/** Registers the import tests for one engine. */
export function importingTests(open: OpenStore): void {
  test('an import is invisible before its commit, and then visible as a whole', async (t) => {
    const { store } = await open(t)
    await put(store, planet('mars'))
    const before = [await store.version(), await store.types()]
    const load = await store.bulk()
    await load.add(Array.from({ length: 2_500 }, (_, index) => moon(`m${index}`, { title: 'Moon' })))
    await load.add([planet('mars', { title: 'Mars' })])
    assert.deepEqual([await store.version(), await store.types()], before)
    assert.equal((await store.find({ text: 'moon', limit: 9, budgetMs: 60_000 })).total, 0)
    assert.deepEqual(countsOf(await load.commit()), { created: 2_500, changed: 1, unchanged: 0, deleted: 0 })
    assert.equal((await stateOf(store, 'sol:moon')).count, 2_500)
    assert.equal((await walk(store, 'sol:moon', 1_000)).length, 2_500)
    assert.equal((await store.find({ text: 'moon', limit: 9, budgetMs: 60_000 })).total, 2_500)
  })

  test('importing the same entities again changes no time, revision or version', async (t) => {
    const { store, clock } = await open(t)
    const entities = [planet('mars', { title: 'Mars' }), planet('venus'), moon('io')]
    await importAll(store, entities, ['sol:planet', 'sol:moon'])
    const before = await everything()
    clock.time = new Date('2027-01-01T00:00:00Z')
    const counts = await importAll(store, entities.toReversed(), ['sol:planet', 'sol:moon'])
    assert.deepEqual(counts, { created: 0, changed: 0, unchanged: 3, deleted: 0 })
    assert.deepEqual(await everything(), before)

    async function everything() {
      const pages = ['sol:planet', 'sol:moon'].map((type) => store.list(type, { limit: 9 }))
      return [await store.version(), await store.types(), ...(await Promise.all(pages))]
    }
  })

  test('an import keeps creation times, and the versions of types that it does not change', async (t) => {
    const { store, clock } = await open(t)
    await importAll(store, [planet('mars'), planet('venus'), moon('io')])
    const moons = await stateOf(store, 'sol:moon')
    const planets = await stateOf(store, 'sol:planet')
    clock.time = new Date('2026-05-01T00:00:00Z')
    const counts = await importAll(store, [planet('mars', { title: 'Mars' }), planet('earth'), moon('io')])
    assert.deepEqual(counts, { created: 1, changed: 1, unchanged: 1, deleted: 0 })
    assert.deepEqual(await stateOf(store, 'sol:moon'), moons)
    assert.notEqual((await stateOf(store, 'sol:planet')).version, planets.version)
    const mars = parsed(await store.get('sol:planet', 'mars'))
    assert.deepEqual(
      [mars?.['createdAt'], mars?.['updatedAt']],
      ['2026-03-01T09:00:00Z', '2026-05-01T00:00:00Z'],
    )
  })

  test('the first entity with a key wins, and later ones are reported as repeated', async (t) => {
    const { store } = await open(t)
    const load = await store.bulk()
    const mars = (title: string) => planet('mars', { title })
    const repeated = async (entities: Entity[]) => (await load.add(entities)).map(({ index }) => index)
    assert.deepEqual(await repeated([moon('mars'), mars('one'), mars('two'), moon('mars')]), [2, 3])
    assert.deepEqual(await repeated([moon('io'), mars('three')]), [1])
    const many = Array.from({ length: 2_500 }, (_, index) => planet(index === 2_400 ? 'mars' : `p${index}`))
    assert.deepEqual(await repeated(many), [2_400])
    assert.deepEqual(countsOf(await load.commit()), { created: 2_502, changed: 0, unchanged: 0, deleted: 0 })
    assert.equal(parsed(await store.get('sol:planet', 'mars'))?.['title'], 'one')
  })

  test('a repeated key is reported with the mark of the entity staged first', async (t) => {
    const { store } = await open(t)
    await put(store, planet('venus'))
    const load = await store.bulk()
    const far = 3 * 2 ** 32 + 7
    await load.add([planet('mars', { title: 'one' }), planet('venus')], { marks: [far, 2] })
    const repeated = async (entities: Entity[], marks?: number[]) =>
      (await load.add(entities, { marks })).map(({ index, mark }) => [index, mark])
    assert.deepEqual(await repeated([planet('mars'), planet('earth')], [4, 5]), [[0, far]])
    assert.deepEqual(await repeated([moon('io')]), [])
    const all = ['pluto', 'mars', 'venus', 'earth', 'pluto'].map((id) => planet(id))
    assert.deepEqual(await repeated([...all, moon('io')], [6, 7, 8, 9, 10, 11]), [
      [1, far],
      [2, 2],
      [3, 5],
      [4, 6],
      [5, undefined],
    ])
    await load.commit()
  })

  test('a commit with stale versions does nothing, and can be retried', async (t) => {
    const { store } = await open(t)
    await put(store, moon('io'))
    for (const size of [1, 3_000]) {
      const load = await store.bulk()
      await load.add(Array.from({ length: size }, (_, index) => planet(`p${size}-${index}`)))
      const before = await store.types()
      const ifVersions = new Map([
        ['sol:moon', before.get('sol:moon')?.version ?? ''],
        ['sol:planet', before.get('sol:planet')?.version ?? ''],
        ['sol:comet', ''],
      ])
      await put(store, moon(`written-${size}`))
      const version = await store.version()
      await assert.rejects(async () => load.commit({ replace: ['sol:moon'], ifVersions }), { code: 'stale' })
      assert.equal(await store.version(), version)
      ifVersions.set('sol:moon', (await stateOf(store, 'sol:moon')).version)
      const { created, deleted } = await load.commit({ ifVersions })
      assert.deepEqual([created, deleted], [size, 0])
    }
    assert.equal((await stateOf(store, 'sol:moon')).count, 3)
  })

  test('values passed to a commit are stored atomically with it and have its version', async (t) => {
    const { store } = await open(t)
    let last: string | undefined
    for (const size of [2, 3_000]) {
      const load = await store.bulk()
      await load.add(Array.from({ length: size }, (_, index) => moon(`m${index}`, { title: 'Moon' })))
      const before = [await store.version(), await namedValue(store, 'last')]
      const stale = { values: { last: 'never' }, ifValues: { last: 'other' } }
      await assert.rejects(async () => load.commit(stale), { code: 'stale' })
      assert.deepEqual([await store.version(), await namedValue(store, 'last')], before)
      const value = `${size} after ${last}`
      await load.commit({ values: { last: value }, ifValues: { last } })
      const { version } = await stateOf(store, 'sol:moon')
      assert.deepEqual(await namedValue(store, 'last'), { value, version })
      assert.equal(await positionNow(store), version)
      assert.equal((await store.find({ text: 'moon', limit: 1, budgetMs: 60_000 })).total, size)
      last = value
    }
  })

  test('`replace` deletes unstaged entities, but only those of the replaced types', async (t) => {
    const { store } = await open(t)
    await put(store, planet('mars', { title: 'Mars' }), planet('pluto', { title: 'Pluto' }), moon('io'))
    const counts = await importAll(
      store,
      [planet('earth'), planet('mars', { title: 'Mars' })],
      ['sol:planet'],
    )
    assert.deepEqual(counts, { created: 1, changed: 0, unchanged: 1, deleted: 1 })
    assert.deepEqual(await walk(store, 'sol:planet', 9), ['earth', 'mars'])
    assert.deepEqual(await walk(store, 'sol:moon', 9), ['io'])
    assert.equal((await store.find({ text: 'pluto', limit: 9, budgetMs: 60_000 })).total, 0)
  })

  test('`replace` with nothing staged empties a type, and ignores an unknown type', async (t) => {
    const { store } = await open(t)
    await put(store, planet('mars'), moon('io'))
    const counts = await importAll(store, [], ['sol:planet', 'sol:planet', 'sol:comet'])
    assert.deepEqual(counts, { created: 0, changed: 0, unchanged: 0, deleted: 1 })
    assert.equal((await stateOf(store, 'sol:planet')).count, 0)
    assert.deepEqual([...(await store.types()).keys()], ['sol:moon', 'sol:planet'])
  })

  test('a preview returns the counts of a commit and changes nothing', async (t) => {
    const { store } = await open(t)
    await put(store, planet('mars'), planet('pluto'), planet('venus'))
    const before = [await store.version(), await store.types()]
    const load = await store.bulk()
    await load.add([planet('mars'), planet('venus', { title: 'Venus' }), planet('earth')])
    const expected = { created: 1, changed: 1, unchanged: 1, deleted: 1 }
    const preview = async (replace?: string[]) => countsOf(await load.commit({ replace, dryRun: true }))
    assert.deepEqual(await preview(['sol:planet']), expected)
    assert.deepEqual(await preview(), { ...expected, deleted: 0 })
    assert.deepEqual([await store.version(), await store.types()], before)
    assert.deepEqual(await walk(store, 'sol:planet', 9), ['mars', 'pluto', 'venus'])
    assert.deepEqual(countsOf(await load.commit({ replace: ['sol:planet'] })), expected)
    await assert.rejects(async () => preview())
  })

  test('an aborted import changes nothing, and abort after commit has no effect', async (t) => {
    const { store } = await open(t)
    const before = [await store.version(), await store.types()]
    const load = await store.bulk()
    await load.add([planet('mars')])
    await load.abort()
    await load.abort()
    await assert.rejects(async () => load.add([planet('mars')]))
    await assert.rejects(async () => load.commit())
    assert.deepEqual([await store.version(), await store.types()], before)

    const other = await store.bulk()
    await other.add([planet('venus')])
    await other.commit()
    await other.abort()
    await assert.rejects(async () => other.commit())
    assert.deepEqual(await walk(store, 'sol:planet', 9), ['venus'])
  })

  test('concurrent imports do not mix', async (t) => {
    const { store } = await open(t)
    await put(store, planet('standing'))
    const [one, two, three] = [await store.bulk(), await store.bulk(), await store.bulk()]
    await one.add([planet('mars', { title: 'one' }), planet('one')])
    await two.add([planet('mars', { title: 'two' }), planet('two')])
    await three.add([planet('standing'), planet('three')])
    assert.deepEqual(countsOf(await two.commit()), { created: 2, changed: 0, unchanged: 0, deleted: 0 })
    assert.deepEqual(await walk(store, 'sol:planet', 9), ['mars', 'standing', 'two'])
    assert.deepEqual(countsOf(await one.commit({ replace: ['sol:planet'] })), {
      created: 1,
      changed: 1,
      unchanged: 0,
      deleted: 2,
    })
    await three.abort()
    assert.deepEqual(await walk(store, 'sol:planet', 9), ['mars', 'one'])
    assert.equal(parsed(await store.get('sol:planet', 'mars'))?.['title'], 'one')
  })

  test('a commit compares entities with the state at commit time, not at staging time', async (t) => {
    const { store } = await open(t)
    const load = await store.bulk()
    await load.add([planet('mars'), planet('venus', { title: 'Venus' })])
    await put(store, planet('mars'), planet('venus'))
    assert.deepEqual(countsOf(await load.commit()), { created: 0, changed: 1, unchanged: 1, deleted: 0 })
  })
}
