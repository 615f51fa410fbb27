/** The worlds that are open, each connected once, through `@worldwright/client`. */

import { signal } from '@preact/signals'
import type { ConnectOptions, Fetch, World } from '@worldwright/client'
import { connect, type Names } from '@worldwright/client/foreign'
import { filesFetch } from '../files/files-fetch.ts'
import { createMemory } from './memory.ts'
import { keepNames, namesFor } from './names.ts'
import { proxiedFetch, proxiedWorld } from './proxy.ts'
import { patientFetch } from './retry-after.ts'
import { keepToken, tokenFor } from './tokens.ts'
import { hostOf } from './world-profile.ts'

const worlds = new Map<string, Promise<World>>()

/** How long a world may take to introduce itself before the page says that it does not answer. */
const CONNECT_TIMEOUT_MS = 15_000

/** The worlds that have answered, by origin. */
export const openedWorlds = createMemory<World>(20)

/** How often a world was entered with another token or other names: what was shown before has to be drawn again. */
export const entrances = signal(0)

/**
 * The world at an origin, connected on first use, with the token that was given for it. A failed attempt is forgotten,
 * so that the next one tries again. Rejects as `connect` does.
 */
export function openWorld(origin: string): Promise<World> {
  const known = worlds.get(origin)
  if (known !== undefined) return known
  const opening = connecting(origin, { timeout: 30_000, attemptTimeout: CONNECT_TIMEOUT_MS, retries: 1 })
  worlds.set(origin, opening)
  opening.catch(() => worlds.delete(origin))
  return opening
}

/** Whether the page itself is served by a world: asked once, briefly, and never twice. */
export async function isServedByWorld(origin: string): Promise<boolean> {
  const asked = connecting(origin, { timeout: 5_000, retries: 0 })
  try {
    await asked
    worlds.set(origin, asked)
    return true
  } catch {
    return false
  }
}

/** From now on a world is read with this token, or with none. */
export function enterWorld(origin: string, token: string | undefined): void {
  keepToken(origin, token)
  enterAgain(origin)
}

/** From now on a world is read with these names. */
export function renameWorld(origin: string, names: Names): void {
  keepNames(origin, names)
  enterAgain(origin)
}

/** The names a world is read with: those given here, else those the page was started with. */
export function namesOf(origin: string): Names {
  const names = namesFor(origin)
  const started = origin === proxiedWorld?.origin ? proxiedWorld.names : {}
  return Object.keys(names).length > 0 ? names : started
}

function enterAgain(origin: string): void {
  worlds.delete(origin)
  openedWorlds.delete(origin)
  entrances.value += 1
}

/** Asks a world for what the client does not know of, as the client asks: through the server of the page where that is needed. */
export function fetchOf(origin: string): Fetch {
  return patientFetch(hostOf(origin), proxiedFetch(origin) ?? ((url, init) => globalThis.fetch(url, init)))
}

/** The client sends a token to the world's own origin alone, and never over plain http but to loopback. */
function connecting(origin: string, options: ConnectOptions): Promise<World> {
  // The engine is loaded where a world needs it.
  const fetch = filesFetch(fetchOf(origin), async (files, input) =>
    (await import('../files/search-files.ts')).searchFiles(files, input),
  )
  return connect(origin, { ...options, fetch, token: tokenFor(origin), names: namesOf(origin) })
}
