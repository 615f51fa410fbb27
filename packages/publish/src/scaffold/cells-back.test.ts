import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { createMemoryStore } from '@worldwright/core/store'
import { ndjsonExport } from '@worldwright/entities'
import { stringify } from 'csv-stringify/sync'
import fc from 'fast-check'
import { rounds } from '../../../../test/rounds.ts'
import { definitionFromText, type FileSource } from '../definition/definition.ts'
import type { RecordSource } from '../input/record-source.ts'
import { resultOf } from '../load/events.ts'
import { importRecords } from '../load/import-records.ts'
import { cellText } from '../mapping/cell-form.ts'
import { scaffoldDefinition } from './scaffold.ts'
import { scaffoldTables } from './tables.ts'

type Row = Record<string, string>

function sourceOf(text: string): RecordSource {
  const bytes = Buffer.from(text)
  return {
    name: 'table.csv',
    size: bytes.length,
    bytes: (async function* () {
      yield bytes
    })(),
  }
}

/**
 * Loads a table with the definition that `init` proposes. Returns it, the rows restored from the entities, and a test for
 * placeholders that the definition reads as empty cells.
 */
async function publish(
  text: string,
  folder: string,
): Promise<{
  rows: Row[]
  yaml: string
  plain: Row[]
  isMissing: (column: string, cell: string) => boolean
}> {
  const store = createMemoryStore()
  await writeFile(join(folder, 'table.csv'), text)
  const tables = await scaffoldTables({ paths: [join(folder, 'table.csv')], folder })
  const { text: yaml, trial } = await scaffoldDefinition({ tables, folder, called: 'table', store })
  assert.deepEqual(trial?.rejections, [], yaml)
  const { types, sources } = definitionFromText(yaml, 'world.yaml')
  const [mapping] = sources
  assert.ok(mapping)
  const { header, skip, until, except } = mapping as FileSource
  const layout = { header, skip, until, except }
  const one = { source: sourceOf(text), type: mapping.type, mapping, ...layout }
  const { rejected } = await resultOf(importRecords(store, [one], { types }))
  assert.equal(rejected, 0, yaml)
  let exported = ''
  for await (const piece of ndjsonExport(store)) exported += piece
  const { id, title, summary, cells = {} } = mapping
  const back = (write: (value: never, column: string) => string) =>
    exported
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line))
      .map((entity): Row => {
        const row = new Map<string, string>()
        for (const [name, value] of Object.entries(entity.attributes))
          row.set(name, write(value as never, name))
        if (typeof id === 'string') row.set(id, entity.id)
        if (title !== undefined && entity.title !== undefined) row.set(title, entity.title)
        if (summary !== undefined && entity.summary !== undefined) row.set(summary, entity.summary)
        return Object.fromEntries(row)
      })
  return {
    yaml,
    rows: back((value, name) => cellText(value, Object.hasOwn(cells, name) ? (cells[name] ?? {}) : {})),
    plain: back((value) => String(value)),
    isMissing: (column, cell) =>
      Object.hasOwn(cells, column) && cells[column]?.missing?.includes(cell) === true,
  }
}

function sorted(rows: readonly Row[]): string[] {
  return rows
    .map((row) => JSON.stringify(Object.entries(row).toSorted(([a], [b]) => (a < b ? -1 : 1))))
    .toSorted()
}

/** Any text that a cell can contain, without lone surrogates and NUL characters. */
const text = fc
  .string({ unit: 'grapheme', maxLength: 12 })
  .filter((one) => one.isWellFormed() && !one.includes('\0'))

