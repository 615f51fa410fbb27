/** All content of a store, as rows that every engine understands: content read from one can be put into another. */
import { createHash } from 'node:crypto'
import type { EntityKey, StoredEntity } from '@worldwright/core/store'

/** An entity with the number of its last write. */
export interface NumberedEntity extends StoredEntity {
  readonly number: number
}

/** A tombstone that is still kept. */
export interface KnownDeletion extends EntityKey {
  readonly number: number
  /** In milliseconds since 1970. */
  readonly deletedAt: number
}

/** An entity of a type that files fill, which others wrote. */
export interface OwnedKey extends EntityKey {
  /** Revision that the files were last seen to hold; empty if they hold it no more, null if they never did. */
  readonly filed: string | null
}

/** A type that has, or ever had, an entity. */
export interface TypeContent {
  readonly type: string
  readonly count: number
  /** Number of its last write. */
  readonly number: number
}

/** A named value, and the version that it was stored with. */
export interface KeptValue {
  readonly key: string
  readonly value: string
  readonly version: string
}

/** The content of a store at one moment, ascending by the bytes of its keys. Each call yields the rows once, in pages. */
export interface StoreContent {
  readonly epoch: string
  /** Number of the last write that changed entities. */
  readonly number: number
  /** Tombstones up to this number may have been removed. */
  readonly trimmed: number
  readonly types: readonly TypeContent[]
  /** Types that files fill. */
  readonly filled: readonly string[]
  readonly values: readonly KeptValue[]
  /** @throws StorageFault `damaged` */
  entities(): AsyncIterable<readonly NumberedEntity[]>
  deletions(): AsyncIterable<readonly KnownDeletion[]>
  owned(): AsyncIterable<readonly OwnedKey[]>
}

/** Digests that identify the content of a store. */
export interface ContentDigest {
  readonly entities: number
  /** Digest over types, ids and revisions, as `StoreReport.contentHash`. */
  readonly contentHash: string
  /** Digest over everything. */
  readonly digest: string
}

/** Reads all of a content, and returns its digests. @throws StorageFault `damaged` */
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

/** Returns the members of a row, in the order of their names. */
function membersOf(row: object): unknown[] {
  return Object.entries(row)
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([, value]) => value)
}
