/**
 * `@worldwright/client/operator`: writes with a token to a world that has the extension `worldwright:operator`.
 */

import { component } from '../address.ts'
import type { WorldData } from '../discovery.ts'
import { fail, isText, isWorldError } from '../error.ts'
import { withMessage } from '../messages.ts'
import type { Entity, EntityTypeDescription, JsonObject, JsonValue } from '../protocol.ts'
import type { CallOptions } from '../request.ts'
import { objectIn } from '../response.ts'
import type { AnyTypes, Name, WorldTypes } from '../types.ts'
import type { World } from '../world.ts'
import { type BulkOptions, type BulkResult, bulk, type Row } from './bulk.ts'
import { mintId } from './mint-id.ts'
import { entitiesUrl, operatorUrl, sameJson, send, type Write, wasRepeated } from './writing.ts'

export type { BulkOptions, BulkProgress, BulkResult, RejectedRow, Row } from './bulk.ts'
export { mintId } from './mint-id.ts'

/** Content of an entity as provided by its author. */
export type Content<Attributes = JsonObject> = Omit<Row<Attributes>, 'id'>

/** Preconditions of a write. If one is not met, the write fails with `precondition_failed`. */
export interface WriteOptions extends CallOptions {
  /** Requires the entity to have this revision. */
  ifRevision?: string | undefined
  /** Requires the entity not to exist. */
  ifAbsent?: boolean | undefined
}

/** Result of writing one entity. */
export interface Written<E = Entity> {
  readonly entity: E
  /** Position after the write, for `worldwright-after`. Absent if the response to the successful attempt was lost. */
  readonly position?: string | undefined
}

/** A type as the operator API describes it. */
export interface OperatorType extends EntityTypeDescription {
  /** Number of entities. */
  readonly count: number
  /** True if the token may write the type. Absent if the world does not say. */
  readonly writable?: boolean
}

/** Partial content, as a JSON Merge Patch (RFC 7396). Null removes a member. */
export type Patch<Attributes> = {
  readonly title?: string | null
  readonly summary?: string | null
  readonly attributes?: { readonly [Member in keyof Attributes]?: Attributes[Member] | null }
}

/**
 * Writes to one world. A write without a response is retried but never applied twice: the client chooses the ids,
 * preconditions apply to each attempt, and the client recognises a write that an earlier attempt applied. Writes reject with
 * `unsupported_extension` if the world is not writable, and with the codes of the operator API (`unauthenticated`,
 * `forbidden`, `invalid_entity`, `precondition_failed`).
 */
export class Operator<Types extends WorldTypes = AnyTypes> {
  readonly #world: WorldData

  /** Creates a writer for a world that was connected with a token. */
  constructor(world: World<Types> | WorldData) {
    this.#world = world as WorldData
  }

  /** Creates or replaces an entity. */
  async put<T extends Name<Types['entities']>>(
    type: T,
    id: string,
    content: Content<Types['entities'][T]>,
    { ifRevision, ifAbsent, ...options }: WriteOptions = {},
  ): Promise<Written<Entity<T, Types['entities'][T]>>> {
    const url = entitiesUrl(this.#world, type, id)
    const write = { url, method: 'PUT', body: JSON.stringify(content), ifRevision, ifAbsent, take: written }
    const members = ['title', 'summary', 'attributes'] as const
    return this.#write(write, options, (entity) =>
      members.every((name) => sameJson(entity[name], (content as Content)[name])),
    )
  }

  /** Creates an entity with a new id. See `mintId`. */
  async create<T extends Name<Types['entities']>>(
    type: T,
    content: Content<Types['entities'][T]>,
    options: CallOptions = {},
  ): Promise<Written<Entity<T, Types['entities'][T]>>> {
    return this.put(type, mintId(), content, { ...options, ifAbsent: true })
  }

