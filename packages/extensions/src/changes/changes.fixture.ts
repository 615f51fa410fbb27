import { test } from 'node:test'
import type { Capability } from '../../../core/src/handler/extension.ts'
import { createWorld } from '../../../core/src/handler/handler.ts'
import type { WorldRequest } from '../../../core/src/handler/http.ts'
import type { WorldOptions } from '../../../core/src/handler/options.ts'
import { behindPromises } from '../../../core/src/store/behind-promises.fixture.ts'
import type { Store } from '../../../core/src/store/contract.ts'
import { createMemoryStore, type MemoryStoreOptions } from '../../../core/src/store/memory.ts'
import { nodeCodings } from '../../../node/src/node-codings.ts'
import { type ChangesOptions, changes } from './routes.ts'

/** Path of the changes in the test worlds. */
export const CHANGES = '/api/world/v0/changes'
/** Id of the test worlds. */
export const WORLD_ID = 'urn:example:sol'

/** Options for a world with a change log. `admit` decides which requests may read. */
export type ChangingOptions = Partial<WorldOptions> & ChangesOptions & Pick<Capability, 'admit'>

/** Creates worlds for a test. */
export interface Worlds {
  /** Returns a world with a change log over an empty store of the tested kind, and functions that send it requests. */
  world(options?: ChangingOptions, store?: MemoryStoreOptions): ReturnType<typeof worldOver>
}

/** Registers a test twice: with a synchronous store, and with an asynchronous wrapper around it. */
export function overStores(name: string, run: (worlds: Worlds) => Promise<void>): void {
  for (const waits of [false, true]) {
    const world: Worlds['world'] = (options, store) => {
      const memory = createMemoryStore(store)
      return worldOver(waits ? behindPromises(memory) : memory, options)
    }
    test(waits ? `${name}, over promises` : name, () => run({ world }))
  }
}

/** Returns a world with a change log over `store`, and functions that send it requests. */
export function worldOver(
  store: Store,
  { admit, clock, maxStreams, enterStream, ...options }: ChangingOptions = {},
) {
  const handler = createWorld({
    id: WORLD_ID,
    types: [{ type: 'sol:moon' }, { type: 'sol:planet' }],
    store,
    publicUrl: 'https://sol.example',
    codings: nodeCodings,
    extensions: [
      changes({
        ...(clock && { clock }),
        ...(maxStreams && { maxStreams }),
        ...(enterStream && { enterStream }),
      }),
      () => ({ name: 'sol:guard', ...(admit && { admit }) }),
    ],
    ...options,
  })
  const send = async (target: string, headers: Record<string, string> = {}, method = 'GET') => {
    const response = await handler.handle({ method, target, headers })
    const text = response.body === undefined ? '' : Buffer.from(response.body as Uint8Array).toString()
    return { ...response, text, json: () => JSON.parse(text) }
  }
  /** Returns the parsed response to a request for changes. */
  const asked = async (query = '') => (await send(`${CHANGES}?${query}`)).json()
  /** Opens a streamed response, with its chunks as `pieces`. */
  const opened = async (
    target: string,
    headers: Record<string, string>,
    further: Partial<WorldRequest> = {},
  ) => {
    const response = await handler.handle({ method: 'GET', target, headers, ...further })
    return { ...response, pieces: response.body as AsyncIterable<Uint8Array | string> }
  }
  const put = (type: string, ...ids: string[]) =>
    store.write(ids.map((id) => ({ put: { type: `sol:${type}`, id, attributes: {} } })))
  const remove = (type: string, id: string) => store.write([{ delete: { type: `sol:${type}`, id } }])
  return { store, handler, send, opened, asked, put, remove }
}
