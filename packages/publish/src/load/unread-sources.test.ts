import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type TestContext, test } from 'node:test'
import { createMemoryStore, type Store } from '@worldwright/core/store'
import { rounds } from '../../../../test/rounds.ts'
import { dice } from '../../../core/src/store/suite-data.ts'
import { definitionFromText } from '../definition/definition.ts'
import { resultOf } from './events.ts'
import { type LoadResult, loadWorld } from './load-world.ts'

const WORLD =
  'types: [{ type: x:a }, { type: x:b }]\nsources: [{ file: a.csv, type: x:a }, { file: b.csv, type: x:b }]'
const FILES = { 'world.yaml': WORLD, 'a.csv': 'id,n\n1,1\n2,2\n', 'b.csv': 'id,n\n1,1\n2,2\n' }

/** A folder of files, and loads of it that also return the names of the sources that were read. */
async function worldOf(t: TestContext, first: Record<string, string>, store: Store = createMemoryStore()) {
  const folder = await mkdtemp(join(tmpdir(), 'unread-'))
  t.after(() => rm(folder, { recursive: true }))
  const files = new Map<string, string>()
  async function load(changed: Record<string, string> = {}, into = store) {
    for (const [name, text] of Object.entries(changed)) {
      await writeFile(join(folder, name), text)
      files.set(name, text)
    }
    const read: string[][] = []
    const file = join(folder, 'world.yaml')
    const definition = definitionFromText(files.get('world.yaml') ?? '', file)
    const result = await resultOf(loadWorld({ definition, folder, file, store: into }), (event) => {
      if (event.event === 'started') read.push(event.sources.map(({ name }) => name))
    })
    return { read, result }
  }
  await load(first)
  return { store, load }
}

async function entitiesIn(store: Store): Promise<string[]> {
  const found: string[] = []
  for (const type of (await store.types()).keys()) {
    const { entities } = await store.list(type, { limit: 1_000 })
    found.push(...entities.map(({ id, revision }) => `${type} ${id} ${revision}`))
  }
  return found
}

async function numberOf(store: Store, type: string, id: string): Promise<unknown> {
  return JSON.parse((await store.get(type, id))?.json ?? '{}').attributes?.n
}

test('only the changed source is read, and what it lost is deleted', async (t) => {
  const { store, load } = await worldOf(t, FILES)
  const { read, result } = await load({ 'a.csv': 'id,n\n1,10\n' })
  assert.deepEqual(read, [['a.csv']])
  assert.deepEqual([result?.changed, result?.deleted, result?.unread], [1, 1, 1])
  assert.deepEqual([await numberOf(store, 'x:a', '1'), await numberOf(store, 'x:b', '2')], ['10', '2'])
  // A reference from the unread source may dangle.
  assert.equal(result?.references.incomplete, true)
  assert.deepEqual((await load()).read, [])
  assert.deepEqual((await load({ 'b.csv': 'id,n\n1,5\n2,2\n' })).read, [['b.csv']])
})

test('sources that share types are read together, in order, so that the same record wins', async (t) => {
  const { store, load } = await worldOf(t, {
    'world.yaml': 'types: []\nsources: [a.csv, b.csv, c.csv, d.csv]',
    'a.csv': 'type,id,n\nx:a,1,a\n',
    'b.csv': 'type,id,n\nx:a,2,b\nx:b,2,b\n',
    'c.csv': 'type,id,n\nx:b,3,c\n',
    'd.csv': 'type,id,n\nx:d,1,d\n',
  })
  const { read, result } = await load({ 'c.csv': 'type,id,n\nx:b,2,c\nx:b,4,c\n' })
  assert.deepEqual(read, [['a.csv', 'b.csv', 'c.csv']])
  assert.deepEqual([result?.rejected, await numberOf(store, 'x:b', '2')], [1, 'b'])
})

test('the tables of a database are read together, from one snapshot', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'unread-'))
  t.after(() => rm(folder, { recursive: true }))
  const db = new DatabaseSync(join(folder, 'x.db'))
  t.after(() => db.close())
  db.exec(
    "CREATE TABLE a (id TEXT); CREATE TABLE b (id TEXT); INSERT INTO a VALUES ('1'); INSERT INTO b VALUES ('1')",
  )
  const source = (name: string) =>
    `{ sqlite: ${join(folder, 'x.db')}, table: ${name}, type: x:${name}, id: id }`
  const world = `types: []\nsources: [${source('a')}, ${source('b')}, { file: c.csv, type: x:c }]`
  const { load } = await worldOf(t, { 'world.yaml': world, 'c.csv': 'id\n1\n' })
  assert.deepEqual((await load({ 'c.csv': 'id\n2\n' })).read, [['c.csv']])
  db.exec("INSERT INTO b VALUES ('2')")
  const { read, result } = await load()
  assert.deepEqual([read[0]?.length, result?.created, result?.unread], [2, 1, 1])
})

test('a record whose type an unread source fills makes everything be read', async (t) => {
  const world = {
    ...FILES,
    'world.yaml': WORLD.replace('a.csv, type: x:a', 'a.csv'),
    'a.csv': 'type,id\nx:a,1\n',
  }
  const { store, load } = await worldOf(t, world)
  const { read, result } = await load({ 'a.csv': 'type,id\nx:a,1\nx:b,2\nx:b,3\n' })
  assert.deepEqual(read, [['a.csv'], ['a.csv', 'b.csv']])
  assert.deepEqual([result?.unread, result?.created, result?.rejected], [0, 1, 1])
  assert.equal((await store.list('x:b', { limit: 9 })).total, 3)
})

