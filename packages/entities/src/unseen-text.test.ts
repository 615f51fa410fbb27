import assert from 'node:assert/strict'
import { test } from 'node:test'
import { UNSEEN } from './unseen-text.ts'

const marked = (text: string) => text.replace(UNSEEN, (one) => `[${one.codePointAt(0)?.toString(16)}]`)

test('what hides or reorders text is found', () => {
  for (const code of [
    0x85, 0xad, 0x61c, 0x200b, 0x200e, 0x2028, 0x202e, 0x2063, 0x2066, 0x3164, 0xfe01, 0xfeff,
  ])
    assert.equal(marked(`a${String.fromCodePoint(code)}b`), `a[${code.toString(16)}]b`)
  for (const code of [0xe0001, 0xe0072, 0xe007f, 0xe0100, 0xe0110, 0xe01ef])
    assert.equal(marked(`😀${String.fromCodePoint(code)}`), `😀[${code.toString(16)}]`)
})

test('a joiner or selector hides something where no emoji or script needs it', () => {
  assert.equal(marked('a\u200db\u200cc 東\u200d京 \u200d'), 'a[200d]b[200c]c 東[200d]京 [200d]')
  assert.equal(marked('a\ufe0f ❤\ufe0f\ufe0f می\u200c\u200cخ'), 'a[fe0f] ❤\ufe0f[fe0f] می[200c][200c]خ')
})

test('emoji and letters of all scripts are left', () => {
  for (const text of ['👩‍🚀', '❤️‍🔥', '👩🏽‍🚀', '🏳️‍🌈', '1️⃣', 'می‌خواهم', 'क्‍ष', 'ක්‍ෂ', 'עברית', '漢字', 'a\u0301'])
    assert.equal(marked(text), text)
})
