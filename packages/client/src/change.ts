/**
 * Changes as the extension `worldwright:changes` gives them, and the pages they come in.
 */
import { fail, isText, WorldError } from './error.ts'
import { type Entity, isObject, type JsonObject } from './protocol.ts'
import type { AnyTypes, Name, WorldTypes } from './types.ts'

/** What both kinds of change have. */
interface Happened<T extends string> {
  type: T
  id: string
  /** How far the history of the world had come with it. Opaque. */
  position: string
  /** Where to go on after this change: the `since` of a later call with the same `types`. Opaque. */
  next: string
}

/** An entity was created or changed. */
export interface Put<T extends string = string, Attributes = JsonObject> extends Happened<T> {
  op: 'put'
  /** Of the entity as it stands. */
  revision: string
  /** The entity as it stands, where `entities` asked for it. */
  entity?: Entity<T, Attributes>
}

/** An entity was there before and was deleted. */
export interface Deletion<T extends string = string> extends Happened<T> {
  op: 'delete'
}

/** The last thing that happened to an entity. Of two changes of the same entity the later one counts. */
export type Change<
  Types extends WorldTypes = AnyTypes,
  T extends Name<Types['entities']> = Name<Types['entities']>,
> = {
  [N in T]: Put<N, Types['entities'][N]> | Deletion<N>
}[T]

/** Some changes of the log, in their order. */
export interface ChangesPage {
  changes: Change[]
  /** Where to go on after them. */
  next: string
  /** There are more changes already. */
  more: boolean
  /** How far the history of the world has come with them; without `more`, the state of the world. Opaque. */
  position?: string | undefined
  /** Tokens of positions before this one have expired. */
  earliest?: string | undefined
  /** Of every type, at the end of the log. */
  versions?: Readonly<Record<string, string>> | undefined
  /** Left out, since they are damaged: where they were to be named. */
  damaged?: readonly Pick<Entity, 'type' | 'id'>[] | undefined
}

/**
 * A body that is a page of changes, else `invalid_response`, details `member`: what was missing. With `entities`, each
 * put has to come with its entity.
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

/** A value that is a change, else `invalid_response`, details `member`: what was missing, or is of another entity. */
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
