/** Publications whose files are not plain UTF-8 text with one table, and files that `init` refuses. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { gzipSync } from 'node:zlib'
import { textRow, workbookParts, zipOf } from '../packages/publish/src/formats/xlsx/workbook.fixture.ts'
import type { Publication } from './init-corpus.ts'

/** Files for which `init` creates no definition, and the message in which it says why and what to do. */
export interface Refusal {
  readonly what: string
  readonly files: Readonly<Record<string, string | Uint8Array>>
  readonly says: RegExp
}

const SPACED = [
  { id: 'a', name: 'Ann', age: '7' },
  { id: 'b', name: 'Bob', age: '12' },
]

const CAFES =
  'id;Name;Straße\n1;Café Zoë;Hauptstraße 3\n2;Bäckerei Müller;Große Gasse 12\n3;Öko-Eck;Am Fluß 1\n'
const CAFE_ROWS = [
  { id: '1', Name: 'Café Zoë', Straße: 'Hauptstraße 3' },
  { id: '2', Name: 'Bäckerei Müller', Straße: 'Große Gasse 12' },
  { id: '3', Name: 'Öko-Eck', Straße: 'Am Fluß 1' },
]

const number = (value: number, style = 0) => `<c s="${style}"><v>${value}</v></c>`
const word = (text: string) => `<c t="inlineStr"><is><t>${text}</t></is></c>`
const row = (...cells: string[]) => `<row>${cells.join('')}</row>`

/** Cell styles by number. 0: general. 1: date. 2: two decimal places. */
const STYLES = '<cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="2"/></cellXfs>'

const WORKBOOK = zipOf(
  workbookParts(
    {
      Items:
        textRow(1, 'code', 'title', 'price', 'since') +
        row(word('007'), word('Spoon'), number(2.5, 2), number(45296, 1)) +
        row(word('012'), word('Fork'), number(12.25, 2), number(45327, 1)),
      Places: textRow(1, 'place_id', 'name') + row(number(1), word('Cellar')) + row(number(2), word('Attic')),
      Stock:
        textRow(1, 'code', 'place_id', 'count') +
        row(word('007'), number(1), number(40)) +
        row(word('007'), number(2), number(2)) +
        row(word('012'), number(1), number(7)),
      Notes: textRow(1, 'note') + row(word('=not a formula')) + row(word('two')),
    },
    { styles: STYLES },
  ),
)

