import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import type { JsonObject } from '@worldwright/client/protocol'
import { createMemoryStore, type Store } from '@worldwright/core/store'
import { definitionFromText, type FileJoin } from '../definition/definition.ts'
import { resultOf } from './events.ts'
import { joiningMapper } from './joins.ts'
import { loadFiles } from './load-files.ts'
import { loadWorld } from './load-world.ts'
import { sourceFiles } from './sources.ts'

/** Returns functions that load a definition of the files in a new folder into one store, and write its files. */
async function loaded(t: TestContext, files: Readonly<Record<string, string>>) {
  const folder = await mkdtemp(join(tmpdir(), 'world-'))
  t.after(() => rm(folder, { recursive: true }))
  const write = (name: string, text: string) => writeFile(join(folder, name), text)
  for (const [name, text] of Object.entries(files)) await write(name, text)
  const store = createMemoryStore()
  const load = (yaml: string) =>
    resultOf(loadWorld({ definition: definitionFromText(yaml, 'world.yaml'), folder, store }))
  return { load, store, write, folder }
}

async function entity(store: Store, id: string, type = 'a:loan'): Promise<JsonObject> {
  const { title, attributes } = JSON.parse((await store.get(type, id))?.json ?? '{}')
  return { title, attributes }
}

const LOANS = 'id,book,day\n1,b1,Monday\n2, b2 ,Tuesday\n3,b9,Friday\n4,,Sunday\n5,NA,Sunday\n'
const BOOKS =
  'isbn,title,author,pages\nb1,Emma,Jane Austen,474\nb2,Walden,,NA\n,Lost,X,1\nNA,One,Y,1\nNA,Two,Z,2\n'
const YAML = `missing: [NA]
types:
  - {type: a:loan, schema: {type: object, properties: {pages: {type: integer}}}}
sources:
  - file: loans.csv
    type: a:loan
    title: book_title
    rename: {author: by}
    compute: {long: pages > 300}
    join:
      - {file: books.csv, where: {book: isbn}, columns: {book_title: title, author: author, pages: pages}}
`

test('joined columns are columns of the source, and records without a match are counted and named', async (t) => {
  const { load, store } = await loaded(t, { 'loans.csv': LOANS, 'books.csv': BOOKS })
  const { notes, rejected } = (await load(YAML)) ?? {}
  assert.equal(rejected, 0)
  assert.deepEqual(await entity(store, '1'), {
    title: 'Emma',
    attributes: { book: 'b1', by: 'Jane Austen', day: 'Monday', long: true, pages: 474 },
  })
  assert.deepEqual(await entity(store, '2'), {
    title: 'Walden',
    attributes: { book: ' b2 ', day: 'Tuesday' },
  })
  assert.deepEqual(await entity(store, '3'), { title: undefined, attributes: { book: 'b9', day: 'Friday' } })
  assert.deepEqual(notes?.slice(0, 2), [
    'loans.csv: cells read as empty: pages 2, book 1',
    'loans.csv: records not joined with books.csv: 1 without a match by book, as "b9"; 2 without a value in book',
  ])
})

test('a changed joined file is read again, and so is a changed join', async (t) => {
  const { load, store, write, folder } = await loaded(t, { 'loans.csv': LOANS, 'books.csv': BOOKS })
  await load(YAML)
  assert.equal(await load(YAML), undefined)
  await write('books.csv', BOOKS.replace('Emma', 'Persuasion'))
  assert.equal((await load(YAML))?.changed, 1)
  assert.equal((await entity(store, '1'))['title'], 'Persuasion')
  await load(YAML.replace('book_title: title', 'book_title: isbn'))
  assert.equal((await entity(store, '1'))['title'], 'b1')
  const [source] = definitionFromText(YAML, 'world.yaml').sources
  assert.ok(source && sourceFiles(source, folder).includes(join(folder, 'books.csv')))
})

test('only the source that joins a changed file is read again', async (t) => {
  const { load, write } = await loaded(t, { 'loans.csv': LOANS, 'books.csv': BOOKS, 'other.csv': 'id\n1\n' })
  const yaml = `${YAML}  - {file: other.csv, type: a:other}\n`
  await load(yaml)
  await write('books.csv', BOOKS.replace('Emma', 'Persuasion'))
  const { unread, changed } = (await load(yaml)) ?? {}
  assert.deepEqual([unread, changed], [1, 1])
})

test('a key that two records have rejects the records that need it, with both places', async (t) => {
  const books = `${BOOKS}b1,Other,Y,1\nb1,Third,Z,1\n`
  const { load, store, folder, write } = await loaded(t, { 'loans.csv': LOANS, 'books.csv': books })
  const definition = definitionFromText(YAML, 'world.yaml')
  const { rejections = [], created } = (await load(YAML)) ?? {}
  assert.equal(created, 4)
  assert.deepEqual(
    rejections.map(({ source, line, faults, record }) => [source, line, faults[0]?.message, record]),
    [
      [
        'loans.csv',
        2,
        'book "b1" is the isbn of books.csv:2 and books.csv:7: only one may have it',
        { id: '1', book: 'b1', day: 'Monday' },
      ],
    ],
  )
  // The list of rejected records is joined as its source is.
  await write('books.csv', BOOKS)
  await write('l.rejected.ndjson', `${JSON.stringify({ ...rejections[0], cells: true })}\n`)
  const load2 = loadFiles({
    files: ['l.rejected.ndjson'],
    base: folder,
    store,
    world: { definition, folder },
  })
  assert.equal((await resultOf(load2)).rejected, 0)
  assert.equal((await entity(store, '1'))['title'], 'Emma')
})

