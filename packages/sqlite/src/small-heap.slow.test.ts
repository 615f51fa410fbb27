import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import { Worker } from 'node:worker_threads'
import type { EntityChange } from '../../core/src/store/entity-search.ts'
import type { IndexBuildMessage } from './index-build-thread.ts'
import { temporaryFolder } from './temporary-folder.fixture.ts'

/** URL that makes an entity nearly as large as allowed. It is not searchable, so indexing it takes no time. */
const LONG = `https://sol.example/${'a'.repeat(240_000)}`

test('imports of large entities run in a small heap', async (t) => {
  const folder = temporaryFolder()
  t.after(folder.remove)
  // Each of the four imports is 72 MB. So is the stored content.
  const script = `
    const { parentPort } = require('node:worker_threads')
    import(${JSON.stringify(new URL('./open.ts', import.meta.url).href)}).then(async ({ openSqliteStore }) => {
      const store = openSqliteStore(${JSON.stringify(folder.file('a.db'))})
      const load = async (title, options, beside) => {
        const load = await store.bulk()
        const attributes = { link: ${JSON.stringify(LONG)} }
        const count = title === undefined ? 0 : 300
        await load.add(Array.from({ length: count }, (_, at) => (
          { type: 'sol:moon', id: 'm' + at, title: title + at, attributes }
        )))
        let done = false
        const committed = load.commit(options).finally(() => { done = true })
        for (let at = 0; beside && !done; at++) {
          await store.write([{ put: { type: 'sol:moon', id: 'w', title: 'w' + at, attributes: {} } }])
          await new Promise((resolve) => setImmediate(resolve))
        }
        const { position: _, ...counts } = await committed
        parentPort.postMessage(counts)
      }
      await load('a')
      await load('b')
      await load('c', {}, true)
      await load(undefined, { replace: ['sol:moon'] })
      store.close()
    })`
  const thread = new Worker(script, { eval: true, resourceLimits: { maxOldGenerationSizeMb: 64 } })
  const counts: unknown[] = []
  thread.on('message', (counted) => counts.push(counted))
  await once(thread, 'exit')
  const none = { created: 0, changed: 0, unchanged: 0, deleted: 0 }
  assert.deepEqual(counts, [
    { ...none, created: 300 },
    { ...none, changed: 300 },
    { ...none, changed: 300 },
    { ...none, deleted: 301 },
  ])
})

test('removals also fill a segment, although they have no postings', async (t) => {
  const program = new URL('./index-build-thread.ts', import.meta.url)
  const thread = new Worker(program, { workerData: {} })
  t.after(() => thread.terminate())
  const key = { type: 'sol:moon', id: 'm' }
  const before = JSON.stringify({ ...key, attributes: { link: LONG } })
  const removal: EntityChange = { ...key, before, after: undefined }
  let segments = 0
  thread.on('message', (message: IndexBuildMessage) => {
    if ('segment' in message) segments += 1
  })
  // Batches of 4 million characters each. The empty batch ends the thread.
  for (let lists = 0; lists < 20; lists++) thread.postMessage(Array.from({ length: 16 }, () => removal))
  thread.postMessage([])
  await once(thread, 'exit')
  assert.equal(segments, 2)
})
