import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Segment } from '../read/segment.ts'
import { segmentsToMerge } from './merge-policy.ts'

const segment = (documents: number, deletedCount = 0) => ({ head: { documents }, deletedCount }) as Segment

test('four segments of a size class are merged, but none of a million documents, except to drop deleted ones', () => {
  const smaller = Array.from({ length: 4 }, () => segment(1_000_000))
  const large = Array.from({ length: 4 }, () => segment(1_048_576))
  assert.deepEqual(segmentsToMerge(large), [])
  assert.deepEqual(segmentsToMerge([...large, ...smaller]), smaller)
  const decayed = segment(2_000_000, 700_000)
  assert.deepEqual(segmentsToMerge([...large, decayed]), [decayed])
})
