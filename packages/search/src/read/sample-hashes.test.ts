import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMemorySegments } from '../memory-segments.ts'
import { IndexWriter } from '../write/index-writer.ts'
import { IndexReader } from './index-reader.ts'

const COUNT = 20_000

function sampled(ids: readonly string[]): string[] {
  const store = createMemorySegments()
  const document = (id: string) => ({ type: 't:a', id, title: '', aliases: [], summary: '', text: '' })
  new IndexWriter(store).change([], ids.map(document))
  const reader = new IndexReader(store)
  reader.refresh()
  const sort = [{ by: 'sample' }] as const
  return reader.search({ sort, limit: ids.length, budgetMs: 60_000 }).hits.map(({ key }) => key.id)
}

test('the first documents are an even sample of sequential ids', () => {
  for (const idOf of [(at: number) => `m${at}`, (at: number) => String(at).padStart(12, '0')]) {
    const order = sampled(Array.from({ length: COUNT }, (_, at) => idOf(at)))
    assert.equal(new Set(order).size, COUNT)
    const first = order.slice(0, COUNT / 10).map((id) => Number(id.replace('m', '')))
    // Chi-squared over the last digit, and over tenths of the range: 9 degrees of freedom, p < 0.0001 above 33.7.
    for (const cell of [(at: number) => at % 10, (at: number) => Math.floor(at / (COUNT / 10))]) {
      const counts = new Array<number>(10).fill(0)
      for (const at of first) counts[cell(at)] = (counts[cell(at)] ?? 0) + 1
      const chi = counts.reduce((sum, count) => sum + (count - COUNT / 100) ** 2 / (COUNT / 100), 0)
      assert.ok(chi < 33.7, `${chi}: ${counts}`)
    }
  }
})

test('the order is that of fixed hashes, whatever other documents there are', () => {
  const ids = ['io', 'europa', 'ganymede', 'callisto', 'é', '\u{1f30d}']
  const order = sampled(ids)
  assert.deepEqual(order, ['ganymede', 'callisto', 'é', '🌍', 'io', 'europa'])
  const among = sampled([...ids, ...Array.from({ length: 3000 }, (_, at) => `m${at}`)])
  assert.deepEqual(
    among.filter((id) => ids.includes(id)),
    order,
  )
})
