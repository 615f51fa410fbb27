import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { createMemoryStore } from '@worldwright/core/store'
import { definitionFromText, type FileSource } from '../definition/definition.ts'
import { textRow, workbookParts, zipOf } from '../formats/xlsx/workbook.fixture.ts'
import { scaffoldDefinition } from './scaffold.ts'
import { scaffoldTables } from './tables.ts'

/** Proposes a definition for one file. Returns the layout of its source, what is said, and the trial. */
async function proposed(t: TestContext, content: string | Buffer) {
  const folder = await mkdtemp(join(tmpdir(), 'world-'))
  t.after(() => rm(folder, { recursive: true }))
  const name = typeof content === 'string' ? 'a.csv' : 'a.xlsx'
  await writeFile(join(folder, name), content)
  const tables = await scaffoldTables({ paths: [join(folder, name)], folder })
  const store = createMemoryStore()
  const { text, assumptions, trial } = await scaffoldDefinition({ tables, folder, called: 'a', store })
  const [source] = definitionFromText(text, 'world.yaml').sources
  const { header, skip, until, except } = source as FileSource
  const given = Object.entries({ header, skip, until, except }).filter(([, value]) => value !== undefined)
  return { layout: Object.fromEntries(given), said: assumptions.join('\n'), trial }
}

/** Returns a CSV table of these lines, all of them as wide as the widest. */
function table(...lines: readonly string[]): string {
  const width = Math.max(...lines.map((line) => line.split(',').length))
  return lines.map((line) => `${line}${','.repeat(width - line.split(',').length)}\n`).join('')
}

const ROWS = ['North,10,2,30,4', 'South,11,3,31,5']

test('titles, a header over two rows, totals and notes are recognized, and the rest is previewed', async (t) => {
  const { layout, said, trial } = await proposed(
    t,
    table('Sales', '', 'code,Q1,,Q2', ',Gain,Cost,Gain,Cost', ...ROWS, 'Total,21,5,61,9', '', 'Source: us'),
  )
  assert.deepEqual(layout, { header: [3, 4], until: 'Total' })
  assert.match(said, /The header is rows 3 and 4 \(likely: the second fills gaps\)\./)
  assert.match(said, /The table ends at row 7, which says "Total" \(certain: it has the sum of a column\)\./)
  assert.match(said, /a\.csv: left out: 2 rows \(7, 9\) from "Total" on; 1 row \(1\) above the header\./)
  assert.equal(trial?.rejected, 0)
  assert.deepEqual(trial?.first, [
    {
      type: 'a:a',
      id: 'North',
      title: 'North',
      attributes: { code: 'North', 'Q1 Gain': 10, 'Q1 Cost': 2, 'Q2 Gain': 30, 'Q2 Cost': 4 },
    },
    {
      type: 'a:a',
      id: 'South',
      title: 'South',
      attributes: { code: 'South', 'Q1 Gain': 11, 'Q1 Cost': 3, 'Q2 Gain': 31, 'Q2 Cost': 5 },
    },
  ])
})

test('a single title and notes of one cell are recognized', async (t) => {
  const { layout, said } = await proposed(
    t,
    'Towns\ntown,people,area\nUlm,126,1\nTrier,112,2\n\nNote: a\nMore\n',
  )
  assert.deepEqual(layout, { header: 2, until: '' })
  assert.match(said, /The header is row 2 \(likely: rows above it have a single cell\)\./)
  assert.match(
    said,
    /The table ends above row 6, which says "Note: a" \(likely: a note below an empty row\)\./,
  )
})

test('a long note ends a table without an empty row above it', async (t) => {
  const note = `Note: some are counted more than once; ${'the sum is not that of all. '.repeat(3)}`
  const { layout, said, trial } = await proposed(t, table('a,b,c', 'x,1,2', 'y,1,2', note, 'and so on'))
  assert.deepEqual(layout, { until: note.trim() })
  assert.match(said, /The table ends above row 4, .* \(likely: a long note in its only cell\)\./)
  assert.deepEqual([trial?.loaded, trial?.rejected], [2, 0])
})

