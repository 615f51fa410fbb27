import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { createMemoryStore } from '@worldwright/core/store'
import { ndjsonExport } from '@worldwright/entities'
import { definitionFromText } from '../definition/definition.ts'
import { textRow, workbookParts, zipOf } from '../formats/xlsx/workbook.fixture.ts'
import { resultOf } from '../load/events.ts'
import { loadWorld } from '../load/load-world.ts'
import { scaffoldDefinition } from './scaffold.ts'
import { scaffoldTables } from './tables.ts'

const CSV = 'code,rate,price,total,mixed\na,6.0%,12.50 €,$7.00,1 €\nb,-7.5%,"1,234.00 €",$8.25,2 %\n'

const FORMATS = ['0.0%', '#,##0.00\\ &quot;€&quot;', '&quot;$&quot;#,##0.00', '0\\ &quot;€&quot;', '0\\ %']
const row = (number: number, code: string, cells: readonly [style: number, value: number][]) =>
  `<row r="${number}"><c t="inlineStr"><is><t>${code}</t></is></c>${cells.map(([style, value]) => `<c s="${style}"><v>${value}</v></c>`).join('')}</row>`
const XLSX = zipOf(
  workbookParts(
    {
      Rates:
        textRow(1, 'code', 'rate', 'price', 'total', 'mixed') +
        row(2, 'a', [
          [0, 0.06],
          [1, 12.5],
          [2, 7],
          [3, 1],
        ]) +
        row(3, 'b', [
          [0, -0.075],
          [1, 1234],
          [2, 8.25],
          [4, 0.02],
        ]),
    },
    {
      styles: `<numFmts>${FORMATS.map((code, at) => `<numFmt numFmtId="${at + 170}" formatCode="${code}"/>`).join('')}</numFmts>
        <cellXfs>${FORMATS.map((_, at) => `<xf numFmtId="${at + 170}"/>`).join('')}</cellXfs>`,
    },
  ),
)

/** Publishes a file named `rates` as `init` proposes, or by `definition`. */
async function publish(t: TestContext, ending: string, content: string | Buffer, definition?: string) {
  const folder = await mkdtemp(join(tmpdir(), 'units-'))
  t.after(() => rm(folder, { recursive: true }))
  const file = join(folder, `rates.${ending}`)
  await writeFile(file, content)
  const tables = await scaffoldTables({ paths: [file], folder })
  const proposed = await scaffoldDefinition({ tables, folder, called: 'rates', store: createMemoryStore() })
  const text = definition ?? proposed.text
  const store = createMemoryStore()
  const world = { definition: definitionFromText(text, 'world.yaml'), folder, store }
  const result = (await resultOf(loadWorld(world))) ?? assert.fail()
  let exported = ''
  for await (const piece of ndjsonExport(store)) exported += piece
  const lines = exported.split('\n').filter(Boolean)
  const entities = lines.map((line) => JSON.parse(line)).map(({ id, attributes }) => ({ id, attributes }))
  return { text, entities, result, types: world.definition.types, assumptions: proposed.assumptions }
}

test('percentages and amounts have the same values and units from CSV and from a workbook', async (t) => {
  const csv = await publish(t, 'csv', CSV)
  const xlsx = await publish(t, 'xlsx', XLSX)
  assert.deepEqual(csv.entities, [
    { id: 'a', attributes: { code: 'a', rate: 6, price: 12.5, total: 7, mixed: '1 €' } },
    { id: 'b', attributes: { code: 'b', rate: -7.5, price: 1234, total: 8.25, mixed: '2 %' } },
  ])
  assert.deepEqual(xlsx.entities, csv.entities)
  assert.deepEqual(xlsx.types, csv.types)
  const { properties } = xlsx.types[0]?.schema as { properties: Record<string, unknown> }
  assert.deepEqual(properties, {
    rate: { type: 'number', 'x-unit': '%' },
    price: { type: 'number', 'x-unit': '€' },
    total: { type: 'number', 'x-unit': '$' },
    mixed: { type: 'string' },
    code: { type: 'string' },
  })
  for (const { assumptions } of [csv, xlsx])
    assert.ok(
      assumptions.includes('mixed stays text: its numbers have several units: €, %.'),
      assumptions.join('\n'),
    )
})

test('the definition of a CSV file reads the workbook that it was saved from', async (t) => {
  const { text, entities } = await publish(t, 'csv', CSV)
  assert.deepEqual(
    (await publish(t, 'xlsx', XLSX, text.replace('rates.csv', 'rates.xlsx'))).entities,
    entities,
  )
})

test('a number with a unit that no definition names is rejected with advice, whichever file it came from', async (t) => {
  const plain = (file: string) => `types:
  - { type: a:rate, schema: { type: object, properties: { rate: { type: number }, total: { type: number } } } }
sources:
  - { file: ${file}, type: a:rate, id: code, attributes: [rate, total] }
`
  for (const [ending, content, rate, total] of [
    ['csv', CSV, '6.0%', '$7.00'],
    ['xlsx', XLSX, '6%', '$7'],
  ] as const) {
    const { result } = await publish(t, ending, content, plain(`rates.${ending}`))
    assert.deepEqual(
      result.rejections[0]?.faults.map(({ message }) => message),
      [
        `"${rate}" is no number; if all cells have its unit, say suffix: "%"`,
        `"${total}" is no number; if all cells have its unit, say prefix: "$"`,
      ],
    )
  }
})
