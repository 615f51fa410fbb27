import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sourceLines } from './source-lines.ts'

/** Maximum number of source lines in all packages together. */
const MAX_ALL = 116_692
/** Maximum number of source lines in the core. */
const MAX_CORE = 6_500

test('the core and all packages together stay below their line limits', () => {
  const lines = sourceLines()
  const all = [...lines.values()].reduce((sum, count) => sum + count, 0)
  assert.ok(all > MAX_CORE, `${all} lines cannot be all`)
  assert.ok(all <= MAX_ALL, `${all} lines in packages/*/src`)
  assert.ok((lines.get('core') ?? Number.POSITIVE_INFINITY) <= MAX_CORE, `${lines.get('core')} lines in core`)
})
