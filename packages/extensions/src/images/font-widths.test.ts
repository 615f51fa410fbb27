import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { test } from 'node:test'
import { fontWidths } from './font-widths.ts'

const file = readFileSync(createRequire(import.meta.url).resolve('dejavu-fonts-ttf/ttf/DejaVuSans.ttf'))

test('a font has the widths of its characters, and none for others', () => {
  const widthOf = fontWidths(file)
  // Widths that Skia measures with the same file, in 2,048ths of the font size.
  const widths = { A: 1401, i: 569, Ω: 1565, Ж: 2206, ق: 1589, '\u{1d538}': 1517, '‰': 2748 }
  for (const [character, width] of Object.entries(widths))
    assert.equal((widthOf(character.codePointAt(0) ?? 0) ?? 0) * 2048, width, character)
  for (const character of ['日', '\u{1f9ff}', '\u{10ffff}', '\uffff'])
    assert.equal(widthOf(character.codePointAt(0) ?? 0), undefined, character)
})

test('a file that is no such font is refused', () => {
  assert.throws(() => fontWidths(Buffer.from('not a font, but a text of some length')), TypeError)
  assert.throws(() => fontWidths(new Uint8Array()), RangeError)
})
