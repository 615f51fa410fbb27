import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMemorySegments } from '../memory-segments.ts'
import { IndexWriter } from '../write/index-writer.ts'
import { IndexReader } from './index-reader.ts'

/** Searches an index of these titles. Returns the titles found and the matched terms. */
function asked(titles: readonly string[], text: string): { titles: string[]; matched: readonly string[] } {
  const store = createMemorySegments()
  const documents = titles.map((title, at) => ({ title, type: 't:film', id: `-${at}`, ...NOTHING }))
  new IndexWriter(store).change([], documents)
  const { hits, matched } = new IndexReader(store).search({
    text,
    unfinished: true,
    limit: 9,
    budgetMs: 60_000,
  })
  return { titles: hits.map(({ key }) => titles[-Number(key.id)] ?? ''), matched }
}

const NOTHING = { aliases: [], summary: '', text: '' }

test('titles that begin with a query of several words rank first, even if the last word is unfinished', () => {
  const titles = ['War of the Stars', 'Star and War', 'Star Wars Holiday Special of the Year', 'Star Warden']
  assert.deepEqual(asked(titles, 'star war').titles, ['Star Warden', titles[2], titles[1], titles[0]])
  assert.deepEqual(asked(titles, 'STAR: ward').titles[0], 'Star Warden')
})

test('a title is found by its prefix even if many words begin with the last query word', () => {
  const others = Array.from(
    { length: 200 },
    (_, at) => `Acorn Ac${'abcdefghij'[at % 10]}${'klmnopqrst'[((at / 10) % 10) | 0]}ab`,
  )
  const { titles, matched } = asked([...others, ...others, 'Love Acxyz', 'Love'], 'love, ac')
  assert.deepEqual(titles[0], 'Love Acxyz')
  assert.ok(matched.every((word) => /^[a-z]+$/.test(word)))
})

test('titles that contain a one-word query as a word rank before titles that only begin with it', () => {
  const titles = ['Earthquake in May', 'Big Earthquake', 'Planet Earth']
  assert.deepEqual(asked(titles, 'earth').titles, ['Planet Earth', 'Earthquake in May', 'Big Earthquake'])
})

test('a name is found regardless of its spacing, but two numbers are not joined', () => {
  const titles = ['Star Wars', 'Starwars II', 'Spider-Man', 'Chapter 1 11']
  for (const text of ['starwars', 'star wars', 'Star-Wars', 's t a r w a r s'])
    assert.equal(asked(titles, text).titles[0], 'Star Wars', text)
  assert.equal(asked(titles, 'spi der man').titles[0], 'Spider-Man')
  assert.deepEqual(asked(titles, 'chapter1 11').titles, ['Chapter 1 11'])
  assert.deepEqual(asked(['1 11', '11 1 and more'], '11 1').titles[0], '11 1 and more')
})

test('the name closest to a misspelled query ranks first', () => {
  const titles = ['Picos Airport', 'Pico Airport', 'General Pico Airport', 'Picos']
  assert.deepEqual(asked(titles, 'pico airprot').titles.slice(0, 2), ['Pico Airport', 'Picos Airport'])
})
