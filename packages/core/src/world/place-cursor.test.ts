import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonValue } from '@worldwright/client/protocol'
import { cursorAfter } from './cursor.ts'
import { cursorFromPlace, placeFromCursor } from './place-cursor.ts'

const SCOPE = { worldId: 'urn:uuid:6f0c2a3e-0000-4000-8000-000000000001', type: ['wp:discover', 'x'] }
const isScore = (values: readonly JsonValue[]) => values.length === 1 && typeof values[0] === 'number'

test('a cursor round-trips a position in any sort order, including long values', () => {
  const long = ['é', 'x', '"', '🪐'].map((text) => text.repeat(200))
  for (const values of [[], [1.5], ['a', null, 2], long]) {
    const position = { type: 'sol:moon', id: 'io', values }
    assert.deepEqual(
      placeFromCursor(SCOPE, cursorFromPlace(SCOPE, position), () => true),
      position,
    )
  }
})

test('a cursor with a valid checksum that does not match the sort order is refused', () => {
  const forged = ['x', '{}', '[]', '["sol:moon"]', '[1,"io",1]', '["sol:moon",1,1]', '["sol:moon","io"]']
  for (const position of [...forged, '["sol:moon","io","1"]', '["sol:moon","io",1,2]']) {
    assert.throws(
      () => placeFromCursor(SCOPE, cursorAfter(SCOPE, position), isScore),
      { code: 'invalid_cursor', details: { reason: 'malformed' } },
      position,
    )
  }
  const right = placeFromCursor(SCOPE, cursorAfter(SCOPE, '["sol:moon","io",1]'), isScore)
  assert.deepEqual(right, { type: 'sol:moon', id: 'io', values: [1] })
})
