/** Replaces the handler of open sockets at runtime. */
import type { WorldHandler } from '@worldwright/core'

/** A handler that can be replaced at runtime. */
export interface HotSwapHandler {
  readonly handler: WorldHandler
  /** Opens `next`, sends it all new requests, and closes the previous handler. */
  replaceHandler(next: WorldHandler): Promise<void>
}

/** Wraps the first handler. Cache statistics include the hits and misses of replaced handlers. */
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
      get needsOrigin() {
        return handler.needsOrigin
      },
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
