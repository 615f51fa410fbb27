import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { createMemoryStore } from '@worldwright/core/store'
import { columnsOf } from '@worldwright/extensions/shown'
import { scaffoldDefinition } from './scaffold.ts'
import { scaffoldTables } from './tables.ts'

/** Returns the columns that a list shows beside the title, for the definition proposed of one file. */
async function shown(t: TestContext, name: string, text: string) {
  const folder = await mkdtemp(join(tmpdir(), 'listed-'))
  t.after(() => rm(folder, { recursive: true }))
  await writeFile(join(folder, name), text)
  const tables = await scaffoldTables({ paths: [join(folder, name)], folder })
  const found = await scaffoldDefinition({ tables, folder, called: 'a', store: createMemoryStore() })
  return columnsOf(found.tables[0]?.type.schema, []).map((field) => field.name)
}

const TEN = [...'abcdefghij']

test('a list of books shows authors and years first, however many numbers come before them', async (t) => {
  const counts = Array.from({ length: 15 }, (_, at) => `loans_${at}`)
  const header = ['book_no', 'isbn', ...counts, 'cover_url', 'authors', 'title', 'printed_year'].join()
  const rows = TEN.map((sign, at) =>
    [
      at,
      9780000000000 + at * 7,
      ...counts,
      `https://a.example/${sign}`,
      `"A ${sign}, B ${sign}"`,
      `Book ${sign}`,
      1900 + at,
    ]
      .join()
      .replace(/loans_(\d+)/g, (_, one) => `${(at * 37 + Number(one) * 11) % 10}`),
  )
  const columns = await shown(t, 'books.csv', [header, ...rows].join('\n'))
  assert.deepEqual(columns.slice(0, 3), ['authors', 'printed_year', 'loans_0'])
})

test('a list of films shows who made them and when, and ids, links and the title last', async (t) => {
  const rows = TEN.map(
    (sign, at) =>
      `${100 + at};https://a.example/${sign};Film ${sign};${90 + (at % 4)};Regisseurin ${sign};${1970 + at * 3}`,
  )
  const text = ['Nr;Webseite;Titel;Minuten;Regie;Erscheinungsjahr', ...rows].join('\n')
  assert.deepEqual(await shown(t, 'filme.csv', text), [
    'Regie',
    'Erscheinungsjahr',
    'Minuten',
    'Webseite',
    'Nr',
    'Titel',
  ])
})

test('a list of records from JSON shows mostly empty columns after the others', async (t) => {
  const records = TEN.map((sign, at) => ({
    id: `p${at}`,
    restored: at === 3 ? 'twice' : null,
    medium: at % 2 ? 'oil' : 'ink',
    width: 40 + at,
    name: `Painting ${sign}`,
    artist: `Painter ${sign}`,
  }))
  assert.deepEqual(await shown(t, 'paintings.json', JSON.stringify(records)), [
    'artist',
    'medium',
    'width',
    'restored',
    'id',
    'name',
  ])
})
