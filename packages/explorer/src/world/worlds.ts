/** Registry of worlds. Each world is connected once, through `@worldwright/client`. */
import type { ConnectOptions, Fetch, World } from '@worldwright/client'
import { holdsValue, parseExact } from '@worldwright/client/exact'
import { connect, type ForeignOptions, type Names } from '@worldwright/client/foreign'
import { filesFetch } from '../files/files-fetch.ts'
import { createMemory, entrances } from './memory.ts'
import { keepNames, namesFor } from './names.ts'
import { proxiedFetch, proxiedWorld } from './proxy.ts'
import { patientFetch } from './retry-after.ts'
import { keepToken, tokenFor } from './tokens.ts'
import { hostOf } from './world-profile.ts'

const worlds = new Map<string, Promise<World>>()

/** Timeout for reading the discovery document of a world, in milliseconds. */
const CONNECT_TIMEOUT_MS = 15_000

/** Cache of connected worlds, by origin. */
export const openedWorlds = createMemory<World>(20)

/**
 * Returns the world at an origin. Connects to it on first use, with its token. A failed attempt is not cached, so the next
 * call retries. Rejects as `connect` does.
 */
export function openWorld(origin: string): Promise<World> {
  const known = worlds.get(origin)
  if (known !== undefined) return known
  const opening = connecting(origin, { timeout: 30_000, attemptTimeout: CONNECT_TIMEOUT_MS, retries: 1 })
  worlds.set(origin, opening)
  opening.catch(() => worlds.delete(origin))
  return opening
}

/** Reports whether this page is served by a world at `origin`. Tries to connect once, with a short timeout. */
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

/** Sets or removes the token of a world, and reconnects to the world. */
export function enterWorld(origin: string, token: string | undefined): void {
  keepToken(origin, token)
  enterAgain(origin)
}

/** Sets the member names of a world, and reconnects to the world. */
export function renameWorld(origin: string, names: Names): void {
  keepNames(origin, names)
  enterAgain(origin)
}

/** Returns the member names for a world: those that the user supplied, or else those with which the page was started. */
export function namesOf(origin: string): Names {
  const names = namesFor(origin)
  const started = origin === proxiedWorld?.origin ? proxiedWorld.names : {}
  return Object.keys(names).length > 0 ? names : started
}

function enterAgain(origin: string): void {
  worlds.delete(origin)
  entrances.value += 1
}

/** Returns the `fetch` of a world, which records requested waits. The proxied world is reached through the page's server. */
export function fetchOf(origin: string): Fetch {
  return patientFetch(hostOf(origin), proxiedFetch(origin) ?? ((url, init) => globalThis.fetch(url, init)))
}

/** Parses JSON without loss. Doubles are kept for charts where they hold the number. */
export const parse = (text: string) => parseExact(text, holdsValue)

/** Connects through a `fetch`, and parses without loss. */
export function connectBy(origin: string, options: ForeignOptions): Promise<World> {
  return connect(origin, { ...options, parse })
}

/** Connects to a world. The client sends the token only to the origin of the world, and over http only on loopback. */
function connecting(origin: string, options: ConnectOptions): Promise<World> {
  return connectBy(origin, { ...options, ...placeOf(origin) })
}

/** Returns an origin with the transport, the token and the names of its world, for a search of several worlds. */
export function placeOf(origin: string) {
  // The search engine is loaded only if a world of files needs it.
  const fetch = filesFetch(fetchOf(origin), async (...call) =>
    (await import('../files/search-files.ts')).searchFiles(...call),
  )
  const profile = origin === proxiedWorld?.origin ? proxiedWorld.profile : undefined
  return { origin, fetch, token: tokenFor(origin), names: namesOf(origin), profile }
}
