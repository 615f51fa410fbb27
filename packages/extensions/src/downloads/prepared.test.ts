import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { writtenFormats } from '@worldwright/publish/formats'
import { toFetch } from '../../../core/src/adapters/fetch.ts'
import { createWorld } from '../../../core/src/handler/handler.ts'
import { createMemoryStore } from '../../../core/src/store/memory.ts'
import { DownloadFolder } from './download-folder.ts'
import { downloads } from './routes.ts'
import { writeFile } from './write-file.ts'

/** Formats to prepare, in another order than the list of formats. */
const FORMATS = ['parquet', 'csv']

/** A world with one moon and two craters. Types with two entities are large. `gates` hold back files until they resolve. */
async function served(t: TestContext, gates: Record<string, Promise<void>> = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'prepared-'))
  t.after(() => rm(folder, { recursive: true }))
  const store = createMemoryStore()
  const put = (type: string, id: string) => store.write([{ put: { type, id, attributes: {} } }])
  await put('sol:crater', 'a')
  await put('sol:crater', 'b')
  await put('sol:moon', 'io')
  const made: string[] = []
  const failures: string[] = []
  const begun = new Map<string, PromiseWithResolvers<void>>()
  const turnOf = (name: string) => {
    const turn = begun.get(name) ?? Promise.withResolvers<void>()
    begun.set(name, turn)
    return turn
  }
  const files = new DownloadFolder({
    store,
    folder,
    maxBytes: 100_000,
    preparedFrom: 2,
    failed: (error) => failures.push((error as Error).message),
    async make({ type, format }, path, maxBytes) {
      const name = `${type}.${format}`
      made.push(name)
      turnOf(name).resolve()
      await gates[name]
      async function* bytes() {
        yield name
      }
      return writeFile(bytes(), path, { maxBytes })
    },
  })
  const types = async () => [{ type: 'sol:crater' }, { type: 'sol:moon' }]
  const handlerOf = (prepared = FORMATS) =>
    createWorld({
      id: 'urn:x',
      types,
      store,
      publicUrl: 'https://sol.example',
      extensions: [downloads({ files, formats: writtenFormats(), prepared })],
    })
  const handler = handlerOf()
  const fetched = toFetch(handler)
  const get = (name: string) => fetched(new Request(`https://sol.example/download/${name}`))
  return { handler, handlerOf, get, put, made, failures, begun: (name: string) => turnOf(name).promise }
}

test('files of large types are prepared once, and requests for others do not wait', async (t) => {
  const gate = Promise.withResolvers<void>()
  const { handler, handlerOf, get, put, made, begun } = await served(t, {
    'sol:crater.parquet': gate.promise,
  })
  await handler.open()
  await begun('sol:crater.parquet')
  assert.equal((await get('sol:moon.csv')).status, 200)
  const waiting = get('sol:crater.parquet')
  gate.resolve()
  assert.equal(await (await waiting).text(), 'sol:crater.parquet')
  await begun('sol:crater.csv')
  await get('sol:crater.csv')
  const first = ['sol:crater.parquet', 'sol:moon.csv', 'sol:crater.csv']
  assert.deepEqual(made, first)
  // Once moons are many, only the file that is missing is made.
  await put('sol:moon', 'europa')
  await handlerOf().open()
  await begun('sol:moon.parquet')
  await get('sol:moon.parquet')
  assert.deepEqual(made, [...first, 'sol:moon.parquet'])
})

test('a file that cannot be prepared is reported, and the next one is', async (t) => {
  const broken = Promise.reject(new Error('broken'))
  broken.catch(() => {})
  const { handler, get, made, failures, begun } = await served(t, { 'sol:crater.parquet': broken })
  await handler.open()
  await begun('sol:crater.csv')
  await get('sol:crater.csv')
  assert.deepEqual([made.length, failures], [2, ['broken']])
})

test('a world that closes prepares nothing more', async (t) => {
  const gate = Promise.withResolvers<void>()
  const { handler, handlerOf, get, made, begun } = await served(t, { 'sol:crater.parquet': gate.promise })
  await handler.open()
  await begun('sol:crater.parquet')
  await handler.close()
  gate.resolve()
  const next = handlerOf(['ndjson'])
  await next.open()
  await begun('sol:crater.ndjson')
  await get('sol:crater.ndjson')
  assert.deepEqual(made, ['sol:crater.parquet', 'sol:crater.ndjson'])
})
