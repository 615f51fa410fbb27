/** A handler that can be replaced while sockets use it. */
import type { WorldHandler } from '@worldwright/server'

/** A handler whose work can be given to another one at any time. */
export interface HotSwapHandler {
  readonly handler: WorldHandler
  /** Lets another handler answer from the next request on. */
  replaceHandler(next: WorldHandler): void
}

/** Starts with a first handler. Hits and misses of the caches of earlier handlers stay counted. */
export function hotSwapHandler(first: WorldHandler): HotSwapHandler {
  let handler = first
  let hits = 0
  let misses = 0
  return {
    handler: {
      handle: (request) => handler.handle(request),
      revision: (origin) => handler.revision(origin),
      waiting: () => handler.waiting(),
      get routes() {
        return handler.routes
      },
      cacheStatistics() {
        const now = handler.cacheStatistics()
        return { ...now, hits: hits + now.hits, misses: misses + now.misses }
      },
    },
    replaceHandler(next) {
      const before = handler.cacheStatistics()
      hits += before.hits
      misses += before.misses
      handler = next
    },
  }
}
