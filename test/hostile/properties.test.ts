import assert from 'node:assert/strict'
import { test } from 'node:test'
import { connect } from '@worldwright/client'
import { createWorld, toFetch } from '@worldwright/core'
import { createMemoryStore } from '@worldwright/core/store'
import { entityFromRecord } from '@worldwright/entities'
import { memorySearch } from '@worldwright/search/entities'
import fc from 'fast-check'
import { rounds } from '../rounds.ts'
import { anyId, anyType, longId } from './ids.fixture.ts'
import { ask } from './plain.fixture.ts'
import { API, DESCRIPTION, fill, moon, ORIGIN, served } from './served.fixture.ts'

const ids = fc.oneof({ weight: 9, arbitrary: anyId() }, { weight: 1, arbitrary: longId() })

test('any valid id round-trips through the client and the server, with and without a socket', async (t) => {
  const { url, store, events } = await served(t, [])
  const portless = createWorld({ ...DESCRIPTION, store, publicUrl: ORIGIN })
  const direct = await connect(ORIGIN, { fetch: toFetch(portless) })
  const wired = await connect(url)
  await fc.assert(
    fc.asyncProperty(ids, async (id) => {
      const read = entityFromRecord({ type: 'sol:moon', id, attributes: { id } }, {})
      assert.ok('entity' in read)
      await fill(store, [read.entity])
      for (const world of [direct, wired]) {
        const entity = await world.get('sol:moon', id)
        assert.deepEqual([entity.id, entity.attributes['id']], [id, id])
      }
      await store.write([{ delete: { type: 'sol:moon', id } }])
      await assert.rejects(wired.get('sol:moon', id), {
        status: 404,
        code: 'entity_not_found',
        details: { type: 'sol:moon', id },
      })
    }),
    { numRuns: rounds(200, 600) },
  )
  assert.deepEqual(events, [])
})

test('a walk returns ids in the order of their UTF-8 bytes', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(anyId(), { maxLength: 300 }),
      fc.integer({ min: 1, max: 60 }),
      async (some, pageSize) => {
        const store = createMemoryStore({ search: memorySearch })
        await fill(store, some.map(moon))
        const world = await connect(ORIGIN, {
          fetch: toFetch(createWorld({ ...DESCRIPTION, store, publicUrl: ORIGIN })),
        })
        const came: string[] = []
        for await (const { id } of world.entities('sol:moon', { pageSize })) came.push(id)
        assert.deepEqual(
          came,
          some.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b))),
        )
      },
    ),
    { numRuns: rounds(20, 60) },
  )
})

test('any valid type round-trips, whether its colon is escaped or not', async () => {
  await fc.assert(
    fc.asyncProperty(anyType(), ids, async (type, id) => {
      const store = createMemoryStore({ search: memorySearch })
      await fill(store, [{ type, id, attributes: {} }])
      const handler = createWorld({ ...DESCRIPTION, types: [{ type }], store, publicUrl: ORIGIN })
      const world = await connect(ORIGIN, { fetch: toFetch(handler) })
      assert.equal((await world.get(type, id)).type, type)
      for (const colon of [':', '%3A', '%3a']) {
        const target = `${API}/entities/${type.replace(':', colon)}/${encodeURIComponent(id)}`
        assert.equal((await ask(handler, target)).status, 200, target)
      }
    }),
    { numRuns: rounds(100, 300) },
  )
})

/** Generates mutations of a cursor, in which a character is replaced, inserted or removed, or two are swapped. */
function mutated(cursor: string): fc.Arbitrary<string> {
  const at = fc.nat(cursor.length - 1)
  const put = fc.oneof(
    fc.constantFrom(...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_=+/.~ '),
    fc.string({ unit: 'binary', minLength: 1, maxLength: 3 }),
  )
  return fc
    .oneof(
      fc.tuple(at, put).map(([index, text]) => cursor.slice(0, index) + text + cursor.slice(index + 1)),
      fc.tuple(at, put).map(([index, text]) => cursor.slice(0, index) + text + cursor.slice(index)),
      at.map((index) => cursor.slice(0, index) + cursor.slice(index + 1)),
      at.map((index) => cursor.slice(0, index)),
      fc.tuple(at, at).map(([a, b]) => cursor.slice(0, Math.min(a, b)) + cursor.slice(Math.max(a, b))),
      put.map((text) => cursor + text),
      fc.constant(cursor + cursor),
      fc.constant(Buffer.from(cursor, 'base64url').toString('base64')),
      fc.constant(cursor.toUpperCase()),
    )
    .filter((text) => text !== cursor && text.isWellFormed())
}

test('any mutation of a cursor is refused as invalid_cursor', async (t) => {
  const { handler, store } = await served(t, [])
  const target = (cursor: string) => `${API}/entities/sol%3Amoon?cursor=${encodeURIComponent(cursor)}`
  // This id sorts after all others, so the page before it always has a next cursor.
  const last = '\u{10ffff}'.repeat(128)
  await fill(store, [moon(last)])
  await fc.assert(
    fc.asyncProperty(
      ids.filter((id) => id !== last),
      async (id) => {
        await fill(store, [moon(id)])
        const { body } = await ask(handler, `${API}/entities/sol%3Amoon?limit=1`)
        await store.write([{ delete: { type: 'sol:moon', id } }])
        const { nextCursor } = JSON.parse(body) as { nextCursor?: string }
        assert.ok(nextCursor !== undefined)
        assert.equal((await ask(handler, target(nextCursor))).status, 200)
        await fc.assert(
          fc.asyncProperty(mutated(nextCursor), async (cursor) => {
            const { status, code } = await ask(handler, target(cursor))
            assert.equal(`${status} ${code}`, '400 invalid_cursor', cursor)
          }),
          { numRuns: rounds(15, 40) },
        )
      },
    ),
    { numRuns: rounds(30, 100) },
  )
})

test('a cursor of a different type or a different world is refused as invalid_cursor', async () => {
  await fc.assert(
    fc.asyncProperty(anyId(), fc.webUrl(), async (id, worldId) => {
      const store = createMemoryStore({ search: memorySearch })
      const all = ['sol:moon', 'sol:planet'].flatMap((type) =>
        [id, '\u{10ffff}'].map((one) => ({ type, id: one, attributes: {} })),
      )
      await fill(store, all)
      const handler = createWorld({ ...DESCRIPTION, store, publicUrl: ORIGIN })
      const other = createWorld({ ...DESCRIPTION, id: worldId, store, publicUrl: ORIGIN })
      const { body } = await ask(handler, `${API}/entities/sol%3Amoon?limit=1`)
      const { nextCursor } = JSON.parse(body) as { nextCursor?: string }
      assert.equal(
        (await ask(handler, `${API}/entities/sol%3Aplanet?cursor=${nextCursor}`)).code,
        'invalid_cursor',
      )
      assert.equal(
        (await ask(other, `${API}/entities/sol%3Amoon?cursor=${nextCursor}`)).code,
        'invalid_cursor',
      )
    }),
    { numRuns: rounds(30, 100) },
  )
})
