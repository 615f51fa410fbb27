import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import type { Store } from '../../core/src/store/contract.ts'
import { createMemoryStore } from '../../core/src/store/memory.ts'
import { keepVectors } from './keep-vectors.ts'
import type { SentenceModel } from './sentence-model.ts'
import { VectorFile } from './vector-file.ts'

const TYPES = ['sol:note']

/** Creates a model whose vector for a text contains the length of the text. */
function measuring(texts: string[]): SentenceModel {
  return {
    fingerprint: 'length',
    async embed(text) {
      texts.push(text)
      return Float32Array.of(text.length, 0)
    },
  }
}

async function vectorPath(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'worldwright-'))
  t.after(() => rm(folder, { recursive: true }))
  return join(folder, 'world.db-meaning')
}

const put = (id: string, title: string, type = 'sol:note') => ({ put: { type, id, title, attributes: {} } })

/** Follows the store until the vectors are up to date. */
async function followed(store: Store, file: VectorFile, model: SentenceModel): Promise<void> {
  const ending = new AbortController()
  const kept = keepVectors({ store, file, model, types: TYPES }, ending.signal)
  const isBehind = async () => {
    const { changes } = await store.changes({ after: file.offset(), types: TYPES, limit: 1 })
    return changes.length > 0
  }
  while (await isBehind()) await new Promise(setImmediate)
  ending.abort()
  await kept
}

test('vectors are updated after puts and deletions of the configured types', async (t) => {
  const store = createMemoryStore()
  const file = new VectorFile(await vectorPath(t), 'length', TYPES)
  t.after(() => file.close())
  await store.write([put('a', 'four'), put('b', 'seven77'), put('m', 'moon', 'sol:moon')])
  const texts: string[] = []
  await followed(store, file, measuring(texts))
  assert.deepEqual(texts, ['four', 'seven77'])
  const [a, b] = [await store.get('sol:note', 'a'), await store.get('sol:note', 'b')]
  assert.ok(a && b)
  assert.deepEqual(file.get(b), Float32Array.of(7, 0))

  await store.write([put('a', 'fives'), { delete: { type: 'sol:note', id: 'b' } }])
  await followed(store, file, measuring(texts))
  assert.deepEqual(texts.slice(2), ['fives'])
  assert.equal(file.get(a), undefined, 'of an earlier revision')
  assert.equal(file.get(b), undefined)
})

test('a vector file is emptied if it belongs to a different model or is damaged', async (t) => {
  const path = await vectorPath(t)
  const store = createMemoryStore()
  await store.write([put('a', 'four')])
  const note = await store.get('sol:note', 'a')
  assert.ok(note)
  const first = new VectorFile(path, 'length', TYPES)
  await followed(store, first, measuring([]))
  assert.ok(first.get(note) && first.offset())
  first.close()

  const more = new VectorFile(path, 'length', ['sol:moon', ...TYPES])
  assert.equal(more.offset(), undefined)
  assert.ok(more.get(note))
  more.close()
  const other = new VectorFile(path, 'another', TYPES)
  assert.equal(other.get(note), undefined)
  other.close()

  await writeFile(path, 'this is no database, and never was one')
  const again = new VectorFile(path, 'length', TYPES)
  assert.equal(again.offset(), undefined)
  again.close()
})
