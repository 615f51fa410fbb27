/** Search index beside a source that has none. */
import type {
  EntityChange,
  EntityIndex,
  Query,
  Source,
  StoredEntity,
  TypeState,
} from '@worldwright/core/store'
import { pagesOf, StoreFault, scan } from '@worldwright/core/store'
import { isPrecise } from '../read/precise-search.ts'
import { matchingFields } from './matching-fields.ts'
import { memorySearch } from './memory-search.ts'

/** Maximum number of attempts to read a source that changes while it is read. */
const ATTEMPTS = 5

/** State of a type when it was read, with its undamaged entities by id. */
interface ReadType extends TypeState {
  readonly entities: ReadonlyMap<string, StoredEntity>
}

type ReadTypes = ReadonlyMap<string, ReadType>

/** A source that answers searches itself. */
export type SearchedSource = Source & Required<Pick<Source, 'find' | 'matchedIn'>>

/**
 * Adds a search index to a source, so that a world over it answers text, conditions, sort orders and facets. The index is in
 * memory with a copy of every entity: about twice the size of their JSON. A search first asks for the version. If it has
 * changed, the types whose versions changed are read again in full, once for all waiting searches. The first search reads
 * everything, so search once before the first request; indexing blocks the process, for about 50 µs per entity. Listings
 * without text read the source itself. A search fails with the fault of the source, or with `busy` if the source changes
 * each time it is read.
 */
export function withIndex(source: Source): SearchedSource {
  const index = new SourceIndex(source)
  return {
    get: (type, id, options) => source.get(type, id, options),
    list: (type, options) => source.list(type, options),
    types: (options) => source.types(options),
    version: (options) => source.version(options),
    async find(query) {
      if (isListing(query)) return scan(source, query)
      const { similar, signal } = query
      // Fails for a damaged entity, which the index does not have.
      if (similar) await source.get(similar.type, similar.id, { signal })
      return (await index.current(signal)).find(query)
    },
    matchedIn: (hits, matched) => matchingFields(hits, matched, {}),
  }
}

function isListing(query: Query): boolean {
  return (query.text ?? '').trim() === '' && !isPrecise({ ...query, after: undefined })
}

/** Index over the entities of a source as of one of its versions. */
interface Indexed {
  readonly index: EntityIndex
  types: ReadTypes
  version: string | undefined
}

class SourceIndex {
  readonly #source: Source
  #indexed = emptyIndex()
  #refreshing: Promise<void> | undefined

  constructor(source: Source) {
    this.#source = source
  }

  /** Returns the index, as current as the source at this call. The signal ends the wait, but not the read. */
  async current(signal: AbortSignal | undefined): Promise<EntityIndex> {
    // A refresh that began before this call may have missed the last change. It may also fail.
    const earlier = this.#refreshing?.catch(() => {})
    await unlessAborted(earlier, signal)
    this.#refreshing ??= this.#refresh().finally(() => {
      this.#refreshing = undefined
    })
    await unlessAborted(this.#refreshing, signal)
    return this.#indexed.index
  }

  async #refresh(): Promise<void> {
    const read = new Map(this.#indexed.types)
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      // Read before the types, so it may be older than they are. Then the next search compares their versions again.
      const version = await this.#source.version()
      if (version === this.#indexed.version) return
      if (await readChanged(this.#source, read)) return this.#apply(read, version)
    }
    throw new StoreFault('busy', 'The source changed each time it was read for its index. Try again.')
  }

  #apply(types: ReadTypes, version: string): void {
    const indexed = this.#indexed
    // If the index fails halfway, the next refresh starts with an empty one.
    this.#indexed = emptyIndex()
    indexed.index.change([...changesBetween(indexed.types, types)])
    this.#indexed = Object.assign(indexed, { types, version })
  }
}

function emptyIndex(): Indexed {
  const entitiesOf = (type: string) => indexed.types.get(type)?.entities ?? new Map<string, StoredEntity>()
  const index = memorySearch({
    get: (type, id) => entitiesOf(type).get(id),
    first: (type, limit) => [...entitiesOf(type).values()].slice(0, limit),
    types: () => indexed.types,
    value: () => undefined,
  })
  const indexed: Indexed = { index, types: new Map(), version: undefined }
  return indexed
}

/** Updates `read` with the types whose versions differ. Returns false if one of them changes before its last page. */
async function readChanged(source: Source, read: Map<string, ReadType>): Promise<boolean> {
  const types = await source.types()
  for (const type of read.keys()) if (!types.has(type)) read.delete(type)
  for (const [type, state] of types) {
    if (read.get(type)?.version === state.version) continue
    const entities = new Map<string, StoredEntity>()
    for await (const page of pagesOf(source, type)) {
      if (page.version !== state.version) return false
      for (const entity of page.entities) entities.set(entity.id, entity)
    }
    read.set(type, { ...state, entities })
  }
  return true
}

function* changesBetween(before: ReadTypes, after: ReadTypes): Generator<EntityChange> {
  for (const type of new Set([...before.keys(), ...after.keys()])) {
    const [old, now] = [before.get(type)?.entities, after.get(type)?.entities]
    if (old === now) continue
    for (const id of new Set([...(old?.keys() ?? []), ...(now?.keys() ?? [])]))
      yield { type, id, before: old?.get(id)?.json, after: now?.get(id)?.json }
  }
}

async function unlessAborted(
  work: Promise<void> | undefined,
  signal: AbortSignal | undefined,
): Promise<void> {
  const aborted = Promise.withResolvers<never>()
  const abort = () => aborted.reject(signal?.reason)
  if (signal?.aborted) abort()
  signal?.addEventListener('abort', abort)
  try {
    // Also for an aborted signal the work is awaited, so that its failure is handled.
    await Promise.race([aborted.promise, work])
  } finally {
    signal?.removeEventListener('abort', abort)
  }
}
