import assert from 'node:assert/strict'
import { test } from 'node:test'
import { valueText } from './text.ts'

test('characters that cannot be seen are escapes, and those of an emoji stay', () => {
  const unseen = '\u{e0072}\u00ad\u200c\u200d\u3164\u115f\ufe0f\u{e0101}\u2028\u0085\u202e\u180e'
  for (const one of unseen)
    assert.match(valueText(`a${one}b`), /^"a(\\u[\da-f]{4})+b"$/, one.codePointAt(0)?.toString(16))
  for (const one of ['❤️', '👩‍💻', '👩🏽', 'née 日本']) assert.equal(valueText(one), JSON.stringify(one))
  assert.equal(JSON.parse(valueText('a\u{e0072}')), 'a\u{e0072}')
})

test('values are written in short', () => {
  assert.equal(valueText({ type: 'sol:moon', id: 'io' }), 'sol:moon/io')
  assert.equal(valueText({ type: 'sol:moon', id: 'io', world: 'urn:x' }), 'sol:moon/io of urn:x')
  assert.equal(valueText(['a b', 1, null, true]), '["a b", 1, null, true]')
  assert.equal(valueText(Array(15).fill(1)), `[${'1, '.repeat(12)}… 3 more]`)
  assert.equal(valueText('long '.repeat(9), 10), '"long long…"')
})