  /** Merges a patch into an entity. Without `ifRevision`, the patch is applied on top of any concurrent write. */
  async patch<T extends Name<Types['entities']>>(
    type: T,
    id: string,
    patch: Patch<Types['entities'][T]>,
    { ifRevision, ...options }: Omit<WriteOptions, 'ifAbsent'> = {},
  ): Promise<Written<Entity<T, Types['entities'][T]>>> {
    const url = entitiesUrl(this.#world, type, id)
    const mediaType = 'application/merge-patch+json'
    const write = { url, method: 'PATCH', body: JSON.stringify(patch), mediaType, ifRevision, take: written }
    return this.#write(write, options, (entity) => isPatched(entity as never, patch as JsonObject))
  }

  /** Deletes an entity. Fails with `entity_not_found` if it does not exist. */
  async delete(
    type: Name<Types['entities']>,
    id: string,
    { ifRevision, ...options }: Omit<WriteOptions, 'ifAbsent'> = {},
  ): Promise<Pick<Written, 'position'>> {
    const take: Write<Pick<Written, 'position'>>['take'] = (_, __, response) => positionOf(response)
    const write = { url: entitiesUrl(this.#world, type, id), method: 'DELETE', ifRevision, take }
    return this.#send(write, options).catch((error) => {
      const isGone = isWorldError(error) && (error.status === 404 || isWithout(error))
      // An earlier attempt deleted the entity.
      if (isGone && wasRepeated(error)) return {}
      throw error
    })
  }

  /**
   * Stores a picture for entities of a type, and returns its path on the world's origin, to be written into an attribute.
   * The same picture has the same path. Rejects with `unsupported_media_type` if it is not in a format that the world
   * accepts, and with `payload_too_large`; the declaration of the operator API tells both in `pictures`.
   */
  async storePicture(
    type: Name<Types['entities']>,
    picture: Blob,
    options: CallOptions = {},
  ): Promise<string> {
    const url = `${operatorUrl(this.#world)}/pictures/${component(type)}`
    const take = (body: unknown) => {
      const { path } = objectIn<{ path?: unknown }>(body)
      return isText(path) && /^\/[^/\\\s]\S*$/.test(path) ? path : fail('invalid_response')
    }
    return this.#send({ url, method: 'POST', body: picture, mediaType: picture.type, take }, options)
  }

  /** Returns all types of the world, with their schemas. */
  async types(options: CallOptions = {}): Promise<readonly OperatorType[]> {
    const take = (body: unknown) => {
      const { types } = objectIn<{ types?: unknown }>(body)
      return Array.isArray(types) ? (types as OperatorType[]) : fail('invalid_response')
    }
    return this.#send({ url: `${operatorUrl(this.#world)}/types`, take }, options)
  }

  /** Writes many entities of one type in batches. See `BulkOptions`. */
  async bulk<T extends Name<Types['entities']>>(
    type: T,
    rows: Iterable<Row<Types['entities'][T]>> | AsyncIterable<Row<Types['entities'][T]>>,
    options?: BulkOptions,
  ): Promise<BulkResult> {
    return withMessage(() => bulk(this.#world, type, rows, options))
  }

  async #send<T>(write: Write<T>, options: CallOptions): Promise<T> {
    return withMessage(async () => (await send(this.#world, write, options)).result)
  }

  /** Sends a write. If it fails its precondition because an earlier attempt applied it, returns the entity. */
  async #write<E>(write: Write<Written>, options: CallOptions, isDone: (entity: Entity) => boolean) {
    return this.#send(write, options).catch(async (error) => {
      const entity = await this.#afterRepeat(error, write.url, options)
      if (entity && isDone(entity)) return { entity }
      throw error
    }) as Promise<Written<E>>
  }

  async #afterRepeat(error: unknown, url: string, options: CallOptions): Promise<Entity | undefined> {
    if (!isWorldError(error) || error.code !== 'precondition_failed' || !wasRepeated(error)) return undefined
    const write = { url, take: (body: unknown) => objectIn<Entity>(body) }
    return send(this.#world, write, options).then(
      ({ result }) => result,
      () => undefined,
    )
  }
}

function written(body: unknown, _: unknown, response: Response): Written {
  return { entity: objectIn<Entity>(body), ...positionOf(response) }
}

/** Reads the position from a header, which browsers hide from cross-origin pages unless the world exposes it. */
function positionOf({ headers }: Response): Pick<Written, 'position'> {
  const position = headers.get('worldwright-position')
  return position === null ? {} : { position }
}

/** Reports whether a precondition failed because the entity does not exist. */
function isWithout(error: { readonly code: string; readonly details: Record<string, unknown> }): boolean {
  return error.code === 'precondition_failed' && error.details['revision'] === undefined
}

function isPatched(value: JsonValue | undefined, patch: JsonValue): boolean {
  if (typeof patch !== 'object' || patch === null || Array.isArray(patch)) return sameJson(value, patch)
  const members = (typeof value === 'object' && value !== null && !Array.isArray(value) && value) || undefined
  return Object.entries(patch).every(([name, part]) =>
    part === null ? members?.[name] === undefined : isPatched(members?.[name], part),
  )
}
