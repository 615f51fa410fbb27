import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { createMemoryStore } from '@worldwright/core/store'
import { readDefinition } from '../definition/definition.ts'
import { textRow, workbookParts, zipOf } from '../formats/xlsx/workbook.fixture.ts'
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

test('a load reports its events as plain data, and unchanged files are not loaded again', async (t) => {
  const bad = `${MOONS}{"type":"sol:moon"}\n{"type":"sol:planet","id":"mars"}\n`
  const folder = await folderOf(t, { 'world.yaml': DEFINITION, 'moons.ndjson': bad })
  const store = createMemoryStore()
  const world = await readDefinition(folder)
  const { events, result } = await eventsOf(loadWorld({ ...world, store }))
  const progress = { event: 'progress', bytes: bad.length, totalBytes: bad.length, records: 4, entities: 3 }
  const at = { source: 'moons.ndjson', line: 2 }
  const missing = [{ pointer: '/id', reason: 'required', message: 'the id is missing' }]
  assert.deepEqual(structuredClone(events), [
    { event: 'started', sources: [{ name: 'moons.ndjson', size: bad.length, isDefined: true }] },
    { event: 'rejected', rejections: [{ ...at, line: 3, record: { type: 'sol:moon' }, faults: missing }] },
    {
      event: 'warned',
      warnings: [{ ...at, kind: 'portability', message: 'the id "e u" is outside [A-Za-z0-9_~:.-]{1,128}' }],
    },
    { ...progress, phase: 'reading' },
    { ...progress, phase: 'placing' },
  ])
  const { created, rejected, kept, undeclared } = result ?? assert.fail()
  assert.deepEqual({ created, rejected, kept }, { created: 3, rejected: 1, kept: [] })
  assert.deepEqual(undeclared, ['sol:planet'])
  assert.deepEqual(await eventsOf(loadWorld({ ...world, store })), { events: [], result: undefined })
})

test('cells that the world, a source or a column calls missing are empty, and the result counts them', async (t) => {
  const definition = (missing: string) => `missing: ${missing}
types:
  - type: sol:moon
    schema: { type: object, properties: { radius: { type: number }, found: { type: string } } }
sources:
  - { file: a.csv, type: sol:moon }
  - { file: b.csv, type: sol:moon, missing: ["-"], cells: { found: { missing: [] } } }
`
  const folder = await folderOf(t, {
    'world.yaml': definition('[NA, n/a]'),
    'a.csv': 'id,radius,found\nio,NA,n/a\neuropa,1560.8,-\n',
    'b.csv': 'id,radius,found\nthebe,-,-\nmetis,NA,x\n',
  })
  const store = createMemoryStore()
  const load = async () => resultOf(loadWorld({ ...(await readDefinition(folder)), store }))
  const attributesOf = async (id: string) =>
    JSON.parse((await store.get('sol:moon', id))?.json ?? '{}').attributes
  const result = await load()
  assert.deepEqual(result?.notes, [
    'a.csv: cells read as empty: radius 1, found 1',
    'b.csv: cells read as empty: radius 1',
  ])
  // The list of the source replaces that of the world, so that NA is no number here.
  assert.deepEqual(
    result?.rejections.map(({ source, line }) => [source, line]),
    [['b.csv', 3]],
  )
  assert.deepEqual(await attributesOf('io'), {})
  assert.deepEqual(await attributesOf('europa'), { radius: 1560.8, found: '-' })
  assert.deepEqual(await attributesOf('thebe'), { found: '-' })
  // A changed list alone triggers a load.
  await writeFile(join(folder, 'world.yaml'), definition('[NA]'))
  assert.equal((await load())?.changed, 1)
  assert.deepEqual(await attributesOf('io'), { found: 'n/a' })
  const moreFiles = {
    store,
    world: await readDefinition(folder),
    files: ['c.csv'],
    base: folder,
    type: 'sol:moon',
  }
  await writeFile(join(folder, 'c.csv'), 'id,radius\nleda,NA\n')
  const { result: more } = await eventsOf(loadFiles(moreFiles))
  assert.deepEqual([more.rejected, more.notes], [0, ['c.csv: cells read as empty: radius 1']])
})

