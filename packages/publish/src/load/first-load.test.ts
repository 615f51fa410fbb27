import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type TestContext, test } from 'node:test'
import { createMemoryStore, type Store } from '@worldwright/core/store'
import { definitionFromText } from '../definition/definition.ts'
import type { OnInvalid } from '../definition/settings.ts'
import { resultOf } from './events.ts'
import { loadWorld } from './load-world.ts'
import { loadedSources } from './loaded-sources.ts'

const SOURCES =
  '{ file: a.csv, type: x:a, references: { b: { column: b, type: x:b } } }, { file: b.csv, type: x:b }'
const FILES = {
  'world.yaml': `sources: [${SOURCES}]`,
  'a.csv': 'id,b\n1,1\n2,9\n',
  'b.csv': 'id,n\n1,1\n',
}

/** A folder of files and an empty store; loads tell which files they read, and which types were filled before their end. */
async function worldOf(t: TestContext, given: Record<string, string>) {
  const files = { ...given }
  const folder = await mkdtemp(join(tmpdir(), 'first-'))
  t.after(() => rm(folder, { recursive: true }))
  const store = createMemoryStore()
  const write = (name: string, text: string) => writeFile(join(folder, name), text)
  for (const [name, text] of Object.entries(files)) await write(name, text)
  async function load(onFilled: () => unknown = () => {}, onInvalid?: OnInvalid, step = 1) {
    const read: string[][] = []
    const filled: (readonly string[])[] = []
    const definition = definitionFromText(files['world.yaml'] ?? '', 'world.yaml')
    const outcome = resultOf(loadWorld({ definition, folder, store, onInvalid, step }), (event) => {
      if (event.event === 'started') read.push(event.sources.map(({ name }) => name))
      if (event.event !== 'filled') return
      filled.push(event.types)
      onFilled()
    })
    const result = await outcome.catch((error: Error) => error.message)
    return { read, filled, result }
  }
  const define = (sources: string) => Object.assign(files, { 'world.yaml': `sources: [${sources}]` })
  return { store, write, load, folder, define }
}

async function typesOf(store: Store) {
  return Object.fromEntries([...(await store.types())].map(([type, { count }]) => [type, count]))
}

function killed(): never {
  throw new Error('killed')
}

test('a first load commits types as they are complete, and reports on all at its end', async (t) => {
  const { store, load } = await worldOf(t, FILES)
  const seen: unknown[] = []
  const { filled, result } = await load(() => seen.push(typesOf(store)))
  assert.deepEqual(filled, [['x:a']])
  assert.deepEqual(await Promise.all(seen), [{ 'x:a': 2 }])
  assert.ok(typeof result === 'object')
  assert.deepEqual([result.created, result.types], [3, ['x:a', 'x:b']])
  // The entity to which the other reference leads was loaded later.
  assert.deepEqual(
    result.references.dangling.map(({ type, id }) => [type, id]),
    [['x:b', '9']],
  )
  assert.deepEqual([(await load()).read, (await loadedSources(store))?.isPartial], [[], undefined])
})

test('a first load that is killed between two types is continued by the next', async (t) => {
  const yaml = `sources: [${SOURCES}, { file: c.csv, type: x:c }]`
  const { store, load, write } = await worldOf(t, { ...FILES, 'world.yaml': yaml, 'c.csv': 'id\n3\n' })
  assert.equal((await load(killed)).result, 'killed')
  assert.deepEqual([await typesOf(store), (await loadedSources(store))?.isPartial], [{ 'x:a': 2 }, true])
  const next = await load()
  assert.deepEqual([next.read, next.filled], [[['b.csv', 'c.csv']], [['x:b']]])
  assert.deepEqual([await typesOf(store), (await load()).read], [{ 'x:a': 2, 'x:b': 1, 'x:c': 1 }, []])
  // Later loads replace everything at once.
  await write('a.csv', 'id,b\n1,1\n')
  await write('b.csv', 'id,n\n2,1\n')
  assert.deepEqual((await load()).filled, [])
  assert.deepEqual(await typesOf(store), { 'x:a': 1, 'x:b': 1, 'x:c': 1 })
})

test('files that change before a killed first load goes on are read again, each type at its turn', async (t) => {
  const yaml = `sources: [${SOURCES}, { file: c.csv, type: x:c }]`
  const { store, load, write } = await worldOf(t, { ...FILES, 'world.yaml': yaml, 'c.csv': 'id\n3\n' })
  let commits = 0
  await load(() => ++commits === 2 && killed())
  assert.deepEqual(await typesOf(store), { 'x:a': 2, 'x:b': 1 })
  await write('a.csv', 'id,b\n1,1\n')
  await write('b.csv', 'id,n\n1,1\n2,1\n')
  const seen: unknown[] = []
  assert.deepEqual((await load(() => seen.push(typesOf(store)))).read, [['a.csv', 'b.csv', 'c.csv']])
  assert.deepEqual(await Promise.all(seen), [
    { 'x:a': 1, 'x:b': 1 },
    { 'x:a': 1, 'x:b': 2 },
  ])
  assert.deepEqual(await typesOf(store), { 'x:a': 1, 'x:b': 2, 'x:c': 1 })
})

