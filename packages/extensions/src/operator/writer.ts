/** Writes single entities. Writes are validated, may be conditional, and are durable when they return. */
import { type Entity, idFault, type JsonValue } from '@worldwright/client/protocol'
import { entityNotFound, type World, type WorldDescription, WorldFault } from '@worldwright/core'
import {
  type Outcome,
  type Position,
  type Precondition,
  preconditionHolds,
  type Store,
  type StoredEntity,
  type WriteResult,
} from '@worldwright/core/store'
import { createValidator } from '@worldwright/entities/schemas'
import { createTypeCheck, type TypeCheck } from '@worldwright/entities/types'
import { preconditionFailed } from '../actions/precondition-failed.ts'
import { entityFromBody, invalidEntity } from './entity-body.ts'
import { mergePatch } from './merge-patch.ts'

/** Options of an entity writer. */
export interface WriterOptions {
  /** Validates attributes. By default, uses the schemas of the world's types if those are a fixed list. */
  readonly check?: TypeCheck
}

/** Precondition of a write, and a signal that cancels the write. */
export interface WriteCondition {
  /** Condition on the stored entity. If absent, the write is unconditional. */
  readonly precondition?: Precondition | undefined
  readonly signal?: AbortSignal | undefined
}

/** Outcome of a write to one entity. */
export interface Written {
  readonly entity: StoredEntity
  readonly change: Outcome['change']
  /** Position of the store after the write. */
  readonly position: Position
}

const FINE = { faults: [], warnings: [] }

/** Maximum attempts to apply a patch that conflicts with other writes. */
const MAX_ATTEMPTS = 10

/**
 * Writes single entities to one store, which checks preconditions as part of the write. Each method may throw WorldFault
 * `invalid_type`, `unknown_type`, `invalid_id`, `invalid_entity` or `precondition_failed`.
 */
export class EntityWriter {
  readonly check: TypeCheck
  readonly #world: World
  readonly #store: Store

  /** @throws TypeError for an invalid schema, if `check` is absent */
  constructor(world: World, store: Store, { check }: WriterOptions) {
    this.check = check ?? declaredCheck(world.description)
    this.#world = world
    this.#store = store
  }

  /** Returns the entity that a body describes. */
  async validEntity(type: string, id: string, value: JsonValue): Promise<Entity> {
    await this.#world.requireType(type)
    const read = entityFromBody(value, type, writableId(id), this.check)
    if ('faults' in read) throw invalidEntity(read.faults)
    return read.entity
  }

  async replace(type: string, id: string, value: JsonValue, condition: WriteCondition): Promise<Written> {
    const result = await this.#put(await this.validEntity(type, id, value), condition)
    if ('entity' in result) return result
    throw preconditionFailed(condition.precondition ?? {}, result.current)
  }

  /** Patches an entity. Also throws `entity_not_found`. Retries after a conflicting write while the precondition holds. */
  async patch(
    type: string,
    id: string,
    patch: JsonValue,
    { precondition, signal }: WriteCondition,
  ): Promise<Written> {
    await this.#world.requireType(type)
    const key = writableId(id)
    let current = await this.#store.get(type, key, { signal })
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      if (current === undefined && precondition === undefined) throw entityNotFound(type, id)
      if (current === undefined || !preconditionHolds(precondition ?? {}, current)) break
      const value = mergePatch(JSON.parse(current.json), patch)
      const ifSame = { precondition: { ifRevision: [current.revision] }, signal }
      const result = await this.#put(await this.validEntity(type, key, value), ifSame)
      if ('entity' in result) return result
      current = result.current
    }
    throw preconditionFailed(precondition ?? {}, current)
  }

  /** Deletes an entity. Returns the store's position after the deletion. Also throws `entity_not_found`. */
  async remove(type: string, id: string, { precondition, signal }: WriteCondition): Promise<Position> {
    await this.#world.requireType(type)
    const operation = { delete: { type, id: writableId(id) }, ...(precondition && { precondition }) }
    const result = await this.#store.write([operation], { signal })
    if (!result.done) throw preconditionFailed(precondition ?? {}, currentOf(result))
    if (result.outcomes[0]?.change === 'missing') throw entityNotFound(type, id)
    return result.position
  }

  /** Writes an entity. If the precondition fails, returns the stored entity instead. */
  async #put(
    put: Entity,
    { precondition, signal }: WriteCondition,
  ): Promise<Written | { readonly current: StoredEntity | undefined }> {
    const operation = { put, ...(precondition && { precondition }) }
    const result = await this.#store.write([operation], { signal })
    if (!result.done) return { current: currentOf(result) }
    const [{ entity, change }] = result.outcomes as [Written]
    return { entity, change, position: result.position }
  }
}

/** Returns a check against the declared schemas, or one that accepts everything if the types depend on the data. */
function declaredCheck({ types }: WorldDescription): TypeCheck {
  return typeof types === 'function' ? () => FINE : createTypeCheck(types, createValidator)
}

function currentOf(result: WriteResult & { done: false }): StoredEntity | undefined {
  return 'current' in result ? result.current : undefined
}

/** Returns a valid id unchanged. Any other, such as one that is not NFC, is refused rather than repaired (decisions 2). */
function writableId(id: string): string {
  const reason = idFault(id)
  if (reason === undefined) return id
  const message = 'No entity can be written under this id.'
  throw new WorldFault('invalid_id', message, { id: id.toWellFormed(), reason })
}