test('a load names hidden rows and columns, and hidden: include on the source takes them', async (t) => {
  const rows =
    textRow(1, 'id', 'name', 'cost') +
    textRow(2, 'a', 'x', '1') +
    textRow(3, 'b', 'y', '2').replace('<row ', '<row hidden="1" ')
  const cols = '<col min="3" max="3" hidden="1"/>'
  const definition = 'sources:\n  - { file: a.xlsx, type: shop:item }\n'
  const folder = await folderOf(t, { 'world.yaml': definition })
  await writeFile(join(folder, 'a.xlsx'), zipOf(workbookParts({ Items: { rows, cols } })))
  const store = createMemoryStore()
  const load = async () => resultOf(loadWorld({ ...(await readDefinition(folder)), store }))
  const first = await load()
  assert.deepEqual(
    [first?.created, first?.notes],
    [
      1,
      [
        'a.xlsx, sheet "Items": hidden, and left out: 1 row (3); 1 column (cost). To take hidden rows and columns, say hidden: include',
      ],
    ],
  )
  await writeFile(join(folder, 'world.yaml'), definition.replace(' }', ', hidden: include }'))
  const second = await load()
  assert.deepEqual([second?.created, second?.changed, second?.notes], [1, 1, []])
})

test('a load waits for a load on another machine and does not repeat it', async (t) => {
  const folder = await folderOf(t, { 'world.yaml': DEFINITION, 'moons.ndjson': MOONS })
  const world = await readDefinition(folder)
  const store = createMemoryStore()
  const leases: string[] = []
  const leased = (meanwhile: () => Promise<unknown>) => ({
    ...store,
    async lease(name: string) {
      leases.push(`taken ${name}`)
      await meanwhile()
      return { release: () => void leases.push(`released ${name}`) }
    },
  })
  const loadedByAnother = leased(() => resultOf(loadWorld({ ...world, store })))
  assert.deepEqual(await eventsOf(loadWorld({ ...world, store: loadedByAnother })), {
    events: [],
    result: undefined,
  })
  assert.deepEqual(leases.splice(0), ['taken sources', 'released sources'])
  // No lease is requested if there is nothing to load.
  await resultOf(loadWorld({ ...world, store: leased(() => assert.fail()) }))
  await writeFile(join(folder, 'moons.ndjson'), `${MOONS}{"type":"sol:moon","id":"io2"}\n`)
  const { result } = await eventsOf(loadWorld({ ...world, store: leased(async () => {}) }))
  assert.equal(result?.created, 1)
  assert.deepEqual(leases, ['taken sources', 'released sources'])
})

