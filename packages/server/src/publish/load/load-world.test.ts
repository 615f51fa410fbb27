import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { createMemoryStorage } from '../../storage/memory.ts'
import { readDefinition } from '../definition/definition.ts'
import { type LoadEvent, resultOf } from './events.ts'
import { loadFiles } from './load-files.ts'
import { loadWorld } from './load-world.ts'

const DEFINITION = 'types:\n  - {type: sol:moon}\nsources:\n  - moons.ndjson\n'
const MOONS = '{"type":"sol:moon","id":"io"}\n{"type":"sol:moon","id":"e u"}\n'

async function folderOf(t: TestContext, files: Record<string, string>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'load-'))
  t.after(() => rm(folder, { recursive: true }))
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text)
  return folder
}

async function eventsOf<Result>(load: AsyncGenerator<LoadEvent, Result>) {
  const events: LoadEvent[] = []
  const result = await resultOf(load, (event) => events.push(event))
  return { events, result }
}

test('a world is loaded with plain events, and not again while its files are the same', async (t) => {
  const bad = `${MOONS}{"type":"sol:moon"}\n{"type":"sol:planet","id":"mars"}\n`
  const folder = await folderOf(t, { 'world.yaml': DEFINITION, 'moons.ndjson': bad })
  const storage = createMemoryStorage()
  const world = await readDefinition(folder)
  const { events, result } = await eventsOf(loadWorld({ ...world, storage }))
  const progress = { event: 'progress', bytes: bad.length, totalBytes: bad.length, records: 4, entities: 3 }
  const at = { source: 'moons.ndjson', line: 2 }
  const missing = [{ pointer: '/id', reason: 'required', message: 'the id is missing' }]
  assert.deepEqual(structuredClone(events), [
    { event: 'started', sources: [{ name: 'moons.ndjson', size: bad.length, isDefined: true }] },
    { event: 'rejected', rejections: [{ ...at, line: 3, faults: missing }] },
    {
      event: 'warned',
      warnings: [{ ...at, kind: 'portability', message: 'the id "e u" is outside [A-Za-z0-9_~:.-]{1,128}' }],
    },
    { ...progress, phase: 'reading' },
    { ...progress, phase: 'placing' },
  ])
  const { created, rejected, skipped, kept, undeclared } = result ?? assert.fail()
  assert.deepEqual({ created, rejected, kept }, { created: 3, rejected: 1, kept: [] })
  assert.deepEqual([skipped, undeclared], [['sol:moon'], ['sol:planet']])
  assert.deepEqual(await eventsOf(loadWorld({ ...world, storage })), { events: [], result: undefined })
})

test('a cautious load refuses sources that have become worse, unless the definition changed', async (t) => {
  const folder = await folderOf(t, { 'world.yaml': DEFINITION, 'moons.ndjson': MOONS })
  const storage = createMemoryStorage()
  const load = async (cautious: boolean) =>
    resultOf(loadWorld({ ...(await readDefinition(folder)), storage, cautious }))
  await load(true)
  await writeFile(join(folder, 'moons.ndjson'), `${MOONS}{\n`)
  await assert.rejects(load(true), { name: 'ImportRefused' })
  assert.equal((await load(false))?.rejected, 1)
  const many = Array.from({ length: 20 }, (_, at) => `{"type":"sol:moon","id":"m${at}"}\n`).join('')
  await writeFile(join(folder, 'moons.ndjson'), many)
  await load(true)
  await writeFile(join(folder, 'moons.ndjson'), MOONS)
  await assert.rejects(load(true), { name: 'ImportShrunk' })
  await writeFile(join(folder, 'world.yaml'), `${DEFINITION}onInvalid: warn\n`)
  assert.equal((await load(true))?.deleted, 20)
})

test('a load that is given up loads nothing', async (t) => {
  const folder = await folderOf(t, { 'world.yaml': DEFINITION, 'moons.ndjson': MOONS })
  const storage = createMemoryStorage()
  const world = await readDefinition(folder)
  for (const last of ['started', 'progress']) {
    for await (const { event } of loadWorld({ ...world, storage })) if (event === last) break
    assert.equal((await storage.versions()).size, 0)
  }
  const throwing = resultOf(loadWorld({ ...world, storage }), () => {
    throw new Error('no room on the screen')
  })
  await assert.rejects(throwing, { message: 'no room on the screen' })
  assert.equal((await storage.versions()).size, 0)
})

test('a stream that goes silent ends with the signal', async () => {
  const ending = new AbortController()
  const bytes = (async function* () {
    yield Buffer.from(MOONS)
    await new Promise(() => {})
  })()
  const storage = createMemoryStorage()
  const files = [{ name: '-', bytes }]
  const load = resultOf(
    loadFiles({ files, base: '/', storage, signal: ending.signal }),
    ({ event }) => event === 'started' && setImmediate(() => ending.abort()),
  )
  await assert.rejects(load, { name: 'AbortError' })
  assert.equal((await storage.versions()).size, 0)
})
