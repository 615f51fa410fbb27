import { test } from 'node:test'
import { nodeCodings } from '../../../node/src/node-codings.ts'
import { memorySearch } from '../../../search/src/entities/memory-search.ts'
import { behindPromises } from '../store/behind-promises.fixture.ts'
import type { Store } from '../store/contract.ts'
import { createMemoryStore } from '../store/memory.ts'
import { createWorld } from './handler.ts'
import type { WorldRequest } from './http.ts'
import type { WorldOptions } from './options.ts'

/** World description shared by the tests. */
export const DESCRIPTION = {
  id: 'urn:uuid:6f0c2a3e-0000-4000-8000-000000000001',
  name: 'Sol',
  types: [
    { type: 'sol:planet', title: 'Planet' },
    { type: 'sol:moon', title: 'Moon' },
  ],
}
/** Path of the API in the test worlds. */
export const API = '/api/world/v0'
/** Public origin of the test worlds. */
export const ORIGIN = 'https://sol.example'

/** Factories for a test's worlds and stores. */
export interface Over {
  /** Creates a world of six moons in a store of the tested kind, and a function that sends requests to it. */
  sol(options?: Partial<WorldOptions>): ReturnType<typeof worldOver>
  /** Creates an empty store of the tested kind. */
  createStore: typeof createMemoryStore
  /** True if the methods of the tested store return promises. */
  readonly waits: boolean
}

/** Registers a test twice: over a synchronous store, and over the same store behind promises. */
export function overStores(name: string, run: (over: Over) => Promise<void>): void {
  for (const waits of [false, true]) {
    const createStore: Over['createStore'] = (options) => {
      const store = createMemoryStore({ search: memorySearch, ...options })
      return waits ? behindPromises(store) : store
    }
    const sol: Over['sol'] = (options) => worldOver(createStore, options)
    test(waits ? `${name}, over promises` : name, () => run({ sol, createStore, waits }))
  }
}

/** Wraps a store so that every method, nested ones included, runs through `call`, which also gets the method's name. */
export function eachCall(store: Store, call: (answer: () => unknown, name: string) => unknown): Store {
  const wrapped = (methods: object, prefix = ''): object =>
    Object.fromEntries(
      Object.entries(methods).map(([name, method]) => [
        name,
        typeof method === 'function'
          ? (...values: unknown[]) => call(() => method.call(methods, ...values), prefix + name)
          : wrapped(method, `${name}.`),
      ]),
    )
  return wrapped(store) as Store
}

async function worldOver(
  createStore: typeof createMemoryStore,
  options: Partial<WorldOptions> = { publicUrl: ORIGIN },
) {
  const store = createStore({ now: () => new Date('2026-03-01T09:00:00Z') })
  const moons = ['callisto', 'europa', 'ganymede', 'io', 'a/b c', '火'].map((id) => ({
    put: { type: 'sol:moon', id, title: id.toUpperCase(), attributes: { massKg: 4.8e22 } },
  }))
  await store.write(moons)
  const handler = createWorld({ ...DESCRIPTION, store, codings: nodeCodings, ...options })
  const send = async (
    method: string,
    target: string,
    headers: Record<string, string> = {},
    body?: string,
  ) => {
    const request: WorldRequest = {
      method,
      target,
      headers,
      ...(body === undefined ? {} : { body: pieces(body) }),
    }
    const response = await handler.handle(request)
    const bytes = response.body as Uint8Array | undefined
    const text = bytes === undefined ? '' : Buffer.from(bytes).toString()
    return { ...response, text, json: () => JSON.parse(text) }
  }
  return { send, store, handler }
}

/** Yields a request body as a single chunk. */
export async function* pieces(body: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(body)
}

/** Request header that every action call needs. */
export const JSON_TYPE = { 'content-type': 'application/json' }