test('a cautious load refuses degraded sources unless the definition changed', async (t) => {
  const folder = await folderOf(t, { 'world.yaml': DEFINITION, 'moons.ndjson': MOONS })
  const store = createMemoryStore()
  const load = async (cautious: boolean) =>
    resultOf(loadWorld({ ...(await readDefinition(folder)), store, cautious }))
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

test('writes by other writers are kept when a different row of the files changes', async (t) => {
  const rows = (io: string) =>
    `{"type":"sol:moon","id":"io","title":"${io}"}\n{"type":"sol:moon","id":"thebe"}\n`
  const folder = await folderOf(t, { 'world.yaml': DEFINITION, 'moons.ndjson': rows('Io') })
  const store = createMemoryStore()
  const load = async () => resultOf(loadWorld({ ...(await readDefinition(folder)), store }))
  const titleOf = async (id: string) => JSON.parse((await store.get('sol:moon', id))?.json ?? '{}').title
  await load()
  await store.write([{ put: { type: 'sol:moon', id: 'io', title: 'patched', attributes: {} } }])
  await store.write([{ delete: { type: 'sol:moon', id: 'thebe' } }])
  await writeFile(join(folder, 'moons.ndjson'), `${rows('Io')}{"type":"sol:moon","id":"europa"}\n`)
  const result = await load()
  assert.deepEqual([result?.created, result?.shadowed], [1, 2])
  assert.equal(await titleOf('io'), 'patched')
  assert.equal(await store.get('sol:moon', 'thebe'), undefined)
  await writeFile(join(folder, 'world.yaml'), DEFINITION.replace('sol:moon}', 'sol:moon, precedence: last}'))
  await writeFile(join(folder, 'moons.ndjson'), rows('Io!'))
  await load()
  assert.deepEqual([await titleOf('io'), await store.get('sol:moon', 'thebe')], ['Io!', undefined])
  // A changed precedence alone triggers a load.
  await writeFile(join(folder, 'world.yaml'), DEFINITION.replace('sol:moon}', 'sol:moon, precedence: files}'))
  assert.equal((await load())?.shadowed, 0)
  assert.ok(await store.get('sol:moon', 'thebe'))
})

test('kept entities and those written by other writers are checked against a tightened schema', async (t) => {
  const schema = (more: string) => `types:
  - {type: sol:moon, schema: {properties: {size: {type: number${more}}}}}
sources:
  - moons.ndjson
`
  const rows = '{"type":"sol:moon","id":"io","size":1}\n{"type":"sol:moon","id":"thebe","size":9}\n'
  const folder = await folderOf(t, { 'world.yaml': schema(''), 'moons.ndjson': rows })
  const store = createMemoryStore()
  const load = async () => resultOf(loadWorld({ ...(await readDefinition(folder)), store }))
  await load()
  await store.write([{ put: { type: 'sol:moon', id: 'ours', attributes: { size: 8 } } }])
  await writeFile(join(folder, 'world.yaml'), schema(', maximum: 5'))
  const { kept, broken } = (await load()) ?? assert.fail()
  assert.deepEqual(kept, [{ type: 'sol:moon', count: 1, why: 'rejected' }])
  assert.deepEqual(
    broken.map(({ type, count, examples }) => [type, count, ...examples.map(({ id }) => id)]),
    [['sol:moon', 2, 'ours', 'thebe']],
  )
})

test('entities of a source removed from the definition are kept until deleted explicitly', async (t) => {
  const definition = 'sources: [a.ndjson, b.ndjson, c.ndjson]\n'
  const line = (type: string, id: string) => `{"type":"${type}","id":"${id}"}\n`
  const many = Array.from({ length: 20 }, (_, at) => line('sol:moon', `m${at}`)).join('')
  const folder = await folderOf(t, {
    'world.yaml': definition,
    'a.ndjson': line('sol:planet', 'mars') + line('sol:comet', 'halley'),
    'b.ndjson': line('sol:moon', 'io'),
    'c.ndjson': many,
  })
  const store = createMemoryStore()
  const load = async () => resultOf(loadWorld({ ...(await readDefinition(folder)), store, cautious: true }))
  const counts = async () => [...(await store.types())].map(([type, { count }]) => `${type} ${count}`)
  await load()
  const all = ['sol:comet 1', 'sol:moon 21', 'sol:planet 1']
  assert.deepEqual(await counts(), all)
  const kept = [
    { type: 'sol:comet', count: 1, why: 'source_gone' },
    { type: 'sol:moon', count: 20, why: 'source_gone' },
    { type: 'sol:planet', count: 1, why: 'source_gone' },
  ]
  await writeFile(join(folder, 'world.yaml'), 'sources: [b.ndjson]\n')
  assert.deepEqual((await load())?.kept, kept)
  assert.deepEqual(await counts(), all)
  // A later change to something else, or a definition without sources, also keeps them.
  await writeFile(join(folder, 'b.ndjson'), line('sol:moon', 'io') + line('sol:moon', 'thebe'))
  assert.deepEqual((await load())?.kept, kept)
  await writeFile(join(folder, 'world.yaml'), 'name: Sol\n')
  assert.deepEqual((await load())?.deleted, 0)
  // If the source itself remains, removed rows and types are deleted.
  await writeFile(join(folder, 'world.yaml'), definition)
  assert.deepEqual((await load())?.kept, [])
  await writeFile(join(folder, 'a.ndjson'), line('sol:planet', 'mars'))
  assert.equal((await load())?.deleted, 1)
  assert.deepEqual(await counts(), ['sol:comet 0', 'sol:moon 22', 'sol:planet 1'])
})

test('an aborted load loads nothing', async (t) => {
  const folder = await folderOf(t, { 'world.yaml': DEFINITION, 'moons.ndjson': MOONS })
  const store = createMemoryStore()
  const world = await readDefinition(folder)
  for (const last of ['started', 'progress']) {
    for await (const { event } of loadWorld({ ...world, store })) if (event === last) break
    assert.equal((await store.types()).size, 0)
  }
  const throwing = resultOf(loadWorld({ ...world, store }), () => {
    throw new Error('no room on the screen')
  })
  await assert.rejects(throwing, { message: 'no room on the screen' })
  assert.equal((await store.types()).size, 0)
})

test('an aborted signal ends a stream that sends nothing', async () => {
  const ending = new AbortController()
  const bytes = (async function* () {
    yield Buffer.from(MOONS)
    await new Promise(() => {})
  })()
  const store = createMemoryStore()
  const files = [{ name: '-', bytes }]
  const load = resultOf(
    loadFiles({ files, base: '/', store, signal: ending.signal }),
    ({ event }) => event === 'started' && setImmediate(() => ending.abort()),
  )
  await assert.rejects(load, { name: 'AbortError' })
  assert.equal((await store.types()).size, 0)
})
