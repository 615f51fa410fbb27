/** Open worlds, each connected once, through `@worldwright/client`. */

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

/** Timeout for the discovery document of a world, in milliseconds. */
const CONNECT_TIMEOUT_MS = 15_000

/** The worlds that have answered, by origin. */
export const openedWorlds = createMemory<World>(20)

/** Counts the changes of a world's token or names: content that was shown before has to be rendered again. */
export const entrances = signal(0)

/**
 * Returns the world at an origin, connected on first use, with its token. A failed attempt is forgotten,
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

/** Reports whether a world serves the page itself: asked once, with a short timeout and without retries. */
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

/** Reads a world with this token, or with none, from now on. */
export function enterWorld(origin: string, token: string | undefined): void {
  keepToken(origin, token)
  enterAgain(origin)
}

/** Reads a world with these names from now on. */
export function renameWorld(origin: string, names: Names): void {
  keepNames(origin, names)
  enterAgain(origin)
}

/** Returns the names a world is read with: those given here, else those the page was started with. */
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

/** Returns a `fetch` for requests that the client lacks, sent like the client's: through the server of the page if needed. */
export function fetchOf(origin: string): Fetch {
  return patientFetch(hostOf(origin), proxiedFetch(origin) ?? ((url, init) => globalThis.fetch(url, init)))
}

/** Connects to a world. The client sends a token to the world's own origin only, and never over plain http but to loopback. */
function connecting(origin: string, options: ConnectOptions): Promise<World> {
  // The search engine is loaded only if a world needs it.
  const fetch = filesFetch(fetchOf(origin), async (files, input) =>
    (await import('../files/search-files.ts')).searchFiles(files, input),
  )
  return connect(origin, { ...options, fetch, token: tokenFor(origin), names: namesOf(origin) })
}
