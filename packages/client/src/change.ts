/**
 * Changes and change pages, as served by the extension `worldwright:changes`.
 */
import { fail, isText, WorldError } from './error.ts'
import { type Entity, isObject, type JsonObject } from './protocol.ts'
import type { AnyTypes, Name, WorldTypes } from './types.ts'

/** Members common to puts and deletions. */
interface Happened<T extends string> {
  type: T
  id: string
  /** Opaque position in the world's history. The state at this position includes the change. */
  position: string
  /** Opaque offset after this change. Pass it as `since` to a later call with the same `types`. */
  next: string
}

/** An entity was created or changed. */
export interface Put<T extends string = string, Attributes = JsonObject> extends Happened<T> {
  op: 'put'
  /** Current revision of the entity. */
  revision: string
  /** Current state of the entity. Present only if requested with `entities`. */
  entity?: Entity<T, Attributes>
}

/** An existing entity was deleted. */
export interface Deletion<T extends string = string> extends Happened<T> {
  op: 'delete'
}

/** An entity changed and does not match `where`, or no longer exists. It may never have matched. Only sent with `where`. */
export interface Leave<T extends string = string> extends Happened<T> {
  op: 'leave'
}

/** A change to an entity. It supersedes all earlier changes to the same entity. */
export type Change<
  Types extends WorldTypes = AnyTypes,
  T extends Name<Types['entities']> = Name<Types['entities']>,
> = {
  [N in T]: Put<N, Types['entities'][N]> | Deletion<N> | Leave<N>
}[T]

/** Consecutive changes of the log, in order. */
export interface ChangesPage {
  changes: Change[]
  /** Offset after the last change on this page. */
  next: string
  /** True if more changes are available. */
  more: boolean
  /** Opaque position in the world's history, after these changes. The latest position if `more` is false. */
  position?: string | undefined
  /** Oldest retained position. Offsets older than this have expired. */
  earliest?: string | undefined
  /** Type versions at the end of the log, by type name. */
  versions?: Readonly<Record<string, string>> | undefined
  /** Damaged entities omitted from the page. Present only if requested with `nameDamaged`. */
  damaged?: readonly Pick<Entity, 'type' | 'id'>[] | undefined
}

/**
 * Parses a change page. If `entities` is true, each put must include its entity. Throws `invalid_response` if `body` is not
 * a change page (details `member` names the missing member).
 */
export function pageFrom(body: unknown, entities: boolean | undefined): ChangesPage {
  const { changes, next, more, position, earliest, versions, damaged } = isObject(body) ? body : {}
  if (!Array.isArray(changes)) fail('invalid_response', { member: 'changes' })
  if (!isText(next) || !next) fail('invalid_response', { member: 'next' })
  return {
    changes: changes.map((change) => changeFrom(change, entities)),
    next,
    more: more === true,
    position: isText(position) ? position : undefined,
    earliest: isText(earliest) ? earliest : undefined,
    versions: isObject(versions) ? (versions as Record<string, string>) : undefined,
    damaged: Array.isArray(damaged) ? (damaged as unknown as Entity[]) : undefined,
  }
}

/** Parses a change. Throws `invalid_response` if a member is missing (details `member`) or a put lacks its entity. */
export function changeFrom(value: unknown, entities: boolean | undefined): Change {
  const { op, entity, ...texts } = isObject(value) ? value : {}
  if (!isText(op) || !/^(put|delete|leave)$/.test(op)) fail('invalid_response', { member: 'op' })
  for (const member of ['type', 'id', 'position', 'next', op === 'put' ? 'revision' : 'id'])
    if (!isText(texts[member])) fail('invalid_response', { member })
  if (op === 'put' && entities) {
    const { type, id } = isObject(entity) ? entity : {}
    if (type !== texts['type'] || id !== texts['id'])
      throw new WorldError('invalid_response', 'A change comes with another entity than it names.', {
        details: { type: texts['type'], id: texts['id'] },
      })
  }
  return value as unknown as Change
}
