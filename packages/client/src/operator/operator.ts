/**
 * `@worldwright/client/operator`: writing to a world that has the extension `worldwright:operator`, with a token.
 */
import type { WorldData } from '../discovery.ts'
import { isWorldError } from '../error.ts'
import { withMessage } from '../messages.ts'
import type { Entity, JsonObject, JsonValue } from '../protocol.ts'
import type { CallOptions } from '../request.ts'
import { objectIn } from '../response.ts'
import type { AnyTypes, Name, WorldTypes } from '../types.ts'
import type { World } from '../world.ts'
import { type BulkOptions, type BulkResult, bulk, type Row } from './bulk.ts'
import { mintId } from './mint-id.ts'
import { entitiesUrl, sameJson, send, type Write, wasRepeated } from './writing.ts'

export type { BulkOptions, BulkProgress, BulkResult, RejectedRow, Row } from './bulk.ts'
export { mintId } from './mint-id.ts'

/** Content of an entity, as its author writes it. */
export type Content<Attributes = JsonObject> = Omit<Row<Attributes>, 'id'>

/** Preconditions of a write, which otherwise fails with `precondition_failed`. */
export interface WriteOptions extends CallOptions {
  /** The entity has this revision, as last read. */
  ifRevision?: string | undefined
  /** The entity does not exist. */
  ifAbsent?: boolean | undefined
}

/** Result of writing one entity. */
export interface Written<E = Entity> {
  readonly entity: E
  /** Position of the world after the write, for `worldwright-after`; absent if an earlier attempt did it. */
  readonly position?: string | undefined
}

/** Part of a content, as JSON Merge Patch (RFC 7396): null removes a member. */
export type Patch<Attributes> = {
  readonly title?: string | null
  readonly summary?: string | null
  readonly attributes?: { readonly [Member in keyof Attributes]?: Attributes[Member] | null }
}

/**
 * Writer of one world. Each write is sent again after no answer, and never done twice: the writer names the entity,
 * preconditions apply to each attempt, and a write already done by an earlier attempt is recognised. Writes reject with
 * `unsupported_extension` if the world cannot be written, and as the operator API does (`unauthenticated`,
 * `forbidden`, `invalid_entity`, `precondition_failed`).
 */
export class Operator<Types extends WorldTypes = AnyTypes> {
  readonly #world: WorldData

  /** Creates the writer of a world that was connected with a token. */
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
    return withMessage(async () => {
      try {
        return (await send(this.#world, write, options)).result as Written<never>
      } catch (error) {
        const entity = await this.#doneBefore(error, url, content as Content, options)
        if (entity) return { entity } as Written<never>
        throw error
      }
    })
  }

  /** Creates an entity under a new id: see `mintId`. */
  async create<T extends Name<Types['entities']>>(
    type: T,
    content: Content<Types['entities'][T]>,
    options: CallOptions = {},
  ): Promise<Written<Entity<T, Types['entities'][T]>>> {
    return this.put(type, mintId(), content, { ...options, ifAbsent: true })
  }

  /** Merges a patch into an entity. Without `ifRevision`, a patch that conflicts with another write is applied on top of it. */
  async patch<T extends Name<Types['entities']>>(
    type: T,
    id: string,
    patch: Patch<Types['entities'][T]>,
    { ifRevision, ...options }: Omit<WriteOptions, 'ifAbsent'> = {},
  ): Promise<Written<Entity<T, Types['entities'][T]>>> {
    const url = entitiesUrl(this.#world, type, id)
    const mediaType = 'application/merge-patch+json'
    const write = { url, method: 'PATCH', body: JSON.stringify(patch), mediaType, ifRevision, take: written }
    return withMessage(async () => {
      try {
        return (await send(this.#world, write, options)).result as Written<never>
      } catch (error) {
        const entity = await this.#patchedBefore(error, url, patch as JsonObject, options)
        if (entity) return { entity } as Written<never>
        throw error
      }
    })
  }

  /** Deletes an entity. `entity_not_found` if there is none. */
  async delete(
    type: Name<Types['entities']>,
    id: string,
    { ifRevision, ...options }: Omit<WriteOptions, 'ifAbsent'> = {},
  ): Promise<Pick<Written, 'position'>> {
    const take: Write<Pick<Written, 'position'>>['take'] = (_, __, response) => positionOf(response)
    const write = { url: entitiesUrl(this.#world, type, id), method: 'DELETE', ifRevision, take }
    return withMessage(async () => {
      try {
        return (await send(this.#world, write, options)).result
      } catch (error) {
        const isGone = isWorldError(error) && (error.status === 404 || isWithout(error))
        // The attempt before has deleted it.
        if (isGone && wasRepeated(error)) return {}
        throw error
      }
    })
  }

  /** Writes many entities of one type, a part at a time: see `BulkOptions`. */
  async bulk<T extends Name<Types['entities']>>(
    type: T,
    rows: Iterable<Row<Types['entities'][T]>> | AsyncIterable<Row<Types['entities'][T]>>,
    options?: BulkOptions,
  ): Promise<BulkResult> {
    return withMessage(() => bulk(this.#world, type, rows, options))
  }

  /** Returns the entity if a precondition failed because an earlier attempt has written exactly this content. */
  async #doneBefore(error: unknown, url: string, content: Content, options: CallOptions) {
    const entity = await this.#afterRepeat(error, url, options)
    const { title, summary, attributes } = content
    const isSame =
      entity?.title === title && entity?.summary === summary && sameJson(entity?.attributes, attributes)
    return isSame ? entity : undefined
  }

  /** Returns the entity if a precondition failed and the entity is as the patch would make it. */
  async #patchedBefore(error: unknown, url: string, patch: JsonObject, options: CallOptions) {
    const entity = await this.#afterRepeat(error, url, options)
    return entity && isPatched(entity as unknown as JsonObject, patch) ? entity : undefined
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

/** Reads the position from a header, which browsers hide from pages of another origin unless the world exposes it. */
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