test('a header that looks like a record is named, and one of years is not', async (t) => {
  const note = /Row 1 is the header, but looks like a record\. If it is one, add a header above it\./
  assert.match((await proposed(t, '4,2.5,a\n5,3.5,b\n6,4.5,c\n')).said, note)
  assert.doesNotMatch((await proposed(t, 'city,1990,1991,1992\nx,4,5,6\ny,5,6,7\n')).said, note)
})

test('merged cells are evidence of a header over two rows', async (t) => {
  const sheet = (merged: string, ...rows: string[][]) => {
    const parts = workbookParts({ S: rows.map((row, at) => textRow(at + 1, ...row)).join('') })
    const name = 'xl/worksheets/sheet1.xml'
    return zipOf({ ...parts, [name]: (parts[name] ?? '').replace('</sheetData>', `</sheetData>${merged}`) })
  }
  const rows = [
    ['Region', 'Sales', ''],
    ['', 'Gain', 'Cost'],
    ['North', '1', '2'],
    ['South', '3', '4'],
  ]
  const cell = '<mergeCells><mergeCell ref="A1:A2"/><mergeCell ref="B1:C1"/></mergeCells>'
  const found = await proposed(t, sheet(cell, ...rows))
  assert.deepEqual(found.layout, { header: [1, 2] })
  assert.match(found.said, /\(certain: its cells are merged\)/)
  const address = sheet(
    cell,
    ['Name', 'Address', ''],
    ['Bo', 'Main Road', 'Ulm'],
    ['Al', 'Side Road', 'Trier'],
  )
  for (const book of [sheet('', ...rows), sheet(cell.replace('B1:C1', 'C1:D1'), ...rows), address])
    assert.deepEqual((await proposed(t, book)).layout, {})
})

test('no row is left out that may be a record', async (t) => {
  const head = 'Region,Q1,,Q2,'
  for (const [what, ...lines] of [
    ['a first record below a name of any text', '᥉Ŏᕖᠱ,type,name,__proto__', 'a,0/0.2000,,-5e-324', 'b,1,2,3'],
    ['a record that fills gaps of the header with texts', 'a,b,,d,', 'x,y,z,v,w', 'x,y,z,v,w', 'x,y,z,v,w'],
    ['one gap', 'a,b,', ',Gain,Cost', 'x,1,2', 'y,1,2'],
    ['a number among the names', head, ',Gain,2020,Gain,Cost', ...ROWS],
    ['an amount among the names', head, ',Gain,12 kg,Gain,Cost', ...ROWS],
    ['a date among the names', head, ',Gain,2024-01-05T00:00:00Z,Gain,Cost', ...ROWS],
    ['names that repeat', head, ',Gain,Gain,Gain,Cost', ...ROWS],
    ['texts below', head, ',Gain,Cost,Gain,Cost', 'North,a,b,c,d', 'South,a,b,c,d'],
    ['a total that is no sum', 'a,b,c', 'x,1,2', 'y,2,3', 'Total,4,6'],
    ['two totals', 'a,b,c', 'x,1,2', 'Total,1,2', 'y,2,3', 'Total,4,7'],
    ['a total of one record', 'a,b,c', 'x,1,2', 'Total,1,2'],
    ['a last record of one cell', 'a,b,c', 'x,1,2', 'y,1,2', ',,', 'z'],
    ['a note without an empty row', 'a,b,c', 'x,1,2', 'y,1,2', 'Note: z'],
    ['a note below several empty rows', 'a,b,c', 'x,1,2', ',,', 'y,1,2', ',,', 'Note: z'],
  ] as const) {
    const { layout, trial } = await proposed(t, table(...lines))
    assert.deepEqual(layout, {}, what)
    const filled = lines.filter((line) => line.replaceAll(',', '') !== '')
    assert.equal((trial?.loaded ?? 0) + (trial?.rejected ?? 0), filled.length - 1, what)
  }
})

test('a total that is no sum stays a record, and is named', async (t) => {
  const { said } = await proposed(t, 'a,b\nx,1\ny,2\nTotal,4\n')
  assert.match(
    said,
    /No row is left out below\. If row 4, which says "Total", is no record, say until: or except:\./,
  )
})
