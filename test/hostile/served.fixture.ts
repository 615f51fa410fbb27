/** Serves small worlds as targets for hostile requests, on a free port or without one, over either store. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import type { Entity } from '@worldwright/client/protocol'
import { createWorld, type LogEvent, type WorldHandler, type WorldOptions } from '@worldwright/core'
import { createMemoryStore, type Store } from '@worldwright/core/store'
import { openStore } from '@worldwright/engines'
import { type Listening, type ListenOptions, listen, nodeCodings } from '@worldwright/node'
import { memorySearch } from '@worldwright/search/entities'
import { Admission, limitConnections } from '@worldwright/serve/overload'

/** Path of the API of the served world. */
export const API = '/api/world/v0'

/** Path of the action `wp:discover`. */
export const DISCOVER = `${API}/actions/wp%3Adiscover`

/** Origin of worlds that are called directly, without a port. */
export const ORIGIN = 'https://sol.example'

/** Id and types of the served world. */
export const DESCRIPTION = {
  id: 'urn:uuid:6f0c2a3e-0000-4000-8000-00000000000a',
  types: [{ type: 'sol:moon' }, { type: 'sol:planet' }],
}

/** Returns a moon with this id, without a title and attributes. */
export function moon(id: string): Entity {
  return { type: 'sol:moon', id, attributes: {} }
}

/** Returns an empty store of each kind, with its name. The stores are closed and removed after the test. */
export async function stores(context: TestContext): Promise<readonly (readonly [string, Store])[]> {
  const folder = mkdtempSync(join(tmpdir(), 'worldwright-'))
  const memory = createMemoryStore({ search: memorySearch })
  const sqlite = await openStore(`sqlite:${join(folder, 'world.db')}`, { role: 'writer' })
  context.after(async () => {
    await memory.close()
    await sqlite.close()
    rmSync(folder, { recursive: true })
  })
  return [
    ['memory', memory],
    ['sqlite', sqlite],
  ]
}

/** Puts entities into a store. */
export async function fill(store: Store, entities: readonly Entity[]): Promise<void> {
  await store.write(entities.map((put) => ({ put })))
}

/** Options of a served world other than its entities. */
export interface ServedOptions {
  readonly store?: Store
  readonly world?: Partial<WorldOptions>
  readonly listen?: Partial<ListenOptions>
}

/** A served world: its address, and everything that it has logged so far. */
export interface Served extends Listening {
  readonly handler: WorldHandler
  readonly store: Store
  readonly events: readonly LogEvent[]
}

/** Serves a world with these entities on a free port, as `world serve` would, until the test ends. */
export async function served(
  context: TestContext,
  entities: readonly Entity[] = [moon('europa'), moon('io')],
  options: ServedOptions = {},
): Promise<Served> {
  const store = options.store ?? createMemoryStore({ search: memorySearch })
  await fill(store, entities)
  const events: LogEvent[] = []
  const handler = createWorld({
    ...DESCRIPTION,
    store,
    codings: nodeCodings,
    admission: new Admission(),
    ...options.world,
    log: (event) => events.push(event),
  })
  const listening = await listen(handler, { port: 0, limits: limitConnections(), ...options.listen })
  context.after(() => listening.close())
  return { ...listening, handler, store, events }
}
