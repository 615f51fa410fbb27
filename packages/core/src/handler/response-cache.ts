/**
 * Cache of representations, bounded in bytes; each is valid until the store changes underneath it. An entry is the whole
 * answer, compressed forms and 304 included, so that a hit costs only the look-up.
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

/** Result of a look-up, with the state of the store from before any data was read for the answer. */
export interface Lookup {
  /** Absent on a miss. */
  readonly cached?: CachedAnswer
  readonly key: string
  readonly version: string
  readonly types: ReadonlyMap<string, TypeState>
}

interface Entry extends CachedAnswer {
  /** The only type that the answer depends on; undefined: the whole store. */
  readonly type: string | undefined
  readonly typeVersion: string | undefined
  readonly bytes: number
  /** Store version at which the answer is known to be valid. */
  version: string
  /** Requested since the sweep last passed (the reference bit of CLOCK). */
  used: boolean
}

/** States of the types, read when the store already had this version. */
interface KnownTypes {
  readonly version: string
  readonly states: ReadonlyMap<string, TypeState>
}

/** Largest fraction of the cache for one representation: a larger one would evict too much for one target. */
const LARGEST_PART = 1 / 16
/** Overhead of an entry besides its body, in bytes: key, headers, objects. An estimate on the high side. */
const ENTRY_BYTES = 2_048

/**
 * Cache over one store, keyed by the adapter's origin, the target and the form. Eviction is CLOCK: entries in use are
 * evicted one round later.
 *
 * Invariant: no answer is older than a write that had returned before its request. An answer is stored under versions
 * that were read before its data: the data can only be newer than the entry promises, and no version ever recurs. So
 * nothing has to be checked again once the data are read.
 */
export class ResponseCache {
  readonly #storage: Pick<Source, 'version' | 'types'>
  readonly #maxBytes: number
  readonly #formOf: FormOf
  readonly #entries = new Map<string, Entry>()
  readonly #counts = { hits: 0, misses: 0, bytes: 0 }
  readonly #doorkeeper = new Doorkeeper()
  #types: KnownTypes | undefined
  #learning: { readonly version: string; readonly done: Promise<KnownTypes> } | undefined

  /** @param maxBytes of all entries together; 0 keeps none */
  constructor(storage: Pick<Source, 'version' | 'types'>, maxBytes: number, formOf: FormOf) {
    this.#storage = storage
    this.#maxBytes = maxBytes
    this.#formOf = formOf
  }

  /** Looks a request up, synchronously if the store is synchronous. Counts a hit or a miss. Fails as the store does. */
  find(request: WorldRequest): MaybePromise<Lookup> {
    const version = this.#storage.version()
    if (version instanceof Promise) return version.then((known) => this.#findAt(request, known))
    return this.#findAt(request, version)
  }

  /** Caches an answer created after its look-up. If the cache is full, it admits only an answer that was requested before. */
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

  /** Returns the types as last read. Reads them again for an entry of another version, which may still be valid. */
  #typesFor(entry: Entry | undefined, version: string): MaybePromise<KnownTypes> {
    const known = this.#types
    if (known && (entry?.type === undefined || known.version === version)) return known
    // Concurrent requests share one read per version.
    if (this.#learning?.version === version) return this.#learning.done
    const reading = this.#storage.types()
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

  /** Includes the adapter's origin: the discovery document names it if nothing else is configured. */
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

/** Reports whether an entry is still valid: nothing was written since, or nothing of its type. */
function holds(entry: Entry, version: string, types: KnownTypes): boolean {
  if (entry.version === version) return true
  if (entry.type === undefined || types.version !== version) return false
  return types.states.get(entry.type)?.version === entry.typeVersion
}

/** Copies a body that is a view into a larger buffer, such as a pool: the entry would keep all of that memory alive. */
function alone(representation: Representation): Representation {
  const { full } = representation
  const { body } = full
  if (!(body instanceof Uint8Array) || body.byteLength === body.buffer.byteLength) return representation
  return { ...representation, full: { ...full, body: new Uint8Array(body) } }
}

function bytesOf({ full: { body } }: Representation): number {
  return ENTRY_BYTES + (body instanceof Uint8Array ? body.byteLength : 0)
}
