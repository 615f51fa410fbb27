import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mintEpoch } from './history.ts'
import { changedFrom, prepare, storedFrom, timestampOf } from './prepared.ts'
import { revisionOf } from './revision.ts'

// Computed with sha256sum over {"attributes":{"radius":6371},"id":"earth","title":"Earth","type":"sol:planet"}.
const EARTH = 'sH1--yjG4zsP9eHQlX-Tiw'

test('a revision is 128 bits of SHA-256 over the canonical content', () => {
  const earth = { type: 'sol:planet', id: 'earth', title: 'Earth', attributes: { radius: 6371 } }
  assert.equal(revisionOf(earth), EARTH)
  assert.equal(revisionOf({ ...earth, attributes: { radius: 6371.0 }, createdAt: 'x', revision: 'y' }), EARTH)
  assert.notEqual(revisionOf({ ...earth, summary: '' }), EARTH)
})

test('a revision depends on the order of array elements, but not on the order of members', () => {
  const revision = (json: string) => revisionOf({ type: 'a:b', id: 'x', attributes: JSON.parse(json) })
  assert.equal(revision('{"a":1,"b":{"c":2,"d":3}}'), revision('{"b":{"d":3,"c":2},"a":1}'))
  assert.notEqual(revision('{"a":[1,2]}'), revision('{"a":[2,1]}'))
  assert.notEqual(revision('{"__proto__":{"a":1}}'), revision('{}'))
})

test('a stored entity contains its content, then its times, then its revision', () => {
  const prepared = prepare({
    attributes: { b: 1, a: 2 },
    revision: 'old',
    id: 'x',
    createdAt: 'old',
    type: 'a:b',
  })
  const stored = storedFrom(prepared, '2026-03-01T09:00:00Z', '2026-11-02T17:21:44Z')
  assert.equal(
    stored.json,
    '{"type":"a:b","id":"x","attributes":{"b":1,"a":2},"createdAt":"2026-03-01T09:00:00Z",' +
      `"updatedAt":"2026-11-02T17:21:44Z","revision":"${prepared.revision}"}`,
  )
  const again = JSON.parse(changedFrom(prepared, stored, '2026-12-01T00:00:00Z').json)
  assert.deepEqual([again.createdAt, again.updatedAt], ['2026-03-01T09:00:00Z', '2026-12-01T00:00:00Z'])
})

test('timestamps are precise to the second', () => {
  assert.equal(timestampOf(new Date('2026-03-01T09:00:00.999Z')), '2026-03-01T09:00:00Z')
})

test('every epoch is unique', () => {
  const versions = Array.from({ length: 1_000 }, mintEpoch)
  assert.equal(new Set(versions).size, 1_000)
})