test('a file named by the definition is joined when it is imported alone', async (t) => {
  const { store, folder } = await loaded(t, { 'loans.csv': LOANS, 'books.csv': BOOKS })
  const definition = definitionFromText(YAML, 'world.yaml')
  await resultOf(loadFiles({ files: ['loans.csv'], base: folder, store, world: { definition, folder } }))
  assert.equal((await entity(store, '1'))['title'], 'Emma')
})

test('a bad row of a joined file is rejected at its place', async (t) => {
  const { load } = await loaded(t, { 'loans.csv': LOANS, 'books.csv': `${BOOKS}b9,Moby Dick\n` })
  const { rejections = [] } = (await load(YAML)) ?? {}
  assert.deepEqual(
    rejections.map(({ source, line, faults }) => [source, line, faults[0]?.message]),
    [['books.csv', 7, '2 cells under 4 columns; add the others, even if empty']],
  )
})

test('a joined file without a column, without records or with an own column of the source loads nothing', async (t) => {
  const { load, write, store } = await loaded(t, { 'loans.csv': LOANS, 'books.csv': 'isbn,title\nb1,x\n' })
  const message = /^books.csv:1: there are no columns "author", "pages"; the columns are isbn, title\.$/
  await assert.rejects(load(YAML), { name: 'SourceFault', message })
  await write('books.csv', 'isbn,title,author,pages\n')
  await assert.rejects(load(YAML), {
    message:
      'books.csv: no record has "isbn", "title", "author", "pages", and loans.csv joins it. Nothing of loans.csv was loaded.',
  })
  await write('books.csv', BOOKS)
  const clash = `sources:
  - {file: loans.csv, type: a:loan, join: [{file: books.csv, where: {book: isbn}, columns: {day: title}}]}
`
  await assert.rejects(load(clash), {
    name: 'SourceFault',
    message: /^loans.csv: "day" of books.csv is a column here, too\. Add it under another name/,
  })
  assert.equal((await store.types()).size, 0)
  await assert.rejects(load(YAML.replace('books.csv', 'bookz.csv')), {
    message: 'bookz.csv: there is no such file.',
  })
})

test('joins follow each other, by several columns, from other formats, and leave digests of rows alone', async (t) => {
  const files = {
    'loans.ndjson':
      '{"id":"1","book":7,"shelf":"A"}\n{"id":"2","type":"a:loan","attributes":{"book":8,"shelf":"A"}}\n',
    'books.csv': 'nr;shelf;by\n7;A;w1\n7;B;w2\n8;A;w2\n',
    'people.json':
      '{"all":[{"id":"w1","name":{"full":"Ann"},"born":1900},{"id":"w2","name":{"full":"Ben"}}]}',
    'rows.csv': 'book\n7\n',
  }
  const { load, store, write } = await loaded(t, files)
  const yaml = `sources:
  - file: loans.ndjson
    type: a:loan
    join:
      - {file: books.csv, delimiter: ";", where: {book: nr, shelf: shelf}, columns: [by]}
      - {file: people.json, records: "$.all[*]", where: {by: id}, columns: {author: name.full, born: born}}
  - {file: rows.csv, type: a:row, id: {row: hash}, join: [{file: people2.csv, where: {book: nr}, columns: [who]}]}
`
  await write('people2.csv', 'nr,who\n7,Ann\n')
  await load(yaml)
  assert.deepEqual((await entity(store, '1'))['attributes'], {
    author: 'Ann',
    book: 7,
    born: 1900,
    by: 'w1',
    shelf: 'A',
  })
  assert.deepEqual((await entity(store, '2'))['attributes'], { author: 'Ben', book: 8, by: 'w2', shelf: 'A' })
  const before = (await store.list('a:row', { limit: 9 })).entities.map(({ id }) => id)
  await write('people2.csv', 'nr,who\n7,Bob\n')
  assert.equal((await load(yaml))?.changed, 1)
  assert.deepEqual(
    (await store.list('a:row', { limit: 9 })).entities.map(({ id }) => id),
    before,
  )
})

test('a joined file that is too large for memory ends the load', async () => {
  async function* bytes() {
    for (let key = 0; key < 65; key++) yield Buffer.from(`{"id":${key},"text":"${'x'.repeat(1_000_000)}"}\n`)
  }
  const mapping = { join: [{ file: 'big.ndjson', where: { book: 'id' }, columns: ['text'] }] }
  const big = {
    join: mapping.join[0] as FileJoin,
    source: { name: 'big.ndjson', bytes: bytes() },
    into: 'a.csv',
  }
  const none = () => assert.fail()
  const report = { reject: none, warn: none, notes: new Set<string>() }
  await assert.rejects(joiningMapper(mapping, new Map([[mapping, [big]]]), {}, report), {
    name: 'SourceFault',
    message: /^big.ndjson: a joined file has at most 500,000 records, and 64,000,000 characters /,
  })
})
