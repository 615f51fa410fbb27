import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SegmentFile, type SegmentReads } from '../port/segment-store.ts'
import { RowCache } from './row-cache.ts'

const ROW = 800

/** Returns a cache of `bytes` bytes and a log of the rows it reads. A row takes 800 bytes, or 1,000 with overhead. */
function cacheOf(bytes: number) {
  const asked: string[] = []
  const row: SegmentReads['row'] = (segment, _file, number) => {
    asked.push(`${segment}/${number}`)
    return new Uint8Array(ROW)
  }
  const cache = new RowCache({ generation: () => 0, segments: () => [], row }, bytes)
  const read = (segment: number, number: number) => cache.row(segment, SegmentFile.terms, number)
  return { cache, read, asked }
}

test('rows of removed segments are evicted from both generations, and other rows are kept', () => {
  const { cache, read, asked } = cacheOf(6_000)
  for (const [segment, row] of [
    [1, 0],
    [2, 0],
    [2, 1],
    [1, 1],
    [2, 2],
  ] as const)
    read(segment, row)
  cache.forgetAllBut(new Set([2]))
  asked.length = 0
  for (const row of [0, 1, 2]) read(2, row)
  assert.deepEqual(asked, [])
  for (const row of [0, 1]) read(1, row)
  assert.deepEqual(asked, ['1/0', '1/1'])
})

test('evicting rows frees space for other rows', () => {
  const { cache, read, asked } = cacheOf(6_000)
  read(2, 0)
  for (let gone = 10; gone < 100; gone++) {
    read(gone, 0)
    cache.forgetAllBut(new Set([2]))
  }
  asked.length = 0
  read(2, 0)
  assert.deepEqual(asked, [])
})
