import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pathKey } from '../port/document.ts'
import { IndexDamage } from '../port/index-damage.ts'
import { namesFromKey } from './column-key.ts'

test('a path survives a round trip, and a malformed key throws IndexDamage', () => {
  const paths: [string, ...string[]][] = [['orbit'], ['orbit', 'around "it"'], ['名', '\n']]
  for (const path of paths) assert.deepEqual(namesFromKey(pathKey(path)), path)
  for (const key of ['', '["or\u0001bit"]', '["orbit"', '{}', '[1]', 'null', '*', '[]', '"title"'])
    assert.throws(() => namesFromKey(key), IndexDamage, key)
})
