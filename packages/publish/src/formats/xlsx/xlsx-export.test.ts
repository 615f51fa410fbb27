import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from '@worldwright/client/protocol'
import { createMemoryStore } from '@worldwright/core/store'
import naughty from 'big-list-of-naughty-strings' with { type: 'json' }
import { readRecords } from '../../input/read-records.ts'
import { exportPieces } from '../formats.ts'

const TYPE = 'lib:book'

/** Exports books as a workbook. */
async function workbookOf(books: Readonly<Record<string, JsonObject>>, schema?: JsonObject) {
  const store = createMemoryStore()
  await store.write(
    Object.entries(books).map(([id, attributes]) => ({ put: { type: TYPE, id, attributes } })),
  )
  const pieces = exportPieces(store, { format: 'xlsx', type: TYPE, schema }) as AsyncGenerator<Uint8Array>
  return Array.fromAsync(pieces)
}

/** Returns the records that our own reader finds in the workbook of these books, without empty cells. */
async function throughWorkbook(...asked: Parameters<typeof workbookOf>) {
  const [bytes] = await workbookOf(...asked)
  const records: Record<string, unknown>[] = []
  for await (const read of readRecords({ name: 'books.xlsx', bytes: [bytes] as never })) {
    assert.ok('record' in read)
    records.push(
      Object.fromEntries(Object.entries(read.record as JsonObject).filter(([, text]) => text !== '')),
    )
  }
  return records
}

test('each text is read back from a workbook as it was', async () => {
  const texts = [
    ...naughty,
    ...Object.getOwnPropertyNames(Object.prototype),
    '_x0041_',
    '_x000D_',
    'a\rb',
    ' x ',
    'x'.repeat(32_767),
  ].filter((text) => text.isWellFormed())
  const books = texts.map((text, at) => [`b${String(at).padStart(4, '0')}`, { text, n: 1 }] as const)
  const read = await throughWorkbook(Object.fromEntries(books))
  assert.deepEqual(
    read.map(({ text = '' }) => text),
    texts,
  )
  assert.ok(read.length > 400)
})

test('numbers, booleans, dates and references are cells of their kind', async () => {
  const properties = { day: { type: 'string', format: 'date' }, at: { type: 'string' } }
  const author = (id: string) => ({ type: 'lib:author', id })
  const one = {
    day: '2024-02-29',
    at: '2024-02-29',
    n: 1.5,
    yes: true,
    by: author('a'),
    all: [author('a'), author('b')],
  }
  const other = {
    day: '1850-01-01',
    n: 1e15,
    by: null,
    all: [author('c;d')],
    mixed: [author('a'), { type: 'x:y', id: 'z' }],
  }
  const [first, second, third] = await throughWorkbook(
    { one, other, wrong: { day: '2024-02-30', constructor: 'x', tel: { type: 'home', id: '1' } } },
    { properties },
  )
  assert.deepEqual(first, {
    id: 'one',
    day: '2024-02-29',
    at: '2024-02-29',
    n: '1.5',
    yes: 'true',
    by: 'a',
    all: 'a;b',
  })
  assert.deepEqual(second, {
    id: 'other',
    day: '1850-01-01',
    n: '1000000000000000',
    all: '[{"type":"lib:author","id":"c;d"}]',
    mixed: '[{"type":"lib:author","id":"a"},{"type":"x:y","id":"z"}]',
  })
  assert.deepEqual(third, {
    id: 'wrong',
    day: '2024-02-30',
    constructor: 'x',
    tel: '{"type":"home","id":"1"}',
  })
})

test('what a workbook cannot hold is refused', async () => {
  const refused = { name: 'TableTooLarge' }
  await assert.rejects(workbookOf({ long: { text: 'x'.repeat(32_768) } }), refused)
  const wide = Object.fromEntries(Array.from({ length: 997 }, (_, at) => [`a${at}`, 1]))
  const many = Object.fromEntries(Array.from({ length: 500 }, (_, at) => [`b${at}`, wide]))
  await assert.rejects(workbookOf(many), refused)
})

test('a workbook of too many cells is refused by its count, before an entity is read', async () => {
  const store = createMemoryStore()
  store.snapshot = () => ({ close: () => {}, entities: () => assert.fail('An entity is read') })
  const asked = { format: 'xlsx', type: TYPE, schema: { properties: { a: {}, b: {} } } }
  const exported = (count: number) => Array.fromAsync(exportPieces(store, { ...asked, count }))
  await assert.rejects(exported(100_001), { name: 'TableTooLarge' })
  await assert.rejects(exported(100_000), { message: 'An entity is read' })
})

test('equal tables are equal bytes at any time', async (t) => {
  t.mock.timers.enable({ apis: ['Date'], now: Date.parse('2001-02-03T04:05:06Z') })
  const books = { a: { text: 'x'.repeat(5_000) }, b: { text: 'é' } }
  const first = await workbookOf(books)
  t.mock.timers.setTime(Date.parse('2026-07-08T09:10:11Z'))
  assert.deepEqual(await workbookOf(books), first)
})