test('a type that others write between two commits is read again by the next load', async (t) => {
  const { store, load } = await worldOf(t, FILES)
  const writes: unknown[] = []
  const put = { type: 'x:a', id: 'own', attributes: {} }
  await load(() => writes.push(store.write([{ put }])))
  await Promise.all(writes)
  // Only a changed file causes a load: this one must find that the type is not only loaded.
  const { read } = await load()
  assert.deepEqual(read, [])
  assert.equal((await loadedSources(store))?.versions['x:a'], '')
  assert.deepEqual(await typesOf(store), { 'x:a': 3, 'x:b': 1 })
})

test('a type that others write between two commits is still known as one of the sources', async (t) => {
  const { store, load, define } = await worldOf(t, FILES)
  const writes: unknown[] = []
  await load(() => writes.push(store.write([{ put: { type: 'x:a', id: 'own', attributes: {} } }])))
  await Promise.all(writes)
  define('{ file: b.csv, type: x:b }')
  const { result } = await load()
  assert.ok(typeof result === 'object')
  assert.deepEqual(result.kept, [{ type: 'x:a', count: 2, why: 'source_gone' }])
})

test('types of a killed first load that the definition then lacks are not forgotten if the next is killed', async (t) => {
  const yaml = `sources: [${SOURCES}, { file: c.csv, type: x:c }]`
  const outcome = async (sources: string) => {
    const { store, load, define } = await worldOf(t, { ...FILES, 'world.yaml': yaml, 'c.csv': 'id\n3\n' })
    await load(killed)
    define(sources)
    await load(killed)
    assert.equal((await typesOf(store))['x:a'], 2)
    const { result } = await load()
    assert.ok(typeof result === 'object')
    return [result.kept, result.deleted, await typesOf(store)]
  }
  const others = '{ file: b.csv, type: x:b }, { file: c.csv, type: x:c }'
  const gone = { type: 'x:a', count: 2, why: 'source_gone' }
  assert.deepEqual(await outcome(others), [[gone], 0, { 'x:a': 2, 'x:b': 1, 'x:c': 1 }])
  const renamed = `{ file: a.csv, type: x:d }, ${others}`
  assert.deepEqual(await outcome(renamed), [[], 2, { 'x:a': 0, 'x:b': 1, 'x:c': 1, 'x:d': 2 }])
})

test('a type is committed after the last source that may fill it', async (t) => {
  const three = (...sources: string[]) => ({
    ...FILES,
    'c.csv': 'id\n3\n',
    'world.yaml': `sources: [${sources}]`,
  })
  const shared = await worldOf(t, three(SOURCES, '{ file: c.csv, type: x:a }'))
  assert.deepEqual((await shared.load()).filled, [])
  const neighbours = await worldOf(t, three('{ file: c.csv, type: x:a }', SOURCES))
  assert.deepEqual((await neighbours.load()).filled, [['x:a']])
  // A source without a type may fill any.
  const open = { ...three(SOURCES, 'c.csv'), 'c.csv': 'type,id\nx:c,3\n' }
  assert.deepEqual((await (await worldOf(t, open)).load()).filled, [])
  const first = { ...three('c.csv', SOURCES), 'c.csv': 'type,id\nx:c,3\n' }
  assert.deepEqual((await (await worldOf(t, first)).load()).filled, [['x:c'], ['x:c', 'x:a']])
})

test('the tables of a database are committed together', async (t) => {
  const table = (name: string) => `{ sqlite: a.db, table: ${name}, type: "x:${name}" }`
  const yaml = `sources: [${table('a')}, ${table('b')}, { file: b.csv, type: x:c }]`
  const { load, folder } = await worldOf(t, { ...FILES, 'world.yaml': yaml })
  const database = new DatabaseSync(join(folder, 'a.db'))
  database.exec('CREATE TABLE a (id INTEGER PRIMARY KEY); CREATE TABLE b (id INTEGER PRIMARY KEY)')
  database.exec('INSERT INTO a VALUES (1); INSERT INTO b VALUES (1)')
  database.close()
  assert.deepEqual((await load()).filled, [['x:a', 'x:b']])
})

test('a later record of a type that was committed makes everything be read and replaced at once', async (t) => {
  const { store, load } = await worldOf(t, { ...FILES, 'b.csv': 'type,id\nx:b,1\nx:a,3\n' })
  const { read, filled } = await load()
  assert.deepEqual(
    [read, filled],
    [
      [
        ['a.csv', 'b.csv'],
        ['a.csv', 'b.csv'],
      ],
      [['x:a']],
    ],
  )
  assert.deepEqual([await typesOf(store), (await load()).read], [{ 'x:a': 3, 'x:b': 1 }, []])
})

test('few entities are committed with those that follow', async (t) => {
  const { load } = await worldOf(t, FILES)
  assert.deepEqual((await load(undefined, undefined, 3)).filled, [])
})

test('a load that a bad record stops has loaded nothing', async (t) => {
  const { store, load } = await worldOf(t, { ...FILES, 'b.csv': 'id,n\n,1\n' })
  assert.match(String((await load(undefined, 'stop')).result), /b\.csv:2: .*Nothing was loaded/)
  assert.deepEqual(await typesOf(store), {})
})
