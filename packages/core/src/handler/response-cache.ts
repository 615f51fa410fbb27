/**
 * Response cache, bounded in bytes. An entry is valid until the data on which it depends change. It contains the encoded
 * response and the matching 304, so that a hit costs only the look-up.
 */
import type { MaybePromise, Source, TypeState } from '../store/contract.ts'
import { andThen } from './and-then.ts'
import { Doorkeeper } from './doorkeeper.ts'
import type { WorldRequest, WorldResponse } from './http.ts'
import type { FormOf, Representation } from './representation.ts'

/** Hits, misses and size of a cache, for metrics. */
export interface CacheStatistics {
  readonly hits: number
  readonly misses: number
  readonly bytes: number
  readonly entries: number
}

/** A cached representation, with the path of the route that created it. */
export interface CachedAnswer {
  readonly route: string
  readonly representation: Representation
}

/** Result of a look-up, with store versions that were read before any data of the response. */
export interface Lookup {
  /** Cached response; absent on a miss. */
  readonly cached?: CachedAnswer
  readonly key: string
  readonly version: string
  readonly types: ReadonlyMap<string, TypeState>
}

interface Entry extends CachedAnswer {
  /** The only type that the response depends on; undefined if it depends on the whole store. */
  readonly type: string | undefined
  readonly typeVersion: string | undefined
  readonly bytes: number
  /** Latest store version at which the entry is known to be valid. */
  version: string
  /** True if requested since the last sweep (the reference bit of CLOCK). */
  used: boolean
}

/** Type states that were read when the store had this version or a later one. */
interface KnownTypes {
  readonly version: string
  readonly states: ReadonlyMap<string, TypeState>
}

/** Maximum fraction of the cache that one representation may take. A larger one would evict too many entries. */
const LARGEST_PART = 1 / 16
/** Estimated size of an entry without its body, in bytes: key, headers and objects. Deliberately high. */
const ENTRY_BYTES = 2_048

/**
 * Response cache of one world. The key is the adapter's origin, the target and the form. Evicts by CLOCK: an entry that
 * was used since the last sweep survives the next one.
 *
 * Invariant: no response is older than a write that returned before the request. An entry is stored under versions that
 * were read before its data, so the data can only be newer than those versions, and versions never recur. Nothing has to be
 * checked again after the data have been read.
 */
export class ResponseCache {
  readonly #store: Pick<Source, 'version' | 'types'>
  readonly #maxBytes: number
  readonly #formOf: FormOf
  readonly #entries = new Map<string, Entry>()
  readonly #counts = { hits: 0, misses: 0, bytes: 0 }
  readonly #doorkeeper = new Doorkeeper()
  #types: KnownTypes | undefined
  #learning: { readonly version: string; readonly done: Promise<KnownTypes> } | undefined

  /** @param maxBytes total size of all entries; 0 disables the cache */
  constructor(store: Pick<Source, 'version' | 'types'>, maxBytes: number, formOf: FormOf) {
    this.#store = store
    this.#maxBytes = maxBytes
    this.#formOf = formOf
  }

  /** Looks up a request, synchronously if the store is synchronous. Counts a hit or a miss. Propagates store errors. */
  find(request: WorldRequest): MaybePromise<Lookup> {
    const version = this.#store.version()
    if (version instanceof Promise) return version.then((known) => this.#findAt(request, known))
    return this.#findAt(request, version)
  }

  /** Caches a response after a miss. A full cache admits a new key only when it is offered a second time. */
  keep(
    { key, version, types }: Lookup,
    { type }: NonNullable<WorldResponse['cacheable']>,
    answer: CachedAnswer,
  ): void {
    const bytes = bytesOf(answer.representation)
    if (bytes > this.#maxBytes * LARGEST_PART) return
    const isFull = this.#counts.bytes + bytes > this.#maxBytes
    if (isFull && !this.#entries.has(key) && !this.#doorkeeper.hasMet(key)) return
    const typeVersion = type === undefined ? undefined : types.get(type)?.version
    const representation = alone(answer.representation)
    Object.freeze(representation.full.headers)
    Object.freeze(representation.notModified?.headers)
    this.#drop(key)
    this.#makeRoom(bytes)
    this.#entries.set(key, { ...answer, representation, type, typeVersion, bytes, version, used: false })
    this.#counts.bytes += bytes
  }

  statistics(): CacheStatistics {
    return { ...this.#counts, entries: this.#entries.size }
  }

  #findAt(request: WorldRequest, version: string): MaybePromise<Lookup> {
    const key = this.#keyOf(request)
    const entry = this.#entries.get(key)
    const types = this.#types
    if (types && entry?.version === version) return this.#hit(key, entry, version, types)
    return andThen(this.#typesFor(entry, version), (known) => {
      if (entry && holds(entry, version, known)) return this.#hit(key, entry, version, known)
      this.#counts.misses += 1
      return { key, version, types: known.states }
    })
  }

  #hit(key: string, entry: Entry, version: string, { states }: KnownTypes): Lookup {
    entry.version = version
    entry.used = true
    this.#counts.hits += 1
    return { cached: entry, key, version, types: states }
  }

  /** Returns the known type states. Rereads them first if the entry depends on a type and the store version has changed. */
  #typesFor(entry: Entry | undefined, version: string): MaybePromise<KnownTypes> {
    const known = this.#types
    if (known && (entry?.type === undefined || known.version === version)) return known
    // Concurrent requests share one read per version.
    if (this.#learning?.version === version) return this.#learning.done
    const reading = this.#store.types()
    const learnt = andThen(reading, (states) => (this.#types = { version, states }))
    if (learnt instanceof Promise) {
      const done = learnt.finally(() => {
        if (this.#learning?.done === done) this.#learning = undefined
      })
      this.#learning = { version, done }
      return done
    }
    return learnt
  }

  /** Returns the cache key. It includes the adapter's origin, which discovery contains if no URL is configured. */
  #keyOf(request: WorldRequest): string {
    const form = this.#formOf(request)
    return `${form === 'identity' ? form : form.name} ${request.origin ?? ''} ${request.target}`
  }

  #drop(key: string): void {
    this.#counts.bytes -= this.#entries.get(key)?.bytes ?? 0
    this.#entries.delete(key)
  }

  #makeRoom(bytes: number): void {
    for (const [key, entry] of this.#entries) {
      if (this.#counts.bytes + bytes <= this.#maxBytes) return
      if (!entry.used) {
        this.#drop(key)
        continue
      }
      entry.used = false
      this.#entries.delete(key)
      this.#entries.set(key, entry)
    }
  }
}

/** Reports whether an entry is still valid: either the store or the entry's type is unchanged. */
function holds(entry: Entry, version: string, types: KnownTypes): boolean {
  if (entry.version === version) return true
  if (entry.type === undefined || types.version !== version) return false
  return types.states.get(entry.type)?.version === entry.typeVersion
}

/** Copies a body that is a view into a larger buffer, such as a pool, so that the entry does not keep that buffer alive. */
function alone(representation: Representation): Representation {
  const { full } = representation
  const { body } = full
  if (!(body instanceof Uint8Array) || body.byteLength === body.buffer.byteLength) return representation
  return { ...representation, full: { ...full, body: new Uint8Array(body) } }
}

function bytesOf({ full: { body } }: Representation): number {
  return ENTRY_BYTES + (body instanceof Uint8Array ? body.byteLength : 0)
}
