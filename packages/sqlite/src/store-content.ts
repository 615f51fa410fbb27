/** All that a store keeps, as rows that every engine understands: what is read of one can be put into another. */
import { createHash } from 'node:crypto'
import type { EntityKey, StoredEntity } from '@worldwright/core/store'

/** An entity with the number of its last write. */
export interface NumberedEntity extends StoredEntity {
  readonly number: number
}

/** A deletion that is still known. */
export interface KnownDeletion extends EntityKey {
  readonly number: number
  /** In milliseconds since 1970. */
  readonly deletedAt: number
}

/** An entity that others than files wrote, of a type that files fill. */
export interface OwnedKey extends EntityKey {
  /** The revision that the files were seen to hold of it last; empty if they hold it no more, null if they never did. */
  readonly filed: string | null
}

/** A type that has, or ever had, an entity. */
export interface TypeContent {
  readonly type: string
  readonly count: number
  /** Of its last write. */
  readonly number: number
}

/** A named value, and the version that it was kept with. */
export interface KeptValue {
  readonly key: string
  readonly value: string
  readonly version: string
}

/** A store at one moment. Everything is ascending by the bytes of its keys; rows come in pages, once each time. */
export interface StoreContent {
  readonly epoch: string
  /** Of the last write that changed entities. */
  readonly number: number
  /** Deletions up to this number may be forgotten. */
  readonly trimmed: number
  readonly types: readonly TypeContent[]
  /** The types that files fill. */
  readonly filled: readonly string[]
  readonly values: readonly KeptValue[]
  /** @throws StorageFault `damaged` */
  entities(): AsyncIterable<readonly NumberedEntity[]>
  deletions(): AsyncIterable<readonly KnownDeletion[]>
  owned(): AsyncIterable<readonly OwnedKey[]>
}

/** What a content is known by. */
export interface ContentDigest {
  readonly entities: number
  /** As `StoreReport.contentHash`: over types, ids and revisions. */
  readonly contentHash: string
  /** Over everything. */
  readonly digest: string
}

/** Reads all of a content. @throws StorageFault `damaged` */
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

/** The members of a row in the order of their names. */
function membersOf(row: object): unknown[] {
  return Object.entries(row)
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([, value]) => value)
}
