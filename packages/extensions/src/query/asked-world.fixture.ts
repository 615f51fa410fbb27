/** Small world of planets and moons for query tests, called without a server. */
import type { FieldFault, JsonObject, JsonValue } from '@worldwright/client/protocol'
import { createWorld } from '../../../core/src/handler/handler.ts'
import { pieces } from '../../../core/src/handler/world.fixture.ts'
import { createMemoryStore } from '../../../core/src/store/memory.ts'
import { memorySearch } from '../../../search/src/entities/memory-search.ts'
import { query } from './index.ts'

const REFERENCE = {
  type: 'object',
  properties: { type: { const: 'sol:planet' }, id: { type: 'string' } },
}

const TYPES = [
  {
    type: 'sol:moon',
    schema: {
      type: 'object',
      properties: {
        mass: { type: 'number' },
        year: { type: 'integer' },
        orbits: REFERENCE,
        tags: { type: 'array', items: { type: 'string' } },
        seen: { type: 'string', format: 'date-time' },
      },
    },
  },
  {
    type: 'sol:planet',
    schema: { type: 'object', properties: { mass: { type: 'number' }, rings: { type: 'boolean' } } },
  },
]

const MOONS: readonly (readonly [id: string, planet: string, mass: number | undefined, year: number])[] = [
  ['callisto', 'jupiter', 0.018, 1610],
  ['europa', 'jupiter', 0.008, 1610],
  ['io', 'jupiter', 0.015, 1610],
  ['mimas', 'saturn', 0.00001, 1789],
  ['titan', 'saturn', 0.0225, 1655],
  ['triton', 'neptune', 0.00359, 1846],
  ['vulcan', 'nibiru', undefined, 1859],
]

/** Creates the world. `ask` calls the action and returns the status with the output or the error body. */
export async function askedWorld() {
  const store = createMemoryStore({ search: memorySearch })
  const planets = ['jupiter', 'saturn', 'neptune'].map((id, index) => ({
    put: {
      type: 'sol:planet',
      id,
      title: id.toUpperCase(),
      attributes: { mass: 300 / (index + 1), rings: id === 'saturn' },
    },
  }))
  const moons = MOONS.map(([id, planet, mass, year]) => ({
    put: {
      type: 'sol:moon',
      id,
      title: `Moon ${id}`,
      summary: 'A moon.',
      attributes: {
        ...(mass !== undefined && { mass }),
        year,
        orbits: { type: 'sol:planet', id: planet },
        tags: [planet, 'moon'],
        seen: `${year}-01-07T12:00:00Z`,
      },
    },
  }))
  await store.write([...planets, ...moons])
  const failures: unknown[] = []
  const handler = createWorld({
    id: 'urn:x:sol',
    types: TYPES,
    store,
    extensions: [query()],
    publicUrl: 'https://sol.example',
  })
  const send = async (method: string, target: string, body?: JsonValue | Buffer) => {
    const response = await handler.handle({
      method,
      target,
      headers: { 'content-type': 'application/json' },
      ...(body !== undefined && {
        body: pieces(Buffer.isBuffer(body) ? body.toString() : JSON.stringify(body)),
      }),
    })
    // A failing test should show the cause, which the response hides from clients.
    if (response.status === 500) throw failures.at(-1)
    const json = JSON.parse(Buffer.from(response.body as Uint8Array).toString())
    return { status: response.status, json }
  }
  const ask = async (input: JsonObject): Promise<{ status: number; output: Answer }> => {
    const { status, json } = await send('POST', '/api/world/v0/actions/worldwright%3Aquery', { input })
    return { status, output: status === 200 ? json.output : json }
  }
  return { store, handler, send, ask }
}

/** Output of the action, or body of an error response. */
export interface Answer {
  readonly entities: readonly { type: string; id: string; attributes: JsonObject }[]
  readonly included: readonly { type: string; id: string }[]
  readonly facets: readonly JsonObject[]
  readonly nextCursor?: string
  readonly code?: string
  readonly details: { readonly fields: readonly FieldFault[]; readonly reason?: string }
  readonly [member: string]: unknown
}
