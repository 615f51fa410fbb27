/** Contract tests: damaged entities. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { EntityKey } from './contract.ts'
import { countsOf, idsOf, importAll, moon, type OpenDamageable, planet, put } from './suite-data.ts'

const IO = { type: 'sol:moon', id: 'io' }

/** Registers the damaged-entity tests for one engine. */
export function damageTests(open: OpenDamageable): void {
  const opened: OpenDamageable = async (t) => {
    const store = await open(t)
    await importAll(store.store, [
      moon('europa'),
      moon('io', { title: 'Io' }),
      moon('ganymede'),
      planet('mars'),
    ])
    await store.damage(IO)
    return store
  }
  const fault = { name: 'StoreFault', code: 'damaged', entity: IO }

  test('a damaged entity is reported by name and affects no other entity', async (t) => {
    const { store } = await opened(t)
    await assert.rejects(async () => store.get('sol:moon', 'io'), fault)
    assert.equal((await store.get('sol:moon', 'europa'))?.id, 'europa')
  })

  test('a page omits a damaged entity, but names and counts it', async (t) => {
    const { store } = await opened(t)
    const { entities, damaged, total } = await store.list('sol:moon', { limit: 10 })
    assert.deepEqual([idsOf(entities), damaged, total], [['europa', 'ganymede'], ['io'], 3])
    const first = await store.list('sol:moon', { limit: 2 })
    assert.deepEqual([idsOf(first.entities), first.damaged], [['europa', 'ganymede'], undefined])
    assert.equal('damaged' in (await store.list('sol:planet', { limit: 10 })), false)
  })

  test('a search omits a damaged entity, but names it', async (t) => {
    const { store } = await opened(t)
    const found = await store.find({ text: 'io', limit: 5, budgetMs: 60_000 })
    assert.deepEqual([idsOf(found.hits), found.damaged, found.total], [[], [IO], 1])
    const all = await store.find({ limit: 3, budgetMs: 60_000 })
    assert.deepEqual([idsOf(all.hits), all.damaged, all.total], [['europa', 'ganymede'], [IO], 4])
    assert.equal(
      'damaged' in (await store.find({ types: ['sol:planet'], limit: 5, budgetMs: 60_000 })),
      false,
    )
  })

  test('a query for entities similar to a damaged one fails', async (t) => {
    const { store } = await opened(t)
    await assert.rejects(async () => store.find({ similar: IO, limit: 5, budgetMs: 60_000 }), fault)
  })

  test('changes and snapshots never contain a damaged entity', async (t) => {
    const { store } = await opened(t)
    await assert.rejects(async () => store.changes({ limit: 10 }), fault)
    // With a limit of 1, a page ends at the damaged entity, and the next page must begin after it.
    const [put, named]: [string[], EntityKey[]] = [[], []]
    for (let after: string | undefined, more = true; more; ) {
      const page = await store.changes({ after, limit: 1, nameDamaged: true })
      put.push(...idsOf(page.changes))
      named.push(...(page.damaged ?? []))
      after = page.next
      more = page.more
    }
    assert.deepEqual([put, named], [['europa', 'ganymede', 'mars'], [IO]])
    const snapshot = await store.snapshot()
    const seen: string[] = []
    await assert.rejects(async () => {
      for await (const { id } of snapshot.entities()) seen.push(id)
    }, fault)
    assert.deepEqual(seen, ['europa', 'ganymede'])
    await snapshot.close()
  })

  test('a put repairs a damaged entity, which gets a new creation time', async (t) => {
    const { store, clock } = await opened(t)
    clock.time = new Date('2026-04-01T00:00:00Z')
    const written = await put(store, moon('io', { title: 'Io' }))
    assert.equal(written.done && written.outcomes[0]?.change, 'changed')
    const { createdAt, updatedAt } = JSON.parse((await store.get('sol:moon', 'io'))?.json ?? '')
    assert.deepEqual([createdAt, updatedAt], ['2026-04-01T00:00:00Z', '2026-04-01T00:00:00Z'])
    assert.deepEqual(idsOf((await store.find({ text: 'io', limit: 5, budgetMs: 60_000 })).hits), ['io'])
    assert.equal((await store.list('sol:moon', { limit: 0 })).total, 3)
    await store.changes({ limit: 10 })
  })

  test('an import repairs a damaged entity', async (t) => {
    const { store } = await opened(t)
    const counts = await importAll(store, [moon('io', { title: 'Io' }), moon('europa')])
    assert.deepEqual(counts, { created: 0, changed: 1, unchanged: 1, deleted: 0 })
    assert.equal(JSON.parse((await store.get('sol:moon', 'io'))?.json ?? '').title, 'Io')
    assert.deepEqual(idsOf((await store.find({ text: 'io', limit: 5, budgetMs: 60_000 })).hits), ['io'])
  })

  test('an import that repairs a damaged entity returns the previewed counts despite a concurrent write', async (t) => {
    const { store } = await opened(t)
    const load = await store.bulk()
    await load.add([moon('io', { title: 'Io' }), moon('europa')])
    const expected = { created: 0, changed: 1, unchanged: 1, deleted: 0 }
    assert.deepEqual(countsOf(await load.commit({ dryRun: true })), expected)
    await put(store, moon('callisto'))
    const { position: _, ...counts } = await load.commit()
    assert.deepEqual(counts, expected)
    assert.equal(JSON.parse((await store.get('sol:moon', 'io'))?.json ?? '').title, 'Io')
    assert.deepEqual(idsOf((await store.find({ text: 'io', limit: 5, budgetMs: 60_000 })).hits), ['io'])
  })

  test('a damaged entity can be deleted, even by an import that replaces its type', async (t) => {
    for (const way of ['write', 'import']) {
      const { store } = await opened(t)
      if (way === 'write') await store.write([{ delete: IO }])
      else await importAll(store, [moon('europa'), moon('ganymede')], ['sol:moon'])
      assert.equal(await store.get('sol:moon', 'io'), undefined)
      assert.equal((await store.list('sol:moon', { limit: 0 })).total, 2)
      assert.equal((await store.find({ text: 'io', limit: 5, budgetMs: 60_000 })).total, 0)
    }
  })

  test('a write cannot depend on the revision of a damaged entity', async (t) => {
    const { store } = await opened(t)
    for (const precondition of [{ ifRevision: ['', 'x'] }, { ifAbsent: true } as const])
      await assert.rejects(async () => store.write([{ put: moon('io'), precondition }]), fault)
  })
}
