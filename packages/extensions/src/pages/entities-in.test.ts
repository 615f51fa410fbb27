import assert from 'node:assert/strict'
import { test } from 'node:test'
import { entitiesIn } from './entities-in.ts'

test('other work runs between large entities, whose numbers are exact', async () => {
  const json = JSON.stringify({ id: 'a', attributes: { text: 'x'.repeat(70_000) } })
  const exact = '{"id":"b","attributes":{"n":12345678901234567890}}'
  let turns = 0
  const next = () => {
    turns += 1
    waiting = setImmediate(next)
  }
  let waiting = setImmediate(next)
  const entities = await entitiesIn([{ json }, { json }, { json }, { json: exact }])
  clearImmediate(waiting)
  assert.ok(turns >= 2, `${turns}`)
  assert.deepEqual(
    entities.map(({ id }) => id),
    ['a', 'a', 'a', 'b'],
  )
  assert.equal(String(entities[3]?.attributes['n']), '12345678901234567890')
})
