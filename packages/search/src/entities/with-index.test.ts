import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import {
  createMemoryStore,
  type Source,
  type Store,
  type StoredEntity,
  StoreFault,
} from '@worldwright/core/store'
import { arraySource } from '../../../core/src/store/array-source.fixture.ts'
import { idsOf, moon, planet } from '../../../core/src/store/suite-data.ts'
import { withIndex } from './index.ts'
import { found, sourceOf } from './with-index.fixture.ts'

/** Opens a store with two moons and a planet, and counts the pages of each type that are read, and calls of `types`. */
async function counted(replaced: (store: Store) => Partial<Source> = () => ({})) {
  const store = createMemoryStore()
  await store.write([moon('io'), moon('europa'), planet('mars')].map((put) => ({ put })))
  const pages = new Map<string, number>()
  const count = (what: string) => pages.set(what, (pages.get(what) ?? 0) + 1)
  const { list = store.list, ...others } = replaced(store)
  const source = sourceOf(store, {
    ...others,
    list(type, options) {
      count(type)
      return list(type, options)
    },
    types(options) {
      count('types')
      return store.types(options)
    },
  })
  const read = () => {
    const counts = Object.fromEntries(pages)
    pages.clear()
    return counts
  }
  return { store, source: withIndex(source), read }
}

test('concurrent searches share one read, and only changed types are read again', async () => {
  const { store, source, read } = await counted()
  const search = () => found(source, { text: 'io' })
  await Promise.all([search(), search(), search()])
  assert.deepEqual(read(), { types: 1, 'sol:moon': 2, 'sol:planet': 2 })
  await search()
  assert.deepEqual(read(), {})
  await store.write([{ put: moon('io', { title: 'Io' }) }])
  assert.equal((await search()).total, 1)
  assert.deepEqual(read(), { types: 1, 'sol:moon': 2 })
  await store.write([{ delete: { type: 'sol:moon', id: 'io' } }])
  assert.equal((await search()).total, 0)
})

test('a search finds what was written before it, although another search is still reading', async () => {
  const paused = Promise.withResolvers<void>()
  const { store, source } = await counted(({ list }) => ({
    async list(type, options) {
      if (type === 'sol:planet') await paused.promise
      return list(type, options)
    },
  }))
  const first = found(source, { text: 'nereid' })
  await turn()
  await store.write([{ put: moon('n', { title: 'Nereid' }) }])
  const second = found(source, { text: 'nereid' })
  await turn()
  paused.resolve()
  assert.equal((await first).total, 0)
  assert.equal((await second).total, 1)
})

test('a type that changes between its pages is read again, and the search sees one state', async () => {
  let changes = 2
  const { source } = await counted((store) => ({
    async list(type, options) {
      const page = await store.list(type, options)
      if (changes > 0 && type === 'sol:moon' && options.after === undefined) {
        changes -= 1
        await store.write([{ delete: { type, id: 'io' } }, { put: moon(`new${changes}`, { title: 'Io' }) }])
      }
      return page
    },
  }))
  assert.deepEqual(idsOf((await found(source, { text: 'io' })).hits).sort(), ['new0', 'new1'])
})

test('all types are read as of one moment', async () => {
  let isFirst = true
  const { source } = await counted((store) => ({
    async list(type, options) {
      if (type === 'sol:planet' && isFirst) {
        isFirst = false
        const moved = { title: 'Nereid' }
        await store.write([{ put: moon('n', moved) }, { put: planet('n', moved) }])
      }
      return store.list(type, options)
    },
  }))
  assert.equal((await found(source, { text: 'nereid' })).total, 2)
})

test('a type that the source no longer has is not found', async () => {
  let now = arraySource([moon('io', { title: 'Io' }), planet('mars')])
  const source = withIndex({
    get: (...key) => now.get(...key),
    list: (...page) => now.list(...page),
    types: () => now.types(),
    version: () => now.version(),
  })
  assert.equal((await found(source, { text: 'io' })).total, 1)
  now = arraySource([planet('mars')])
  assert.equal((await found(source, { text: 'io' })).total, 0)
})

test('a search of a source that keeps changing fails as busy', async () => {
  let at = 0
  const { source, read } = await counted((store) => ({
    async list(type, options) {
      await store.write([{ put: moon(`new${at++}`) }])
      return store.list(type, options)
    },
  }))
  await assert.rejects(found(source, { text: 'io' }), { name: 'StoreFault', code: 'busy' })
  assert.deepEqual(read(), { types: 5, 'sol:moon': 5 })
  assert.deepEqual(idsOf((await found(source, { types: ['sol:planet'] })).hits), ['mars'])
})

test('a failed read fails the search, and the next search reads again', async () => {
  const fault = new StoreFault('unreachable', 'The database does not answer.')
  let fails = false
  const { store, source } = await counted(({ list }) => ({
    list(type, options) {
      if (fails && type === 'sol:planet') throw fault
      return list(type, options)
    },
  }))
  assert.equal((await found(source, { text: 'nereid' })).total, 0)
  await store.write(
    [moon('n', { title: 'Nereid' }), planet('n', { title: 'Nereid' })].map((put) => ({ put })),
  )
  fails = true
  await assert.rejects(found(source, { text: 'nereid' }), fault)
  await assert.rejects(found(source, { text: 'nereid' }), fault)
  fails = false
  assert.equal((await found(source, { text: 'nereid' })).total, 2)
})

