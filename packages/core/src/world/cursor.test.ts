import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cursorAfter, positionFromCursor } from './cursor.ts'

const MOONS = { worldId: 'urn:uuid:6f0c2a3e-0000-4000-8000-000000000001', type: 'sol:moon' }

function reasonOf(run: () => unknown): unknown {
  try {
    run()
  } catch (error) {
    const fault = error as { code: string; details: { reason: string } }
    return [fault.code, fault.details.reason]
  }
  return undefined
}

test('a cursor round-trips any id', () => {
  for (const id of ['europa', 'a/b', 'ξ', '🪐', '\u{10ffff}', 'x'.repeat(512)]) {
    assert.equal(positionFromCursor(MOONS, cursorAfter(MOONS, id)), id)
  }
})

test('cursors are deterministic and at most 1,024 base64url characters long', () => {
  const cursor = cursorAfter(MOONS, 'x'.repeat(512))
  assert.equal(cursorAfter(MOONS, 'x'.repeat(512)), cursor)
  assert.match(cursor, /^[A-Za-z0-9_-]{1,1024}$/)
})

test('cursors are stable across nodes and releases', () => {
  assert.equal(cursorAfter(MOONS, 'europa'), 'AePhCpbl5GV1cm9wYQ')
  assert.equal(cursorAfter(MOONS, '🪐'), 'AYIFXUwwPfCfqpA')
})

test('a cursor of another type or another world is refused', () => {
  const cursor = cursorAfter(MOONS, 'europa')
  const expected = ['invalid_cursor', 'checksum']
  assert.deepEqual(
    reasonOf(() => positionFromCursor({ ...MOONS, type: 'sol:planet' }, cursor)),
    expected,
  )
  assert.deepEqual(
    reasonOf(() => positionFromCursor({ ...MOONS, worldId: 'urn:x' }, cursor)),
    expected,
  )
})

test('a cursor with any single character changed is refused', () => {
  const cursor = cursorAfter(MOONS, 'europa')
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_='
  for (const [index, original] of [...cursor].entries()) {
    for (const character of alphabet) {
      if (character === original) continue
      const damaged = cursor.slice(0, index) + character + cursor.slice(index + 1)
      assert.throws(() => positionFromCursor(MOONS, damaged), { code: 'invalid_cursor' }, damaged)
    }
  }
})

test('empty, overlong, padded and foreign cursors are refused with a reason', () => {
  const refused = [
    ['', 'empty'],
    ['A'.repeat(1025), 'too_long'],
    ['A'.repeat(1024), 'unknown_version'],
    [`${cursorAfter(MOONS, 'io')}=`, 'malformed'],
    ['!!!!', 'malformed'],
    ['AQ', 'malformed'],
    // The checksum is valid, but an id cannot be empty.
    ['AaJ0-BRRDQ', 'malformed'],
    ['AgAAAAAAAGlv', 'unknown_version'],
  ] as const
  for (const [cursor, reason] of refused) {
    assert.deepEqual(
      reasonOf(() => positionFromCursor(MOONS, cursor)),
      ['invalid_cursor', reason],
      cursor,
    )
  }
})
