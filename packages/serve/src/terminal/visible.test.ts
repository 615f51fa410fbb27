import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { test } from 'node:test'
import { jsonText, shellWord, visible } from './visible.ts'

test('nothing that moves the cursor or reorders text is shown raw', () => {
  assert.equal(visible('\u001b[2J\u009b1m\r\n\t'), '\\u001b[2J\\u009b1m\\u000d\\n\\t')
  assert.equal(visible('a\u202eb\u2066c\u061cd'), 'a\\u202eb\\u2066c\\u061cd')
  assert.equal(visible('\ud800'), '\\ud800')
  assert.equal(visible('a\u200b\ufe01\u{e0072}'), 'a\\u200b\\ufe01\\udb40\\udc72')
})

test('emoji and letters of all scripts are shown unchanged', () => {
  const text = 'Ünï 漢字 한글 עברית 👩‍🚀 𝄞'
  assert.equal(visible(text), text)
})

test('a shell reads a quoted word unchanged', () => {
  const words = ['a b', "it's", '$(id) `id` "x"', '', '*', '~', 'sol.example:8080', 'sqlite:a/b-c_d.db']
  const text = execFileSync('sh', ['-c', `printf '%s\\n' ${words.map(shellWord).join(' ')}`], {
    encoding: 'utf8',
  })
  assert.equal(text, words.map((word) => `${word}\n`).join(''))
  assert.equal(shellWord('https://sol.example'), 'https://sol.example')
})

test('jsonText escapes control characters and parses to the same value', () => {
  const value = { '\u009b\u202e': ['\u001b[2J', '\ud800', '\u2028', '\u{e0072}', 'ä'] }
  for (const indent of [undefined, 2]) {
    const text = jsonText(value, indent)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there.
    assert.doesNotMatch(text, /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028\u202e\udb40]/)
    assert.deepEqual(JSON.parse(text), value)
  }
})
