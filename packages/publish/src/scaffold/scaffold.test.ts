import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { createMemoryStore } from '@worldwright/core/store'
import { definitionFromText } from '../definition/definition.ts'
import { scaffoldDefinition } from './scaffold.ts'
import { scaffoldTables } from './tables.ts'

async function proposed(t: TestContext, files: Readonly<Record<string, string>>, called = 'a') {
  const folder = await mkdtemp(join(tmpdir(), 'world-'))
  t.after(() => rm(folder, { recursive: true }))
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text)
  const paths = Object.keys(files).map((name) => join(folder, name))
  const tables = await scaffoldTables({ paths, folder })
  return scaffoldDefinition({ tables, folder, called, store: createMemoryStore() })
}

test('of a wide table the first lines are shown, and all are in the definition', async (t) => {
  const days = Array.from({ length: 300 }, (_, at) => `day${at}`)
  const rows = ['1,', '2,'].map((id) => id + days.map((_, at) => `0${(at % 9) + 1}.04.2020`).join())
  const { text, assumptions } = await proposed(t, { 'a.csv': [`id,${days}`, ...rows].join('\n') })
  assert.equal(assumptions.length, 20)
  assert.match(assumptions.at(-1) ?? '', /^… and \d+ more, at the end of world\.yaml\.$/)
  const required = assumptions.find((line) => line.includes('are required')) ?? ''
  assert.match(required, /: day0, day1, .*, day19 and 281 more\.$/)
  assert.match(text, /\n# Assumed:\n# 2 records were looked at\.\n(?:# .*\n)+# day299 .*\n$/)
  assert.equal(definitionFromText(text, 'world.yaml').sources.length, 1)
})

test('the name of any file makes a valid type', async (t) => {
  for (const [called, type] of [
    ['s', 's:s'],
    ['wp', 'wp-world:wp'],
    ['b'.repeat(200), `${'b'.repeat(60)}:${'b'.repeat(60)}`],
  ] as const) {
    const { text } = await proposed(t, { [`${called}.csv`]: 'id,name\n1,Io\n' }, called)
    assert.equal(definitionFromText(text, 'world.yaml').types[0]?.type, type)
  }
})
