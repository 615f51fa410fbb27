/** Writes of single entities: validated, under their preconditions, durable when they return. */
import { idFault, type JsonValue } from '@worldwright/client/protocol'
import type { World, WriteCondition } from '@worldwright/core'
import { entityNotFound, WorldFault } from '@worldwright/core'
import {
  type Outcome,
  type Position,
  preconditionHolds,
  type Store,
  type StoredEntity,
  type WriteResult,
} from '@worldwright/core/store'
import type { TypeCheck } from '@worldwright/entities/types'
import { entityFromBody, invalidEntity } from './entity-body.ts'
import { mergePatch } from './merge-patch.ts'
import { preconditionFailed } from './preconditions.ts'

/** Options of a writer of entities. */
export interface WriterOptions {
  /** Validates attributes against the schemas of the types. Absent: there are no schemas. */
  readonly check?: TypeCheck
}

/** The outcome of a write. */
export interface Written {
  readonly entity: StoredEntity
  readonly change: Outcome['change']
  /** The store's position after the write. */
  readonly position: Position
}

const FINE = { faults: [], warnings: [] }

/** Maximum attempts of a patch that conflicts with other writes. */
const MAX_ATTEMPTS = 10

/**
 * Writes to one store. The store checks preconditions within the write, so nothing is read first. Each write may throw
 * WorldFault: `invalid_type`, `unknown_type`, `invalid_id`, `invalid_entity`, `precondition_failed`.
 */
export class EntityWriter {
  readonly check: TypeCheck
  readonly #world: World
  readonly #storage: Store

  constructor(world: World, storage: Store, { check = () => FINE }: WriterOptions) {
    this.check = check
    this.#world = world
    this.#storage = storage
  }

  async replace(type: string, id: string, value: JsonValue, condition: WriteCondition): Promise<Written> {
    await this.#world.requireType(type)
    const result = await this.#put(type, writableId(id), value, condition)
    if ('entity' in result) return result
    throw preconditionFailed(condition.precondition ?? {}, result.current)
  }

  /** Also throws `entity_not_found`. Without a precondition, a patch that conflicts with another write is retried. */
  async patch(
    type: string,
    id: string,
    patch: JsonValue,
    { precondition, signal }: WriteCondition,
  ): Promise<Written> {
    await this.#world.requireType(type)
    const key = writableId(id)
    let current = await this.#storage.get(type, key, { signal })
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      if (current === undefined && precondition === undefined) throw entityNotFound(type, id)
      if (current === undefined || !preconditionHolds(precondition ?? {}, current)) break
      const value = mergePatch(JSON.parse(current.json), patch)
      const ifSame = { precondition: { ifRevision: [current.revision] }, signal }
      const result = await this.#put(type, key, value, ifSame)
      if ('entity' in result) return result
      current = result.current
    }
    throw preconditionFailed(precondition ?? {}, current)
  }

  /** Returns the position after the write. Also throws `entity_not_found`. */
  async remove(type: string, id: string, { precondition, signal }: WriteCondition): Promise<Position> {
    await this.#world.requireType(type)
    const operation = { delete: { type, id: writableId(id) }, ...(precondition && { precondition }) }
    const result = await this.#storage.write([operation], { signal })
    if (!result.done) throw preconditionFailed(precondition ?? {}, currentOf(result))
    if (result.outcomes[0]?.change === 'missing') throw entityNotFound(type, id)
    return result.position
  }

  /** Returns the written entity or, if the precondition failed, the stored one. @throws WorldFault `invalid_entity` */
  async #put(
    type: string,
    id: string,
    value: JsonValue,
    { precondition, signal }: WriteCondition,
  ): Promise<Written | { readonly current: StoredEntity | undefined }> {
    const read = entityFromBody(value, type, id, this.check)
    if ('faults' in read) throw invalidEntity(read.faults)
    const operation = { put: read.entity, ...(precondition && { precondition }) }
    const result = await this.#storage.write([operation], { signal })
    if (!result.done) return { current: currentOf(result) }
    const [{ entity, change }] = result.outcomes as [Written]
    return { entity, change, position: result.position }
  }
}

function currentOf(result: WriteResult & { done: false }): StoredEntity | undefined {
  return 'current' in result ? result.current : undefined
}

/** Refuses an id that is not NFC: ids are not repaired when they are published (decisions 2). */
function writableId(id: string): string {
  const reason = idFault(id)
  if (reason === undefined) return id
  const message = 'No entity can be written under this id.'
  throw new WorldFault('invalid_id', message, { id: id.toWellFormed(), reason })
}
