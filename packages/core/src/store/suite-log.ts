/** Contract tests: the change log. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isReached, positionNow } from './positions.ts'
import {
  forgotten,
  importAll,
  importAt,
  KEPT_MS,
  moon,
  type OpenStore,
  parsed,
  planet,
  put,
  shown,
  walked,
} from './suite-data.ts'

/** Registers the change log tests for one engine. */
export function logTests(open: OpenStore): void {
  positionTests(open)
  changeTests(open)
  retentionTests(open)
  watchTests(open)
}

function positionTests(open: OpenStore): void {
  test('every write that changes entities advances the position and returns it', async (t) => {
    const { store } = await open(t)
    const seen = [await positionNow(store)]
    const writes = [
      () => put(store, planet('mars'), moon('io')),
      () => store.write([{ delete: { type: 'sol:moon', id: 'io' } }]),
      async () => ({ done: true as const, ...(await importAt(store, [moon('io')])) }),
    ]
    for (const write of writes) {
      const result = await write()
      assert.ok(result.done)
      assert.equal(await positionNow(store), result.position)
      seen.push(result.position)
    }
    assert.equal(new Set(seen).size, 4)
    assert.deepEqual(await Promise.all(seen.map((one) => isReached(store, one))), [true, true, true, true])
  })

  test('a write that changes no entity returns the unchanged position', async (t) => {
    const { store } = await open(t)
    await put(store, planet('mars'))
    const before = await positionNow(store)
    const results = [
      await put(store, planet('mars')),
      await store.write([], { values: { name: 'value' } }),
      await store.write([{ delete: { type: 'sol:moon', id: 'none' } }]),
    ]
    for (const result of results) assert.equal(result.done && result.position, before)
    assert.equal((await importAt(store, [planet('mars')])).position, before)
    assert.equal(await positionNow(store), before)
  })

  test('isReached is false for a future position, and undefined for a foreign or malformed one', async (t) => {
    const { store } = await open(t)
    const other = (await open(t)).store
    await put(store, planet('mars'))
    const now = await positionNow(store)
    assert.equal(await isReached(other, now), undefined)
    for (const text of ['', 'x', `${now}0x`, now.slice(0, 5)])
      assert.equal(await isReached(store, text), undefined)
    await put(other, planet('mars'), planet('venus'))
    assert.equal(await isReached(store, `${now}0`), false)
  })

  test('a type keeps the version of its last change while other types change', async (t) => {
    const { store } = await open(t)
    await put(store, planet('mars'))
    const planets = (await store.list('sol:planet', { limit: 0 })).version
    assert.equal(planets, await positionNow(store))
    await put(store, moon('io'))
    assert.equal((await store.list('sol:planet', { limit: 0 })).version, planets)
  })
}

