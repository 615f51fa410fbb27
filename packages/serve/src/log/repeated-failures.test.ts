import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Failure, RepeatedFailures } from './repeated-failures.ts'

function repeated() {
  const reported: [event: string, count: number, requestId: string | undefined][] = []
  let waiting: (() => void)[] = []
  const failures = new RepeatedFailures(
    ({ event, count, requestId }) => reported.push([event, count, requestId]),
    (run) => waiting.push(run),
  )
  const note = (event: string, requestId: string, more: Partial<Failure> = {}) =>
    failures.note({ event, requestId, text: event, error: 'Error: same', count: 1, ...more })
  const secondPasses = () => {
    const due = waiting
    waiting = []
    for (const run of due) run()
  }
  return { reported, note, secondPasses }
}

test('the first failure of a kind is reported immediately, and later ones once a second', () => {
  const { reported, note, secondPasses } = repeated()
  for (const id of ['a', 'b', 'c']) note('internal_error', id)
  assert.deepEqual(reported, [['internal_error', 1, 'a']])
  secondPasses()
  assert.deepEqual(reported.slice(1), [['internal_error', 2, 'c']])
  note('internal_error', 'd')
  assert.equal(reported.length, 2)
  secondPasses()
  assert.deepEqual(reported.slice(2), [['internal_error', 1, 'd']])
  secondPasses()
  note('internal_error', 'e')
  assert.deepEqual(reported.slice(3), [['internal_error', 1, 'e']])
})

test('failures are grouped by event and reason, and counts from other processes are added', () => {
  const { reported, note, secondPasses } = repeated()
  note('internal_error', 'a')
  note('unavailable', 'b')
  note('internal_error', 'c', { error: 'Error: other\n  at x' })
  note('unavailable', 'd', { count: 40 })
  note('unavailable', 'e')
  assert.deepEqual(
    reported.map(([, , id]) => id),
    ['a', 'b', 'c'],
  )
  secondPasses()
  assert.deepEqual(reported.slice(3), [['unavailable', 41, 'e']])
})

test('failures beyond a hundred kinds are counted as one kind', () => {
  const { reported, note } = repeated()
  for (let count = 0; count < 1_000; count += 1) note('internal_error', 'a', { error: `Error: ${count}` })
  assert.equal(reported.length, 101)
})
