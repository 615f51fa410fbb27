import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ByteReader } from './byte-io.ts'
import { TableIterator, TableWriter } from './table.ts'

test('a seek finds the first of several equal keys, even across rows and restarts', () => {
  const rows: Uint8Array[] = []
  const writer = new TableWriter((row, bytes) => {
    rows[row] = bytes
  })
  // Every third key occurs twice, like a term and its spelling. There are enough keys for several rows.
  const keys = Array.from({ length: 5_000 }, (_, at) => Buffer.from(`${'k'.repeat(at % 90)}${at}`))
  keys.sort(Buffer.compare)
  const twice = keys.flatMap((key, at) => (at % 3 === 0 ? [key, key] : [key]))
  // The buffer is overwritten by the next key.
  const shared = Buffer.alloc(200)
  for (const [at, key] of twice.entries()) {
    key.copy(shared)
    writer.add(shared, key.length).varint(at)
  }
  writer.end()
  assert.ok(rows.length > 1)
  for (const { key, ordinal } of writer.starts) assert.deepEqual(Buffer.from(key), twice[ordinal])
  const skip = (reader: ByteReader) => void reader.varint()
  const cursor = new TableIterator(writer.starts, (row) => rows[row] as Uint8Array, skip)
  for (const key of keys) {
    assert.ok(cursor.seek(key))
    const first = twice.indexOf(key)
    assert.deepEqual([cursor.ordinal, cursor.keyLength], [first, key.length])
    assert.equal(cursor.payload.varint(), first)
    cursor.payload.at -= first < 0x80 ? 1 : 2
  }
})
