/**
 * Changes as the extension `worldwright:changes` serves them, and their pages.
 */
import { fail, isText, WorldError } from './error.ts'
import { type Entity, isObject, type JsonObject } from './protocol.ts'
import type { AnyTypes, Name, WorldTypes } from './types.ts'

/** Members that both kinds of change have. */
interface Happened<T extends string> {
  type: T
  id: string
  /** Position of the world's history that includes the change. Opaque. */
  position: string
  /** Offset after this change: the `since` of a later call with the same `types`. Opaque. */
  next: string
}

/** An entity was created or changed. */
export interface Put<T extends string = string, Attributes = JsonObject> extends Happened<T> {
  op: 'put'
  /** Revision of the entity as it is now. */
  revision: string
  /** The entity as it is now, if `entities` asked for it. */
  entity?: Entity<T, Attributes>
}

/** An entity that existed was deleted. */
export interface Deletion<T extends string = string> extends Happened<T> {
  op: 'delete'
}

/** The last change of an entity. Of two changes of the same entity, the later one counts. */
export type Change<
  Types extends WorldTypes = AnyTypes,
  T extends Name<Types['entities']> = Name<Types['entities']>,
> = {
  [N in T]: Put<N, Types['entities'][N]> | Deletion<N>
}[T]

/** Some changes of the log, in order. */
export interface ChangesPage {
  changes: Change[]
  /** Offset after the changes of this page. */
  next: string
  /** More changes are available. */
  more: boolean
  /** Position of the world's history that includes these changes; without `more`, the state of the world. Opaque. */
  position?: string | undefined
  /** Offsets of positions before this one have expired. */
  earliest?: string | undefined
  /** Versions of every type, at the end of the log. */
  versions?: Readonly<Record<string, string>> | undefined
  /** Damaged entities omitted from the page, if they were to be named. */
  damaged?: readonly Pick<Entity, 'type' | 'id'>[] | undefined
}

/**
 * Checks that a body is a page of changes, else `invalid_response`, details `member`: the missing member. With `entities`,
 * each put must carry its entity.
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

/** Checks that a value is a change, else `invalid_response`, details `member`: the member missing, or of another entity. */
export function changeFrom(value: unknown, entities: boolean | undefined): Change {
  const { op, entity, ...texts } = isObject(value) ? value : {}
  if (op !== 'put' && op !== 'delete') fail('invalid_response', { member: 'op' })
  for (const member of ['type', 'id', 'position', 'next', ...(op === 'put' ? ['revision'] : [])])
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
