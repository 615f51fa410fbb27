/**
 * Representations, bounded by bytes, each valid as long as the store has not changed underneath it. What is kept is
 * the whole answer, compressed forms and 304 included, so that a hit does no work but the look-up.
 */
import type { Storage, TypeState } from '../storage/contract.ts'
import type { WorldRequest } from './http.ts'
import { type Form, formFor, type Representation } from './representation.ts'

/** How a cache does, for metrics. */
export interface CacheStatistics {
  readonly hits: number
  readonly misses: number
  readonly bytes: number
  readonly entries: number
}

/** What a response is, and what it depends on. */
export interface Cacheable {
  /** The path of the route that made it. */
  readonly route: string
  /** The one type it depends on; absent: on anything in the store. */
  readonly type?: string
}

/** A ready response as it was kept. */
export interface Kept {
  readonly route: string
  readonly ready: Representation
}

/** A cache of ready responses, keyed by the adapter's origin, the target and the form. */
export interface ResponseCache {
  /** The ready answer, if it still holds at this version of the store. Counts as hit or miss. */
  find(request: WorldRequest, version: string): Kept | undefined
  /** Keeps an answer that was made after the store had this version; not at all if it has changed since. */
  keep(request: WorldRequest, version: string, cacheable: Cacheable, ready: Representation): Promise<void>
  statistics(): CacheStatistics
}

/** One target's answers, and what they were made from. */
interface Entry {
  readonly forms: Map<Form, Kept>
  /** The store's version at which the answers are known to hold. */
  version: string
  readonly type: string | undefined
  readonly typeVersion: string | undefined
  bytes: number
  /** Asked for since the sweep last came by. */
  used: boolean
}

/** A response larger than this part of the cache would push out too much for one target. */
const LARGEST_PART = 1 / 16
/** What an entry costs beside its body: key, headers, the objects themselves. An estimate on the high side. */
const ENTRY_BYTES = 2_048

/** Makes a cache of at most `maxBytes` over a store. Entries leave in turn, those in use one turn later (CLOCK). */
export function createResponseCache(
  storage: Pick<Storage, 'version' | 'versions'>,
  maxBytes: number,
): ResponseCache {
  const entries = new Map<string, Entry>()
  const counts = { hits: 0, misses: 0, bytes: 0 }
  /** The types' states at one version of the store: a change of one type leaves the answers of others valid. */
  let types: { version: string; states: ReadonlyMap<string, TypeState> } | undefined

  function drop(key: string, entry: Entry): void {
    entries.delete(key)
    counts.bytes -= entry.bytes
  }

  function holds(entry: Entry, version: string): boolean {
    if (entry.version === version) return true
    if (entry.type === undefined || types?.version !== version) return false
    if (types.states.get(entry.type)?.version !== entry.typeVersion) return false
    entry.version = version
    return true
  }

  /** The types' states, if the store still has this version when they have been read. */
  async function statesAt(version: string): Promise<ReadonlyMap<string, TypeState> | undefined> {
    if (types?.version === version) return types.states
    const states = await storage.versions()
    if ((await storage.version()) !== version) return undefined
    types = { version, states }
    return states
  }

  function makeRoom(): void {
    for (const [key, entry] of entries) {
      if (counts.bytes <= maxBytes) return
      if (entry.used) {
        entry.used = false
        entries.delete(key)
        entries.set(key, entry)
      } else drop(key, entry)
    }
  }

  return {
    find(request, version) {
      const entry = entries.get(keyOf(request))
      const kept = entry && holds(entry, version) ? entry.forms.get(formFor(request)) : undefined
      if (entry === undefined || kept === undefined) {
        counts.misses += 1
        return undefined
      }
      entry.used = true
      counts.hits += 1
      return kept
    },

    async keep(request, version, { type, route }, ready) {
      const bytes = bytesOf(ready)
      if (bytes > maxBytes * LARGEST_PART) return
      const states = await statesAt(version)
      if (states === undefined) return
      const key = keyOf(request)
      const kept = entries.get(key)
      if (kept !== undefined && !holds(kept, version)) drop(key, kept)
      const entry = entries.get(key) ?? {
        forms: new Map<Form, Kept>(),
        version,
        type,
        typeVersion: type === undefined ? undefined : states.get(type)?.version,
        bytes: 0,
        used: false,
      }
      const form = formFor(request)
      if (entry.forms.has(form)) return
      entry.forms.set(form, { route, ready })
      entry.bytes += bytes
      counts.bytes += bytes
      entries.set(key, entry)
      makeRoom()
    },

    statistics: () => ({ ...counts, entries: entries.size }),
  }
}

/** The adapter's origin counts, since the discovery document names it where nothing else is configured. */
function keyOf({ origin, target }: WorldRequest): string {
  return origin === undefined ? target : `${origin} ${target}`
}

function bytesOf({ full: { body } }: Representation): number {
  return ENTRY_BYTES + (body instanceof Uint8Array ? body.byteLength : 0)
}
