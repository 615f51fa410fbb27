/**
 * `@worldwright/client/testing`: an in-memory world for tests of programs that read worlds, with injectable faults.
 * It implements Level 1, queries, changes and the operator API behind a `fetch`, without a port, a server or dependencies.
 * docs/reference/client.md lists what it does not evaluate; such a request fails with `unsupported_by_memory_world`.
 */
import type { DiscoveryDocument, Entity, JsonObject, JsonValue } from '../protocol.ts'
import type { MemoryRequest } from './failure.ts'
import { damaged, type Fault, matches } from './faults.ts'
import { answerTo } from './memory-answers.ts'
import { MemoryLog } from './memory-log.ts'

export type { MemoryRequest } from './failure.ts'
export type { Fault } from './faults.ts'

/** Contents and options of a memory world. All members are optional. */
export interface MemoryWorldOptions {
  /** Origin of the world. Default `https://memory.example`. */
  origin?: string
  /** `world.id` of the world. Default `urn:example:memory`. */
  id?: string
  entities?: Entity[]
  /** Additional types. Types that have entities are included automatically. */
  types?: string[]
  /**
   * Actions besides `wp:discover`, as functions from input to output. All are declared safe. An action `worldwright:query`
   * replaces the built-in one.
   */
  actions?: Record<string, (input: JsonObject) => JsonValue>
  /** Number of entities on a page if the request has no limit. Default 50. */
  pageSize?: number
  /** Members of the discovery document to add or replace. With `extensions: {}`, the world has only Level 1. */
  document?: Partial<DiscoveryDocument>
}

/** An in-memory world for tests. */
export interface MemoryWorld {
  readonly origin: string
  /** Serves the world: `connect(world.origin, { fetch: world.fetch })`. */
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>
  /** Requests received so far, in order. */
  readonly requests: readonly MemoryRequest[]
  /** Adds or replaces an entity. Its revision depends only on its content. Followers of the world receive the change. */
  put(entity: Entity): void
  /** Removes an entity by type and id. */
  delete(type: string, id: string): void
  /**
   * Injects a fault into the next request to which it applies, or into the next `times` such requests. Faults apply in the
   * order in which they were injected. All other requests are answered normally.
   */
  fail(fault: Fault, times?: number): void
  /** Removes all injected faults that are still pending. */
  clearFaults(): void
}

/** Creates a world with the given entities. Requests to any other origin fail like a broken connection. */
export function memoryWorld(options: MemoryWorldOptions = {}): MemoryWorld {
  const { origin = 'https://memory.example' } = options
  const log = new MemoryLog(options.types, options.entities)
  const requests: MemoryRequest[] = []
  const faults: Fault[] = []
  return {
    origin,
    requests,
    put(entity) {
      log.put(entity)
    },
    delete(type, id) {
      log.delete(type, id)
    },
    fail(fault, times = 1) {
      for (let i = 0; i < times; i++) faults.push(fault)
    },
    clearFaults() {
      faults.length = 0
    },
    async fetch(url, init) {
      const request = requestFrom(url, init)
      requests.push(request)
      init.signal?.throwIfAborted()
      if (new URL(url).origin !== origin) throw new TypeError(`${origin} is the only origin of this world`)
      const index = faults.findIndex((fault) => matches(fault, request))
      const [fault] = index < 0 ? [] : faults.splice(index, 1)
      const answer = () => answerTo(request, { ...options, origin, log })
      return fault ? damaged(fault, answer, init.signal ?? undefined) : answer()
    },
  }
}

function requestFrom(url: string, init: RequestInit): MemoryRequest {
  const body = typeof init.body === 'string' ? init.body : undefined
  const headers = Object.fromEntries(new Headers(init.headers))
  return { url, method: init.method ?? 'GET', headers, ...(body === undefined ? {} : { body }) }
}
