/** Contract tests: a damaged entity is named, and never returned. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { EntityKey } from './contract.ts'
import { countsOf, idsOf, importAll, moon, type OpenDamageable, planet, put } from './suite-data.ts'

const IO = { type: 'sol:moon', id: 'io' }

/** Registers the tests of damaged entities for one engine. */
export function damageTests(open: OpenDamageable): void {
  const opened: OpenDamageable = async (t) => {
    const store = await open(t)
    await importAll(store.storage, [
      moon('europa'),
      moon('io', { title: 'Io' }),
      moon('ganymede'),
      planet('mars'),
    ])
    await store.damage(IO)
    return store
  }
  const fault = { name: 'StorageFault', code: 'damaged', entity: IO }

  test('a damaged entity is a fault that names it, and no other is', async (t) => {
    const { storage } = await opened(t)
    await assert.rejects(async () => storage.get('sol:moon', 'io'), fault)
    assert.equal((await storage.get('sol:moon', 'europa'))?.id, 'europa')
  })

  test('a page omits a damaged entity, names it, and counts it', async (t) => {
    const { storage } = await opened(t)
    const { entities, damaged, total } = await storage.list('sol:moon', { limit: 10 })
    assert.deepEqual([idsOf(entities), damaged, total], [['europa', 'ganymede'], ['io'], 3])
    const first = await storage.list('sol:moon', { limit: 2 })
    assert.deepEqual([idsOf(first.entities), first.damaged], [['europa', 'ganymede'], undefined])
    assert.equal('damaged' in (await storage.list('sol:planet', { limit: 10 })), false)
  })

  test('a search omits a damaged entity and names it', async (t) => {
    const { storage } = await opened(t)
    const found = await storage.find({ text: 'io', limit: 5, budgetMs: 60_000 })
    assert.deepEqual([idsOf(found.hits), found.damaged, found.total], [[], [IO], 1])
    const all = await storage.find({ limit: 3, budgetMs: 60_000 })
    assert.deepEqual([idsOf(all.hits), all.damaged, all.total], [['europa', 'ganymede'], [IO], 4])
    assert.equal(
      'damaged' in (await storage.find({ types: ['sol:planet'], limit: 5, budgetMs: 60_000 })),
      false,
    )
  })

  test('a query for entities similar to a damaged one fails', async (t) => {
    const { storage } = await opened(t)
    await assert.rejects(async () => storage.find({ similar: IO, limit: 5, budgetMs: 60_000 }), fault)
  })

  test('a damaged entity is never copied: neither changes nor a snapshot pass it', async (t) => {
    const { storage } = await opened(t)
    await assert.rejects(async () => storage.changes({ limit: 10 }), fault)
    // One at a time: if a page ends at a damaged entity, the next page begins after it.
    const [put, named]: [string[], EntityKey[]] = [[], []]
    for (let after: string | undefined, more = true; more; ) {
      const page = await storage.changes({ after, limit: 1, nameDamaged: true })
      put.push(...idsOf(page.changes))
      named.push(...(page.damaged ?? []))
      after = page.next
      more = page.more
    }
    assert.deepEqual([put, named], [['europa', 'ganymede', 'mars'], [IO]])
    const snapshot = await storage.snapshot()
    const seen: string[] = []
    await assert.rejects(async () => {
      for await (const { id } of snapshot.entities()) seen.push(id)
    }, fault)
    assert.deepEqual(seen, ['europa', 'ganymede'])
    await snapshot.close()
  })

  test('a damaged entity can be put again, with the time of the write, and is found', async (t) => {
    const { storage, clock } = await opened(t)
    clock.time = new Date('2026-04-01T00:00:00Z')
    const written = await put(storage, moon('io', { title: 'Io' }))
    assert.equal(written.done && written.outcomes[0]?.change, 'changed')
    const { createdAt, updatedAt } = JSON.parse((await storage.get('sol:moon', 'io'))?.json ?? '')
    assert.deepEqual([createdAt, updatedAt], ['2026-04-01T00:00:00Z', '2026-04-01T00:00:00Z'])
    assert.deepEqual(idsOf((await storage.find({ text: 'io', limit: 5, budgetMs: 60_000 })).hits), ['io'])
    assert.equal((await storage.list('sol:moon', { limit: 0 })).total, 3)
    await storage.changes({ limit: 10 })
  })

  test('an import repairs a damaged entity', async (t) => {
    const { storage } = await opened(t)
    const counts = await importAll(storage, [moon('io', { title: 'Io' }), moon('europa')])
    assert.deepEqual(counts, { created: 0, changed: 1, unchanged: 1, deleted: 0 })
    assert.equal(JSON.parse((await storage.get('sol:moon', 'io'))?.json ?? '').title, 'Io')
    assert.deepEqual(idsOf((await storage.find({ text: 'io', limit: 5, budgetMs: 60_000 })).hits), ['io'])
  })

  test('an import repairs a damaged entity despite concurrent writes, and its preview says so', async (t) => {
    const { storage } = await opened(t)
    const load = await storage.bulk()
    await load.add([moon('io', { title: 'Io' }), moon('europa')])
    const expected = { created: 0, changed: 1, unchanged: 1, deleted: 0 }
    assert.deepEqual(countsOf(await load.commit({ dryRun: true })), expected)
    await put(storage, moon('callisto'))
    const { position: _, ...counts } = await load.commit()
    assert.deepEqual(counts, expected)
    assert.equal(JSON.parse((await storage.get('sol:moon', 'io'))?.json ?? '').title, 'Io')
    assert.deepEqual(idsOf((await storage.find({ text: 'io', limit: 5, budgetMs: 60_000 })).hits), ['io'])
  })

  test('a damaged entity can be deleted, also by an import that replaces its type', async (t) => {
    for (const way of ['write', 'import']) {
      const { storage } = await opened(t)
      if (way === 'write') await storage.write([{ delete: IO }])
      else await importAll(storage, [moon('europa'), moon('ganymede')], ['sol:moon'])
      assert.equal(await storage.get('sol:moon', 'io'), undefined)
      assert.equal((await storage.list('sol:moon', { limit: 0 })).total, 2)
      assert.equal((await storage.find({ text: 'io', limit: 5, budgetMs: 60_000 })).total, 0)
    }
  })

  test('a damaged entity has no revision that a write could depend on', async (t) => {
    const { storage } = await opened(t)
    for (const precondition of [{ ifRevision: ['', 'x'] }, { ifAbsent: true } as const])
      await assert.rejects(async () => storage.write([{ put: moon('io'), precondition }]), fault)
  })
}
