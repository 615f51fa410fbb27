/** Contract tests: snapshots. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Snapshot } from './contract.ts'
import { idsOf, importAll, moon, type OpenStore, planet, put } from './suite-data.ts'

/** Registers the snapshot tests for one engine. */
export function snapshotTests(open: OpenStore): void {
  test('a snapshot yields all entities, ordered by type and id, or those of one type', async (t) => {
    const { store } = await open(t)
    await put(store, planet('mars'), moon('\u{10000}'), moon('\ufffd'), planet('earth'))
    const snapshot = await store.snapshot()
    const all = await entities(snapshot)
    assert.deepEqual(idsOf(all), ['\ufffd', '\u{10000}', 'earth', 'mars'])
    assert.deepEqual(all[3], await store.get('sol:planet', 'mars'))
    assert.deepEqual(idsOf(await entities(snapshot, 'sol:planet')), ['earth', 'mars'])
    assert.deepEqual(await entities(snapshot, 'sol:comet'), [])
    await snapshot.close()
  })

  test('later writes and imports do not affect a snapshot, even during a walk', async (t) => {
    const { store } = await open(t)
    const before = Array.from({ length: 900 }, (_, index) => planet(`p${index}`))
    await importAll(store, before)
    const snapshot = await store.snapshot()
    const expected = before.map(({ id }) => id).sort()
    const seen: string[] = []
    for await (const { id } of snapshot.entities()) {
      seen.push(id)
      if (seen.length === 1) await put(store, planet('p0', { title: 'new' }), planet('zzz'), moon('io'))
      if (seen.length === 450) await importAll(store, [planet('only')], ['sol:planet'])
    }
    assert.deepEqual(seen, expected)
    assert.deepEqual(idsOf(await entities(snapshot)), expected)
    await snapshot.close()
    const later = await store.snapshot()
    assert.deepEqual(idsOf(await entities(later)), ['io', 'only'])
    await later.close()
  })

  test('walks of one snapshot can be nested and abandoned', async (t) => {
    const { store } = await open(t)
    await put(store, planet('a'), planet('b'), planet('c'))
    const snapshot = await store.snapshot()
    for await (const { id } of snapshot.entities()) if (id === 'b') break
    const pairs: string[] = []
    for await (const outer of snapshot.entities()) {
      for await (const inner of snapshot.entities('sol:planet')) pairs.push(outer.id + inner.id)
    }
    assert.deepEqual(pairs, ['aa', 'ab', 'ac', 'ba', 'bb', 'bc', 'ca', 'cb', 'cc'])
    await snapshot.close()
    await snapshot.close()
  })
}

async function entities(snapshot: Snapshot, type?: string) {
  return await Array.fromAsync(snapshot.entities(type))
}
