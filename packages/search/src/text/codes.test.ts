import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMemorySegments } from '../memory-segments.ts'
import { IndexReader } from '../read/index-reader.ts'
import { IndexWriter } from '../write/index-writer.ts'

const TITLES = ['Toshiba 22LV505', 'Canon MX850', 'Apple MB739LL/A', 'Kepler-850', 'Toshiba LV', 'Room 505 b']

/** Returns the `TITLES` that a query finds, best first. */
function found(text: string): string[] {
  const documents = TITLES.map((title) => ({
    type: 't:thing',
    id: title,
    title,
    aliases: [],
    summary: '',
    text: '',
  }))
  const store = createMemorySegments()
  new IndexWriter(store).change([], documents)
  const { hits } = new IndexReader(store).search({ text, limit: 9, budgetMs: 60_000 })
  return hits.map(({ key }) => key.id)
}

test('a code is found by a suffix that starts at a boundary between letters and digits', () => {
  assert.deepEqual(found('lv505'), ['Toshiba 22LV505'])
  assert.deepEqual(found('739ll'), ['Apple MB739LL/A'])
  assert.deepEqual(found('850'), ['Kepler-850', 'Canon MX850'])
  assert.equal(found('canon 850')[0], 'Canon MX850')
})

test('a code is not found by a suffix that is too short or splits a run of letters or digits', () => {
  assert.deepEqual(found('v505'), [])
  assert.deepEqual(found('39ll'), [])
  assert.deepEqual(found('05'), [])
})
