/** Conversion of a validated entity to its stored form: revision, serialised content, times. */
import type { Entity } from '@worldwright/client/protocol'
import type { StoredEntity } from './contract.ts'
import { revisionOf } from './revision.ts'

/** Time of entities that have none. */
const EPOCH = '1970-01-01T00:00:00Z'

/** An entity prepared for storage: everything that does not depend on the stored state. */
export interface PreparedEntity {
  readonly type: string
  readonly id: string
  readonly revision: string
  /** JSON of the members type, id, title, summary and attributes, in this order; absent ones left out. */
  readonly content: string
}

/** Serialises an entity and computes its revision. */
export function prepare(entity: Entity): PreparedEntity {
  const { type, id, title, summary, attributes } = entity
  const content = JSON.stringify({ type, id, title, summary, attributes })
  return { type, id, revision: revisionOf(entity), content }
}

/** Returns an entity in the form that a `Source` returns. `createdAt` and `updatedAt` (RFC 3339) are its own, or 1970. */
export function storedEntity(entity: Entity): StoredEntity {
  const { createdAt = EPOCH, updatedAt = createdAt } = entity
  return storedFrom(prepare(entity), createdAt, updatedAt)
}

/** Builds the stored and served form of an entity: content, then times (RFC 3339), then the revision. */
export function storedFrom(prepared: PreparedEntity, createdAt: string, updatedAt: string): StoredEntity {
  const { type, id, revision, content } = prepared
  const times = `"createdAt":"${createdAt}","updatedAt":"${updatedAt}"`
  return { type, id, revision, json: `${content.slice(0, -1)},${times},"revision":"${revision}"}` }
}

/**
 * Builds the stored form of an entity that is put again. It keeps its creation time, and `updatedAt` is never earlier,
 * even if the clock went back.
 */
export function changedFrom(prepared: PreparedEntity, existing: StoredEntity, at: string): StoredEntity {
  const createdAt = createdAtOf(existing)
  return storedFrom(prepared, createdAt, at < createdAt ? createdAt : at)
}

function createdAtOf(entity: StoredEntity): string {
  return JSON.parse(entity.json).createdAt
}

/** Formats a time for entities: RFC 3339 UTC at seconds precision. */
export function timestampOf(moment: Date): string {
  return moment.toISOString().replace(/\.\d+Z$/, 'Z')
}
