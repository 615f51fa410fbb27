/** A handler that can be exchanged under the sockets that use it. */
import type { WorldHandler } from '@worldwright/server'

/** A world whose handler changes while it is served. */
export interface HotSwapHandler {
  readonly handler: WorldHandler
  /** Lets the next request, and all after it, be answered by another. */
  replaceHandler(next: WorldHandler): void
}

/** Begins with a handler. What the caches of earlier ones did stays counted. */
export function hotSwapHandler(first: WorldHandler): HotSwapHandler {
  let handler = first
  let hits = 0
  let misses = 0
  return {
    handler: {
      handle: (request) => handler.handle(request),
      revision: (origin) => handler.revision(origin),
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
