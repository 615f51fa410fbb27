/**
 * `@worldwright/client/testing`: a world in memory for the tests of programs that read worlds, with faults on demand.
 * It speaks Level 1 through a `fetch`: no port, no server, no dependency.
 */
import type { DiscoveryDocument, Entity, JsonObject, JsonValue } from '../protocol.ts'
import { damaged, type Fault, matches } from './faults.ts'
import { answerTo, type MemoryRequest } from './memory-answers.ts'

export type { Fault } from './faults.ts'
export type { MemoryRequest } from './memory-answers.ts'

/** Contents and options of a memory world. All are optional. */
export interface MemoryWorldOptions {
  /** Default `https://memory.example`. */
  origin?: string
  /** Its `world.id`. Default `urn:example:memory`. */
  id?: string
  entities?: Entity[]
  /** Types without entities; those of the entities are included automatically. */
  types?: string[]
  /** Actions besides `wp:discover`, all of them safe: functions from input to output. */
  actions?: Record<string, (input: JsonObject) => JsonValue>
  /** Entities on a page without a limit. Default 50. */
  pageSize?: number
  /** Members of the discovery document to add or to replace. */
  document?: Partial<DiscoveryDocument>
}

/** A world that lives in the memory of a test. */
export interface MemoryWorld {
  readonly origin: string
  /** For `connect(world.origin, { fetch: world.fetch })`. */
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>
  /** Requests so far, in order. */
  readonly requests: readonly MemoryRequest[]
  /** Adds an entity, or replaces it. */
  put(entity: Entity): void
  /** Removes an entity by its key. */
  delete(type: string, id: string): void
  /**
   * Orders a fault for the next request it fits, or for the next `times`. Faults come in the order in which they were
   * ordered; a request that none fits is answered normally.
   */
  fail(fault: Fault, times?: number): void
}

/** Creates a world of the given entities. It answers only under its origin; another origin is no connection. */
export function memoryWorld(options: MemoryWorldOptions = {}): MemoryWorld {
  const { origin = 'https://memory.example', entities = [] } = options
  const kept = new Map(entities.map((entity) => [key(entity.type, entity.id), entity]))
  const types = new Set([...(options.types ?? []), ...entities.map(({ type }) => type)])
  const requests: MemoryRequest[] = []
  const faults: Fault[] = []
  return {
    origin,
    requests,
    put(entity) {
      kept.set(key(entity.type, entity.id), entity)
      types.add(entity.type)
    },
    delete(type, id) {
      kept.delete(key(type, id))
    },
    fail(fault, times = 1) {
      for (let i = 0; i < times; i++) faults.push(fault)
    },
    async fetch(url, init) {
      const request = requestFrom(url, init)
      requests.push(request)
      init.signal?.throwIfAborted()
      if (new URL(url).origin !== origin) throw new TypeError(`${origin} is the only origin of this world`)
      const index = faults.findIndex((fault) => matches(fault, request))
      const [fault] = index < 0 ? [] : faults.splice(index, 1)
      const answer = () => answerTo(request, { ...options, origin, types, entities: [...kept.values()] })
      return fault ? damaged(fault, answer, init.signal ?? undefined) : answer()
    },
  }
}

function key(type: string, id: string): string {
  return JSON.stringify([type, id])
}

function requestFrom(url: string, init: RequestInit): MemoryRequest {
  const body = typeof init.body === 'string' ? init.body : undefined
  const headers = Object.fromEntries(new Headers(init.headers))
  return { url, method: init.method ?? 'GET', headers, ...(body === undefined ? {} : { body }) }
}
