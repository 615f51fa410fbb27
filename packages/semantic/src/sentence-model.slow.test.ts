import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { openStore } from '../../engines/src/index.ts'
import { SearchProcess } from '../../serve/src/workers/search-process.ts'
import { loadSentenceModel } from './sentence-model.ts'
import { writeTinyModel } from './tiny-model.fixture.ts'

// The model runtime sets the global `Worker`.
after(() => Reflect.deleteProperty(globalThis, 'Worker'))

const near = (left: number | undefined, right: number) => Math.abs((left ?? Number.NaN) - right) < 1e-6

test('the vector of a text is the normalized mean of its token vectors', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'worldwright-'))
  t.after(() => rm(folder, { recursive: true }))
  await writeTinyModel(folder)
  const { embed } = await loadSentenceModel(folder)
  const [cats, both, unknown] = await Promise.all([embed('Cats'), embed('cat, car!'), embed('moon')])
  assert.ok(near(cats?.[0], 1) && near(cats?.[1], 0))
  assert.ok(near(both?.[0], Math.SQRT1_2) && near(both?.[1], Math.SQRT1_2))
  assert.deepEqual(unknown, Float32Array.of(0, 0))
  assert.ok(near((await embed('car '.repeat(10_000)))[1], 1))
  await writeFile(join(folder, 'model.onnx'), 'no model')
  await assert.rejects(loadSentenceModel(folder))
})

test('a search process reranks its hits by meaning', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'worldwright-'))
  t.after(() => rm(folder, { recursive: true }))
  await writeTinyModel(folder)
  const store = `sqlite:${join(folder, 'world.db')}`
  const owner = await openStore(store, { role: 'writer' })
  const note = (id: string, title: string) => ({
    put: { type: 'sol:note', id, title, attributes: { text: 'a short note on a dog' } },
  })
  await owner.write([
    note('a', 'engine car'),
    note('b', 'car engine'),
    note('c', 'car car'),
    note('d', 'cats cat'),
  ])
  const meaning = { folder, types: ['sol:note'] }
  const process = new SearchProcess(store, { meaning })
  t.after(async () => {
    await process.close()
    await owner.close()
  })
  const ids = async () => {
    const { hits } = await process.find({ text: 'dog note', limit: 10, budgetMs: 2_000 })
    return hits.map(({ id }) => id).join('')
  }
  // Until the vectors have been computed, the hits are in text ranking order: a, b, c, d.
  const until = Date.now() + 30_000
  while ((await ids()) !== 'adbc') {
    assert.ok(Date.now() < until, await ids())
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
})
