/** World with reconciliation services, and clients for them. */
import type { EntityTypeDescription } from '@worldwright/client/protocol'
import { toFetch } from '../../../core/src/adapters/fetch.ts'
import { createWorld } from '../../../core/src/handler/handler.ts'
import type { Store } from '../../../core/src/store/contract.ts'
import { createMemoryStore } from '../../../core/src/store/memory.ts'
import { memorySearch } from '../../../search/src/entities/memory-search.ts'
import { reconcile } from './reconcile.ts'

/** Origin of the tested world. */
export const ORIGIN = 'https://sol.example'

const REFERENCE = { type: 'object', properties: { type: { type: 'string' }, id: { type: 'string' } } }

const TYPES: readonly EntityTypeDescription[] = [
  {
    type: 'sol:moon',
    title: 'Moon',
    schema: {
      type: 'object',
      properties: {
        radiusKm: { type: 'number', title: 'Mean radius' },
        craters: { type: 'integer' },
        icy: { type: 'boolean' },
        discovered: { type: 'string', format: 'date' },
        code: { type: 'string' },
        aliases: { type: 'array', items: { type: 'string' } },
        orbits: REFERENCE,
        near: { type: 'array', items: REFERENCE },
        orbit: { type: 'object', properties: { days: { type: 'number' } } },
      },
    },
  },
  { type: 'sol:planet', schema: { type: 'object', properties: { rings: { type: 'boolean' } } } },
]

const SATURN = { type: 'sol:planet', id: 'saturn' }
const MARS = { type: 'sol:planet', id: 'mars' }

const ENTITIES = [
  { type: 'sol:planet', id: 'saturn', title: 'Saturn <b>', attributes: { rings: true } },
  { type: 'sol:planet', id: 'mars', title: 'Mars', attributes: { rings: false } },
  {
    type: 'sol:moon',
    id: 'titan',
    title: 'Titan',
    summary: 'The largest <moon> of Saturn.',
    attributes: {
      radiusKm: 2574.7,
      craters: 60,
      icy: true,
      discovered: '1655-03-25',
      code: 'S-VI-1655',
      aliases: ['Saturn VI'],
      orbits: SATURN,
      near: [
        { type: 'sol:moon', id: 'rhea' },
        { type: 'sol:moon', id: 'lost' },
      ],
      orbit: { days: 15.9 },
    },
  },
  { type: 'sol:moon', id: 'rhea', title: 'Rhea', attributes: { orbits: SATURN, icy: true } },
  { type: 'sol:moon', id: 'phobos', title: 'Phobos', attributes: { orbits: MARS, discovered: '1877-08-18' } },
  {
    type: 'sol:moon',
    id: 'phobos-2',
    title: 'Phobos',
    attributes: { orbits: SATURN, discovered: '1999-01-01' },
  },
  { type: 'sol:moon', id: '1655', title: 'Nameless', attributes: {} },
  { type: 'sol:moon', id: 'hyperion', title: 'Hyperion HY-7000', attributes: { code: 'HY7000' } },
  { type: 'sol:moon', id: 'austen', title: 'Jane Austen', attributes: {} },
]

/** Serves the given entities and types, by default those of the test world. `wrap` may replace the store. */
export async function services({
  entities = ENTITIES,
  wrap = (store) => store,
  view = '/t/',
  types = TYPES,
  apiUrl,
}: {
  readonly entities?: readonly { type: string; id: string; title?: string; attributes: object }[]
  readonly wrap?: (store: Store) => Store
  readonly view?: string
  readonly types?: readonly EntityTypeDescription[]
  readonly apiUrl?: string
} = {}) {
  const memory = createMemoryStore({ search: memorySearch })
  await memory.write(
    entities.map((put) => ({ put: put as (typeof ENTITIES)[number] })) as Parameters<Store['write']>[0],
  )
  const store = wrap(memory)
  const handler = createWorld({
    id: 'urn:x:sol',
    name: 'Sol',
    types,
    apiUrl,
    store,
    publicUrl: ORIGIN,
    extensions: [reconcile(view === 'api' ? {} : { view })],
  })
  const fetch = toFetch(handler)
  const get = (path: string) => fetch(new Request(`${ORIGIN}/reconcile/${path}`))
  const post = (path: string, form: Readonly<Record<string, unknown>>) => {
    const text = Object.entries(form).map(([name, value]) => [
      name,
      typeof value === 'string' ? value : JSON.stringify(value),
    ])
    return fetch(
      new Request(`${ORIGIN}/reconcile/${path}`, {
        method: 'POST',
        body: new URLSearchParams(Object.fromEntries(text)),
      }),
    )
  }
  return { fetch, get, post }
}
