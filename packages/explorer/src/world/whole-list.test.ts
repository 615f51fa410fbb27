import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MOST_TAKEN, readWhole } from './whole-list.ts'

/** Yields a list of `total` entities in pages of 1,000. */
async function* pages(total: number) {
  for (let from = 0; from < total; from += 1_000) {
    const ids = Array.from({ length: Math.min(1_000, total - from) }, (_, index) => String(from + index))
    yield { entities: ids.map((id) => ({ type: 'a:b', id, attributes: {} })), limit: 1_000, total }
  }
}

test('a list is read to its end, and progress is reported', async () => {
  const told: number[] = []
  const { entities, isCut } = await readWhole(pages(2_500), (count) => told.push(count))
  assert.deepEqual(
    [entities.length, entities.at(-1)?.id, isCut, told],
    [2_500, '2499', false, [1_000, 2_000, 2_500]],
  )
})

test('only a list that exceeds the maximum is reported as cut', async () => {
  assert.equal((await readWhole(pages(MOST_TAKEN), () => {})).isCut, false)
  const { entities, isCut } = await readWhole(pages(MOST_TAKEN + 1), () => {})
  assert.deepEqual([entities.length, isCut], [MOST_TAKEN, true])
})
