import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { test } from 'node:test'
import canonicalize from 'canonicalize'
import fc from 'fast-check'
import { portableSha256, sha256 } from './digest.ts'
import { revisionOf } from './revision.ts'

/** Arbitrary UTF-16 code unit, lone surrogates included. */
const unit = fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit))

test('the digest is SHA-256 on Node.js and on other runtimes', () => {
  // FIPS 180-2, appendix B.1
  assert.equal(sha256('abc'), 'ungWv48Bz-pBQUDeXa4iI7ADYaOWF3qctBD_YfIAFa0')
  fc.assert(
    fc.property(fc.string({ unit, maxLength: 300 }), (text) => {
      assert.equal(sha256(text), hash('sha256', text, 'base64url'))
      assert.equal(portableSha256(text), sha256(text))
    }),
  )
})

test('a revision is the first 128 bits of the digest', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.string()), (attributes) => {
      const entity = { type: 'sol:moon', id: 'io', attributes }
      const whole = hash('sha256', canonicalize(entity) ?? '', 'buffer')
      assert.equal(revisionOf(entity), whole.subarray(0, 16).toString('base64url'))
    }),
  )
})
