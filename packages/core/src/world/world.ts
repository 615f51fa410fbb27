/**
 * A world's operations in the protocol's own terms, over any source: one entity, a page, a discovery.
 * Nothing here knows of HTTP. Answers that are served as stored stay serialised.
 */
import { type EntityTypeDescription, idFault, typeFault, type Warning } from '@worldwright/client/protocol'
import { utf8Length } from '../store/bytes.ts'
import { compareUtf8 } from '../store/compare-utf8.ts'
import type { CallOptions, Found, MaybePromise, Query, Source, StoredEntity } from '../store/contract.ts'
import { plainlyMatchedIn, scan } from '../store/scan.ts'
import { cursorAfter, positionFromCursor } from './cursor.ts'
import { damagedFault, entityNotFound, WorldFault } from './errors.ts'
import { LIST_DEFAULT, LIST_MAX, MAX_PAGE_BYTES } from './limits.ts'
import { KnownTypes, type TypeSource } from './type-list.ts'

/** Description of a world, apart from its data. */
export interface WorldDescription {
  /** An absolute URI that stays the same wherever the world is served. */
  readonly id: string
  readonly name?: string | undefined
  readonly description?: string | undefined
  /** Licence of its data: a URL, or an identifier of the SPDX list. */
  readonly license?: string | undefined
  /** Name to credit where its data are used. */
  readonly attribution?: string | undefined
  readonly types: TypeSource
}

/** One page of a list, with serialised entities. */
export interface WorldPage {
  readonly entities: readonly StoredEntity[]
  /** Present if and only if more entities exist. */
  readonly nextCursor: string | undefined
  /** The effective limit. */
  readonly limit: number
  readonly total: number
  /** Ids of the damaged entities omitted from the page; usually empty. */
  readonly damaged: readonly string[]
  /** Version of the type in the snapshot of the page. */
  readonly version: string
}

/** Result of a search, its hits cut to the size limit of one answer. */
export interface DiscoverResult extends Found {
  /** There are more matches than hits. */
  readonly truncated: boolean
  readonly warnings: readonly Warning[]
}

/** Parameters of a list request; absent members are undefined. */
export interface ListRequest extends CallOptions {
  /** As requested; capped at the maximum. */
  readonly limit: number | undefined
  /** As returned by the page before. */
  readonly cursor: string | undefined
}

/**
 * A world over its source. Source calls for a request are cancelled when the signal of that request aborts, and fail with
 * its reason.
 */
export class World {
  readonly description: WorldDescription
  readonly #source: Source
  readonly #types: KnownTypes

  constructor(description: WorldDescription, source: Source) {
    this.description = description
    this.#source = source
    this.#types = new KnownTypes(description.types, source)
  }

  /** Returns the entity types, ascending by type: the same array as long as nothing changed. */
  async types(): Promise<readonly EntityTypeDescription[]> {
    return (await this.#types.current()).list
  }

  /** Refuses a type that this world does not have. @throws WorldFault `invalid_type`, `unknown_type` */
  async requireType(type: string): Promise<void> {
    const reason = typeFault(type)
    if (reason !== undefined) {
      const message = 'This is no entity type; one looks like prefix:name.'
      throw new WorldFault('invalid_type', message, { type, reason })
    }
    if (this.#types.wasThere(type) || (await this.#types.current()).has(type)) return
    const message = 'This world has no such entity type; discovery lists those it has.'
    throw new WorldFault('unknown_type', message, { type })
  }

  /** @throws WorldFault `invalid_type`, `invalid_id`, `unknown_type`, `entity_not_found` */
  async get(type: string, id: string, options?: CallOptions): Promise<StoredEntity> {
    await this.requireType(type)
    const found = await this.#source.get(type, normalId(id), options)
    if (found === undefined) throw entityNotFound(type, id)
    return found
  }

  /** @throws WorldFault `invalid_type`, `unknown_type`, `invalid_cursor` */
  async list(type: string, { cursor, signal, ...options }: ListRequest): Promise<WorldPage> {
    await this.requireType(type)
    const scope = { worldId: this.description.id, type }
    const limit = Math.min(options.limit ?? LIST_DEFAULT, LIST_MAX)
    const after = cursor === undefined ? undefined : positionFromCursor(scope, cursor)
    // Reads one extra entity to learn whether a next page exists, in the same snapshot.
    const page = await this.#source.list(type, { after, limit: limit === 0 ? 0 : limit + 1, signal })
    const { damaged = [], total, version } = page
    const entities = withinBytes(page.entities.slice(0, limit))
    const more = entities.length < page.entities.length || page.entities.length + damaged.length > limit
    const nextCursor = more
      ? cursorAfter(scope, entities.at(-1)?.id ?? endOfDamage(damaged, after))
      : undefined
    return { entities, nextCursor, limit, total, damaged, version }
  }

  /** Searches the world. Unknown types match nothing and are named in the warnings. */
  async discover(
    query: Query,
    options: Pick<Query, 'signal' | 'client' | 'position'> = {},
  ): Promise<DiscoverResult> {
    const known = await this.#types.current()
    const warnings = (query.types ?? []).flatMap((type, index) =>
      known.has(type) ? [] : [unknownType(type, index)],
    )
    const types = query.types === undefined ? known.names : query.types.filter((type) => known.has(type))
    const result = await this.find({ ...query, ...options, types } satisfies Query)
    const truncated = result.hits.length + (result.damaged?.length ?? 0) < result.total
    return { ...result, truncated, warnings }
  }

  /** Searches the source, with hits cut to the size limit of one answer; `last` is the position of the last remaining hit. */
  async find(query: Query): Promise<Found> {
    const found = await this.#found(query)
    const { length } = withinBytes(found.hits)
    if (length === found.hits.length) return found
    return this.#found({ ...query, limit: length })
  }

  /** Returns, for each hit, the fields that contain a word of `matched`: see `Source.matchedIn`. */
  async matchedIn({ hits, matched }: Pick<Found, 'hits' | 'matched'>): Promise<string[][]> {
    return this.#source.matchedIn?.(hits, matched) ?? plainlyMatchedIn(hits, matched)
  }

  #found(query: Query): MaybePromise<Found> {
    return this.#source.find?.(query) ?? scan(this.#source, query)
  }
}

/** Returns an id in its stored form, which is NFC. @throws WorldFault `invalid_id` */
function normalId(id: string): string {
  const reason = idFault(id)
  if (reason === undefined) return id
  if (reason === 'not_nfc') return id.normalize('NFC')
  throw new WorldFault('invalid_id', 'No entity can have this id.', { id: id.toWellFormed(), reason })
}

function unknownType(type: string, index: number): Warning {
  return {
    code: 'unknown_type',
    message: `This world has no entity type ${type}.`,
    field: `/input/types/${index}`,
  }
}

/**
 * Returns the end of a page on which every entity is damaged. Their ids may be damaged as well, and must not lead back.
 * @throws WorldFault `damaged`
 */
function endOfDamage(damaged: readonly string[], after = ''): string {
  const last = damaged.at(-1)
  if (last !== undefined && compareUtf8(last, after) > 0) return last
  throw damagedFault()
}

/** Returns the first entities that fit one answer: at least one, so that every page advances. */
function withinBytes(entities: readonly StoredEntity[]): readonly StoredEntity[] {
  let bytes = 0
  for (const [index, entity] of entities.entries()) {
    bytes += utf8Length(entity.json)
    if (bytes > MAX_PAGE_BYTES && index > 0) return entities.slice(0, index)
  }
  return entities
}
