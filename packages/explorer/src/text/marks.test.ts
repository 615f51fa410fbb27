import assert from 'node:assert/strict'
import { test } from 'node:test'
import { excerpt, hasMark, markedPieces } from './marks.ts'

const marked = (text: string, ...matched: string[]) =>
  markedPieces(text, matched)
    .map(({ text: part, isMatch }) => (isMatch ? `[${part}]` : part))
    .join('')

test('words that begin with a matched word are marked regardless of case and accents', () => {
  assert.equal(marked('Oceans of ice', 'ocean'), '[Oceans] of ice')
  assert.equal(marked('Kepler-22 b', 'kepler', '22'), '[Kepler]-[22] b')
  assert.equal(marked('Étoile', 'etoil'), '[Étoile]')
  assert.equal(marked('the ocean', 'cean'), 'the ocean')
})

test('a one-letter match marks only whole words', () => {
  assert.equal(marked('b of Beta', 'b'), '[b] of Beta')
})

test('in a script without spaces the matching part is marked', () => {
  assert.equal(marked('木星的卫星', '木星'), '[木星]的卫星')
})

test('text without matches is unchanged', () => {
  assert.deepEqual(markedPieces('a b', []), [{ text: 'a b', isMatch: false }])
  assert.equal(marked('', 'x'), '')
  assert.equal(hasMark('no', ['x']), false)
  assert.equal(hasMark('yes', ['ye']), true)
})

test('the joined pieces are the original text', () => {
  const text = 'Der Mond — Луна <b>moon</b> \u202e moon'
  assert.equal(
    markedPieces(text, ['moon', 'b'])
      .map((piece) => piece.text)
      .join(''),
    text,
  )
})

test('an excerpt begins close enough to the first match for the match to be visible', () => {
  const far = `${'word '.repeat(40)}ocean and more`
  assert.match(excerpt(far, ['ocean']), /^…( word)+ ocean and more$/)
  assert.ok(excerpt(far, ['ocean']).length < 80)
  for (const text of ['ocean first, then much', 'no match here', `short ocean ${'word '.repeat(40)}`]) {
    assert.equal(excerpt(text, ['ocean']), text)
  }
})
