import { connectionLimitFor } from '../limits/limits-for.ts'
import type { ValidatedWorld } from './compose-world.ts'
import type { Frontend, ServerDeps } from './frontend.ts'
import { hotSwapHandler } from './hot-swap-handler.ts'
import { listenAt } from './listen-at.ts'

/** Drain time, in milliseconds, the same as for a worker that shuts down. */
const DRAIN_MS = 250

/** Opens a frontend that serves requests in this process. @throws ListenFault */
export async function openOwnFrontend(
  { handler, settings }: ValidatedWorld,
  { metrics, log }: ServerDeps,
): Promise<Frontend> {
  const live = hotSwapHandler(handler)
  metrics?.watchCache(live.handler.cacheStatistics)
  await live.handler.open()
  const { url, close } = await listenAt(live.handler, {
    ...settings,
    ...connectionLimitFor(settings, log),
  })
  return {
    url,
    replaceHandler: (next) => live.replaceHandler(next.handler),
    // This process reads the status itself.
    noteStatus: async () => {},
    snapshots: async () => [],
    // There is no worker to replace.
    renew: async () => {},
    // A busy client still gets a response to its next request, which closes the connection.
    async close() {
      await close({ drainMs: DRAIN_MS })
      await live.handler.close()
    },
  }
}
