import assert from 'node:assert/strict'
import { test } from 'node:test'
import { jsonText, visible } from './visible.ts'

test('nothing that moves the cursor or reorders text is shown raw', () => {
  assert.equal(visible('\u001b[2J\u009b1m\r\n\t'), '\\u001b[2J\\u009b1m\\u000d\\n\\t')
  assert.equal(visible('a\u202eb\u2066c\u061cd'), 'a\\u202eb\\u2066c\\u061cd')
  assert.equal(visible('\ud800'), '\\ud800')
})

test('letters of every script and emoji are shown unchanged', () => {
  const text = 'Ünï 漢字 한글 עברית 👩‍🚀 𝄞'
  assert.equal(visible(text), text)
})

test('JSON is safe to show and parses to the same value', () => {
  const value = { '\u009b\u202e': ['\u001b[2J', '\ud800', '\u2028', 'ä'] }
  for (const indent of [undefined, 2]) {
    const text = jsonText(value, indent)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there.
    assert.doesNotMatch(text, /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028\u202e]/)
    assert.deepEqual(JSON.parse(text), value)
  }
})
