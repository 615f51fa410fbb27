import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { createMemoryStore } from '@worldwright/core/store'
import { ndjsonExport } from '@worldwright/entities'
import { definitionFromText } from '../definition/definition.ts'
import { resultOf } from '../load/events.ts'
import { importRecords } from '../load/import-records.ts'
import { definedSources } from '../load/sources.ts'
import { scaffoldDefinition } from './scaffold.ts'
import { scaffoldTables } from './tables.ts'

/** Proposes a definition for one file. Returns it with the mapping of its source and the assumptions as one text. */
async function proposed(t: TestContext, name: string, text: string) {
  const folder = await mkdtemp(join(tmpdir(), 'world-'))
  t.after(() => rm(folder, { recursive: true }))
  await writeFile(join(folder, name), text)
  const tables = await scaffoldTables({ paths: [join(folder, name)], folder })
  const store = createMemoryStore()
  const { text: yaml, assumptions, trial } = await scaffoldDefinition({ tables, folder, called: 'a', store })
  assert.equal(trial?.rejected, 0, yaml)
  const [source] = definitionFromText(yaml, 'world.yaml').sources
  return { folder, yaml, source, said: assumptions.join('\n') }
}

/** Loads a definition and returns its entities. Fails if a record is rejected. */
async function loaded(yaml: string, folder: string) {
  const definition = definitionFromText(yaml, 'world.yaml')
  const store = createMemoryStore()
  const sources = await definedSources({ definition, folder })
  const { rejected } = await resultOf(importRecords(store, sources, { types: definition.types }))
  assert.equal(rejected, 0)
  let text = ''
  for await (const piece of ndjsonExport(store)) text += piece
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))
}

function csv(header: string, rows: readonly (readonly (string | number)[])[]): string {
  return [header, ...rows.map((row) => row.join(','))].join('\n')
}

const COUNTRIES = ['Chad', 'Cuba', 'Fiji', 'Iran', 'Iraq', 'Laos', 'Mali', 'Oman', 'Peru', 'Togo']
/** One row per country and year, with a population that never repeats. */
const PANEL = csv(
  'country,year,pop,life',
  COUNTRIES.flatMap((country, at) =>
    [1952, 1957, 1962].map((year, step) => [
      country,
      year,
      8425333 + at * 1016021 + step * 7919,
      28.5 + step,
    ]),
  ),
)

test('the id is what a record is about, not a measure that happens to be unique', async (t) => {
  const { source, said } = await proposed(t, 'panel.csv', PANEL)
  assert.deepEqual([source?.id, source?.title], [['country', 'year'], 'country'])
  assert.match(said, /The id is country and year together/)
  assert.match(said, /pop is not the id, though it never repeats: it seems to be a measure\./)
})

test('decimals, years and unordered numbers are no ids, and the lines that rule out others are named', async (t) => {
  const rows = [7, 3, 9, 1, 8].map((size, at) => [
    1990 + at,
    size * 1000,
    `${size}.${at + 1}`,
    at < 2 ? 'x' : `n${at}`,
  ])
  const { source, said } = await proposed(t, 'sizes.csv', csv('year,visits,score,name', rows))
  assert.deepEqual(source?.id, { row: 'number' })
  assert.match(said, /year is not the id, though it never repeats: it is a year\./)
  assert.match(said, /visits is not the id, though it never repeats: it seems to be a measure\./)
  assert.match(said, /score is not the id, though it never repeats: it is a measure\./)
  assert.match(said, /name is unique but for 1 row \(line 3\): if it is mended, name can be the id\./)
})

test('names, codes and numbers with gaps are ids', async (t) => {
  const names = csv(
    'colour,pop,name',
    COUNTRIES.map((name, at) => [at % 2 ? 'red' : 'blue', 900 - at * at, name]),
  )
  assert.equal((await proposed(t, 'a.csv', names)).source?.id, 'name')
  const codes = csv(
    'name,iso',
    COUNTRIES.map((name) => [name, name.slice(1).toUpperCase()]),
  )
  assert.equal((await proposed(t, 'b.csv', codes)).source?.id, 'iso')
  const numbers = csv(
    'object,name',
    COUNTRIES.map((name, at) => [at * 2 + 5, name]),
  )
  assert.equal((await proposed(t, 'c.csv', numbers)).source?.id, 'object')
})

