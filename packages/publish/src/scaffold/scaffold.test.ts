import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import type { JsonObject } from '@worldwright/client/protocol'
import { createMemoryStore } from '@worldwright/core/store'
import { definitionFromText } from '../definition/definition.ts'
import { scaffoldDefinition } from './scaffold.ts'
import { scaffoldTables } from './tables.ts'

async function proposed(t: TestContext, files: Readonly<Record<string, string>>, called = 'a') {
  const folder = await mkdtemp(join(tmpdir(), 'world-'))
  t.after(() => rm(folder, { recursive: true }))
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text)
  const paths = Object.keys(files).map((name) => join(folder, name))
  const tables = await scaffoldTables({ paths, folder })
  return scaffoldDefinition({ tables, folder, called, store: createMemoryStore() })
}

test('of a wide table the first lines are shown, and all are in the definition', async (t) => {
  const days = Array.from({ length: 300 }, (_, at) => `day${at}`)
  const rows = ['1,', '2,'].map((id) => id + days.map((_, at) => `0${(at % 9) + 1}.04.2020`).join())
  const { text, assumptions } = await proposed(t, { 'a.csv': [`id,${days}`, ...rows].join('\n') })
  assert.equal(assumptions.length, 20)
  assert.match(assumptions.at(-1) ?? '', /^… and \d+ more, at the end of world\.yaml\.$/)
  const required = assumptions.find((line) => line.includes('are required')) ?? ''
  assert.match(required, /: day0, day1, .*, day19 and 281 more\.$/)
  assert.match(text, /\n# Assumed:\n# 2 records were looked at\.\n(?:# .*\n)+# day299 .*\n$/)
  assert.equal(definitionFromText(text, 'world.yaml').sources.length, 1)
})

test('the name of any file makes a valid type', async (t) => {
  for (const [called, type] of [
    ['s', 's:s'],
    ['wp', 'wp-world:wp'],
    ['b'.repeat(200), `${'b'.repeat(60)}:${'b'.repeat(60)}`],
  ] as const) {
    const { text } = await proposed(t, { [`${called}.csv`]: 'id,name\n1,Io\n' }, called)
    assert.equal(definitionFromText(text, 'world.yaml').types[0]?.type, type)
  }
})

const ROWS = Array.from({ length: 20 }, (_, at) => at)
const AUTHORS = ROWS.slice(0, 5).map((at) => ({ id: `a${at}`, name: `Author ${at}` }))

function ndjson(records: readonly object[]): string {
  return records.map((record) => JSON.stringify(record)).join('\n')
}

test('ids of other records in NDJSON and JSON, also in lists, are references that can be loaded', async (t) => {
  const books = ROWS.map((at) => ({
    id: `b${at}`,
    title: `Book ${at}`,
    author_id: `a${at % 5}`,
    readers: at === 0 ? [] : ['a1', `a${at % 5}`],
    ratings: [at, at * 2.5],
  }))
  const link = { type: 'object', properties: { type: { const: 'a:author' }, id: { type: 'string' } } }
  for (const files of [
    { 'authors.ndjson': ndjson(AUTHORS), 'books.ndjson': ndjson(books) },
    { 'all.json': JSON.stringify({ authors: AUTHORS, books }) },
  ]) {
    const { text, trial, assumptions } = await proposed(t, files)
    const { types, sources } = definitionFromText(text, 'world.yaml')
    const { author, readers } = types[1]?.schema?.['properties'] as JsonObject
    assert.deepEqual([author, readers], [link, { type: 'array', items: link }])
    assert.deepEqual(sources[1]?.references, {
      author: { column: 'author_id', type: 'a:author' },
      readers: { column: 'readers', type: 'a:author' },
    })
    assert.deepEqual([trial?.loaded, trial?.rejected], [25, 0])
    assert.match(
      assumptions.join('\n'),
      /readers refers to a:author by its id: all of 5 different values are there\./,
    )
  }
})

test('texts of entities that are ids of other records name their type in the schema', async (t) => {
  const attributes = (at: number) => ({
    author_id: `a${at % 5}`,
    readers: [`a${at % 5}`],
    name: `a${at}`,
    at,
  })
  const authors = { 'authors.ndjson': ndjson(AUTHORS.map((one) => ({ type: 'lib:person', ...one }))) }
  for (const books of [
    ROWS.map((at) => ({ id: `b${at}`, attributes: attributes(at) })),
    ROWS.map((at) => ({ type: 'a:book', id: `b${at}`, ...attributes(at), name: 'x' })),
  ]) {
    const { text, trial, assumptions } = await proposed(t, { ...authors, 'books.ndjson': ndjson(books) })
    const { types, sources } = definitionFromText(text, 'world.yaml')
    const { properties } = types.find(({ type }) => type === 'a:book')?.schema as { properties: JsonObject }
    assert.deepEqual(properties['author_id'], { type: 'string', 'x-references': 'lib:person' })
    assert.deepEqual(properties['readers'], {
      type: 'array',
      items: { type: 'string' },
      'x-references': 'lib:person',
    })
    assert.deepEqual(properties['at'], { type: 'integer' })
    assert.ok(sources.every(({ references }) => references === undefined))
    assert.deepEqual([trial?.loaded, trial?.rejected], [25, 0])
    assert.match(assumptions.join('\n'), /author_id refers to lib:person by its id/)
  }
})

test('records of several types in one file refer to each other, each type by itself', async (t) => {
  const of = (type: string, records: readonly object[]) => records.map((one) => ({ type, ...one }))
  const prizes = ROWS.slice(0, 4).map((at) => ({ id: `p${at}`, author_id: at, constructor: `a${at}` }))
  const books = ROWS.map((at) => ({
    id: `b${at}`,
    title: `Book ${at}`,
    author_id: `a${at % 5}`,
    in: [`p${at % 4}`],
  }))
  const all = [...of('lib:book', books), ...of('lib:prize', prizes), ...of('lib:author', AUTHORS)]
  for (const files of [{ 'all.ndjson': ndjson(all) }, { 'all.json': JSON.stringify(all) }]) {
    const { text, assumptions, trial } = await proposed(t, files)
    const { types } = definitionFromText(text, 'world.yaml')
    const named = types.map(({ type, schema }) => [
      type,
      Object.entries((schema?.['properties'] ?? {}) as Record<string, JsonObject>).flatMap(([name, one]) =>
        one['x-references'] === undefined ? [] : [[name, one['x-references']]],
      ),
    ])
    assert.deepEqual(named, [
      ['lib:author', []],
      [
        'lib:book',
        [
          ['author_id', 'lib:author'],
          ['in', 'lib:prize'],
        ],
      ],
      ['lib:prize', [['constructor', 'lib:author']]],
    ])
    assert.match(
      assumptions.join('\n'),
      /author_id refers to lib:author by its id: all of 5 different values/,
    )
    assert.deepEqual([trial?.loaded, trial?.rejected], [29, 0])
  }
})

test('an id of one type in a mixed file is a target, and attributes of some records are no columns', async (t) => {
  const prizes = [{ type: 'lib:prize', id: 'p1' }]
  const books = ROWS.map((at) => ({ id: `b${at}`, title: `Book ${at}`, author_id: `a${at % 5}` }))
  const authors = (extra: readonly object[]) =>
    ndjson([...AUTHORS.map((one) => ({ type: 'lib:author', ...one })), ...prizes, ...extra])
  const { text } = await proposed(t, { 'authors.ndjson': authors([]), 'books.ndjson': ndjson(books) })
  assert.match(text, /author: \{ column: author_id, type: lib:author \}/)
  // A repeated id is no key, and neither is one of records without types.
  for (const extra of [[{ type: 'lib:author', id: 'a1' }], [{ id: 'a7', name: 'x' }]]) {
    const other = await proposed(t, { 'authors.ndjson': authors(extra), 'books.ndjson': ndjson(books) })
    assert.doesNotMatch(other.text, /references/)
  }
  const half = [
    { id: 'x', attributes: { born: 1 } },
    { id: 'y', age: 2 },
  ]
  const { text: other, trial } = await proposed(t, { 'half.ndjson': ndjson(half) })
  assert.equal(trial?.rejected, 0)
  assert.match(other, /age: \{ type: integer \}/)
  assert.doesNotMatch(other, /born/)
})

test('the bodies of Markdown files are declared as Markdown, of one file and of a folder', async (t) => {
  const declared = async (files: Readonly<Record<string, string>>, paths?: readonly string[]) => {
    const folder = await mkdtemp(join(tmpdir(), 'world-'))
    t.after(() => rm(folder, { recursive: true }))
    for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text)
    const tables = await scaffoldTables({ paths: (paths ?? ['']).map((path) => join(folder, path)), folder })
    const { text } = await scaffoldDefinition({ tables, folder, called: 'a', store: createMemoryStore() })
    return definitionFromText(text, 'world.yaml').types[0]?.schema?.['properties']
  }
  const body = { type: 'string', contentMediaType: 'text/markdown' }
  const io = '---\nyear: 1610\n---\n# Io\n'
  const year = { type: 'integer' }
  const [id, title] = [{ type: 'string' }, { type: 'string' }]
  assert.deepEqual(await declared({ 'io.md': io }, ['io.md']), { year, text: body, id, title })
  assert.deepEqual(await declared({ 'io.md': io, 'europa.md': '# Europa\n' }), {
    year,
    text: body,
    id,
    title,
  })
  // A file without a body has no text.
  assert.deepEqual(await declared({ 'io.md': '---\nyear: 1610\n---\n' }, ['io.md']), { year, id })
})

test('the numbers of books and goods are text, and amounts of as many digits are not', async (t) => {
  const csv =
    'id,ISBN-13,gtin,ean count,cells\na,9780306406157,96385074,12,9780306406157\nb,9781861972712,73513537,7,9781861972712\n'
  const { text, assumptions, trial } = await proposed(t, { 'a.csv': csv })
  const [{ schema } = {}] = definitionFromText(text, 'world.yaml').types
  const kinds = Object.entries((schema?.['properties'] ?? {}) as Record<string, JsonObject>)
  assert.deepEqual(Object.fromEntries(kinds.map(([name, { type }]) => [name, type])), {
    'ISBN-13': 'string',
    gtin: 'string',
    'ean count': 'integer',
    cells: 'integer',
    id: 'string',
  })
  assert.ok(assumptions.includes('ISBN-13 stays text: its digits are a code, not an amount.'))
  assert.equal(trial?.first[0]?.attributes['gtin'], '96385074')
})
