import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type TestContext, test } from 'node:test'
import { textRow, workbookParts, zipOf } from '../formats/xlsx/workbook.fixture.ts'
import { type ListedTable, listTables } from './list-tables.ts'

async function folderFor(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'tables-'))
  t.after(() => rm(folder, { recursive: true }))
  return folder
}

async function recordsOf({ records }: ListedTable): Promise<unknown[]> {
  const found: unknown[] = []
  for await (const read of records()) found.push('record' in read ? read.record : read.fault)
  return found
}

test('the tables of a database are listed with types, keys and mutual references', async (t) => {
  const folder = await folderFor(t)
  const file = join(folder, 'shop.db')
  const database = new DatabaseSync(file)
  database.exec(`
    CREATE TABLE customers (no INTEGER PRIMARY KEY, name TEXT NOT NULL, vip BOOLEAN);
    CREATE TABLE orders (code TEXT PRIMARY KEY, customer INTEGER NOT NULL REFERENCES customers, total DECIMAL(8,2), day DATE);
    CREATE VIEW large AS SELECT * FROM orders WHERE total > 10;
    CREATE VIRTUAL TABLE search USING fts5(name);
    INSERT INTO customers VALUES (1, 'Ada', 1), (2, 'Bo', NULL);
    INSERT INTO orders VALUES ('a-1', 2, 12.5, '2024-05-01');
  `)
  database.close()
  const tables = await listTables(file, { folder, address: 'shop.db' })
  assert.deepEqual(
    tables.map(({ name, source }) => [name, source]),
    [
      ['customers', { sqlite: 'shop.db', table: 'customers' }],
      ['large', { sqlite: 'shop.db', table: 'large' }],
      ['orders', { sqlite: 'shop.db', table: 'orders' }],
    ],
  )
  const [customers, , orders] = tables as [ListedTable, ListedTable, ListedTable]
  assert.deepEqual(customers.columns, [
    { name: 'no', type: 'integer', required: true },
    { name: 'name', type: 'text', required: true },
    { name: 'vip', type: 'boolean', required: false },
  ])
  assert.deepEqual(
    orders.columns.map(({ type }) => type),
    ['text', 'integer', 'number', 'date'],
  )
  assert.deepEqual([customers.key, orders.key], [['no'], ['code']])
  assert.deepEqual(orders.references, [{ column: 'customer', table: 'customers', to: 'no' }])
  assert.deepEqual(await recordsOf(customers), [
    { no: 1, name: 'Ada', vip: true },
    { no: 2, name: 'Bo' },
  ])
})

test('the sheets of a workbook are listed with the stored types of their cells', async (t) => {
  const folder = await folderFor(t)
  const file = join(folder, 'stock.xlsx')
  const numbers = `${textRow(1, 'code', 'amount')}<row><c t="inlineStr"><is><t>007</t></is></c><c><v>1.5</v></c></row>`
  await writeFile(
    file,
    zipOf(workbookParts({ Items: numbers, Empty: '', Places: textRow(1, 'a', 'b') + textRow(2, '1', '2') })),
  )
  const tables = await listTables(file, { folder, address: 'stock.xlsx' })
  assert.deepEqual(
    tables.map(({ name, source }) => [name, source]),
    [
      ['Items', { file: 'stock.xlsx', sheet: 'Items' }],
      ['Places', { file: 'stock.xlsx', sheet: 'Places' }],
    ],
  )
  assert.deepEqual(tables[0]?.columns, [
    { name: 'code', required: false, type: 'text' },
    { name: 'amount', required: false, type: 'number' },
  ])
  assert.deepEqual(await recordsOf(tables[0] as ListedTable), [{ code: '007', amount: '1.5' }])
})

test('the record lists in a document are listed as tables, and any other file is one table', async (t) => {
  const folder = await folderFor(t)
  const listed = async (name: string, text: string) => {
    await writeFile(join(folder, name), text)
    return listTables(join(folder, name), { folder, address: name })
  }
  const lists = await listed('a.json', '{"meta":{"n":1},"data":{"moons":[{"id":"io"}]},"tags":["x"]}')
  assert.deepEqual(
    lists.map(({ name, source }) => [name, source]),
    [['moons', { file: 'a.json', records: '$.data.moons[*]' }]],
  )
  assert.deepEqual(await recordsOf(lists[0] as ListedTable), [{ id: 'io' }])
  const named = await listed('b.json', '{"io":{"r":1},"europa":{"r":2},"a":{"r":3},"b":{"r":4},"c":{"r":5}}')
  assert.deepEqual(named[0]?.source, { file: 'b.json', records: '$.*' })
  const axes = await listed('axes.json', '{"x":{"least":1},"y":{"least":2},"z":{"least":3}}')
  assert.deepEqual(axes[0]?.source, { file: 'axes.json' })
  const kinds = Array.from({ length: 20 }, (_, at) => [
    `text/k${at}`,
    at % 3 ? { source: 'iana' } : { ends: ['x'] },
  ])
  const most = await listed('c.json', JSON.stringify(Object.fromEntries(kinds)))
  assert.deepEqual(most[0]?.source, { file: 'c.json', records: '$.*' })
  const few = await listed('d.json', JSON.stringify(Object.fromEntries(kinds.slice(1))))
  assert.deepEqual(few[0]?.source, { file: 'd.json' })
  for (const [name, text] of [
    ['moons.csv', 'id,name\nio,Io\n'],
    ['one.json', '{"id":"io","moons":[{"id":"x"}]}'],
    ['geo.json', '{"type":"FeatureCollection","features":[]}'],
  ] as const) {
    const [only, ...others] = await listed(name, text)
    assert.deepEqual([only?.source, others], [{ file: name }, []])
  }
})
