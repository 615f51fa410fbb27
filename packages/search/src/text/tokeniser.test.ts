import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fold } from './fold.ts'
import { stem } from './stem.ts'
import { tokens } from './tokeniser.ts'

function words(text: string): string[] {
  return tokens(text).map(({ text: word }) => word)
}

test('folding removes differences in case, width and accents in every script that has them', () => {
  const pairs = [
    ['CAFÉ', 'cafe'],
    ['ＭＡＲＳ　２', 'mars 2'],
    ['Straße', 'strasse'],
    ['Łódź', 'lodz'],
    ['İstanbul', 'istanbul'],
    ['ΌΣΟΣ', 'οσοσ'],
    ['Ёлка', 'елка'],
    ['אֱלֹהִים', 'אלהים'],
    ['أفغانستان', 'افغانستان'],
    ['ﬁlm', 'film'],
  ] as const
  for (const [text, folded] of pairs) {
    assert.equal(fold(text), folded)
    assert.equal(fold(fold(text)), folded)
  }
})

test('folding keeps Hangul syllables and voiced kana whole', () => {
  assert.equal(fold('한국'), '한국')
  assert.equal(fold('ガギグ'), 'がぎぐ')
})

test('words are separated by spaces and punctuation, but not by apostrophes', () => {
  assert.deepEqual(words("The O'Hare-Terminal, Qoʻqon!"), ['the', 'ohare', 'terminal', 'qoqon'])
})

test('numbers and codes are not split, and compounds also have a joined term', () => {
  assert.deepEqual(words('4.2 EZXS88W 10,000'), ['4.2', 'ezxs88w', '10,000'])
  assert.deepEqual(tokens('NGTS-21')[0], { text: 'ngts', kind: 0, joined: 'ngts21' })
  assert.equal(tokens('U.S.A.')[0]?.joined, 'usa')
  assert.equal(tokens('well-knowns')[0]?.joined, 'wellknown')
})

test('a run of an unspaced script yields overlapping pairs, or its only character', () => {
  assert.deepEqual(words('海王星'), ['海王', '王星'])
  assert.deepEqual(words('海'), ['海'])
  assert.deepEqual(words('ไทย'), ['ไท', 'ทย'])
  assert.deepEqual(words('서울시 mars'), ['서울', '울시', 'mars'])
})

test('any text is split into words of 1 to 64 code units', () => {
  for (const text of ['', '\0', '\ud800', '\udc00x', '"*()', '\u0301', '𞤀𞤁', 'a'.repeat(9_999)]) {
    for (const word of words(text)) assert.ok(word.length > 0 && word.length <= 64)
  }
})

test('stemming removes plural and verb endings, except in short words and other scripts', () => {
  const stems = {
    moons: 'moon',
    cities: 'city',
    flowing: 'flow',
    planned: 'plan',
    galaxy: 'galaxy',
    glass: 'glass',
  }
  for (const [word, expected] of Object.entries(stems)) assert.equal(stem(word), expected)
  for (const word of ['gas', 'is', 'Плутоны', 'f16s']) assert.equal(stem(word), word)
})
