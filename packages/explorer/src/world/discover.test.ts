import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type DiscoverInput, WorldError } from '@worldwright/client'
import { discover, discoverPages } from './discover.ts'

const OUTPUT = { entities: [] }
const { signal } = new AbortController()

/** Creates a world that records inputs. It rejects an input with the status that `refuses` returns for it, if any. */
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

test('a search is retried without a limit if the world rejects the limit', async () => {
  const { asked, world } = worldThat(({ limit }) => (limit === undefined ? undefined : 422))
  assert.equal(await discover(world, { text: 'io', limit: 20 }, signal), OUTPUT)
  assert.deepEqual(asked, [{ text: 'io', limit: 20 }, { text: 'io' }])
})

test('other failures, and rejections of a search without a limit, are not retried', async () => {
  for (const [status, input] of [
    [503, { limit: 20 }],
    [400, { text: 'io' }],
  ] as const) {
    const { asked, world } = worldThat(() => status)
    await assert.rejects(discover(world, input, signal), { status })
    assert.equal(asked.length, 1)
  }
})

test('search results are read by cursor up to the limit', async () => {
  const hits = Array.from({ length: 250 }, (_, at) => ({ type: 'f:thing', id: `n${at}`, attributes: {} }))
  const asked: DiscoverInput[] = []
  const world = {
    async discover(input: DiscoverInput) {
      asked.push(input)
      const from = Number(input.cursor ?? 0)
      const to = from + Math.min(input.limit ?? 20, 100)
      return { entities: hits.slice(from, to), total: 250, ...(to < 250 && { nextCursor: String(to) }) }
    },
  } as unknown as Parameters<typeof discover>[0]
  const some = await discoverPages(world, { text: 'io', limit: 120 }, signal)
  assert.deepEqual([some.entities.length, some.nextCursor], [120, '120'])
  assert.deepEqual(asked.splice(0), [
    { text: 'io', limit: 100 },
    { text: 'io', cursor: '100', limit: 20 },
  ])
  const all = await discoverPages(world, { limit: 1_000 }, signal)
  assert.deepEqual([all.entities.map(({ id }) => id), all.nextCursor], [hits.map(({ id }) => id), undefined])
  assert.equal(asked.length, 3)
})
