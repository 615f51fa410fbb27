import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMemorySegments } from '../memory-segments.ts'
import { IndexWriter } from '../write/index-writer.ts'
import { Deadline } from './deadline.ts'
import { IndexReader } from './index-reader.ts'
import { slowClock } from './slow-clock.fixture.ts'

test('work is cut short after its share of the time, and the remaining time stays available', (t) => {
  slowClock(t)
  const deadline = new Deadline(100)
  let looks = 0
  const isCut = deadline.within(1 / 2, () => {
    while (!deadline.check()) looks += 1
  })
  assert.ok(isCut && looks > 40 && looks < 60, `${looks}`)
  assert.deepEqual([deadline.passed, deadline.leftOut], [false, true])
  while (!deadline.check()) looks += 1
  assert.ok(looks > 80, `${looks}`)
})

test('time in which the thread does not work is not counted', (t) => {
  t.mock.method(process, 'threadCpuUsage', () => ({ user: 0, system: 0 }))
  const deadline = new Deadline(1)
  for (const begun = performance.now(); performance.now() < begun + 20; )
    assert.equal(deadline.check(), false)
})

test('work that ends in time is not reported as cut short', () => {
  const deadline = new Deadline(60_000)
  assert.equal(
    deadline.within(1 / 2, () => {}),
    false,
  )
  assert.equal(deadline.leftOut, false)
})

test('slow guesses leave time to search for the known words', (t) => {
  const letters = 'abcdefghij'
  const digits = (at: number) => [...String(at).padStart(4, '0')].map((digit) => letters[Number(digit)])
  const words = Array.from({ length: 10_000 }, (_, at) => `b${digits(at).join('')}bb`)
  const documents = Array.from({ length: 100 }, (_, at) => ({
    ...{ type: 't:film', id: String(at), aliases: [], summary: '' },
    title: at < 3 ? 'Alpha' : 'Other',
    text: words.slice(100 * at, 100 * at + 100).join(' '),
  }))
  const store = createMemorySegments()
  new IndexWriter(store).change([], documents)
  const reader = new IndexReader(store)
  const question = { text: 'alpha beeeeeb', limit: 9 }
  assert.equal(reader.search({ ...question, budgetMs: 60_000 }).partial, false)
  slowClock(t)
  const found = reader.search({ ...question, budgetMs: 18 })
  assert.deepEqual([found.hits.length, found.totalIsLowerBound, found.partial], [3, true, true])
})
