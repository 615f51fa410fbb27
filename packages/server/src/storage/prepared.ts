/** From a validated entity to what an engine keeps: its revision, its serialised form, its times. */
import { hash } from 'node:crypto'
import type { Entity } from '@worldwright/client/protocol'
import canonicalize from 'canonicalize'
import type { StoredEntity } from './contract.ts'

/** The first 128 bits of SHA-256 identify content (decisions 2). */
const REVISION_BYTES = 16

/** An entity on its way into an engine: all of it that does not depend on what is stored already. */
export interface PreparedEntity {
  readonly type: string
  readonly id: string
  readonly revision: string
  /** JSON of the members type, id, title, summary and attributes, in this order; absent ones left out. */
  readonly content: string
}

/**
 * The revision of an entity's content: 128 bits of SHA-256 in base64url, over the canonical JSON (RFC 8785) of
 * type, id, title, summary and attributes (decisions 2). Times and a revision on it do not count.
 */
export function revisionOf(entity: Entity): string {
  return digest(contentOf(entity))
}

/** Serialises an entity once, for good. */
export function prepare(entity: Entity): PreparedEntity {
  const content = contentOf(entity)
  return {
    type: entity.type,
    id: entity.id,
    revision: digest(content),
    content: JSON.stringify(content),
  }
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

function contentOf({ type, id, title, summary, attributes }: Entity) {
  return { type, id, title, summary, attributes }
}

function digest(content: ReturnType<typeof contentOf>): string {
  // An object always has a canonical form; only bare functions and symbols have none.
  const canonical = canonicalize(content) as string
  return hash('sha256', canonical, 'buffer').subarray(0, REVISION_BYTES).toString('base64url')
}
