/** Contract tests: writes, preconditions, versions and named values. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Operation, Precondition, WriteResult } from './contract.ts'
import { positionNow } from './positions.ts'
import { idsOf, moon, type OpenStore, parsed, planet, put, stateOf } from './suite-data.ts'
import { namedValue } from './values.ts'

/** Registers the tests of writing for one engine. */
export function writingTests(open: OpenStore): void {
  test('a write returns the outcome of each operation, in order', async (t) => {
    const { storage } = await open(t)
    await put(storage, planet('mars'), planet('pluto'), planet('venus'))
    const result = await storage.write([
      { put: planet('earth') },
      { put: planet('mars', { title: 'Mars' }) },
      { put: planet('venus') },
      { delete: { type: 'sol:planet', id: 'pluto' } },
      { delete: { type: 'sol:planet', id: 'vulcan' } },
      { put: planet('pluto') },
    ])
    assert.deepEqual(changes(result), ['created', 'changed', 'unchanged', 'deleted', 'missing', 'created'])
    assert.ok(result.done)
    assert.deepEqual(result.outcomes[1]?.entity, await storage.get('sol:planet', 'mars'))
    assert.deepEqual(result.outcomes[2]?.entity, await storage.get('sol:planet', 'venus'))
    assert.deepEqual(result.outcomes[3], { change: 'deleted' })
    assert.equal((await storage.list('sol:planet', { limit: 0 })).total, 4)
  })

  test('the creation time is kept, and the update time changes only with the revision', async (t) => {
    const { storage, clock } = await open(t)
    await put(storage, planet('mars', { attributes: { a: 1, b: 2 } }))
    clock.time = new Date('2026-04-01T00:00:00Z')
    const same = { createdAt: '1999-01-01T00:00:00Z', updatedAt: '1999-01-01T00:00:00Z', revision: 'x' }
    assert.deepEqual(changes(await put(storage, planet('mars', { attributes: { b: 2, a: 1 }, ...same }))), [
      'unchanged',
    ])
    assert.deepEqual(await times(), ['2026-03-01T09:00:00Z', '2026-03-01T09:00:00Z'])
    await put(storage, planet('mars', { attributes: { a: 1 } }))
    assert.deepEqual(await times(), ['2026-03-01T09:00:00Z', '2026-04-01T00:00:00Z'])
    await storage.write([{ delete: { type: 'sol:planet', id: 'mars' } }])
    await put(storage, planet('mars'))
    assert.deepEqual(await times(), ['2026-04-01T00:00:00Z', '2026-04-01T00:00:00Z'])

    async function times() {
      const mars = parsed(await storage.get('sol:planet', 'mars'))
      return [mars?.['createdAt'], mars?.['updatedAt']]
    }
  })

  test('if the clock goes back, no entity is changed before it was created', async (t) => {
    const { storage, clock } = await open(t)
    await put(storage, planet('mars'))
    await put(storage, planet('venus'))
    clock.time = new Date('2016-01-01T00:00:00Z')
    await put(storage, planet('mars', { title: 'Mars' }))
    const imported = await storage.bulk()
    await imported.add([planet('venus', { title: 'Venus' })])
    await imported.commit()
    for (const id of ['mars', 'venus']) {
      const { createdAt, updatedAt } = parsed(await storage.get('sol:planet', id)) ?? {}
      assert.deepEqual([createdAt, updatedAt], ['2026-03-01T09:00:00Z', '2026-03-01T09:00:00Z'])
    }
  })

  test('a failed precondition rolls back everything and returns the current entity', async (t) => {
    const { storage } = await open(t)
    await put(storage, planet('mars'))
    const mars = await storage.get('sol:planet', 'mars')
    const before = [await storage.version(), await storage.types()]
    const type = 'sol:planet'
    const first: Operation[] = [{ put: planet('mars', { title: 'Red planet' }) }, { put: planet('new') }]
    const refused: [Operation, boolean][] = [
      [{ put: planet('mars'), precondition: { ifAbsent: true } }, true],
      [{ put: planet('mars'), precondition: { ifRevision: ['other'] } }, true],
      [{ delete: { type, id: 'mars' }, precondition: { ifRevision: [mars?.revision ?? ''] } }, true],
      [{ put: planet('new'), precondition: { ifAbsent: true } }, false],
      [{ put: planet('vulcan'), precondition: { ifPresent: true } }, false],
      [{ put: planet('vulcan'), precondition: { ifRevision: ['x'] } }, false],
      [{ delete: { type, id: 'vulcan' }, precondition: { ifPresent: true } }, false],
    ]
    for (const [operation, shows] of refused) {
      const result = await storage.write([...first, operation, { put: planet('later') }])
      assert.deepEqual(result, { done: false, failed: 2, ...(shows && { current: mars }) })
    }
    assert.deepEqual([await storage.version(), await storage.types()], before)
    assert.deepEqual(idsOf((await storage.list(type, { limit: 9 })).entities), ['mars'])
    assert.equal((await storage.find({ text: 'red', limit: 9, budgetMs: 60_000 })).total, 0)
  })

  test('preconditions see the effects of earlier operations of the same write', async (t) => {
    const { storage } = await open(t)
    const result = await storage.write([
      { put: planet('mars'), precondition: { ifAbsent: true } },
      { put: planet('mars', { title: 'Mars' }), precondition: { ifPresent: true } },
      { delete: { type: 'sol:planet', id: 'mars' }, precondition: { ifPresent: true } },
      { put: planet('mars'), precondition: { ifAbsent: true } },
    ])
    assert.deepEqual(changes(result), ['created', 'changed', 'deleted', 'created'])
    const revision = (await storage.get('sol:planet', 'mars'))?.revision ?? ''
    const removal = await storage.write([
      { delete: { type: 'sol:planet', id: 'mars' }, precondition: { ifRevision: [revision] } },
    ])
    assert.deepEqual(changes(removal), ['deleted'])
  })

  test('a precondition requires or excludes revisions, and holds if all of its parts hold', async (t) => {
    const { storage } = await open(t)
    await put(storage, planet('mars'))
    const revision = (await storage.get('sol:planet', 'mars'))?.revision ?? ''
    const cases: [Precondition, boolean, boolean][] = [
      // The precondition, whether it holds for an existing entity, and whether for a missing one.
      [{ ifRevision: ['other', revision] }, true, false],
      [{ ifRevision: [] }, false, false],
      [{ ifNotRevision: ['other'] }, true, true],
      [{ ifNotRevision: ['other', revision] }, false, true],
      [{ ifRevision: [revision], ifNotRevision: ['other'] }, true, false],
      [{ ifRevision: [revision], ifNotRevision: [revision] }, false, false],
      [{ ifPresent: true, ifNotRevision: ['other'] }, true, false],
      [{ ifPresent: true, ifAbsent: true }, false, false],
      [{}, true, true],
    ]
    for (const [precondition, present, absent] of cases) {
      const done = async (id: string) =>
        (await storage.write([{ delete: { type: 'sol:planet', id }, precondition }])).done
      assert.equal(await done('none'), absent, JSON.stringify(precondition))
      assert.equal(await done('mars'), present, JSON.stringify(precondition))
      await put(storage, planet('mars'))
    }
  })

  test('equal content has equal revisions in every store, and different content different ones', async (t) => {
    const [one, two] = [await open(t), await open(t)]
    const revisions = await Promise.all(
      [one, two].map(async ({ storage }) => {
        await put(
          storage,
          planet('a', { title: 'A' }),
          planet('b', { title: 'A' }),
          planet('c', { summary: 'A' }),
        )
        return (await storage.list('sol:planet', { limit: 9 })).entities.map(({ revision }) => revision)
      }),
    )
    assert.deepEqual(revisions[0], revisions[1])
    assert.equal(new Set(revisions[0]).size, 3)
  })

  test('a write gives new versions to the types it touched and to no other', async (t) => {
    const { storage } = await open(t)
    const seen = new Set<string>([(await storage.list('sol:planet', { limit: 0 })).version])
    await put(storage, planet('mars'), moon('io'))
    const moons = await stateOf(storage, 'sol:moon')
    const writes: Operation[] = [
      { put: planet('venus') },
      { put: planet('venus', { title: 'Venus' }) },
      { delete: { type: 'sol:planet', id: 'venus' } },
    ]
    for (const write of writes) {
      await storage.write([write])
      seen.add((await stateOf(storage, 'sol:planet')).version)
    }
    assert.equal(seen.size, 4)
    assert.deepEqual(await stateOf(storage, 'sol:moon'), moons)
    assert.deepEqual([...(await storage.types()).keys()], ['sol:moon', 'sol:planet'])
  })

  test('a write that changes nothing changes no version', async (t) => {
    const { storage } = await open(t)
    await put(storage, planet('mars'))
    const before = [await storage.version(), await storage.types()]
    await storage.write([{ put: planet('mars') }, { delete: { type: 'sol:moon', id: 'io' } }])
    await storage.write([])
    assert.deepEqual([await storage.version(), await storage.types()], before)
  })

  test('a type without entities keeps its version', async (t) => {
    const { storage } = await open(t)
    await put(storage, planet('mars'))
    await storage.write([{ delete: { type: 'sol:planet', id: 'mars' } }])
    const { count, version } = await stateOf(storage, 'sol:planet')
    assert.equal(count, 0)
    assert.deepEqual(await storage.list('sol:planet', { limit: 9 }), { entities: [], total: 0, version })
  })

  test('two stores with the same content have different versions', async (t) => {
    const [one, two] = [(await open(t)).storage, (await open(t)).storage]
    const empty = await Promise.all([one, two].map((storage) => storage.list('sol:planet', { limit: 0 })))
    assert.notEqual(empty[0]?.version, empty[1]?.version)
    for (const storage of [one, two]) await put(storage, planet('mars'))
    assert.notEqual((await stateOf(one, 'sol:planet')).version, (await stateOf(two, 'sol:planet')).version)
    assert.notEqual(await one.version(), await two.version())
  })

  test('values of a write are stored with it or not at all, with its version', async (t) => {
    const { storage } = await open(t)
    await storage.write([], { values: { gone: 'x' } })
    const metadata = { seen: 'one', gone: undefined }
    const first = await storage.write([{ put: planet('mars') }], { values: metadata })
    assert.ok(first.done)
    const { version } = await stateOf(storage, 'sol:planet')
    assert.deepEqual([first.position, await positionNow(storage)], [version, version])
    assert.deepEqual(await namedValue(storage, 'seen'), { value: 'one', version })
    assert.equal(await namedValue(storage, 'gone'), undefined)
    const refused: Operation = { put: planet('mars', { title: 'Mars' }), precondition: { ifAbsent: true } }
    assert.equal((await storage.write([refused], { values: { seen: 'two' } })).done, false)
    assert.deepEqual(await namedValue(storage, 'seen'), { value: 'one', version })
    // An equal value is stored by a write that changes something else, and is not a change by itself.
    const second = await storage.write([{ put: planet('venus') }], { values: metadata })
    assert.ok(second.done && second.position !== version)
    const after = await storage.version()
    assert.deepEqual(await namedValue(storage, 'seen'), { value: 'one', version: second.position })
    assert.deepEqual(
      await storage.write([], { values: metadata }),
      second.done && { ...second, outcomes: [] },
    )
    assert.equal(await storage.version(), after)
  })

  test('a write may require values, and names the first that differs', async (t) => {
    const { storage } = await open(t)
    await storage.write([{ put: planet('mars', { title: 'Mars' }) }], { values: { b: '1', c: '' } })
    const before = [await storage.version(), await storage.types()]
    for (const [ifValues, failedValue] of [
      [{ b: '2' }, 'b'],
      [{ b: undefined }, 'b'],
      [{ c: 'x', b: '1', a: '' }, 'a'],
      [{ c: undefined }, 'c'],
    ] as const) {
      const result = await storage.write([{ put: planet('pluto', { title: 'Pluto' }) }], {
        values: { b: '3' },
        ifValues,
      })
      assert.deepEqual(result, { done: false, failedValue })
    }
    assert.deepEqual([await storage.version(), await storage.types()], before)
    assert.equal((await storage.find({ text: 'pluto', limit: 1, budgetMs: 60_000 })).total, 0)
    const ifValues = { a: undefined, b: '1', c: '' }
    const put = { put: planet('pluto', { title: 'Pluto' }) }
    assert.ok((await storage.write([put], { values: { b: '2', a: 'new' }, ifValues })).done)
    assert.deepEqual(
      [(await namedValue(storage, 'a'))?.value, (await namedValue(storage, 'b'))?.value],
      ['new', '2'],
    )
    assert.equal((await storage.find({ text: 'pluto', limit: 1, budgetMs: 60_000 })).total, 1)
  })

  test('concurrent writes that compare and set the same value each see the one before', async (t) => {
    const { storage } = await open(t)
    const count = async (): Promise<void> => {
      for (;;) {
        const before = (await namedValue(storage, 'count'))?.value
        const metadata = { count: `${Number(before ?? 0) + 1}` }
        if ((await storage.write([], { values: metadata, ifValues: { count: before } })).done) return
      }
    }
    await Promise.all(Array.from({ length: 20 }, count))
    assert.equal((await namedValue(storage, 'count'))?.value, '20')
  })

  test('named values are kept, replaced and removed, and move the version when they change', async (t) => {
    const { storage } = await open(t)
    assert.equal(await namedValue(storage, 'world'), undefined)
    const versions = new Set<string>([await storage.version()])
    for (const value of ['urn:uuid:1', '', 'Sól "\u{1f30d}"', undefined]) {
      await storage.write([], { values: { world: value } })
      assert.equal((await namedValue(storage, 'world'))?.value, value)
      versions.add(await storage.version())
    }
    assert.equal(versions.size, 5)
    await storage.write([], { values: { world: undefined } })
    assert.ok(versions.has(await storage.version()))
    assert.equal((await storage.types()).size, 0)
  })
}

function changes(result: WriteResult): string[] {
  assert.ok(result.done)
  return result.outcomes.map(({ change }) => change)
}
