/** The front of a world that answers in this process alone. */
import type { Proven } from './compose-world.ts'
import type { Behind, Front } from './frontend.ts'
import { liveWorld } from './hot-swap-handler.ts'
import { listenAt } from './listen-at.ts'

/** Opens the front. @throws ListenFault */
export async function openOwnFront({ handler, settings }: Proven, { metrics }: Behind): Promise<Front> {
  const live = liveWorld(handler)
  metrics?.watchCache(live.handler.cacheStatistics)
  const { url, close } = await listenAt(live.handler, settings)
  return {
    url,
    exchange: async (next) => live.exchange(next.handler),
    snapshots: async () => [],
    close,
  }
}
