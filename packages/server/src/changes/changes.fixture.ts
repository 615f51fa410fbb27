import { test } from 'node:test'
import { createWorld } from '../handler/handler.ts'
import type { WorldRequest } from '../handler/http.ts'
import type { WorldOptions } from '../handler/options.ts'
import { behindPromises } from '../storage/behind-promises.fixture.ts'
import type { Storage } from '../storage/contract.ts'
import { createMemoryStorage, type MemoryStorageOptions } from '../storage/memory.ts'
import type { Clock } from './event-streams.ts'
import { createChangesApi } from './routes.ts'

/** Where the changes of the test worlds are. */
export const CHANGES = '/api/world/v0/changes'
/** The id of the test worlds. */
export const WORLD_ID = 'urn:example:sol'

/** What a test is given to make its worlds of. */
export interface Worlds {
  /** A world with changes, over an empty store of the kind that is tested, and ways to send it requests. */
  world(
    options?: WorldOptions & { clock?: Clock },
    storage?: MemoryStorageOptions,
  ): ReturnType<typeof worldOver>
}

/** Registers a test twice: over a store that answers at once, and over the same one behind promises. */
export function overStores(name: string, run: (worlds: Worlds) => Promise<void>): void {
  for (const waits of [false, true]) {
    const world: Worlds['world'] = (options, storage) => {
      const memory = createMemoryStorage(storage)
      return worldOver(waits ? behindPromises(memory) : memory, options)
    }
    test(waits ? `${name}, over promises` : name, () => run({ world }))
  }
}

/** A world with changes over a store, and ways to send it requests. */
export function worldOver(storage: Storage, options: WorldOptions & { clock?: Clock } = {}) {
  const description = { id: WORLD_ID, types: [{ type: 'sol:moon' }, { type: 'sol:planet' }] }
  const changes = createChangesApi(description, storage, options)
  const handler = createWorld(description, storage, {
    publicUrl: 'https://sol.example',
    routes: changes.routes,
    extensions: changes.extensions,
    ...options,
  })
  const send = async (target: string, headers: Record<string, string> = {}, method = 'GET') => {
    const response = await handler.handle({ method, target, headers })
    const text = response.body === undefined ? '' : Buffer.from(response.body as Uint8Array).toString()
    return { ...response, text, json: () => JSON.parse(text) }
  }
  /** The body of the changes that a query asks for. */
  const asked = async (query = '') => (await send(`${CHANGES}?${query}`)).json()
  /** The pieces of the answer in a form that is written while it is read. */
  const opened = async (
    target: string,
    headers: Record<string, string>,
    further: Partial<WorldRequest> = {},
  ) => {
    const response = await handler.handle({ method: 'GET', target, headers, ...further })
    return { ...response, pieces: response.body as AsyncIterable<Uint8Array | string> }
  }
  const put = (type: string, ...ids: string[]) =>
    storage.write(ids.map((id) => ({ put: { type: `sol:${type}`, id, attributes: {} } })))
  const remove = (type: string, id: string) => storage.write([{ delete: { type: `sol:${type}`, id } }])
  return { storage, handler, send, opened, asked, put, remove }
}
