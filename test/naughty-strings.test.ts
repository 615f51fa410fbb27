import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { connect, type Entity } from '@worldwright/client'
import { createWorld, toFetch } from '@worldwright/core'
import type { Store } from '@worldwright/core/store'
import { openStore, storeAt } from '@worldwright/engines'
import { ndjsonExport } from '@worldwright/entities'
import { createToken, operator } from '@worldwright/extensions/operator'
import { importRecords, resultOf } from '@worldwright/publish'
import { NAUGHTY_STRINGS } from './hostile/naughty.fixture.ts'

const TYPE = 'naughty:string'
const ORIGIN = 'https://naughty.example'

async function load(store: Store, text: string): Promise<Record<string, number>> {
  const bytes = (async function* () {
    yield Buffer.from(text)
  })()
  const { created, changed, unchanged, rejected } = await resultOf(
    importRecords(store, [{ source: { name: 'x.ndjson', bytes } }]),
  )
  return { created, changed, unchanged, rejected }
}

test('naughty strings survive import, API, write, export and re-import unchanged', async (t) => {
  const strings = NAUGHTY_STRINGS.filter((text) => text !== '')
  const folder = mkdtempSync(join(tmpdir(), 'naughty-'))
  const [one, two] = [
    await openStore(`sqlite:${join(folder, 'one.db')}`, { role: 'writer' }),
    await openStore(`sqlite:${join(folder, 'two.db')}`, { role: 'writer' }),
  ]
  t.after(async () => {
    await Promise.all([one.close(), two.close()])
    rmSync(folder, { recursive: true })
  })
  const entities = strings.map((text, index) => ({
    type: TYPE,
    id: String(index),
    title: text,
    summary: text,
    attributes: { text, [text]: text, list: [text] },
  }))
  const imported = await load(one, entities.map((entity) => JSON.stringify(entity)).join('\n'))
  assert.deepEqual(imported, { created: strings.length, changed: 0, unchanged: 0, rejected: 0 })

  const description = { id: 'urn:example:naughty', types: [{ type: TYPE }] }
  const { token } = await createToken(one, { scopes: ['write'] })
  const handler = createWorld({ ...description, store: one, publicUrl: ORIGIN, extensions: [operator()] })
  const world = await connect(ORIGIN, { fetch: toFetch(handler) as typeof fetch })
  for await (const entity of world.entities(TYPE)) assertSame(entity, entities[Number(entity.id)])

  for (const { id, title, summary, attributes } of entities) {
    const written = await toFetch(handler)(`${ORIGIN}/api/operator/v0/entities/naughty%3Astring/${id}`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ title, summary, attributes }),
    })
    assert.equal(written.status, 200)
    assertSame((await written.json()) as Entity, entities[Number(id)])
  }

  let exported = ''
  for await (const piece of ndjsonExport(one)) exported += piece
  assert.deepEqual(await load(one, exported), {
    created: 0,
    changed: 0,
    unchanged: strings.length,
    rejected: 0,
  })
  await load(two, exported)
  const contentHash = async (name: string) => {
    const store = await storeAt(`sqlite:${join(folder, `${name}.db`)}`)
    return (await store.verify()).contentHash
  }
  assert.equal(await contentHash('two'), await contentHash('one'))
})

function assertSame(
  entity: Entity,
  expected: (Omit<Entity, 'attributes'> & { attributes: object }) | undefined,
): void {
  const { type, id, title, summary, attributes } = entity
  // Compare as text, because the order of members and keys such as __proto__ matter.
  assert.equal(JSON.stringify({ type, id, title, summary, attributes }), JSON.stringify(expected))
}