function changeTests(open: OpenStore): void {
  test('a read from the beginning returns each entity once, by position, type and id', async (t) => {
    const { store } = await open(t)
    await put(store, planet('venus'), moon('io'), planet('mars'), moon('europa'))
    await put(store, planet('mars', { title: 'Mars' }))
    await store.write([{ delete: { type: 'sol:moon', id: 'io' } }])
    const { changes, more, position } = await store.changes({ limit: 100 })
    assert.deepEqual(changes.map(shown), [
      'put moon europa',
      'put planet venus',
      'put planet mars',
      'delete moon io',
    ])
    assert.equal(parsed(changes[2]?.entity)?.['title'], 'Mars')
    assert.deepEqual([more, position], [false, await positionNow(store)])
    assert.equal(changes.at(-1)?.position, position)
  })

  test('a read after an offset returns exactly the later changes, with any page size', async (t) => {
    const { store } = await open(t)
    await put(store, ...['c', 'a', 'b', 'd'].map((id) => planet(id)))
    const { next } = await store.changes({ limit: 100 })
    assert.deepEqual((await store.changes({ after: next, limit: 100 })).changes, [])
    await put(store, planet('b', { title: 'B' }), planet('e'))
    await store.write([{ delete: { type: 'sol:planet', id: 'a' } }])
    const expected = ['put planet b', 'put planet e', 'delete planet a']
    for (const limit of [1, 2, 100]) assert.deepEqual((await walked(store, limit, next)).map(shown), expected)
    const all = await walked(store, 2)
    for (const [at, { offset }] of all.entries())
      assert.deepEqual(await walked(store, 100, offset), all.slice(at + 1))
  })

  test('a put after a deletion replaces the tombstone', async (t) => {
    const { store } = await open(t)
    await put(store, planet('mars'))
    await store.write([{ delete: { type: 'sol:planet', id: 'mars' } }])
    await put(store, planet('mars'))
    assert.deepEqual((await walked(store, 1)).map(shown), ['put planet mars'])
    await importAll(store, [moon('io')], ['sol:planet'])
    await importAll(store, [planet('mars')])
    assert.deepEqual((await walked(store, 1)).map(shown), ['put moon io', 'put planet mars'])
  })

  test('all changes of an import have one position, including the tombstones of replaced entities', async (t) => {
    const { store } = await open(t)
    await importAll(store, [planet('a'), planet('b'), moon('io')])
    const { next } = await store.changes({ limit: 100 })
    const { position } = await importAt(store, [planet('b'), planet('c')], ['sol:planet'])
    const { changes } = await store.changes({ after: next, limit: 100 })
    assert.deepEqual(changes.map(shown), ['delete planet a', 'put planet c'])
    assert.deepEqual(new Set(changes.map((change) => change.position)), new Set([position]))
  })

  test('changes can be filtered by type, and the offset advances even without a match', async (t) => {
    const { store } = await open(t)
    await put(store, planet('mars'), moon('io'))
    const types = ['sol:moon', 'sol:none']
    const first = await store.changes({ types, limit: 100 })
    assert.deepEqual(first.changes.map(shown), ['put moon io'])
    await put(store, planet('venus'))
    const second = await store.changes({ types, after: first.next, limit: 100 })
    assert.deepEqual([second.changes, second.more], [[], false])
    assert.notEqual(second.next, first.next)
    assert.deepEqual((await store.changes({ types: [], limit: 100 })).changes, [])
  })

  test('a read with a limit of 0 returns the end of the log', async (t) => {
    const { store } = await open(t)
    await put(store, planet('mars'), moon('io'))
    const { changes, next, position } = await store.changes({ limit: 0 })
    assert.deepEqual([changes, position], [[], await positionNow(store)])
    await put(store, planet('venus'))
    assert.deepEqual((await walked(store, 1, next)).map(shown), ['put planet venus'])
  })

  test('the last page has the versions of all types', async (t) => {
    const { store } = await open(t)
    await put(store, planet('mars'), moon('io'))
    await store.write([{ delete: { type: 'sol:moon', id: 'io' } }])
    const { versions } = await store.changes({ limit: 2 })
    const states = await store.types()
    assert.deepEqual(versions, new Map([...states].map(([type, { version }]) => [type, version])))
    assert.equal((await store.changes({ limit: 1 })).versions, undefined)
  })

  test('a malformed offset is invalid, and an offset of another history is expired', async (t) => {
    const { store } = await open(t)
    const other = (await open(t)).store
    await put(other, planet('mars'))
    const { next } = await other.changes({ limit: 100 })
    const after = (offset: string) => Promise.resolve().then(() => store.changes({ after: offset, limit: 1 }))
    for (const text of ['', 'x', '[]', '[1,2,3]', '["a",-1,0]', '["a",1.5,0]', '["a",1,0,"t"]'])
      await assert.rejects(after(text), { code: 'invalid_offset' })
    await assert.rejects(after(next), { code: 'expired' })
  })

  test('ids whose order differs between UTF-8 and UTF-16 are read completely', async (t) => {
    const { store } = await open(t)
    const ids = ['\u{1f680}', '\uff5e', 'z', 'é']
    await put(store, ...ids.map((id) => planet(id)))
    for (const limit of [1, 3])
      assert.deepEqual(
        (await walked(store, limit)).map(({ id }) => id),
        ['z', 'é', '\uff5e', '\u{1f680}'],
      )
  })
}

function retentionTests(open: OpenStore): void {
  test('tombstones are forgotten after the retention time, and offsets that need them expire', async (t) => {
    const { store, clock } = await open(t)
    await put(store, planet('mars'), planet('venus'))
    const { next: early } = await store.changes({ limit: 100 })
    await store.write([{ delete: { type: 'sol:planet', id: 'mars' } }])
    const { next: late } = await store.changes({ limit: 100 })
    clock.time = new Date(clock.time.getTime() + KEPT_MS + 1)
    await put(store, moon('io'))
    await forgotten(store, 'sol:planet mars')
    await assert.rejects(
      Promise.resolve().then(() => store.changes({ after: early, limit: 1 })),
      { code: 'expired' },
    )
    assert.deepEqual((await walked(store, 1, late)).map(shown), ['put moon io'])
    const { earliest, position } = await store.changes({ limit: 1 })
    assert.deepEqual([await isReached(store, earliest), earliest === position], [true, false])
  })

  test('a reader that started from the beginning can continue after older tombstones are forgotten', async (t) => {
    const { store, clock } = await open(t)
    await put(store, planet('a'), planet('b'))
    await put(store, planet('gone'))
    await store.write([{ delete: { type: 'sol:planet', id: 'gone' } }])
    const first = await store.changes({ limit: 1 })
    clock.time = new Date(clock.time.getTime() + KEPT_MS + 1)
    await put(store, planet('c'))
    await forgotten(store, 'sol:planet gone')
    assert.deepEqual((await walked(store, 1, first.next)).map(shown), ['put planet b', 'put planet c'])
  })
}

function watchTests(open: OpenStore): void {
  test('a watch yields the position at once and after each write, until it is aborted', async (t) => {
    const { store } = await open(t)
    const [ending, positions] = [new AbortController(), [await positionNow(store)]]
    for await (const position of store.watch(ending.signal)) {
      if (position === positions.at(-1) && positions.length > 1) continue
      positions.push(position)
      if (positions.length === 4) ending.abort()
      else await put(store, planet(`p${positions.length}`))
    }
    assert.equal(positions[0], positions[1])
    assert.deepEqual([new Set(positions).size, positions.at(-1)], [3, await positionNow(store)])
  })

  test('closing the store ends every watch', async (t) => {
    const { store } = await open(t)
    const watched = Array.fromAsync(store.watch(new AbortController().signal))
    await new Promise((resume) => setImmediate(resume))
    await store.close()
    assert.ok((await watched).length <= 1)
  })
}
