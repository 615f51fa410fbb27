import assert from 'node:assert/strict'
import { test } from 'node:test'
import { subtitleOf } from './subtitle.ts'

const told = (attributes: object) =>
  subtitleOf({ title: 'The Hunger Games (#1)', attributes }, undefined).map(([, value]) => value)

test('the subtitle of a book contains its author and year but not its ids', () => {
  const book = {
    originalTitle: 'The Hunger Games',
    language: 'eng',
    series: 'Panem',
    authors: ['suzanne-collins'],
    authorNames: ['Suzanne Collins'],
    isbn: '439023483',
    year: 2008,
    rating: 4.34,
    image: 'https://images.example/1.jpg',
  }
  assert.deepEqual(told(book), ['Suzanne Collins', 2008, 'Panem', 4.34])
})

test('a subtitle omits texts that the schema declares as ids', () => {
  const schema = {
    properties: { star: { 'x-references': 'f:star' }, planets: { items: { 'x-references': 'f:planet' } } },
  }
  const attributes = { star: 's-1', planets: ['p-1'], method: 'transit' }
  assert.deepEqual(
    subtitleOf({ attributes }, schema).map(([, value]) => value),
    ['transit'],
  )
})

test('a subtitle omits codes, URLs, coordinates and long strings', () => {
  const airport = {
    iata: 'GKA',
    city: 'Goroka',
    lat: -6.08,
    lon: 145.39,
    url: 'https://a.example/',
    text: 'x'.repeat(90),
  }
  assert.deepEqual(told(airport), ['Goroka'])
  assert.deepEqual(told({}), [])
})
