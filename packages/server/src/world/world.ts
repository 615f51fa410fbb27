/**
 * A world's operations in the protocol's own terms, over any storage engine: one entity, a page, a discovery.
 * Nothing here knows of HTTP. Answers that go out as they are stored stay serialised.
 */
import { type EntityTypeDescription, idFault, typeFault, type Warning } from '@worldwright/client/protocol'
import type { MaybePromise, Query, Result, Storage, StoredEntity } from '../storage/contract.ts'
import { cursorAfter, positionFromCursor } from './cursor.ts'
import type { DiscoverRequest } from './discover-action.ts'
import { WorldFault } from './errors.ts'
import { LIST_DEFAULT, LIST_MAX, MAX_PAGE_BYTES } from './limits.ts'

/** What a world is, apart from its data. */
export interface WorldDescription {
  /** An absolute URI that stays the same wherever the world is served. */
  readonly id: string
  readonly name?: string
  readonly description?: string
  /** Its entity types: fixed, or asked again when the store has changed. Types may come while it is served, but not go. */
  readonly types: readonly EntityTypeDescription[] | (() => MaybePromise<readonly EntityTypeDescription[]>)
}

/** One page of a list, entities serialised. */
export interface WorldPage {
  readonly entities: readonly StoredEntity[]
  /** Present exactly when one more entity exists. */
  readonly nextCursor: string | undefined
  /** The effective limit. */
  readonly limit: number
  readonly total: number
  /** The type's version in the snapshot that gave the rows. */
  readonly version: string
}

/** What was found, its hits cut to what one answer may hold. */
export interface DiscoverResult extends Result<StoredEntity> {
  readonly limit: number
  /** There are more matches than hits. */
  readonly truncated: boolean
  readonly warnings: readonly Warning[]
}

/** A world over its store. */
export interface World {
  readonly description: WorldDescription
  /** The entity types, ascending by type. The same array as long as nothing changed. */
  types(): Promise<readonly EntityTypeDescription[]>
  /** @throws WorldFault `invalid_type`, `invalid_id`, `unknown_type`, `entity_not_found` */
  get(type: string, id: string): Promise<StoredEntity>
  /** @throws WorldFault `invalid_type`, `unknown_type`, `invalid_cursor` */
  list(type: string, options: { limit: number | undefined; cursor: string | undefined }): Promise<WorldPage>
  /** Types that no one here knows match nothing and are named in the warnings. */
  discover(request: DiscoverRequest): Promise<DiscoverResult>
}

/** Joins a description and a store. */
export function createWorldView(description: WorldDescription, storage: Storage): World {
  const types = createTypeList(description, storage)

  async function requireType(type: string): Promise<void> {
    const reason = typeFault(type)
    if (reason !== undefined) {
      throw new WorldFault('invalid_type', 'This is no entity type; one looks like prefix:name.', {
        type,
        reason,
      })
    }
    if (types.known(type) || (await types.current()).has(type)) return
    throw new WorldFault(
      'unknown_type',
      'This world has no such entity type; discovery lists those it has.',
      {
        type,
      },
    )
  }

  return {
    description,
    types: async () => (await types.current()).list,

    async get(type, id) {
      await requireType(type)
      const found = await storage.get(type, normalId(id))
      if (found !== undefined) return found
      throw new WorldFault('entity_not_found', 'There is no entity of this type and id.', { type, id })
    },

    async list(type, options) {
      await requireType(type)
      const scope = { worldId: description.id, type }
      const limit = Math.min(options.limit ?? LIST_DEFAULT, LIST_MAX)
      const position =
        options.cursor === undefined ? {} : { after: positionFromCursor(scope, options.cursor) }
      // One more than wanted tells whether a next page exists, in the same snapshot.
      const page = await storage.list(type, { ...position, limit: limit === 0 ? 0 : limit + 1 })
      const entities = withinBytes(page.entities.slice(0, limit))
      const last = entities.at(-1)
      const more = last !== undefined && entities.length < page.entities.length
      const nextCursor = more ? cursorAfter(scope, last.id) : undefined
      return { entities, nextCursor, limit, total: page.total, version: page.version }
    },

    async discover({ query, warnings }) {
      const known = await types.current()
      const unknown = (query.types ?? []).flatMap((type, index) =>
        known.has(type) ? [] : [unknownType(type, index)],
      )
      const wanted: Query = {
        ...query,
        types: query.types === undefined ? known.names : query.types.filter((type) => known.has(type)),
      }
      const result = await storage.find(wanted)
      const hits = withinBytes(result.hits)
      const truncated = hits.length < result.total
      return { ...result, hits, limit: query.limit, truncated, warnings: [...unknown, ...warnings] }
    },
  }
}

/** An id in the form it is stored in. @throws WorldFault `invalid_id` */
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

/** The first entities that fit one answer: at least one, so that every page moves on. */
function withinBytes(entities: readonly StoredEntity[]): readonly StoredEntity[] {
  let bytes = 0
  for (const [index, entity] of entities.entries()) {
    bytes += Buffer.byteLength(entity.json)
    if (bytes > MAX_PAGE_BYTES && index > 0) return entities.slice(0, index)
  }
  return entities
}

interface TypeList {
  readonly list: readonly EntityTypeDescription[]
  readonly names: readonly string[]
  has(type: string): boolean
}

/** The known types; where they depend on the data, read again when the store's version has moved. */
function createTypeList(description: WorldDescription, storage: Storage) {
  const source = description.types
  let version: string | undefined
  let list = typeListFrom(typeof source === 'function' ? [] : source)
  return {
    /** Whether a type was there when last looked, which costs nothing and cannot have ceased to be true. */
    known: (type: string) => list.has(type),
    async current(): Promise<TypeList> {
      if (typeof source !== 'function') return list
      const now = await storage.version()
      // The version is from before the reading: a write in between makes the next call read again.
      if (now !== version) {
        const next = typeListFrom(await source())
        // The same list as long as nothing in it changed: what was made from it still holds.
        if (JSON.stringify(next.list) !== JSON.stringify(list.list)) list = next
        version = now
      }
      return list
    },
  }
}

interface TypeList {
  readonly list: readonly EntityTypeDescription[]
  readonly names: readonly string[]
  has(type: string): boolean
}

function typeListFrom(descriptions: readonly EntityTypeDescription[]): TypeList {
  const list = descriptions.toSorted((a, b) => (a.type < b.type ? -1 : 1))
  const names = list.map((description) => description.type)
  const set = new Set(names)
  return { list, names, has: (type) => set.has(type) }
}
