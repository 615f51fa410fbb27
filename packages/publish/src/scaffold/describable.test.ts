import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { createMemoryStore } from '@worldwright/core/store'
import { describable } from './describable.ts'
import { scaffoldDefinition } from './scaffold.ts'
import { scaffoldTables } from './tables.ts'

/** Entities, records that need a mapping, and a table. */
const CONTENTS = [
  '{"type":"a:thing","id":"x","attributes":{"__proto__":"x","b":{"__proto__":1,"c":2}}}',
  '{"id":"x","q":{"__proto__":"x","b":1}}',
  'id,__proto__\nx,1\ny,2',
]

for (const content of CONTENTS) {
  test(`the proposed definition does not describe __proto__ and says so: ${content}`, async (t) => {
    const folder = await mkdtemp(join(tmpdir(), 'world-'))
    t.after(() => rm(folder, { recursive: true }))
    const file = join(folder, content.startsWith('{') ? 'things.ndjson' : 'things.csv')
    await writeFile(file, `${content}\n`)
    const tables = await scaffoldTables({ paths: [file], folder })
    const store = createMemoryStore()
    const { text, trial, assumptions } = await scaffoldDefinition({
      tables,
      folder,
      called: 'things',
      store,
    })
    assert.doesNotMatch(text, /__proto__/)
    assert.match(assumptions.join(' '), /__proto__ is kept as it is/)
    assert.deepEqual([trial?.loaded, trial?.rejected], [content.split('\n').length === 3 ? 2 : 1, 0])
  })
}

test('everything else in a schema is kept, even within lists', () => {
  const learned = JSON.parse(
    '{"type":"array","items":{"type":"object","properties":{"__proto__":{},"a":{"type":"string"}},"required":["__proto__","a"]}}',
  )
  assert.deepEqual(describable(learned), {
    type: 'array',
    items: { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] },
  })
})
