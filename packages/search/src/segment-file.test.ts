import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buildSegmentFile, IndexReader, segmentFileReads } from './index.ts'

function documentOf(id: string, text: string) {
  return { type: 'sol:moon', id, title: id, aliases: [], summary: '', text }
}

const DOCUMENTS = [
  documentOf('io', 'sulphur and volcanoes'),
  documentOf('europa', 'an ocean below ice'),
  documentOf('enceladus', 'ice, and an ocean that leaves in plumes'),
]

/** Builds an index file. Returns a reader for it, its bytes, and a log of the byte ranges that the reader reads. */
function opened(documents: typeof DOCUMENTS) {
  const { table, rows } = buildSegmentFile(documents)
  const file = Buffer.concat(rows)
  const parts: [start: number, end: number][] = []
  const read = (start: number, end: number) => {
    parts.push([start, end])
    return file.subarray(start, end)
  }
  // Tables are transferred as JSON.
  return { reader: new IndexReader(segmentFileReads(JSON.parse(JSON.stringify(table)), read)), file, parts }
}

test('a search finds documents in an index file by reading only parts of the file', () => {
  const { reader, file, parts } = opened(DOCUMENTS)
  const found = reader.search({ text: 'ocean ice', limit: 10, budgetMs: 60_000 })
  assert.deepEqual(found.hits.map(({ key }) => key.id).sort(), ['enceladus', 'europa'])
  assert.deepEqual(reader.search({ text: 'volcano', limit: 10, budgetMs: 60_000 }).total, 1)
  assert.ok(parts.length > 0 && parts.every(([start, end]) => start < end && end <= file.byteLength))
})

test('the same documents produce the same file', () => {
  assert.deepEqual(buildSegmentFile(DOCUMENTS), buildSegmentFile(DOCUMENTS))
  assert.deepEqual(opened([]).reader.search({ text: 'ocean', limit: 10, budgetMs: 60_000 }).total, 0)
})

test('a truncated file and an unknown format throw IndexDamage', () => {
  const { table, rows } = buildSegmentFile(DOCUMENTS)
  assert.throws(() => segmentFileReads({ ...table, format: 0 }, () => new Uint8Array()), {
    name: 'IndexDamage',
  })
  const cut = Buffer.concat(rows).subarray(0, 10)
  const reader = new IndexReader(segmentFileReads(table, (start, end) => cut.subarray(start, end)))
  assert.throws(() => reader.search({ text: 'ocean', limit: 10, budgetMs: 60_000 }), { name: 'IndexDamage' })
})
