import assert from 'node:assert/strict'
import { test } from 'node:test'
import { canonicalJson, revisionOf } from './canonical.ts'

test('keys are sorted at every depth, and a revision ignores members that are not content', () => {
  assert.equal(canonicalJson({ b: [{ d: 1, c: 1e21 }], a: 'ü' }), '{"a":"ü","b":[{"c":1e+21,"d":1}]}')
  const entity = { type: 't:t', id: 'i', attributes: { z: 1, a: 2 } }
  // The first 16 bytes of the SHA-256 of {"attributes":{"a":2,"z":1},"id":"i","type":"t:t"}.
  assert.equal(revisionOf(entity), 'kqA_bc8KmWNsDv0IjUKJAQ')
  assert.equal(
    revisionOf({ ...entity, createdAt: '2026-01-01T00:00:00Z', revision: 'old' }),
    revisionOf(entity),
  )
  assert.notEqual(revisionOf({ ...entity, title: 'T' }), revisionOf(entity))
})
