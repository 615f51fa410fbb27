/**
 * Protocol operations of a world (get, list, discover) on top of any source. Independent of HTTP. Stored entities are
 * passed through as serialised JSON.
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
  /** Absolute URI that identifies the world, wherever it is served. */
  readonly id: string
  readonly name?: string | undefined
  readonly description?: string | undefined
  /** Licence of the data: a URL or an SPDX identifier. */
  readonly license?: string | undefined
  /** Name to credit wherever the data are used. */
  readonly attribution?: string | undefined
  readonly types: TypeSource
}

/** One page of a list, with serialised entities. */
export interface WorldPage {
  readonly entities: readonly StoredEntity[]
  /** Cursor of the next page, or undefined if this is the last page. */
  readonly nextCursor: string | undefined
  /** Effective limit, after the maximum is applied. */
  readonly limit: number
  readonly total: number
  /** Ids of the damaged entities omitted from the page; usually empty. */
  readonly damaged: readonly string[]
  /** Version of the type in the page's snapshot. */
  readonly version: string
}

/** Search result, with hits truncated to the response size limit. */
export interface DiscoverResult extends Found {
  /** True if there are more matches than hits. */
  readonly truncated: boolean
  readonly warnings: readonly Warning[]
}

/** Parameters of a list request. A parameter that the client did not send is undefined. */
export interface ListRequest extends CallOptions {
  /** Requested limit, before the maximum is applied. */
  readonly limit: number | undefined
  /** Cursor returned with the previous page. */
  readonly cursor: string | undefined
}

/**
 * A world backed by a source. If a request's signal aborts, the source calls for that request are cancelled and fail with
 * the signal's reason.
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

  /** Returns the entity types, ascending by type. The result is the same array until a type changes. */
  async types(): Promise<readonly EntityTypeDescription[]> {
    return (await this.#types.current()).list
  }

  /** Checks that the world has an entity type. @throws WorldFault `invalid_type`, `unknown_type` */
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
    // Reads one extra entity, in the same snapshot, to learn whether there is a next page.
    const page = await this.#source.list(type, { after, limit: limit === 0 ? 0 : limit + 1, signal })
    const { damaged = [], total, version } = page
    const entities = withinBytes(page.entities.slice(0, limit))
    const more = entities.length < page.entities.length || page.entities.length + damaged.length > limit
    const nextCursor = more
      ? cursorAfter(scope, entities.at(-1)?.id ?? endOfDamage(damaged, after))
      : undefined
    return { entities, nextCursor, limit, total, damaged, version }
  }

  /** Searches the world. Unknown types match nothing; each of them is reported in a warning. */
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

  /** Searches the source. Cuts the hits to the response size limit; `last` is the position of the last hit kept. */
  async find(query: Query): Promise<Found> {
    const found = await this.#found(query)
    const { length } = withinBytes(found.hits)
    if (length === found.hits.length) return found
    return this.#found({ ...query, limit: length })
  }

  /** Returns, for each hit, the fields that contain a word in `matched`. See `Source.matchedIn`. */
  async matchedIn({ hits, matched }: Pick<Found, 'hits' | 'matched'>): Promise<string[][]> {
    return this.#source.matchedIn?.(hits, matched) ?? plainlyMatchedIn(hits, matched)
  }

  #found(query: Query): MaybePromise<Found> {
    return this.#source.find?.(query) ?? scan(this.#source, query)
  }
}

/** Normalises an id to NFC, the form in which ids are stored. @throws WorldFault `invalid_id` */
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
 * Returns the last id of a page without intact entities. Fails if that id is not after `after`: ids may be damaged, too.
 * @throws WorldFault `damaged`
 */
function endOfDamage(damaged: readonly string[], after = ''): string {
  const last = damaged.at(-1)
  if (last !== undefined && compareUtf8(last, after) > 0) return last
  throw damagedFault()
}

/** Returns the leading entities that fit in one response, but never fewer than one, so that every page advances. */
function withinBytes(entities: readonly StoredEntity[]): readonly StoredEntity[] {
  let bytes = 0
  for (const [index, entity] of entities.entries()) {
    bytes += utf8Length(entity.json)
    if (bytes > MAX_PAGE_BYTES && index > 0) return entities.slice(0, index)
  }
  return entities
}
