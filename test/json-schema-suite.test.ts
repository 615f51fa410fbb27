import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { JsonObject, JsonValue } from '@worldwright/client'
import { createValidator, SchemaFault } from '@worldwright/entities/schemas'
import { realData } from './real-data.ts'
import { ROOT } from './source-files.ts'

interface Group {
  readonly description: string
  readonly schema: JsonObject | boolean
  readonly tests: readonly {
    readonly description: string
    readonly data: JsonValue
    readonly valid: boolean
  }[]
}

/** Number of case groups per file that are refused with a reason instead of being judged. */
const REFUSED: Readonly<Record<string, number>> = {
  'dynamicRef.json': 21,
  'enum.json': 1,
  'properties.json': 1,
  'ref.json': 3,
  'refRemote.json': 15,
  'unevaluatedItems.json': 11,
  'unevaluatedProperties.json': 3,
  'vocabulary.json': 2,
}

test('every required case of the JSON Schema suite is judged correctly, or its schema is refused', (t) => {
  const folder = realData(t, 'hostile/json-schema-2020-12')
  if (folder === undefined) return
  const refused: Record<string, number> = {}
  const wrong: string[] = []
  let judged = 0
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.json'))) {
    const groups: Group[] = JSON.parse(readFileSync(join(folder, file), 'utf8'))
    for (const { description, schema, tests } of groups) {
      const validate = validatorOf(schema)
      if (validate === undefined) refused[file] = (refused[file] ?? 0) + 1
      for (const one of validate === undefined ? [] : tests) {
        judged += 1
        if ((validate?.(one.data).faults.length === 0) !== one.valid)
          wrong.push(`${file}: ${description}: ${one.description}`)
      }
    }
  }
  assert.deepEqual(wrong, [])
  assert.ok(judged > 1_150, String(judged))
  assert.deepEqual(refused, REFUSED)
})

test('the reference names every refused keyword', () => {
  const page = readFileSync(join(ROOT, 'docs/reference/json-schema.md'), 'utf8')
  for (const name of [
    '$dynamicRef',
    '__proto__',
    'enum',
    'unevaluatedItems',
    '$vocabulary',
    'contains',
    '$id',
  ])
    assert.ok(page.includes(`\`${name}\``), name)
})

function validatorOf(schema: JsonObject | boolean) {
  try {
    return createValidator(schema)
  } catch (error) {
    assert.ok(error instanceof SchemaFault)
    return undefined
  }
}
