import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { base64urlFrom, bytesFromBase64url, joinedBytes, utf8Bytes, utf8Length, utf8Text } from './bytes.ts'

/** Arbitrary text, possibly with lone surrogates. */
const text = fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)) })

test('text encodes to the same bytes as in Node.js', () => {
  fc.assert(
    fc.property(text, (value) => {
      assert.deepEqual(Buffer.from(utf8Bytes(value)), Buffer.from(value))
      assert.equal(utf8Length(value), Buffer.byteLength(value))
      assert.equal(utf8Text(Buffer.from(value)), Buffer.from(value).toString())
    }),
  )
})

test('the bytes of a long string are counted correctly at any chunk boundary', () => {
  for (const padding of ['', 'a', 'ab', 'abc', '\ud83d'])
    for (const part of ['a', 'é', '火', '🪐', '🪐\udc00']) {
      const long = padding + part.repeat(20_000)
      assert.equal(utf8Length(long), Buffer.byteLength(long))
    }
})

test('base64url encoding and decoding agree with Node.js', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 600 }), (bytes) => {
      const written = base64urlFrom(bytes)
      assert.equal(written, Buffer.from(bytes).toString('base64url'))
      assert.deepEqual(bytesFromBase64url(written), bytes)
    }),
  )
})

test('joined bytes share no memory with their pieces', () => {
  const piece = Uint8Array.of(1, 2)
  const joined = joinedBytes([piece, Uint8Array.of(), Uint8Array.of(3)])
  piece[0] = 9
  assert.deepEqual(joined, Uint8Array.of(1, 2, 3))
})
