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
import { naughtyStrings } from './naughty.fixture.ts'
import { ask } from './plain.fixture.ts'
import { API, DESCRIPTION, fill, ORIGIN, served, stores } from './served.fixture.ts'

/** Returns one entity per string, with the string in every text position, as an operator's file would give it. */
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

/** Serializes a value for comparison: own keys only, including `__proto__`, in their order. */
function spelled(value: unknown): string {
  return JSON.stringify(value)
}

test('content of naughty strings is returned byte for byte, from either store, by every request', async (t) => {
  const strings = naughtyStrings(t)
  if (strings === undefined) return
  const entities = publish(strings.filter((text) => text !== 'list'))
  for (const [name, storage] of await stores(t)) {
    const { handler, events } = await served(t, entities, { storage, world: { publicUrl: ORIGIN } })
    const world = await connect(ORIGIN, { fetch: toFetch(handler) })
    let index = 0
    for (const entity of entities) {
      const { createdAt, updatedAt, revision, ...came } = await world.get('sol:moon', entity.id)
      assert.equal(spelled(came), spelled(entity), name)
      assert.equal(revision, revisionOf(entity), name)
      assert.ok(createdAt !== undefined && updatedAt !== undefined)
      // Not the whole body: its members may come in any order. The text of the strings is fixed.
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
  for (const [name, storage] of await stores(t)) {
    const { url } = await served(t, [read.entity], { storage })
    const world = await connect(url)
    const { attributes } = await world.get('sol:moon', 'x')
    assert.ok(Object.hasOwn(attributes, '__proto__') && Object.hasOwn(attributes, 'constructor'), name)
    assert.deepEqual(attributes['constructor'], { prototype: { polluted: true } })
    assert.equal(({} as JsonObject)['polluted'], undefined)
    assert.equal(Object.getPrototypeOf(attributes), Object.prototype)
    assert.equal(spelled(attributes), spelled(read.entity.attributes))
  }
})

test('content is unchanged after the store is reopened', async (t) => {
  const strings = naughtyStrings(t)
  if (strings === undefined) return
  const entities = publish(strings)
  const folder = mkdtempSync(join(tmpdir(), 'worldwright-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const first = await openStore(`sqlite:${join(folder, 'world.db')}`, { role: 'writer' })
  await fill(first, entities)
  await first.close()
  const storage = await openStore(`sqlite:${join(folder, 'world.db')}`, { role: 'writer' })
  const listening = await listen(createWorld({ ...DESCRIPTION, store: storage }), { port: 0 })
  t.after(async () => {
    await listening.close()
    await storage.close()
  })
  const world = await connect(listening.url)
  for (const entity of entities) {
    const { type, id, title, summary, attributes } = await world.get('sol:moon', entity.id)
    assert.equal(spelled({ type, id, title, summary, attributes }), spelled(entity))
  }
})
