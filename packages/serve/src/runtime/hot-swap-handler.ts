/** A handler that can be replaced while sockets use it. */
import type { WorldHandler } from '@worldwright/core'

/** A handler that can be replaced by another one at any time. */
export interface HotSwapHandler {
  readonly handler: WorldHandler
  /** Opens another handler, makes it answer from the next request on, and closes the previous one. */
  replaceHandler(next: WorldHandler): Promise<void>
}

/** Starts with a first handler. The cache hits and misses of earlier handlers stay counted. */
export function hotSwapHandler(first: WorldHandler): HotSwapHandler {
  let handler = first
  let hits = 0
  let misses = 0
  return {
    handler: {
      handle: (request) => handler.handle(request),
      revision: (origin) => handler.revision(origin),
      open: () => handler.open(),
      close: () => handler.close(),
      get routes() {
        return handler.routes
      },
      cacheStatistics() {
        const now = handler.cacheStatistics()
        return { ...now, hits: hits + now.hits, misses: misses + now.misses }
      },
    },
    async replaceHandler(next) {
      await next.open()
      const before = handler
      const counted = before.cacheStatistics()
      hits += counted.hits
      misses += counted.misses
      handler = next
      await before.close()
    },
  }
}
