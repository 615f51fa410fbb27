import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextRound } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { createMemorySegments } from '../memory-segments.ts'
import type { Condition, JoinedPath } from '../port/conditions.ts'
import { type PropertyValue, pathKey, type SearchDocument } from '../port/document.ts'
import type { Query } from '../port/search-query.ts'
import { IndexWriter } from '../write/index-writer.ts'
import { Deadline } from './deadline.ts'
import { IndexReader } from './index-reader.ts'
import { Joins } from './joins.ts'
import { slowClock } from './slow-clock.fixture.ts'
import { typeDocumentsOf } from './type-documents.ts'

const NATION: JoinedPath = { reference: ['artist'], property: ['nation'] }
const GREECE: Condition = { op: '=', property: NATION, value: 'greece' }

test('a changed, deleted or new entity is seen by the next query through references to it', () => {
  const { change, find } = index([
    work('w1', 'a1'),
    work('w2', 'a2'),
    work('w3', 'a3'),
    artist('a1', 'greece'),
  ])
  assert.deepEqual(find({ where: GREECE }), ['w1'])
  change([], [artist('a2', 'greece')])
  assert.deepEqual(find({ where: GREECE }), ['w1', 'w2'])
  change([artist('a1', 'greece')], [artist('a1', 'italy')])
  assert.deepEqual(find({ where: GREECE }), ['w2'])
  change([artist('a2', 'greece')], [])
  assert.deepEqual(find({ where: GREECE }), [])
  assert.deepEqual(find({ where: { op: 'absent', property: NATION }, types: ['t:work'] }), ['w2', 'w3'])
})

test('a few entities are found among many references', () => {
  const works = Array.from({ length: 100 }, (_, at) => work(`w${at}`, `a${at}`))
  const { change, find } = index(works)
  change([], [artist('a17', 'greece'), artist('a170', 'greece'), artist('', 'greece'), artist('b', 'greece')])
  assert.deepEqual(find({ where: GREECE }), ['w17'])
})

test('texts lead to entities of the named type, and references only to the types that may be followed', () => {
  const named = document('t:work', 'w4', [{ path: pathKey(['artist']), kind: 'text', value: 'a1' }])
  const { find } = index([work('w1', 'a1'), named, artist('a1', 'greece')])
  const found = (path: Partial<JoinedPath>) =>
    find({ where: { ...GREECE, property: { ...NATION, ...path } } })
  assert.deepEqual(found({}), ['w1'])
  assert.deepEqual(found({ texts: 't:artist' }), ['w1', 'w4'])
  assert.deepEqual(found({ texts: 't:artist', types: [] }), ['w4'])
  assert.deepEqual(found({ texts: 't:work', types: ['t:none'] }), [])
})

test('references in a circle, and to the entity itself, lead one step', () => {
  const parent = (id: string, to: string) =>
    document('t:work', id, [
      { path: pathKey(['parent']), kind: 'reference', value: { type: 't:work', id: to } },
    ])
  const { find } = index([parent('a', 'b'), parent('b', 'a'), parent('c', 'c')])
  const where = (id: string): Condition => ({
    ...{ op: '=', property: { reference: ['parent'], property: ['parent'] } },
    value: { reference: { type: 't:work', id } },
  })
  assert.deepEqual(find({ where: where('a') }), ['a'])
  assert.deepEqual(find({ where: where('c') }), ['c'])
})

test('wherever time runs out, a query through references finds nothing wrong and says that it is partial', (t) => {
  const works = Array.from({ length: 600 }, (_, at) => work(`w${at}`, `a${at % 300}`))
  const artists = Array.from({ length: 200 }, (_, at) => artist(`a${at}`, `n${at % 150}`))
  const wheres: Condition[] = [
    { op: 'not', condition: { ...GREECE, value: 'n7' } },
    { op: 'absent', property: NATION },
    { op: 'not', condition: { op: 'absent', property: NATION } },
  ]
  slowClock(t)
  for (const where of wheres) {
    const all = new Set(index([...works, ...artists]).find({ where, types: ['t:work'] }))
    let cut = 0
    for (let budgetMs = 0; ; budgetMs++) {
      const asked = { where, types: ['t:work'], facets: [NATION_FACET], limit: 1000, budgetMs }
      const { reader, find } = index([...works, ...artists])
      const { hits, total, partial } = reader.search(asked)
      assert.ok(hits.every(({ key }) => all.has(key.id)) && total <= all.size, `${total} in ${budgetMs}`)
      if (!partial) assert.equal(hits.length, all.size)
      // Nothing incomplete may be kept for the next query.
      assert.equal(find({ where, types: ['t:work'] }).length, all.size)
      if (!partial) break
      cut += 1
    }
    assert.ok(cut > 3)
  }
})

test('a query that needs too many entries in joined columns is cut short', () => {
  const { reader } = index([work('w1', 'a1'), work('w2', 'a1'), artist('a1', 'greece')])
  const columnWithin = (entries: number) => {
    const deadline = new Deadline(60_000)
    const joins = new Joins(reader.segments, deadline, entries)
    const [works] = typeDocumentsOf(reader.segments, ['t:work'], joins)
    return [works?.column(NATION, 'text')?.values, deadline.passed]
  }
  assert.deepEqual(columnWithin(1), [undefined, true])
  assert.deepEqual(columnWithin(2), [1, false])
})

test('results of earlier queries keep no replaced segments in memory', async () => {
  const works = Array.from({ length: 5_000 }, (_, at) => work(`w${at}`, `a${at % 10}`))
  const { change, find, reader } = index([...works, artist('a1', 'n0')])
  const seen = new Map<number, WeakRef<object>>()
  for (let at = 0; at < 20; at++) {
    change([artist('a1', `n${at}`)], [artist('a1', `n${at + 1}`)])
    for (const segment of reader.segments) seen.set(segment.id, new WeakRef(segment))
    assert.equal(find({ where: { ...GREECE, value: `n${at + 1}` } }).length, 500)
  }
  setFlagsFromString('--expose-gc')
  // A weak reference keeps its target until the end of a round.
  await nextRound()
  runInNewContext('gc')()
  const held = [...seen].flatMap(([id, each]) => (each.deref() ? [id] : []))
  const ids = reader.segments.map(({ id }) => id)
  assert.ok(seen.size > 20)
  assert.deepEqual(held, ids)
})

const NATION_FACET = { facet: 'values', property: NATION, kind: 'text', limit: 10 } as const

function index(documents: readonly SearchDocument[]) {
  const store = createMemorySegments()
  const writer = new IndexWriter(store)
  const reader = new IndexReader(store)
  const change = (before: readonly SearchDocument[], after: readonly SearchDocument[]) => {
    writer.change(before, after)
    reader.refresh()
  }
  change([], documents)
  const find = (query: Partial<Query>) =>
    reader.search({ limit: 1000, budgetMs: 60_000, ...query }).hits.map(({ key }) => key.id)
  return { change, find, reader }
}

function document(type: string, id: string, values: readonly PropertyValue[]): SearchDocument {
  return { type, id, title: '', aliases: [], summary: '', text: '', values }
}

function work(id: string, of: string): SearchDocument {
  return document('t:work', id, [
    { path: pathKey(['artist']), kind: 'reference', value: { type: 't:artist', id: of } },
  ])
}

function artist(id: string, nation: string): SearchDocument {
  return document('t:artist', id, [{ path: pathKey(['nation']), kind: 'text', value: nation }])
}