/** Returns the bytes of an SQLite database with three tables. */
function database(): Uint8Array {
  const folder = mkdtempSync(join(tmpdir(), 'corpus-'))
  try {
    const file = join(folder, 'shop.db')
    const db = new DatabaseSync(file)
    db.exec(`
      CREATE TABLE customers (no INTEGER PRIMARY KEY, name TEXT NOT NULL, vip BOOLEAN, phone TEXT);
      CREATE TABLE orders (code TEXT PRIMARY KEY, customer INTEGER NOT NULL REFERENCES customers, total REAL, day DATE);
      CREATE TABLE lines (code TEXT REFERENCES orders, line INTEGER, product TEXT, PRIMARY KEY (code, line));
      INSERT INTO customers VALUES (1, 'Ada', 1, '+4912'), (2, 'Bo', NULL, '0049');
      INSERT INTO orders VALUES ('a-1', 2, 12.5, '2024-05-01'), ('a-2', 1, 7, '2024-05-02');
      INSERT INTO lines VALUES ('a-1', 1, 'tea'), ('a-1', 2, 'cup'), ('a-2', 1, 'tea');
    `)
    db.close()
    return readFileSync(file)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const TOWERS = {
  type: 'FeatureCollection',
  features: [
    {
      type: 'Feature',
      id: 7,
      properties: { name: 'North tower', type: 'tower', height: 61.5 },
      geometry: { type: 'Point', coordinates: [8.5, 47.25] },
    },
    {
      type: 'Feature',
      id: 8,
      properties: { name: 'South tower', type: 'tower', height: 60 },
      geometry: { type: 'Point', coordinates: [8.5, 47.125] },
    },
  ],
}

const API_ANSWER = {
  meta: { page: 1, total: 2 },
  data: {
    moons: [
      { key: 'io', name: 'Io', radius: { km: 1821.6 } },
      { key: 'europa', name: 'Europa', radius: { km: 1560.8 } },
    ],
  },
}

/** Files that can be published with two commands even though they are not UTF-8 text or contain several tables. */
export const FILE_PUBLICATIONS: readonly Publication[] = [
  {
    what: 'a table in Windows-1252',
    files: { 'cafés.csv': Buffer.from(CAFES, 'latin1') },
    holds: { 'cafes:cafe': CAFE_ROWS },
    says: [/It is read as windows-1252, in which it says "Straße"/],
  },
  {
    what: 'a table in UTF-16, as spreadsheets save Unicode text',
    files: { 'cafes.csv': Buffer.from(`\ufeff${CAFES}`, 'utf16le') },
    holds: { 'cafes:cafe': CAFE_ROWS },
  },
  {
    what: 'a workbook of four sheets',
    files: { 'store.xlsx': WORKBOOK },
    holds: {
      'store:item': [
        { code: '007', title: 'Spoon', price: '2.5', since: '2024-01-05' },
        { code: '012', title: 'Fork', price: '12.25', since: '2024-02-05' },
      ],
      'store:place': [
        { place_id: '1', name: 'Cellar' },
        { place_id: '2', name: 'Attic' },
      ],
      'store:stock': [
        { code: '007', place_id: '1', count: '40' },
        { code: '007', place_id: '2', count: '2' },
        { code: '012', place_id: '1', count: '7' },
      ],
      'store:note': [{ note: '=not a formula' }, { note: 'two' }],
    },
    serves: {
      'store:item/007': { since: '2024-01-05', price: 2.5 },
      'store:stock/007-2': { count: 2, place: { type: 'store:place', id: '2' } },
    },
    says: [/place_id refers to store:place/, /code refers to store:item/],
  },
  {
    what: 'a database of three tables',
    files: { 'shop.db': database() },
    holds: {
      'shop:customer': [
        { no: 1, name: 'Ada', vip: true, phone: '+4912' },
        { no: 2, name: 'Bo', phone: '0049' },
      ],
      'shop:order': [
        { code: 'a-1', customer: 2, total: 12.5, day: '2024-05-01' },
        { code: 'a-2', customer: 1, total: 7, day: '2024-05-02' },
      ],
      'shop:line': [
        { code: 'a-1', line: 1, product: 'tea' },
        { code: 'a-1', line: 2, product: 'cup' },
        { code: 'a-2', line: 1, product: 'tea' },
      ],
    },
    serves: {
      'shop:order/a-1': { customer: { type: 'shop:customer', id: '2' }, total: 12.5 },
      'shop:line/a-1-2': { code: { type: 'shop:order', id: 'a-1' }, product: 'cup' },
    },
    says: [/The id is no, the primary key/, /customer refers to shop:customer by its no, as its table says/],
  },
  {
    what: 'GeoJSON, whose features have a type of their own',
    files: { 'towers.geojson': JSON.stringify(TOWERS) },
    holds: {
      'towers:tower': TOWERS.features.map(({ id, properties, geometry }) => ({
        id,
        ...properties,
        geometry,
        place: { latitude: geometry.coordinates[1], longitude: geometry.coordinates[0] },
      })),
    },
  },
  {
    what: 'the answer of an API, whose records are somewhere inside',
    files: { 'answer.json': JSON.stringify(API_ANSWER) },
    holds: { 'answer:answer': API_ANSWER.data.moons },
    serves: { 'answer:answer/io': { radius: { km: 1821.6 } } },
  },
  {
    what: 'a packed table of one column and many rows',
    files: { 'words.csv.gz': gzipSync('word\nsun\nmoon\nstar\n') },
    holds: { 'words:word': [{ word: 'sun' }, { word: 'moon' }, { word: 'star' }] },
  },
  {
    what: 'a space after every comma',
    files: { 'people.csv': 'id, name, age\na, Ann, 7\nb, Bob, 12\n' },
    holds: { 'people:person': SPACED },
    serves: { 'people:person/a': { age: 7 } },
    says: [/White space around name, age is cut off\./],
  },
]

/** Files that cannot be published without changing them. */
export const REFUSALS: readonly Refusal[] = [
  { what: 'an empty table', files: { 'a.csv': 'id,name\n' }, says: /a\.csv: there is no record in it/ },
  {
    what: 'XML that is called a table',
    files: { 'a.csv': '<?xml version="1.0"?><rows><row id="1"/></rows>' },
    says: /a\.csv: this is XML/,
  },
  {
    what: 'JSON that is broken from the beginning',
    files: { 'a.json': '{"id": 1, ' },
    says: /a\.json:1: not JSON: .* There is no other record/,
  },
  {
    what: 'two columns of one name',
    files: { 'a.csv': 'id,name,name\n1,a,b\n' },
    says: /a\.csv:1: two columns are called "name", 2 and 3\. Give one of them another name\./,
  },
  {
    what: 'a column whose name no definition can hold',
    files: { 'a.csv': 'id,na\0me\n1,a\n' },
    says: /^error: No definition can be made of it: .*NUL\. Give the file, or the column, another name\.$/m,
  },
]
