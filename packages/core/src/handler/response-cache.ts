/**
 * Representations, bounded by bytes, each valid as long as the store has not changed underneath it. What is kept is
 * the whole answer, compressed forms and 304 included, so that a hit does no work but the look-up.
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

/** A representation as it was kept, with the path of the route that made it. */
export interface CachedAnswer {
  readonly route: string
  readonly representation: Representation
}

/** What the cache has for a request, and what was known of the store before anything was read for its answer. */
export interface Lookup {
  /** Absent: the answer has to be made. */
  readonly cached?: CachedAnswer
  readonly key: string
  readonly version: string
  readonly types: ReadonlyMap<string, TypeState>
}

interface Entry extends CachedAnswer {
  /** The one type that the answer depends on; undefined: on anything in the store. */
  readonly type: string | undefined
  readonly typeVersion: string | undefined
  readonly bytes: number
  /** The store's version at which the answer is known to hold. */
  version: string
  /** Asked for since the sweep last came by. */
  used: boolean
}

/** The types' states, read when the store already had this version. */
interface KnownTypes {
  readonly version: string
  readonly states: ReadonlyMap<string, TypeState>
}

/** A representation larger than this part of the cache would push out too much for one target. */
const LARGEST_PART = 1 / 16
/** What an entry costs beside its body: key, headers, the objects themselves. An estimate on the high side. */
const ENTRY_BYTES = 2_048

/**
 * Owns what is kept over one store, keyed by the adapter's origin, the target and the form. Entries leave in turn,
 * those in use one turn later (CLOCK).
 *
 * No answer is older than a write that had returned before its request. An answer is kept under versions that were
 * read before its data: data of a later write can only be newer than what its entry promises, and no version ever
 * comes back. So nothing has to be asked again once the data are there.
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

  /** Looks a request up, at once where the store answers at once. Counts as hit or miss. Fails as the store does. */
  find(request: WorldRequest): MaybePromise<Lookup> {
    const version = this.#storage.version()
    if (version instanceof Promise) return version.then((known) => this.#findAt(request, known))
    return this.#findAt(request, version)
  }

  /** Keeps an answer that was made after its look-up; where another one has to leave for it, once it is made again. */
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

  /** The types as last read. They are read again for an entry of another version, which may hold all the same. */
  #typesFor(entry: Entry | undefined, version: string): MaybePromise<KnownTypes> {
    const known = this.#types
    if (known && (entry?.type === undefined || known.version === version)) return known
    // For one version they are read once, however many ask.
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

  /** The adapter's origin counts, since the discovery document names it where nothing else is configured. */
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

/** Whether an answer still stands: nothing was written since, or nothing of its type. */
function holds(entry: Entry, version: string, types: KnownTypes): boolean {
  if (entry.version === version) return true
  if (entry.type === undefined || types.version !== version) return false
  return types.states.get(entry.type)?.version === entry.typeVersion
}

/** Copies a body that is a piece of more memory, such as a pool for small ones: all of that would be kept with it. */
function alone(representation: Representation): Representation {
  const { full } = representation
  const { body } = full
  if (!(body instanceof Uint8Array) || body.byteLength === body.buffer.byteLength) return representation
  return { ...representation, full: { ...full, body: new Uint8Array(body) } }
}

function bytesOf({ full: { body } }: Representation): number {
  return ENTRY_BYTES + (body instanceof Uint8Array ? body.byteLength : 0)
}
