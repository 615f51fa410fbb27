/** Contract tests: writes, preconditions, versions and named values. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Operation, Precondition, WriteResult } from './contract.ts'
import { positionNow } from './positions.ts'
import { idsOf, moon, type OpenStore, parsed, planet, put, stateOf } from './suite-data.ts'
import { namedValue } from './values.ts'

/** Registers the write tests for one engine. */
export function writingTests(open: OpenStore): void {
  test('a write returns the outcome of each operation, in order', async (t) => {
    const { store } = await open(t)
    await put(store, planet('mars'), planet('pluto'), planet('venus'))
    const result = await store.write([
      { put: planet('earth') },
      { put: planet('mars', { title: 'Mars' }) },
      { put: planet('venus') },
      { delete: { type: 'sol:planet', id: 'pluto' } },
      { delete: { type: 'sol:planet', id: 'vulcan' } },
      { put: planet('pluto') },
    ])
    assert.deepEqual(changes(result), ['created', 'changed', 'unchanged', 'deleted', 'missing', 'created'])
    assert.ok(result.done)
    assert.deepEqual(result.outcomes[1]?.entity, await store.get('sol:planet', 'mars'))
    assert.deepEqual(result.outcomes[2]?.entity, await store.get('sol:planet', 'venus'))
    assert.deepEqual(result.outcomes[3], { change: 'deleted' })
    assert.equal((await store.list('sol:planet', { limit: 0 })).total, 4)
  })

  test('the creation time is kept, and the update time changes only with the revision', async (t) => {
    const { store, clock } = await open(t)
    await put(store, planet('mars', { attributes: { a: 1, b: 2 } }))
    clock.time = new Date('2026-04-01T00:00:00Z')
    const same = { createdAt: '1999-01-01T00:00:00Z', updatedAt: '1999-01-01T00:00:00Z', revision: 'x' }
    assert.deepEqual(changes(await put(store, planet('mars', { attributes: { b: 2, a: 1 }, ...same }))), [
      'unchanged',
    ])
    assert.deepEqual(await times(), ['2026-03-01T09:00:00Z', '2026-03-01T09:00:00Z'])
    await put(store, planet('mars', { attributes: { a: 1 } }))
    assert.deepEqual(await times(), ['2026-03-01T09:00:00Z', '2026-04-01T00:00:00Z'])
    await store.write([{ delete: { type: 'sol:planet', id: 'mars' } }])
    await put(store, planet('mars'))
    assert.deepEqual(await times(), ['2026-04-01T00:00:00Z', '2026-04-01T00:00:00Z'])

    async function times() {
      const mars = parsed(await store.get('sol:planet', 'mars'))
      return [mars?.['createdAt'], mars?.['updatedAt']]
    }
  })

  test('an update time is never before the creation time, even if the clock goes back', async (t) => {
    const { store, clock } = await open(t)
    await put(store, planet('mars'))
    await put(store, planet('venus'))
    clock.time = new Date('2016-01-01T00:00:00Z')
    await put(store, planet('mars', { title: 'Mars' }))
    const imported = await store.bulk()
    await imported.add([planet('venus', { title: 'Venus' })])
    await imported.commit()
    for (const id of ['mars', 'venus']) {
      const { createdAt, updatedAt } = parsed(await store.get('sol:planet', id)) ?? {}
      assert.deepEqual([createdAt, updatedAt], ['2026-03-01T09:00:00Z', '2026-03-01T09:00:00Z'])
    }
  })

  test('a failed precondition rolls back everything and returns the current entity', async (t) => {
    const { store } = await open(t)
    await put(store, planet('mars'))
    const mars = await store.get('sol:planet', 'mars')
    const before = [await store.version(), await store.types()]
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
      const result = await store.write([...first, operation, { put: planet('later') }])
      assert.deepEqual(result, { done: false, failed: 2, ...(shows && { current: mars }) })
    }
    assert.deepEqual([await store.version(), await store.types()], before)
    assert.deepEqual(idsOf((await store.list(type, { limit: 9 })).entities), ['mars'])
    assert.equal((await store.find({ text: 'red', limit: 9, budgetMs: 60_000 })).total, 0)
  })

  test('preconditions see the effects of earlier operations in the same write', async (t) => {
    const { store } = await open(t)
    const result = await store.write([
      { put: planet('mars'), precondition: { ifAbsent: true } },
      { put: planet('mars', { title: 'Mars' }), precondition: { ifPresent: true } },
      { delete: { type: 'sol:planet', id: 'mars' }, precondition: { ifPresent: true } },
      { put: planet('mars'), precondition: { ifAbsent: true } },
    ])
    assert.deepEqual(changes(result), ['created', 'changed', 'deleted', 'created'])
    const revision = (await store.get('sol:planet', 'mars'))?.revision ?? ''
    const removal = await store.write([
      { delete: { type: 'sol:planet', id: 'mars' }, precondition: { ifRevision: [revision] } },
    ])
    assert.deepEqual(changes(removal), ['deleted'])
  })

  test('a precondition holds only if all of its parts hold', async (t) => {
    const { store } = await open(t)
    await put(store, planet('mars'))
    const revision = (await store.get('sol:planet', 'mars'))?.revision ?? ''
    const cases: [Precondition, boolean, boolean][] = [
      // The precondition, whether an existing entity satisfies it, and whether a missing one does.
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
        (await store.write([{ delete: { type: 'sol:planet', id }, precondition }])).done
      assert.equal(await done('none'), absent, JSON.stringify(precondition))
      assert.equal(await done('mars'), present, JSON.stringify(precondition))
      await put(store, planet('mars'))
    }
  })

  test('revisions are equal across stores if and only if the content is equal', async (t) => {
    const [one, two] = [await open(t), await open(t)]
    const revisions = await Promise.all(
      [one, two].map(async ({ store }) => {
        await put(
          store,
          planet('a', { title: 'A' }),
          planet('b', { title: 'A' }),
          planet('c', { summary: 'A' }),
        )
        return (await store.list('sol:planet', { limit: 9 })).entities.map(({ revision }) => revision)
      }),
    )
    assert.deepEqual(revisions[0], revisions[1])
    assert.equal(new Set(revisions[0]).size, 3)
  })

  test('a write gives new versions to the types that it changes and to no others', async (t) => {
    const { store } = await open(t)
    const seen = new Set<string>([(await store.list('sol:planet', { limit: 0 })).version])
    await put(store, planet('mars'), moon('io'))
    const moons = await stateOf(store, 'sol:moon')
    const writes: Operation[] = [
      { put: planet('venus') },
      { put: planet('venus', { title: 'Venus' }) },
      { delete: { type: 'sol:planet', id: 'venus' } },
    ]
    for (const write of writes) {
      await store.write([write])
      seen.add((await stateOf(store, 'sol:planet')).version)
    }
    assert.equal(seen.size, 4)
    assert.deepEqual(await stateOf(store, 'sol:moon'), moons)
    assert.deepEqual([...(await store.types()).keys()], ['sol:moon', 'sol:planet'])
  })

  test('a write that changes nothing changes no version', async (t) => {
    const { store } = await open(t)
    await put(store, planet('mars'))
    const before = [await store.version(), await store.types()]
    await store.write([{ put: planet('mars') }, { delete: { type: 'sol:moon', id: 'io' } }])
    await store.write([])
    assert.deepEqual([await store.version(), await store.types()], before)
  })

  test('a type without entities keeps its version', async (t) => {
    const { store } = await open(t)
    await put(store, planet('mars'))
    await store.write([{ delete: { type: 'sol:planet', id: 'mars' } }])
    const { count, version } = await stateOf(store, 'sol:planet')
    assert.equal(count, 0)
    assert.deepEqual(await store.list('sol:planet', { limit: 9 }), { entities: [], total: 0, version })
  })

  test('two stores with the same content have different versions', async (t) => {
    const [one, two] = [(await open(t)).store, (await open(t)).store]
    const empty = await Promise.all([one, two].map((store) => store.list('sol:planet', { limit: 0 })))
    assert.notEqual(empty[0]?.version, empty[1]?.version)
    for (const store of [one, two]) await put(store, planet('mars'))
    assert.notEqual((await stateOf(one, 'sol:planet')).version, (await stateOf(two, 'sol:planet')).version)
    assert.notEqual(await one.version(), await two.version())
  })

  test('values passed to a write are stored atomically with it and have its version', async (t) => {
    const { store } = await open(t)
    await store.write([], { values: { gone: 'x' } })
    const metadata = { seen: 'one', gone: undefined }
    const first = await store.write([{ put: planet('mars') }], { values: metadata })
    assert.ok(first.done)
    const { version } = await stateOf(store, 'sol:planet')
    assert.deepEqual([first.position, await positionNow(store)], [version, version])
    assert.deepEqual(await namedValue(store, 'seen'), { value: 'one', version })
    assert.equal(await namedValue(store, 'gone'), undefined)
    const refused: Operation = { put: planet('mars', { title: 'Mars' }), precondition: { ifAbsent: true } }
    assert.equal((await store.write([refused], { values: { seen: 'two' } })).done, false)
    assert.deepEqual(await namedValue(store, 'seen'), { value: 'one', version })
    // An equal value is stored again only by a write that changes something else.
    const second = await store.write([{ put: planet('venus') }], { values: metadata })
    assert.ok(second.done && second.position !== version)
    const after = await store.version()
    assert.deepEqual(await namedValue(store, 'seen'), { value: 'one', version: second.position })
    assert.deepEqual(await store.write([], { values: metadata }), second.done && { ...second, outcomes: [] })
    assert.equal(await store.version(), after)
  })

  test('a write can require named values, and reports the first that differs', async (t) => {
    const { store } = await open(t)
    await store.write([{ put: planet('mars', { title: 'Mars' }) }], { values: { b: '1', c: '' } })
    const before = [await store.version(), await store.types()]
    for (const [ifValues, failedValue] of [
      [{ b: '2' }, 'b'],
      [{ b: undefined }, 'b'],
      [{ c: 'x', b: '1', a: '' }, 'a'],
      [{ c: undefined }, 'c'],
    ] as const) {
      const result = await store.write([{ put: planet('pluto', { title: 'Pluto' }) }], {
        values: { b: '3' },
        ifValues,
      })
      assert.deepEqual(result, { done: false, failedValue })
    }
    assert.deepEqual([await store.version(), await store.types()], before)
    assert.equal((await store.find({ text: 'pluto', limit: 1, budgetMs: 60_000 })).total, 0)
    const ifValues = { a: undefined, b: '1', c: '' }
    const put = { put: planet('pluto', { title: 'Pluto' }) }
    assert.ok((await store.write([put], { values: { b: '2', a: 'new' }, ifValues })).done)
    assert.deepEqual(
      [(await namedValue(store, 'a'))?.value, (await namedValue(store, 'b'))?.value],
      ['new', '2'],
    )
    assert.equal((await store.find({ text: 'pluto', limit: 1, budgetMs: 60_000 })).total, 1)
  })

  test('concurrent compare-and-set writes to one value lose no update', async (t) => {
    const { store } = await open(t)
    const count = async (): Promise<void> => {
      for (;;) {
        const before = (await namedValue(store, 'count'))?.value
        const metadata = { count: `${Number(before ?? 0) + 1}` }
        if ((await store.write([], { values: metadata, ifValues: { count: before } })).done) return
      }
    }
    await Promise.all(Array.from({ length: 20 }, count))
    assert.equal((await namedValue(store, 'count'))?.value, '20')
  })

  test('named values can be stored, replaced and removed, and every change alters the version', async (t) => {
    const { store } = await open(t)
    assert.equal(await namedValue(store, 'world'), undefined)
    const versions = new Set<string>([await store.version()])
    for (const value of ['urn:uuid:1', '', 'Sól "\u{1f30d}"', undefined]) {
      await store.write([], { values: { world: value } })
      assert.equal((await namedValue(store, 'world'))?.value, value)
      versions.add(await store.version())
    }
    assert.equal(versions.size, 5)
    await store.write([], { values: { world: undefined } })
    assert.ok(versions.has(await store.version()))
    assert.equal((await store.types()).size, 0)
  })
}

function changes(result: WriteResult): string[] {
  assert.ok(result.done)
  return result.outcomes.map(({ change }) => change)
}
