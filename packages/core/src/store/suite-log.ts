/** Contract tests: the log. */
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

/** Registers the tests of positions, changes, retention and watching for one engine. */
export function logTests(open: OpenStore): void {
  positionTests(open)
  changeTests(open)
  retentionTests(open)
  watchTests(open)
}

function positionTests(open: OpenStore): void {
  test('every write that changes entities moves the position, and answers with it', async (t) => {
    const { storage } = await open(t)
    const seen = [await positionNow(storage)]
    const writes = [
      () => put(storage, planet('mars'), moon('io')),
      () => storage.write([{ delete: { type: 'sol:moon', id: 'io' } }]),
      async () => ({ done: true as const, ...(await importAt(storage, [moon('io')])) }),
    ]
    for (const write of writes) {
      const result = await write()
      assert.ok(result.done)
      assert.equal(await positionNow(storage), result.position)
      seen.push(result.position)
    }
    assert.equal(new Set(seen).size, 4)
    assert.deepEqual(await Promise.all(seen.map((one) => isReached(storage, one))), [true, true, true, true])
  })

  test('a write that changes no entity returns the unchanged position', async (t) => {
    const { storage } = await open(t)
    await put(storage, planet('mars'))
    const before = await positionNow(storage)
    const results = [
      await put(storage, planet('mars')),
      await storage.write([], { values: { name: 'value' } }),
      await storage.write([{ delete: { type: 'sol:moon', id: 'none' } }]),
    ]
    for (const result of results) assert.equal(result.done && result.position, before)
    assert.equal((await importAt(storage, [planet('mars')])).position, before)
    assert.equal(await positionNow(storage), before)
  })

  test('positions of another history, future ones and malformed ones are distinguished', async (t) => {
    const { storage } = await open(t)
    const other = (await open(t)).storage
    await put(storage, planet('mars'))
    const now = await positionNow(storage)
    assert.equal(await isReached(other, now), undefined)
    for (const text of ['', 'x', `${now}0x`, now.slice(0, 5)])
      assert.equal(await isReached(storage, text), undefined)
    await put(other, planet('mars'), planet('venus'))
    assert.equal(await isReached(storage, `${now}0`), false)
  })

  test('a type has the version of its last change, and keeps it while others change', async (t) => {
    const { storage } = await open(t)
    await put(storage, planet('mars'))
    const planets = (await storage.list('sol:planet', { limit: 0 })).version
    assert.equal(planets, await positionNow(storage))
    await put(storage, moon('io'))
    assert.equal((await storage.list('sol:planet', { limit: 0 })).version, planets)
  })
}

function changeTests(open: OpenStore): void {
  test('from the beginning the log is the whole store, each entity once, by position, type and id', async (t) => {
    const { storage } = await open(t)
    await put(storage, planet('venus'), moon('io'), planet('mars'), moon('europa'))
    await put(storage, planet('mars', { title: 'Mars' }))
    await storage.write([{ delete: { type: 'sol:moon', id: 'io' } }])
    const { changes, more, position } = await storage.changes({ limit: 100 })
    assert.deepEqual(changes.map(shown), [
      'put moon europa',
      'put planet venus',
      'put planet mars',
      'delete moon io',
    ])
    assert.equal(parsed(changes[2]?.entity)?.['title'], 'Mars')
    assert.deepEqual([more, position], [false, await positionNow(storage)])
    assert.equal(changes.at(-1)?.position, position)
  })

  test('changes since an offset come after it, whatever the page size', async (t) => {
    const { storage } = await open(t)
    await put(storage, ...['c', 'a', 'b', 'd'].map((id) => planet(id)))
    const { next } = await storage.changes({ limit: 100 })
    assert.deepEqual((await storage.changes({ after: next, limit: 100 })).changes, [])
    await put(storage, planet('b', { title: 'B' }), planet('e'))
    await storage.write([{ delete: { type: 'sol:planet', id: 'a' } }])
    const expected = ['put planet b', 'put planet e', 'delete planet a']
    for (const limit of [1, 2, 100])
      assert.deepEqual((await walked(storage, limit, next)).map(shown), expected)
    const all = await walked(storage, 2)
    for (const [at, { place }] of all.entries())
      assert.deepEqual(await walked(storage, 100, place), all.slice(at + 1))
  })

  test('a put after a deletion replaces the tombstone', async (t) => {
    const { storage } = await open(t)
    await put(storage, planet('mars'))
    await storage.write([{ delete: { type: 'sol:planet', id: 'mars' } }])
    await put(storage, planet('mars'))
    assert.deepEqual((await walked(storage, 1)).map(shown), ['put planet mars'])
    await importAll(storage, [moon('io')], ['sol:planet'])
    await importAll(storage, [planet('mars')])
    assert.deepEqual((await walked(storage, 1)).map(shown), ['put moon io', 'put planet mars'])
  })

  test('an import is one position, tombstones of replaced entities included', async (t) => {
    const { storage } = await open(t)
    await importAll(storage, [planet('a'), planet('b'), moon('io')])
    const { next } = await storage.changes({ limit: 100 })
    const { position } = await importAt(storage, [planet('b'), planet('c')], ['sol:planet'])
    const { changes } = await storage.changes({ after: next, limit: 100 })
    assert.deepEqual(changes.map(shown), ['delete planet a', 'put planet c'])
    assert.deepEqual(new Set(changes.map((change) => change.position)), new Set([position]))
  })

  test('changes can be filtered by type, and the offset advances even without a match', async (t) => {
    const { storage } = await open(t)
    await put(storage, planet('mars'), moon('io'))
    const types = ['sol:moon', 'sol:none']
    const first = await storage.changes({ types, limit: 100 })
    assert.deepEqual(first.changes.map(shown), ['put moon io'])
    await put(storage, planet('venus'))
    const second = await storage.changes({ types, after: first.next, limit: 100 })
    assert.deepEqual([second.changes, second.more], [[], false])
    assert.notEqual(second.next, first.next)
    assert.deepEqual((await storage.changes({ types: [], limit: 100 })).changes, [])
  })

  test('a read of 0 changes returns the end of the log', async (t) => {
    const { storage } = await open(t)
    await put(storage, planet('mars'), moon('io'))
    const { changes, next, position } = await storage.changes({ limit: 0 })
    assert.deepEqual([changes, position], [[], await positionNow(storage)])
    await put(storage, planet('venus'))
    assert.deepEqual((await walked(storage, 1, next)).map(shown), ['put planet venus'])
  })

  test('the last page has the versions of all types', async (t) => {
    const { storage } = await open(t)
    await put(storage, planet('mars'), moon('io'))
    await storage.write([{ delete: { type: 'sol:moon', id: 'io' } }])
    const { versions } = await storage.changes({ limit: 2 })
    const states = await storage.types()
    assert.deepEqual(versions, new Map([...states].map(([type, { version }]) => [type, version])))
    assert.equal((await storage.changes({ limit: 1 })).versions, undefined)
  })

  test('a malformed offset is refused, and an offset of another history has expired', async (t) => {
    const { storage } = await open(t)
    const other = (await open(t)).storage
    await put(other, planet('mars'))
    const { next } = await other.changes({ limit: 100 })
    const after = (place: string) => Promise.resolve().then(() => storage.changes({ after: place, limit: 1 }))
    for (const text of ['', 'x', '[]', '[1,2,3]', '["a",-1,0]', '["a",1.5,0]', '["a",1,0,"t"]'])
      await assert.rejects(after(text), { code: 'invalid_place' })
    await assert.rejects(after(next), { code: 'expired' })
  })

  test('names whose order differs between UTF-8 and UTF-16 are read completely', async (t) => {
    const { storage } = await open(t)
    const ids = ['\u{1f680}', '\uff5e', 'z', 'é']
    await put(storage, ...ids.map((id) => planet(id)))
    for (const limit of [1, 3])
      assert.deepEqual(
        (await walked(storage, limit)).map(({ id }) => id),
        ['z', 'é', '\uff5e', '\u{1f680}'],
      )
  })
}

