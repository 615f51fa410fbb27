/** Conversion of a validated entity to its stored form: revision, serialised content, times. */
import type { Entity } from '@worldwright/client/protocol'
import type { StoredEntity } from './contract.ts'
import { revisionOf } from './revision.ts'

/** Creation time assumed for entities that have none. */
const EPOCH = '1970-01-01T00:00:00Z'

/** The parts of a stored entity that do not depend on the entity it replaces. */
export interface PreparedEntity {
  readonly type: string
  readonly id: string
  readonly revision: string
  /** JSON of the members type, id, title, summary and attributes, in this order, without absent members. */
  readonly content: string
}

/** Serialises an entity and computes its revision. */
export function prepare(entity: Entity): PreparedEntity {
  const { type, id, title, summary, attributes } = entity
  const content = JSON.stringify({ type, id, title, summary, attributes })
  return { type, id, revision: revisionOf(entity), content }
}

/** Converts an entity to the form that a `Source` returns. `createdAt` defaults to 1970, and `updatedAt` to `createdAt`. */
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
 * Builds the stored form of an entity that replaces `existing`. Keeps the creation time, and never sets `updatedAt` to an
 * earlier time, even if the clock was set back.
 */
export function changedFrom(prepared: PreparedEntity, existing: StoredEntity, at: string): StoredEntity {
  const { createdAt } = JSON.parse(existing.json)
  return storedFrom(prepared, createdAt, at < createdAt ? createdAt : at)
}

/** Formats a time as RFC 3339 in UTC, with a precision of seconds. */
export function timestampOf(moment: Date): string {
  return moment.toISOString().replace(/\.\d+Z$/, 'Z')
}
