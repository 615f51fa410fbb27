import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMemorySegments } from '../memory-segments.ts'
import { IndexWriter } from '../write/index-writer.ts'
import { IndexReader } from './index-reader.ts'

/** Searches an index of these titles, each optionally with text (`title | text`), and returns the titles found. */
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

test('an unknown word is split if some documents contain its parts together', () => {
  const titles = ['Star Wars', 'A Star', 'Wars of Old', 'Air Force', 'Post Office', 'Airport']
  assert.deepEqual(asked(titles, 'starwars').slice(0, 1), ['Star Wars'])
  assert.deepEqual(asked(titles, 'the starwars').slice(0, 1), ['Star Wars'])
  // No document contains both parts, and one edit turns the query into a word.
  assert.deepEqual(asked(titles, 'airpost'), ['Airport'])
})

test('neither the prefix of a word nor a likely misspelling is split', () => {
  assert.deepEqual(asked(['Starlights', 'Star of Light'], 'starlight'), ['Starlights'])
  assert.deepEqual(asked(['Airport', 'Air by Post', 'Airport'], 'airpost'), ['Airport', 'Airport'])
})

test('adjacent words are joined if the index contains them as one word, and codes are split at their digits', () => {
  assert.deepEqual(asked(['Braveheart', 'Brave Men'], 'brave heart').slice(0, 1), ['Braveheart'])
  assert.deepEqual(asked(['Apollo', 'Apollo 13'], 'apollo13').slice(0, 1), ['Apollo 13'])
})

test('names match without their hyphens, and numbers with or without a space before the unit', () => {
  assert.deepEqual(asked(['Spider-Man', 'Man'], 'spiderman'), ['Spider-Man'])
  const cards = ['Card 16 GB', 'Card 16GB', 'Card 16-GB', 'Card 8 GB']
  for (const text of ['card 16 gb', 'card 16gb', 'card 16-gb'])
    assert.deepEqual(asked(cards, text).slice(0, 3).sort(), cards.slice(0, 3).sort(), text)
})

test('a long text with all query words does not outrank a title with most of them', () => {
  const films = Array.from({ length: 40 }, () => 'Film')
  const titles = [
    'The Big Sleep',
    `Sounds | a film of big things that sleep ${'at night '.repeat(80)}`,
    ...films,
  ]
  assert.deepEqual(asked(titles, 'big sleep film')[0], 'The Big Sleep')
})
