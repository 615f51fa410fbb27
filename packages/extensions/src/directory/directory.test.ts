import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toFetch } from '../../../core/src/adapters/fetch.ts'
import { createWorld } from '../../../core/src/handler/handler.ts'
import type { Query } from '../../../core/src/store/contract.ts'
import { createMemoryStore } from '../../../core/src/store/memory.ts'
import { memorySearch } from '../../../search/src/entities/memory-search.ts'
import { directory, WORLD_TYPE } from './directory.ts'

const text = { type: 'string' }
const properties = {
  entryType: text,
  types: { type: 'array', items: text },
  state: text,
  license: text,
  world: text,
}

/** Answer of a search, or the body of an error. */
interface Found {
  readonly results: readonly { displayName: string; score: number }[]
  readonly pageToken?: string
  readonly code?: string
  readonly details: { readonly fields: readonly { readonly pointer: string }[] }
}

async function searched() {
  const memory = createMemoryStore({ search: memorySearch })
  // Enough on the slowest machine, since a search that is cut short finds less.
  const store = { ...memory, find: async (query: Query) => memory.find({ ...query, budgetMs: 60_000 }) }
  const world = (id: string, attributes: object) => ({
    put: {
      type: WORLD_TYPE,
      id,
      title: `World of ${id}`,
      attributes: { origin: `https://${id}`, state: 'passed', entryType: 'application/json', ...attributes },
    },
  })
  await store.write([
    world('birds.example', { types: ['elba:bird'], license: 'CC0-1.0', world: 'urn:x:birds', level: 1 }),
    world('moons.example', {
      types: ['sol:moon'],
      state: 'failed',
      entryType: 'application/mcp-server-card+json',
    }),
    world('[2001:db8::1]:8080', { state: 'incomplete', types: ['a:b', 'sol:moon'] }),
    world('shut.example', { state: 'not judged' }),
  ])
  const types = [{ type: WORLD_TYPE, schema: { type: 'object', properties } }]
  const handler = createWorld({
    id: 'urn:x:all',
    types,
    store,
    publicUrl: 'https://all.example',
    extensions: [directory()],
  })
  const fetched = toFetch(handler)
  return async (body: unknown): Promise<{ status: number; json: Found }> => {
    const headers = { 'content-type': 'application/json' }
    const sent = { method: 'POST', headers, body: JSON.stringify(body) }
    const response = await fetched(new Request('https://all.example/search', sent))
    return { status: response.status, json: (await response.json()) as Found }
  }
}

test('a search finds the judged worlds as entries of a registry', async () => {
  const search = await searched()
  const { json } = await search({ query: { text: 'birds' }, federation: 'none', pageSize: 5, other: 1 })
  assert.deepEqual(json, {
    results: [
      {
        identifier: 'urn:air:birds.example:world',
        displayName: 'World of birds.example',
        type: 'application/json',
        url: 'https://birds.example/.well-known/world.json',
        tags: ['elba:bird'],
        metadata: { world: 'urn:x:birds', license: 'CC0-1.0', level: 1 },
        score: 100,
        source: 'https://all.example/',
      },
    ],
  })
  const all = (await search({ query: { text: 'world' } })).json.results
  assert.deepEqual(
    all.map(({ displayName, score }) => [displayName, score]),
    [
      ['World of birds.example', 100],
      ['World of moons.example', 98],
      ['World of [2001:db8::1]:8080', 97],
    ],
  )
  for (const entry of all)
    assert.match(
      (entry as unknown as { identifier: string }).identifier,
      /^urn:air:[a-zA-Z0-9.-]+(:[a-zA-Z0-9._-]+)+$/,
    )
  const { type, url } = all[1] as unknown as { type: string; url: string }
  assert.deepEqual([type, url], ['application/mcp-server-card+json', 'https://moons.example/mcp/server-card'])
})

test('a search is read page by page, and filtered by fields of the entries', async () => {
  const search = await searched()
  const query = { text: 'world' }
  const first = (await search({ query, pageSize: 2 })).json
  const second = (await search({ query, pageSize: 2, pageToken: first.pageToken })).json
  assert.deepEqual([first.results.length, second.results.length, second.pageToken], [2, 1, undefined])
  const count = async (filter: object) => (await search({ query: { ...query, filter } })).json.results.length
  assert.deepEqual(
    [
      await count({ tags: ['sol:moon', 'x:y'] }),
      await count({ tags: 'elba:bird', 'metadata.license': ['CC0-1.0', 'MIT'] }),
      await count({ tags: ['sol:moon'], 'metadata.license': 'CC0-1.0' }),
      await count({ 'metadata.world': 'urn:x:birds' }),
      await count({ type: ['application/mcp-server-card+json', 'application/a2a-agent-card+json'] }),
    ],
    [2, 1, 0, 1, 1],
  )
})

const REFUSED: readonly (readonly [body: unknown, pointer: string | undefined])[] = [
  [7, '/query/text'],
  [{ query: {} }, '/query/text'],
  [{ query: { text: 5 } }, '/input/text'],
  [{ query: { text: 'x'.repeat(513) } }, '/input/text'],
  [{ query: { text: 'x', filter: { publisher: 'x' } } }, '/query/filter/publisher'],
  [{ query: { text: 'x', filter: { constructor: 'x' } } }, '/query/filter/constructor'],
  [{ query: { text: 'x', filter: [] } }, '/query/filter/'],
  [{ query: { text: 'x', filter: { tags: [] } } }, '/input/where/args/1/args/1'],
  [{ query: { text: 'x' }, pageSize: -1 }, '/input/limit'],
  [{ query: { text: 'x' }, pageSize: 'many' }, '/input/limit'],
  [{ query: { text: 'x' }, pageToken: 'x' }, undefined],
]

for (const [body, pointer] of REFUSED)
  test(`a search refuses ${JSON.stringify(body).slice(0, 60)}`, async () => {
    const { status, json } = await (await searched())(body)
    assert.equal(status, 400)
    assert.deepEqual(
      [json.code, json.details.fields?.[0]?.pointer],
      [pointer ? 'invalid_input' : 'invalid_cursor', pointer],
    )
  })