test('years and dates of rows in order are ids if nothing else is, and codes of one length before names', async (t) => {
  const years = COUNTRIES.map((_, at) => [1990 + at, (at * 7) % 10])
  assert.equal((await proposed(t, 'a.csv', csv('year,visits', years))).source?.id, 'year')
  const named = COUNTRIES.map((name, at) => [1990 + at, name])
  assert.equal((await proposed(t, 'b.csv', csv('year,name', named))).source?.id, 'name')
  const days = COUNTRIES.map((_, at) => [20240226 + at + (at > 3 ? 71 : 0), at % 3])
  const { source, yaml, folder } = await proposed(t, 'c.csv', csv('date,visits', days))
  assert.equal(source?.id, 'date')
  assert.equal((await loaded(yaml, folder)).at(4)?.attributes.date, '2024-03-01')
  const numbers = await proposed(t, 'd.csv', csv('date,visits', [...days, [20240230, 1]]))
  assert.doesNotMatch(numbers.yaml, /yyyymmdd/)
  const ten = COUNTRIES.map((name, at) => [name, `c${at}`])
  assert.equal((await proposed(t, 'e.csv', csv('name,iso', ten))).source?.id, 'iso')
})

test('records with an id of two columns share a title that is named so', async (t) => {
  const rows = COUNTRIES.flatMap((_, at) =>
    ['frog', 'newt'].map((kind, which) => [kind, `c${at}`, `study ${(at + which) % 2}`, `Green ${kind}`]),
  )
  const { source } = await proposed(t, 'a.csv', csv('kind_id,county_id,study_name,common_name', rows))
  assert.deepEqual([source?.id, source?.title], [['kind_id', 'county_id'], 'common_name'])
})

test('the title belongs to the id', async (t) => {
  const rows = COUNTRIES.map((name, at) => [`A${at}`, `City of ${name}`, `${name} Field`])
  const { source } = await proposed(t, 'a.csv', csv('airport code,city name,airport name', rows))
  assert.deepEqual([source?.id, source?.title], ['airport code', 'airport name'])
})

test('a column with a placeholder for a missing number is no id', async (t) => {
  const { source, said } = await proposed(t, 'a.csv', 'id,code\n1,a-1\nNA,b-2\n3,c-3\n')
  assert.notEqual(source?.id, 'id')
  assert.match(said, /id is not the id: records without it: 1/)
})

test('if one number of an inventory is missing, its titles do not become ids', async (t) => {
  const things = COUNTRIES.map((name, at) => [at === 3 ? '' : `INV-${100 + at}`, `Bowl of ${name}`])
  const { source, said } = await proposed(t, 'things.csv', csv('inventory number,title', things))
  assert.deepEqual([source?.id, source?.title], [{ row: 'number' }, 'title'])
  assert.match(said, /inventory number is there and unique but for 1 row \(line 5\)/)
})

test('a column of few values is no title, however many rows there are', async (t) => {
  const rows = Array.from({ length: 12_000 }, (_, at) => [at, at % 2 ? 'left side' : 'right side', at % 7])
  const { source } = await proposed(t, 'sides.csv', csv('id,name,turns', rows))
  assert.deepEqual([source?.id, source?.title], ['id', undefined])
})

test('columns of id and title stay attributes, and others take their place with one change', async (t) => {
  const { yaml, folder } = await proposed(t, 'panel.csv', PANEL)
  const [first] = await loaded(yaml, folder)
  assert.deepEqual([first.id, first.title], ['Chad-1952', 'Chad'])
  assert.deepEqual(first.attributes, { country: 'Chad', year: 1952, pop: 8425333, life: 28.5 })
  const other = yaml.replace(/id: .*/, 'id: pop').replace(/ title: country\n/, ' title: year\n')
  const [changed] = await loaded(other, folder)
  assert.deepEqual(
    [changed.title, changed.attributes.pop],
    [String(changed.attributes.year), Number(changed.id)],
  )
  assert.ok(changed.attributes.country !== undefined)
})

test('a column with placeholders is no id, but a code that reads like one is', async (t) => {
  const isbns = ['9780141439518', '9780679783268', '-', '9780486284736', '0141040343', '9781853260001']
  const rows = isbns.map((isbn, at) => [isbn, COUNTRIES[at % 2] ?? '', 1900 + at * 3])
  const { source, said } = await proposed(t, 'books.csv', csv('isbn,country,printed', rows))
  assert.deepEqual(source?.id, { row: 'number' })
  assert.match(said, /isbn is there and unique but for 1 row \(line 4\)/)
  const named = isbns.map((_, at) => ({ name: at === 1 ? 'n/a' : `House ${'abcdef'[at]}`, rooms: at % 3 }))
  const houses = await proposed(t, 'houses.json', JSON.stringify(named))
  assert.deepEqual(houses.source?.id, { row: 'number' })
  const codes = ['AO', 'BW', 'LS', 'MZ', 'NA', 'ZA', 'ZM'].map((code, at) => [code, at % 2])
  assert.equal((await proposed(t, 'codes.csv', csv('code,coast', codes))).source?.id, 'code')
})
