import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { connect } from '@worldwright/client'
import type { Entity, JsonObject } from '@worldwright/client/protocol'
import { createWorld, toFetch } from '@worldwright/core'
import { revisionOf } from '@worldwright/core/store'
import { openStore } from '@worldwright/engines'
import { entityFromRecord } from '@worldwright/entities'
import { listen } from '@worldwright/node'
import { NAUGHTY_STRINGS } from './naughty.fixture.ts'
import { ask } from './plain.fixture.ts'
import { API, DESCRIPTION, fill, ORIGIN, served, stores } from './served.fixture.ts'

/** Returns one entity per string, as if read from an operator's file, with the string in every place for text. */
function publish(strings: readonly string[]): Entity[] {
  return strings.map((text, index) => {
    const key = JSON.stringify(text)
    const attributes = `{${key}:${key},"list":[${key},{${key}:{${key}:1}}]}`
    const record = `{"type":"sol:moon","id":"${index}","title":${key},"summary":${key},"attributes":${attributes}}`
    const read = entityFromRecord(JSON.parse(record), {})
    assert.ok('entity' in read, `${key}: ${JSON.stringify(read)}`)
    return read.entity
  })
}

/** Serializes a value for comparison: own keys only, in their order, including `__proto__`. */
function spelled(value: unknown): string {
  return JSON.stringify(value)
}

test('every request returns naughty strings unchanged, from either store', async (t) => {
  const entities = publish(NAUGHTY_STRINGS.filter((text) => text !== 'list'))
  for (const [name, store] of await stores(t)) {
    const { handler, events } = await served(t, entities, { store, world: { publicUrl: ORIGIN } })
    const world = await connect(ORIGIN, { fetch: toFetch(handler) })
    let index = 0
    for (const entity of entities) {
      const { createdAt, updatedAt, revision, ...came } = await world.get('sol:moon', entity.id)
      assert.equal(spelled(came), spelled(entity), name)
      assert.equal(revision, revisionOf(entity), name)
      assert.ok(createdAt !== undefined && updatedAt !== undefined)
      // Compare members, not whole bodies, because the order of members may differ.
      const { body } = await ask(handler, `${API}/entities/sol%3Amoon/${entity.id}`)
      assert.ok(body.includes(`"title":${JSON.stringify(entity.title)}`), name)
      index += 1
    }
    assert.ok(index > 450)
    const listed = new Map<string, Entity>()
    for await (const entity of world.entities('sol:moon', { pageSize: 97 })) listed.set(entity.id, entity)
    assert.equal(listed.size, entities.length)
    for (const { id, title, summary, attributes } of entities) {
      const came = listed.get(id)
      assert.equal(
        spelled([came?.title, came?.summary, came?.attributes]),
        spelled([title, summary, attributes]),
      )
    }
    const { total } = await world.discover({ limit: 0 })
    assert.equal(total, entities.length)
    assert.deepEqual(events, [], name)
  }
})

test('keys special to the language are data, keep their order, and change no object', async (t) => {
  const text =
    '{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}},"toString":1,"2":1,"1":2}'
  const read = entityFromRecord(JSON.parse(`{"type":"sol:moon","id":"x","attributes":${text}}`), {})
  assert.ok('entity' in read)
  for (const [name, store] of await stores(t)) {
    const { url } = await served(t, [read.entity], { store })
    const world = await connect(url)
    const { attributes } = await world.get('sol:moon', 'x')
    assert.ok(Object.hasOwn(attributes, '__proto__') && Object.hasOwn(attributes, 'constructor'), name)
    assert.deepEqual(attributes['constructor'], { prototype: { polluted: true } })
    assert.equal(({} as JsonObject)['polluted'], undefined)
    assert.equal(Object.getPrototypeOf(attributes), Object.prototype)
    assert.equal(spelled(attributes), spelled(read.entity.attributes))
  }
})

test('content is unchanged after a store is reopened', async (t) => {
  const entities = publish(NAUGHTY_STRINGS)
  const folder = mkdtempSync(join(tmpdir(), 'worldwright-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const first = await openStore(`sqlite:${join(folder, 'world.db')}`, { role: 'writer' })
  await fill(first, entities)
  await first.close()
  const store = await openStore(`sqlite:${join(folder, 'world.db')}`, { role: 'writer' })
  const listening = await listen(createWorld({ ...DESCRIPTION, store }), { port: 0 })
  t.after(async () => {
    await listening.close()
    await store.close()
  })
  const world = await connect(listening.url)
  for (const entity of entities) {
    const { type, id, title, summary, attributes } = await world.get('sol:moon', entity.id)
    assert.equal(spelled({ type, id, title, summary, attributes }), spelled(entity))
  }
})