/** Generators of cells, each of which yields one kind, as in a real column. */
const KINDS: fc.Arbitrary<string>[] = [
  text,
  fc.integer().map(String),
  fc.double({ noNaN: true }).map(String),
  fc.integer({ min: 0, max: 99999 }).map((number) => (number / 100).toFixed(2)),
  fc
    .integer({ min: 0, max: 99999999 })
    .map((number) => (number / 100).toLocaleString('de-DE', { minimumFractionDigits: 2 })),
  fc.integer({ min: 0, max: 9999999 }).map((number) => number.toLocaleString('en-US')),
  fc.integer({ min: 0, max: 999 }).map((number) => `${number} kg`),
  fc.stringMatching(/^[+-]?0?\d{1,20}$/),
  fc.stringMatching(/^\d{1,3}[.,]\d{1,3}([.,]\d{1,3})?$/),
  fc.stringMatching(/^[0-3]?\d[./-][01]?\d[./-]20\d\d$/),
  fc.constantFrom('ja', 'nein', 'TRUE', 'FALSE', 'true', 'false', 'Ja', '1', '0'),
  fc.array(fc.constantFrom('a', 'b', 'c d'), { minLength: 1, maxLength: 3 }).map((parts) => parts.join('; ')),
  fc.constantFrom(
    '2024-02-29',
    '2024-01-05T00:00:00Z',
    '2024-01-05 10:00',
    '1e5',
    '12E4',
    '-0',
    '.5',
    '5.',
    'NA',
    '-',
    ' 7',
    '7 ',
  ),
]

const NAME = fc.oneof(
  fc.constantFrom(
    'id',
    'type',
    'title',
    'name',
    'summary',
    'attributes',
    'price',
    'tags',
    'nr',
    '__proto__',
    'constructor',
  ),
  text.map((one) => one.trim()).filter((one) => one !== ''),
)

/** Tables of a few columns, each with cells of one or two kinds, some of them empty. */
const TABLE = fc
  .uniqueArray(NAME, { minLength: 2, maxLength: 5 })
  .chain((names) =>
    fc.tuple(
      fc.constant(names),
      fc.tuple(...names.map(() => fc.tuple(fc.constantFrom(...KINDS), fc.constantFrom(...KINDS), fc.nat(9)))),
    ),
  )
  .chain(([names, kinds]) => {
    const cells = kinds.map(([most, few, share]) =>
      fc.oneof(
        { weight: 9, arbitrary: most },
        { weight: share > 7 ? 1 : 0, arbitrary: few },
        { weight: share > 4 ? 1 : 0, arbitrary: fc.constant('') },
      ),
    )
    return fc.tuple(fc.constant(names), fc.array(fc.tuple(...cells), { minLength: 1, maxLength: 8 }))
  })

test('every cell of a table can be restored with the definition that init proposes', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'world-'))
  t.after(() => rm(folder, { recursive: true }))
  await fc.assert(
    fc.asyncProperty(TABLE, fc.constantFrom(',', ';', '\t'), async ([names, lines], delimiter) => {
      const kept = lines.filter((cells) => cells.some((cell) => cell.trim() !== ''))
      fc.pre(kept.length > 0)
      const { rows, plain, yaml, isMissing } = await publish(
        stringify([names, ...lines], { delimiter, quoted: true }),
        folder,
      )
      // The definition lists trimmed columns. All others must match byte for byte.
      const trimmed = /^ {4}trim: /m.test(yaml)
      const wanted = kept.map((cells): Row => {
        const filled = names.map(
          (name, at) => [name, trimmed ? cells[at]?.trim() : cells[at]] as [string, string],
        )
        return Object.fromEntries(filled.filter(([name, cell]) => cell !== '' && !isMissing(name, cell)))
      })
      const found = trimmed
        ? rows.map((row) =>
            Object.fromEntries(Object.entries(row).map(([name, cell]) => [name, cell.trim()])),
          )
        : rows
      assert.deepEqual(sorted(found), sorted(wanted), yaml)
      // Without a form, a value equals its text.
      if (!/^ {4}(?:cells|trim):/m.test(yaml)) assert.deepEqual(sorted(plain), sorted(wanted), yaml)
    }),
    { numRuns: rounds(40, 300) },
  )
})

test('white space is not trimmed if a cell would become empty', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'world-'))
  t.after(() => rm(folder, { recursive: true }))
  const { rows, yaml } = await publish('a,b\n" ",1\n" ",2\n', folder)
  assert.doesNotMatch(yaml, /trim/)
  assert.deepEqual(
    sorted(rows),
    sorted([
      { a: ' ', b: '1' },
      { a: ' ', b: '2' },
    ]),
  )
})
