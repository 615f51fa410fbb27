/** Tests `titleOf` against an in-memory world: `node --test title-of.test.ts`. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { connect } from '@worldwright/client'
import { memoryWorld } from '@worldwright/client/testing'
import { titleOf } from './title-of.ts'

const europa = { type: 'sol:moon', id: 'europa', title: 'Europa', attributes: {} }

async function connected() {
  const memory = memoryWorld({ entities: [europa] })
  return { memory, world: await connect(memory.origin, { fetch: memory.fetch, retries: 0 }) }
}

test('returns the title of a moon', async () => {
  const { world } = await connected()
  assert.equal(await titleOf(world, 'europa'), 'Europa')
})

test('returns the id if the moon is missing or the world fails', async () => {
  const { memory, world } = await connected()
  assert.equal(await titleOf(world, 'io'), 'io')
  for (const kind of ['rate_limited', 'unavailable', 'bad_json', 'network'] as const) {
    memory.fail({ kind })
    assert.equal(await titleOf(world, 'europa'), 'europa', kind)
  }
})
