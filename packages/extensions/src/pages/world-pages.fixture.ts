/** Small world with pages, and helpers to read them in tests. */
import type { Entity, EntityTypeDescription } from '@worldwright/client/protocol'
import { toFetch } from '../../../core/src/adapters/fetch.ts'
import { createWorld } from '../../../core/src/handler/handler.ts'
import { createMemoryStore } from '../../../core/src/store/memory.ts'
import type { WorldDescription } from '../../../core/src/world/world.ts'
import { memorySearch } from '../../../search/src/entities/memory-search.ts'
import { type PagesOptions, pages } from './index.ts'

const PLANET: EntityTypeDescription = {
  type: 'sol:planet',
  title: 'Planets',
  schema: {
    'x-schema-org': 'Place',
    properties: {
      radius: { title: 'Radius in km' },
      picture: { 'x-display': 'picture' },
      site: { 'x-schema-org': 'sameAs' },
      star: { 'x-schema-org': 'containedInPlace' },
    },
  },
}

/** Returns a world of planets and stars, with functions that request its pages and write its entities, at the time `now`. */
export async function world(
  entities: readonly Partial<Entity>[],
  options: Partial<PagesOptions> = {},
  words: Partial<WorldDescription> = {},
  now = () => new Date(),
) {
  const store = createMemoryStore({ search: memorySearch, now })
  const put = async (...written: readonly Partial<Entity>[]) => {
    await store.write(
      written.map((entity) => ({ put: { type: 'sol:planet', id: 'x', attributes: {}, ...entity } })),
    )
  }
  await put(...entities)
  const description = {
    id: 'urn:example:sol',
    name: 'Sol & Co',
    license: 'CC-BY-4.0',
    attribution: 'Sol observatory',
    types: async () => [PLANET, { type: 'sol:star', title: 'Stars' }],
    ...words,
  }
  const taken = { path: '/download/world.ndjson', mediaType: 'application/x-ndjson', name: 'NDJSON' }
  const handler = createWorld({
    ...description,
    store,
    publicUrl: 'https://sol.example',
    extensions: [pages({ downloads: () => [taken], ...options })],
  })
  const fetched = toFetch(handler)
  const get = (path: string, headers = {}) => fetched(new Request(`https://sol.example${path}`, { headers }))
  const page = async (path: string) => (await get(path)).text()
  return { get, page, put, store }
}

/** Returns the linked data of a page. */
export function dataIn(page: string) {
  const [, text = ''] = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(page) ?? []
  return JSON.parse(text)
}
