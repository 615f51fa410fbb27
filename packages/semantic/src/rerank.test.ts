import assert from 'node:assert/strict'
import { test } from 'node:test'
import { reranked } from './rerank.ts'

test('hits are ordered by their combined ranks', () => {
  const hits = ['first', 'second', 'third', 'fourth']
  assert.deepEqual(reranked(hits, [0.9, 0.8, 0.7, 0.6]), hits)
  // Text rank and meaning rank, from 0: first 0 and 1, second 1 and 2, third 2 and 3, fourth 3 and 0.
  assert.deepEqual(reranked(hits, [0.2, 0.1, -0.5, 0.9]), ['first', 'fourth', 'second', 'third'])
})

test('a hit without a similarity keeps its rank', () => {
  const hits = ['a', 'known', 'b', 'nearer', 'nearest']
  const order = reranked(hits, [undefined, 0.1, undefined, 0.5, 0.9])
  assert.deepEqual([order[0], order[2]], ['a', 'b'])
  assert.deepEqual(new Set(order), new Set(hits))
  assert.deepEqual(reranked(hits, []), hits)
})
