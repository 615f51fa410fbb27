import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { createMemoryStore } from '@worldwright/core/store'
import { definitionFromText } from '../definition/definition.ts'
import { resultOf } from '../load/events.ts'
import { loadWorld } from '../load/load-world.ts'
import { scaffoldDefinition } from './scaffold.ts'
import { scaffoldTables } from './tables.ts'

async function folderOf(t: TestContext, name: string, data: string | Uint8Array) {
  const folder = await mkdtemp(join(tmpdir(), 'world-'))
  t.after(() => rm(folder, { recursive: true }))
  await writeFile(join(folder, name), data)
  return folder
}

async function proposed(folder: string, name: string) {
  const tables = await scaffoldTables({ paths: [join(folder, name)], folder })
  return scaffoldDefinition({ tables, folder, called: 'a', store: createMemoryStore() })
}

const FILLER = 'x'.repeat(1_000)
/** Rows of one line, 18 MB of them, which is one place beyond the beginning. */
const ROWS = Array.from({ length: 17_800 }, (_, at) => `${at + 1},${at % 100},"${FILLER}"`)

test('of a large table only a sample is read, which is said, also in the definition', async (t) => {
  const rows = [...ROWS]
  // Beyond the beginning, and where no sample is taken.
  rows[8_000] = `8001,none of them,"${FILLER}"`
  const folder = await folderOf(t, 'a.csv', `id,size,note\n${rows.join('\n')}\n`)
  const { text, assumptions, trial } = await proposed(folder, 'a.csv')
  assert.match(assumptions[0] ?? '', /^2\d\d records of a sample were looked at\. What follows is a guess/)
  assert.equal(assumptions.at(-1), 'a.csv: a sample was read: its beginning and 1 other places.')
  assert.match(text, /\n# Guessed from a sample of a\.csv; remove sampled: once it is checked\.\n/)
  assert.deepEqual([trial?.isSampled, trial?.rejected], [true, 0])
  const definition = definitionFromText(text, 'world.yaml')
  const [source] = definition.sources
  assert.equal(source?.sampled, true)
  assert.equal(definition.types[0]?.schema?.['required'], undefined)
  const store = createMemoryStore()
  const result = await resultOf(loadWorld({ definition, folder, store }))
  assert.equal(result?.rejected, 1)
  const [{ line, faults } = { line: 0, faults: [] }] = result?.rejections ?? []
  assert.equal(line, 8_002)
  assert.match(
    faults[0]?.message ?? '',
    /^"none of them" is no number; this was guessed from a sample of the source: change the schema of the type/,
  )
})

test('lines in a sample are those of the whole file, and a small file is read whole', async (t) => {
  const rows = [...ROWS]
  let place = 0
  for (let bytes = 0; bytes < 16 * 1024 * 1024 + 10_000; place++) bytes += (rows[place] ?? '').length + 1
  rows[place] = `,1,"${FILLER}"`
  const folder = await folderOf(t, 'a.csv', `id,size,note\n${rows.join('\n')}\n`)
  const { assumptions } = await proposed(folder, 'a.csv')
  assert.ok(
    assumptions.some((line) => line.startsWith(`id is there and unique but for 1 row (line ${place + 2}): `)),
  )
  const small = await folderOf(t, 'b.csv', `id,size,note\n${ROWS.slice(0, 300).join('\n')}\n`)
  const whole = await proposed(small, 'b.csv')
  assert.equal(whole.assumptions[0], '300 records were looked at.')
  assert.doesNotMatch(whole.text, /sample/)
})

test('large NDJSON is sampled, also packed; a rejected id says that it was guessed', async (t) => {
  const records = ROWS.map((_, at) => JSON.stringify({ id: `r${at}`, size: at % 100, note: FILLER + at }))
  records[9_000] = JSON.stringify({ id: 'r1', size: 1, note: FILLER })
  const data = `${records.join('\n')}\n`
  // Stored, so that it is as large as the records.
  for (const [name, bytes] of [
    ['a.ndjson', data],
    ['a.ndjson.gz', gzipSync(data, { level: 0 })],
  ] as const) {
    const folder = await folderOf(t, name, bytes)
    const { text, assumptions } = await proposed(folder, name)
    assert.match(assumptions.join('\n'), /a sample was read: its beginning and 1 other places\./)
    const definition = definitionFromText(text, 'world.yaml')
    const result = await resultOf(loadWorld({ definition, folder, store: createMemoryStore() }))
    assert.equal(result?.rejected, 1)
    const message = result?.rejections[0]?.faults[0]?.message ?? ''
    assert.match(message, /an earlier record .* is the a:a "r1"; the id was guessed from a sample/)
  }
})