function retentionTests(open: OpenStore): void {
  test('tombstones are forgotten after their retention, and offsets that need them have expired', async (t) => {
    const { storage, clock } = await open(t)
    await put(storage, planet('mars'), planet('venus'))
    const { next: early } = await storage.changes({ limit: 100 })
    await storage.write([{ delete: { type: 'sol:planet', id: 'mars' } }])
    const { next: late } = await storage.changes({ limit: 100 })
    clock.time = new Date(clock.time.getTime() + KEPT_MS + 1)
    await put(storage, moon('io'))
    await forgotten(storage, 'sol:planet mars')
    await assert.rejects(
      Promise.resolve().then(() => storage.changes({ after: early, limit: 1 })),
      { code: 'expired' },
    )
    assert.deepEqual((await walked(storage, 1, late)).map(shown), ['put moon io'])
    const { earliest, position } = await storage.changes({ limit: 1 })
    assert.deepEqual([await isReached(storage, earliest), earliest === position], [true, false])
  })

  test('a reader that started at the beginning continues, although old tombstones are forgotten meanwhile', async (t) => {
    const { storage, clock } = await open(t)
    await put(storage, planet('a'), planet('b'))
    await put(storage, planet('gone'))
    await storage.write([{ delete: { type: 'sol:planet', id: 'gone' } }])
    const first = await storage.changes({ limit: 1 })
    clock.time = new Date(clock.time.getTime() + KEPT_MS + 1)
    await put(storage, planet('c'))
    await forgotten(storage, 'sol:planet gone')
    assert.deepEqual((await walked(storage, 1, first.next)).map(shown), ['put planet b', 'put planet c'])
  })
}

function watchTests(open: OpenStore): void {
  test('a watch yields positions after writes, until it is aborted', async (t) => {
    const { storage } = await open(t)
    const ending = new AbortController()
    const seen = (async () => {
      const positions: string[] = []
      for await (const position of storage.watch(ending.signal)) {
        positions.push(position)
        if (positions.length === 2) ending.abort()
        else await put(storage, planet('venus'))
      }
      return positions
    })()
    const begun = await positionNow(storage)
    while ((await positionNow(storage)) === begun) await put(storage, planet('mars'))
    const positions = await seen
    assert.equal(positions.length, 2)
    assert.equal(positions[1], await positionNow(storage))
  })

  test('closing the store ends every watch', async (t) => {
    const { storage } = await open(t)
    const watched = Array.fromAsync(storage.watch(new AbortController().signal))
    await new Promise((resume) => setImmediate(resume))
    await storage.close()
    assert.deepEqual(await watched, [])
  })
}
