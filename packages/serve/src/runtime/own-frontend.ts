/** The frontend of a world that this process answers alone. */
import { connectionLimitFor } from '../limits/limits-for.ts'
import type { ValidatedWorld } from './compose-world.ts'
import type { Frontend, ServerDeps } from './frontend.ts'
import { hotSwapHandler } from './hot-swap-handler.ts'
import { listenAt } from './listen-at.ts'

/** As long as workers that end wait for it. */
const DRAIN_MS = 250

/** Listens, and answers in this process. @throws ListenFault */
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
    // It asks for itself.
    noteStatus: async () => {},
    snapshots: async () => [],
    // There is nobody to take its place.
    renew: async () => {},
    // The next request of a client that is busy gets an answer, which says the end.
    async close() {
      await close({ drainMs: DRAIN_MS })
      await live.handler.close()
    },
  }
}
