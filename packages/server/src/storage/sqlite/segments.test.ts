import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { IndexReader } from '../../search/reader.ts'
import { IndexWriter } from '../../search/writer.ts'
import { SEGMENT_SCHEMA, segmentStore } from './segments.ts'

test('what an undone transaction wrote is never taken for what a later one writes', () => {
  const db = new DatabaseSync(':memory:')
  db.exec(SEGMENT_SCHEMA)
  const store = segmentStore(db)
  const writer = new IndexWriter(store)
  const write = (id: string, title: string, end: 'COMMIT' | 'ROLLBACK') => {
    db.exec('BEGIN')
    writer.change([], [{ type: 'sol:moon', id, title, aliases: [], summary: '', text: '' }])
    db.exec(end)
  }
  for (const title of ['Io', 'Europa', 'Ganymede']) write(title, title, 'COMMIT')
  // The fourth segment makes a merge due, which reads it.
  write('undone', 'Callisto', 'ROLLBACK')
  write('written', 'Titan', 'COMMIT')
  const ids = (text: string) =>
    new IndexReader(store).search({ text, limit: 9, budgetMs: 1_000 }).hits.map(({ key }) => key.id)
  assert.deepEqual([ids('callisto'), ids('titan'), ids('io')], [[], ['written'], ['Io']])
  db.close()
})