test('a source with a rejected record, or without any, is read by every load', async (t) => {
  const { load } = await worldOf(t, { ...FILES, 'b.csv': 'id,n\n1,1\n,2\n' })
  const { read, result } = await load({ 'a.csv': 'id,n\n1,10\n2,2\n' })
  assert.deepEqual([read, result?.rejected], [[['a.csv', 'b.csv']], 1])
  await load({ 'b.csv': 'id,n\n' })
  assert.deepEqual((await load({ 'a.csv': 'id,n\n1,1\n2,2\n' })).read, [['a.csv', 'b.csv']])
})

test('a changed schema makes the sources of its type be read, and a changed list of missing cells all', async (t) => {
  const { store, load } = await worldOf(t, FILES)
  const schema = '{ type: x:b, schema: { type: object, properties: { n: { type: integer } } } }'
  const typed = WORLD.replace('{ type: x:b }', schema)
  assert.deepEqual((await load({ 'world.yaml': typed })).read, [['b.csv']])
  assert.deepEqual([await numberOf(store, 'x:a', '1'), await numberOf(store, 'x:b', '1')], ['1', 1])
  assert.deepEqual((await load({ 'world.yaml': `missing: [NA]\n${typed}` })).read, [['a.csv', 'b.csv']])
})

test('a source is read again if others have written its type, and then no more', async (t) => {
  const files = 'types: [{ type: x:b, precedence: files }, { type: x:a }]\n'
  const { store, load } = await worldOf(t, { ...FILES, 'world.yaml': WORLD.replace(/types.*\n/, files) })
  const edit = async (n: number) => (await load({ 'a.csv': `id,n\n1,1\n2,${n}\n` })).read
  const put = (type: string) => store.write([{ put: { type, id: '1', attributes: { n: 'w' } } }])
  // A load that leaves the type alone is no write by others.
  assert.deepEqual([await edit(3), await edit(4)], [[['a.csv']], [['a.csv']]])
  await put('x:b')
  assert.deepEqual([await edit(5), await edit(6)], [[['a.csv', 'b.csv']], [['a.csv']]])
  await put('x:a')
  assert.deepEqual((await load({ 'b.csv': 'id,n\n1,7\n' })).read, [['a.csv', 'b.csv']])
  assert.deepEqual([await numberOf(store, 'x:b', '1'), await numberOf(store, 'x:a', '1')], ['7', 'w'])
})

test('if another process loads meanwhile, everything is read', async (t) => {
  const store = createMemoryStore()
  const { load } = await worldOf(t, FILES, store)
  let isFirst = true
  const meddling: Store = {
    ...store,
    async bulk(options) {
      const staged = await store.bulk(options)
      if (isFirst) {
        isFirst = false
        await load({ 'b.csv': 'id,n\n1,8\n' })
      }
      return staged
    },
  }
  const { read } = await load({ 'a.csv': 'id,n\n1,9\n' }, meddling)
  assert.deepEqual(read, [['a.csv'], ['a.csv', 'b.csv']])
  assert.deepEqual([await numberOf(store, 'x:a', '1'), await numberOf(store, 'x:b', '1')], ['9', '8'])
})

/** The same store, whose loads read everything, since they find no digest of any source. */
function forgetful(store: Store): Store {
  return {
    ...store,
    async values(prefix, options) {
      const found = new Map(await store.values(prefix, options))
      const kept = found.get('sources')
      if (kept) {
        const record = JSON.parse(kept.value)
        for (const one of record.read) one.digest = undefined
        found.set('sources', { ...kept, value: JSON.stringify(record) })
      }
      return found
    },
  }
}

test('random edits leave the same entities as loads that read everything', async (t) => {
  for (let seed = 1; seed <= rounds(3, 15); seed++) {
    const below = dice(seed)
    const of = <T>(values: readonly T[]) => values[below(values.length)] as T
    const names = ['a', 'b', 'c', 'd']
    const rows = () =>
      Array.from({ length: below(4) }, () => {
        const type = below(3) === 0 ? of(['x:a', 'x:b', 'x:c', 'nothing']) : ''
        return `${type},${below(12) === 0 ? '' : below(5)},${below(3)}\n`
      })
    const file = () => `type,id,n\n${rows().join('')}`
    const world = () => {
      const sources = names
        .filter(() => below(8) > 0)
        .map((name) => `\n - { file: ${name}.csv, type: x:${name} }`)
      const precedence = of(['files', 'api', 'last'])
      return `types: [{ type: x:a, precedence: ${precedence} }, { type: x:b }]\nsources: ${sources.join('') || '[]'}`
    }
    const first = Object.fromEntries(names.map((name) => [`${name}.csv`, file()]))
    const { store, load } = await worldOf(t, { ...first, 'world.yaml': world() })
    const full = forgetful(createMemoryStore())
    await load({}, full)
    for (let step = 0; step < 12; step++) {
      const type = `x:${of(names)}`
      const id = `${below(5)}`
      const put = { put: { type, id, attributes: { n: 'written' } } }
      const operation = below(3) === 0 ? { delete: { type, id } } : put
      if (below(3) === 0) for (const one of [store, full]) await one.write([operation])
      const change = below(6) === 0 ? { 'world.yaml': world() } : { [`${of(names)}.csv`]: file() }
      const outcome = ({ result }: { result: LoadResult | undefined }) =>
        result && [result.rejected, result.kept]
      const some = await load(change)
      const all = await load({}, full)
      const at = `seed ${seed}, step ${step}, read ${JSON.stringify(some.read)}`
      assert.deepEqual(outcome(some), outcome(all), at)
      assert.deepEqual(await entitiesIn(store), await entitiesIn(full), at)
    }
  }
})
