/** The worlds that are open, each connected once, through `@worldwright/client`. */
import { connect, type World } from '@worldwright/client'

const worlds = new Map<string, Promise<World>>()

/** How long a world may take to introduce itself before the page says that it does not answer. */
const CONNECT_TIMEOUT_MS = 15_000

/**
 * The world at an origin, connected on first use. A failed attempt is forgotten, so that the next one tries again.
 * Rejects as `connect` does.
 */
export function openWorld(origin: string): Promise<World> {
  const known = worlds.get(origin)
  if (known !== undefined) return known
  const opening = connect(origin, { timeout: 30_000, attemptTimeout: CONNECT_TIMEOUT_MS, retries: 1 })
  worlds.set(origin, opening)
  opening.catch(() => worlds.delete(origin))
  return opening
}

/** Whether the page itself is served by a world: asked once, briefly, and never twice. */
export async function isServedByWorld(origin: string): Promise<boolean> {
  const asked = connect(origin, { timeout: 5_000, retries: 0 })
  try {
    await asked
    worlds.set(origin, asked)
    return true
  } catch {
    return false
  }
}
