/** From a validated entity to what an engine keeps: its revision, its serialised form, its times. */
import type { Entity } from '@worldwright/client/protocol'
import type { StoredEntity } from './contract.ts'
import { revisionOf } from './revision.ts'

/** The time of entities that have none. */
const EPOCH = '1970-01-01T00:00:00Z'

/** An entity on its way into an engine: all of it that does not depend on what is stored already. */
export interface PreparedEntity {
  readonly type: string
  readonly id: string
  readonly revision: string
  /** JSON of the members type, id, title, summary and attributes, in this order; absent ones left out. */
  readonly content: string
}

/** Serialises an entity once, for good. */
export function prepare(entity: Entity): PreparedEntity {
  const { type, id, title, summary, attributes } = entity
  const content = JSON.stringify({ type, id, title, summary, attributes })
  return { type, id, revision: revisionOf(entity), content }
}

/** An entity as a `Source` gives it. `createdAt` and `updatedAt` (RFC 3339) are its own, or 1970. */
export function storedEntity(entity: Entity): StoredEntity {
  const { createdAt = EPOCH, updatedAt = createdAt } = entity
  return storedFrom(prepare(entity), createdAt, updatedAt)
}

/** The entity as it is kept and served, with its times (RFC 3339) after the content, and its revision last. */
export function storedFrom(prepared: PreparedEntity, createdAt: string, updatedAt: string): StoredEntity {
  const { type, id, revision, content } = prepared
  const times = `"createdAt":"${createdAt}","updatedAt":"${updatedAt}"`
  return { type, id, revision, json: `${content.slice(0, -1)},${times},"revision":"${revision}"}` }
}

/**
 * An entity that is put again: it keeps the time when it was first put. If the clock went back, it was changed no
 * earlier than that.
 */
export function changedFrom(prepared: PreparedEntity, existing: StoredEntity, at: string): StoredEntity {
  const createdAt = createdAtOf(existing)
  return storedFrom(prepared, createdAt, at < createdAt ? createdAt : at)
}

/** When a stored entity was first put. */
function createdAtOf(entity: StoredEntity): string {
  return JSON.parse(entity.json).createdAt
}

/** A moment as entities carry it: RFC 3339 UTC at seconds precision. */
export function timestampOf(moment: Date): string {
  return moment.toISOString().replace(/\.\d+Z$/, 'Z')
}
