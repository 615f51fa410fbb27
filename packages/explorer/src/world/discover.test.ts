import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type DiscoverInput, WorldError } from '@worldwright/client'
import { discover } from './discover.ts'

const OUTPUT = { entities: [] }
const { signal } = new AbortController()

/** A world that refuses what `refuses` says, and remembers what it was asked. */
function worldThat(refuses: (input: DiscoverInput) => number | undefined) {
  const asked: DiscoverInput[] = []
  const world = {
    async discover(input: DiscoverInput = {}) {
      asked.push(input)
      const status = refuses(input)
      if (status !== undefined) throw new WorldError('refused', undefined, { status })
      return OUTPUT
    },
  }
  return { asked, world: world as unknown as Parameters<typeof discover>[0] }
}

test('a world that refuses the limit is asked again without one', async () => {
  const { asked, world } = worldThat(({ limit }) => (limit === undefined ? undefined : 422))
  assert.equal(await discover(world, { text: 'io', limit: 20 }, signal), OUTPUT)
  assert.deepEqual(asked, [{ text: 'io', limit: 20 }, { text: 'io' }])
})

test('another failure, and a refusal without a limit, stand', async () => {
  for (const [status, input] of [
    [503, { limit: 20 }],
    [400, { text: 'io' }],
  ] as const) {
    const { asked, world } = worldThat(() => status)
    await assert.rejects(discover(world, input, signal), { status })
    assert.equal(asked.length, 1)
  }
})
