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

/** Factories with which a test creates its worlds. */
export interface Over {
  /** Creates a world of six moons in a store of the tested kind, and a function that sends requests to it. */
  sol(options?: Partial<WorldOptions>): ReturnType<typeof worldOver>
  /** Creates an empty store of that kind. */
  createStorage: typeof createMemoryStore
  /** True if that kind of store answers with promises. */
  readonly waits: boolean
}

/** Registers a test twice: over a synchronous store, and over the same store behind promises. */
export function overStores(name: string, run: (over: Over) => Promise<void>): void {
  for (const waits of [false, true]) {
    const createStorage: Over['createStorage'] = (options) => {
      const storage = createMemoryStore({ search: memorySearch, ...options })
      return waits ? behindPromises(storage) : storage
    }
    const sol: Over['sol'] = (options) => worldOver(createStorage, options)
    test(waits ? `${name}, over promises` : name, () => run({ sol, createStorage, waits }))
  }
}

/** Wraps a store so that every method, nested ones too, runs through `call`, which also gets the method's name. */
export function eachCall(storage: Store, call: (answer: () => unknown, name: string) => unknown): Store {
  const wrapped = (methods: object, prefix = ''): object =>
    Object.fromEntries(
      Object.entries(methods).map(([name, method]) => [
        name,
        typeof method === 'function'
          ? (...values: unknown[]) => call(() => method.call(methods, ...values), prefix + name)
          : wrapped(method, `${name}.`),
      ]),
    )
  return wrapped(storage) as Store
}

async function worldOver(
  createStorage: typeof createMemoryStore,
  options: Partial<WorldOptions> = { publicUrl: ORIGIN },
) {
  const storage = createStorage({ now: () => new Date('2026-03-01T09:00:00Z') })
  const moons = ['callisto', 'europa', 'ganymede', 'io', 'a/b c', '火'].map((id) => ({
    put: { type: 'sol:moon', id, title: id.toUpperCase(), attributes: { massKg: 4.8e22 } },
  }))
  await storage.write(moons)
  const handler = createWorld({ ...DESCRIPTION, store: storage, codings: nodeCodings, ...options })
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
  return { send, storage, handler }
}

/** Yields a body in one piece. */
export async function* pieces(body: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(body)
}

/** Request header that every action needs. */
export const JSON_TYPE = { 'content-type': 'application/json' }
