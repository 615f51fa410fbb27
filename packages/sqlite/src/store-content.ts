/** Complete content of a store in an engine-independent form, for copying it between engines. */
import { createHash } from 'node:crypto'
import type { EntityKey, StoredEntity } from '@worldwright/core/store'

/** Entity with the number of its last write. */
export interface NumberedEntity extends StoredEntity {
  readonly number: number
}

/** Tombstone that has not been removed yet. */
export interface KnownDeletion extends EntityKey {
  readonly number: number
  /** Time of the deletion, in milliseconds since 1970. */
  readonly deletedAt: number
}

/** Key of an entity written through the API although its type is file-backed. */
export interface OwnedKey extends EntityKey {
  /** Revision last seen in the files. Empty if they no longer contain the entity, null if they never did. */
  readonly filed: string | null
}

/** Type that has, or ever had, an entity. */
export interface TypeContent {
  readonly type: string
  readonly count: number
  /** Number of the last write to the type. */
  readonly number: number
}

/** Named value, with the version of the write that stored it. */
export interface KeptValue {
  readonly key: string
  readonly value: string
  readonly version: string
}

/** Content of a store at one point in time. Rows are in byte order of their keys. Each call yields all rows, in pages. */
export interface StoreContent {
  readonly epoch: string
  /** Number of the last write that changed entities. */
  readonly number: number
  /** Tombstones up to this number may have been removed. */
  readonly trimmed: number
  readonly types: readonly TypeContent[]
  /** Types that are file-backed. */
  readonly filled: readonly string[]
  readonly values: readonly KeptValue[]
  /** Yields all entities. @throws StoreFault `damaged` */
  entities(): AsyncIterable<readonly NumberedEntity[]>
  deletions(): AsyncIterable<readonly KnownDeletion[]>
  owned(): AsyncIterable<readonly OwnedKey[]>
}

/** Digests of a store's content. */
export interface ContentDigest {
  readonly entities: number
  /** Digest of types, ids and revisions, equal to `StoreReport.contentHash`. */
  readonly contentHash: string
  /** Digest of the whole content. */
  readonly digest: string
}

/** Reads the whole content and returns its digests. @throws StoreFault `damaged` */
export async function digestOf(content: StoreContent): Promise<ContentDigest> {
  const { epoch, number, trimmed, types, filled, values } = content
  const hash = createHash('sha256')
  const all = createHash('sha256')
  all.update(JSON.stringify([epoch, number, trimmed, types.map(membersOf), filled, values.map(membersOf)]))
  let entities = 0
  for await (const page of content.entities())
    for (const { type, id, revision, json, number } of page) {
      entities += 1
      hash.update(`${type}\n${id}\n${revision}\n`)
      all.update(`${type}\n${id}\n${revision}\n${number}\n${json}\n`)
    }
  for (const rows of [content.deletions(), content.owned()])
    for await (const page of rows) for (const row of page) all.update(JSON.stringify(membersOf(row)))
  return { entities, contentHash: hash.digest('hex'), digest: all.digest('hex') }
}

/** Returns the values of a row's members, ordered by member name. */
function membersOf(row: object): unknown[] {
  return Object.entries(row)
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([, value]) => value)
}
