import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMemorySegments } from '../memory-segments.ts'
import { IndexWriter } from '../write/index-writer.ts'
import { IndexReader } from './index-reader.ts'

/** Asks an index of these titles, behind which text may stand (`title | text`), and gives those that are found. */
function asked(titles: readonly string[], text: string): string[] {
  const store = createMemorySegments()
  const documents = titles.map((title, at) => ({
    type: 't:film',
    id: String(at),
    title: title.split(' | ')[0] as string,
    aliases: [],
    summary: '',
    text: title.split(' | ')[1] ?? '',
  }))
  new IndexWriter(store).change([], documents)
  const { hits } = new IndexReader(store).search({ text, limit: 9, budgetMs: 60_000 })
  return hits.map(({ key }) => titles[Number(key.id)] ?? '')
}

test('a word that is not known is split where documents hold its parts together', () => {
  const titles = ['Star Wars', 'A Star', 'Wars of Old', 'Air Force', 'Post Office', 'Airport']
  assert.deepEqual(asked(titles, 'starwars').slice(0, 1), ['Star Wars'])
  assert.deepEqual(asked(titles, 'the starwars').slice(0, 1), ['Star Wars'])
  // No document holds both parts, and one edit makes a word of it.
  assert.deepEqual(asked(titles, 'airpost'), ['Airport'])
})

test('the beginning of a word is not split, nor is one that may be an error in another', () => {
  assert.deepEqual(asked(['Starlights', 'Star of Light'], 'starlight'), ['Starlights'])
  assert.deepEqual(asked(['Airport', 'Air by Post', 'Airport'], 'airpost'), ['Airport', 'Airport'])
})

test('neighbours are one word where the index knows it so, and codes are split at their digits', () => {
  assert.deepEqual(asked(['Braveheart', 'Brave Men'], 'brave heart').slice(0, 1), ['Braveheart'])
  assert.deepEqual(asked(['Apollo', 'Apollo 13'], 'apollo13').slice(0, 1), ['Apollo 13'])
})

test('names are found without their hyphens, and numbers with and without a space before the unit', () => {
  assert.deepEqual(asked(['Spider-Man', 'Man'], 'spiderman'), ['Spider-Man'])
  const cards = ['Card 16 GB', 'Card 16GB', 'Card 16-GB', 'Card 8 GB']
  for (const text of ['card 16 gb', 'card 16gb', 'card 16-gb'])
    assert.deepEqual(asked(cards, text).slice(0, 3).sort(), cards.slice(0, 3).sort(), text)
})

test('a word too many does not put what holds it above what is meant', () => {
  const films = Array.from({ length: 40 }, () => 'Film')
  const titles = [
    'The Big Sleep',
    `Sounds | a film of big things that sleep ${'at night '.repeat(80)}`,
    ...films,
  ]
  assert.deepEqual(asked(titles, 'big sleep film')[0], 'The Big Sleep')
})
