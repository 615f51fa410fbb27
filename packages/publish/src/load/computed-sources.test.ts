import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import type { JsonObject } from '@worldwright/client/protocol'
import { createMemoryStore, type Store } from '@worldwright/core/store'
import { definitionFromText } from '../definition/definition.ts'
import { resultOf } from './events.ts'
import { loadWorld } from './load-world.ts'

/** Returns a function that loads a definition of the files in a new folder into one store. */
async function loaded(t: TestContext, files: Readonly<Record<string, string>>) {
  const folder = await mkdtemp(join(tmpdir(), 'world-'))
  t.after(() => rm(folder, { recursive: true }))
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text)
  const store = createMemoryStore()

  const load = (yaml: string) =>
    resultOf(loadWorld({ definition: definitionFromText(yaml, 'world.yaml'), folder, store }))
  return { load, store }
}

async function attributesOf(store: Store, id: string): Promise<JsonObject> {
  const found = await store.get('a:book', id)
  return JSON.parse(found?.json ?? '{}').attributes
}

test('a changed expression is a changed definition, and a fault names file, line and columns', async (t) => {
  const { load, store } = await loaded(t, { 'books.csv': 'id,price,n\n1,2.5,4\n2,3,0\n' })
  const yaml = (compute: string) =>
    `sources:\n  - {file: books.csv, type: a:book, rename: {n: copies}, compute: {x: ${compute}}}\n`
  const first = await load(yaml('price * n'))
  assert.deepEqual(
    [first?.rejected, await attributesOf(store, '1')],
    [0, { price: '2.5', copies: '4', x: 10 }],
  )
  assert.equal(await load(yaml('price * n')), undefined)
  const { rejections = [] } = (await load(yaml('price / n'))) ?? {}
  assert.deepEqual(
    rejections.map(({ source, line, faults }) => [source, line, faults[0]?.message]),
    [['books.csv', 3, 'x, computed from price, n: division by zero']],
  )
  assert.equal((await attributesOf(store, '1'))?.['x'], 0.625)
})