test('a search that waits for a read of another search reads again if that read fails', async () => {
  const paused = Promise.withResolvers<void>()
  let isFirst = true
  const { source } = await counted(({ version }) => ({
    async version() {
      if (!isFirst) return version()
      isFirst = false
      await paused.promise
      throw new StoreFault('unreachable', 'The database does not answer.')
    },
  }))
  const first = found(source, { text: 'mars' })
  await turn()
  const second = found(source, { text: 'mars' })
  await turn()
  paused.resolve()
  await assert.rejects(first, { code: 'unreachable' })
  assert.equal((await second).total, 1)
})

test('an index that fails halfway is rebuilt', async () => {
  // Index changes are written in portions of 32 million characters.
  const long = `{"type":"sol:moon","id":"a","title":"Io","attributes":{}${' '.repeat(33_000_000)}}`
  let version = 'broken'
  const rows = (): StoredEntity[] => [
    { type: 'sol:moon', id: 'a', revision: 'a', json: long },
    {
      type: 'sol:moon',
      id: 'b',
      revision: 'b',
      json: version === 'broken' ? '{' : long.replace('"a"', '"b"'),
    },
  ]
  const source = withIndex({
    get: () => undefined,
    list: (_, { after = '' }) => ({ entities: rows().filter(({ id }) => id > after), total: 2, version }),
    types: () => new Map([['sol:moon', { count: 2, version }]]),
    version: () => version,
  })
  await assert.rejects(found(source, { text: 'io' }), SyntaxError)
  await assert.rejects(found(source, { text: 'io' }), SyntaxError)
  version = 'mended'
  assert.deepEqual(idsOf((await found(source, { text: 'io' })).hits), ['a', 'b'])
})

test('a signal ends the wait of its own search only', async () => {
  const paused = Promise.withResolvers<void>()
  const { source, read } = await counted(({ list }) => ({
    async list(type, options) {
      await paused.promise
      return list(type, options)
    },
  }))
  const ending = new AbortController()
  const left = found(source, { text: 'io', signal: ending.signal })
  const other = found(source, { text: 'mars', signal: new AbortController().signal })
  await turn()
  const reason = new Error('the client left')
  ending.abort(reason)
  await assert.rejects(left, reason)
  await assert.rejects(found(source, { text: 'io', signal: ending.signal }), reason)
  paused.resolve()
  assert.deepEqual(idsOf((await other).hits), ['mars'])
  assert.deepEqual(read(), { types: 1, 'sol:moon': 2, 'sol:planet': 2 })
})

test('a search that is aborted at any moment leaves no failure unhandled', async () => {
  for (let moment = 0; moment < 20; moment++) {
    const failing = { version: () => Promise.reject(new StoreFault('unreachable', 'It is down.')) }
    const { source } = await counted(() => failing)
    const ending = new AbortController()
    const asked = assert.rejects(found(source, { text: 'io', signal: ending.signal }))
    for (let turns = 0; turns < moment; turns++) await undefined
    ending.abort()
    await asked
    await turn()
  }
})

test('damaged entities are listed and counted, but not found by text and not accepted as examples', async () => {
  const damaged = { type: 'sol:moon', id: 'io' }
  const { source } = await counted(({ get, list }) => ({
    get(type, id, options) {
      if (id === damaged.id) throw new StoreFault('damaged', 'It is damaged.', { entity: damaged })
      return get(type, id, options)
    },
    async list(type, options) {
      const page = await list(type, options)
      const intact = page.entities.filter(({ id }) => id !== damaged.id)
      return { ...page, entities: intact, ...(intact.length < page.entities.length && { damaged: ['io'] }) }
    },
  }))
  const all = await found(source, {})
  assert.deepEqual([idsOf(all.hits), all.damaged, all.total], [['europa', 'mars'], [damaged], 3])
  const some = await found(source, { where: { op: '>=', property: 'id', value: '' } })
  assert.deepEqual([idsOf(some.hits), some.total], [['europa', 'mars'], 2])
  await assert.rejects(found(source, { similar: damaged }), { code: 'damaged', entity: damaged })
})

test('a listing without text reads no entity into the index', async () => {
  const { source, read } = await counted()
  const first = await found(source, { limit: 2 })
  assert.deepEqual(idsOf(first.hits), ['europa', 'io'])
  const next = await found(source, { limit: 2, after: first.last })
  assert.deepEqual(idsOf(next.hits), ['mars'])
  assert.deepEqual(read(), { types: 2, 'sol:moon': 2, 'sol:planet': 2 })
  await found(source, { text: 'io' })
  assert.deepEqual(read(), { types: 1, 'sol:moon': 2, 'sol:planet': 2 })
})
