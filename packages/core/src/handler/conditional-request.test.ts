import assert from 'node:assert/strict'
import { test } from 'node:test'
import { matchesTag } from './conditional-request.ts'

test('entity tags are compared weakly, in lists and with the asterisk', () => {
  for (const header of ['"a"', 'W/"a"', '"x", W/"a"', '*', ' * ', '"x","a"']) {
    assert.equal(matchesTag(header, 'W/"a"'), true, header)
  }
  for (const header of [undefined, '', '"b"', 'a', 'W/"b", "c"', '"a']) {
    assert.equal(matchesTag(header, 'W/"a"'), false, String(header))
  }
})
