/** Writes of single entities: validated, under their preconditions, durable when they return. */
import { idFault, type JsonValue } from '@worldwright/client/protocol'
import type { WorldRequest } from '../handler/http.ts'
import type { TypeDefinition } from '../publish/definition/definition.ts'
import { createTypeChecks, type TypeChecks } from '../publish/definition/type-checks.ts'
import type { Operation, Outcome, Precondition, Storage, StoredEntity } from '../storage/contract.ts'
import { WorldFault } from '../world/errors.ts'
import type { World } from '../world/world.ts'
import { entityFromBody, invalidEntity } from './entity-body.ts'
import { mergePatch } from './merge-patch.ts'
import { failed, preconditionOf } from './preconditions.ts'

/** What writes are held against. */
export interface WriterOptions {
  /** The types as their author describes them. */
  readonly types?: readonly TypeDefinition[]
}

/** What a write came to. */
export interface Written {
  readonly entity: StoredEntity
  readonly change: Outcome['change']
}

/** Writes over one store. Each fails with WorldFault: `unknown_type`, `invalid_id`, `invalid_entity`, `precondition_failed`. */
export interface Writer {
  /** A type that may be written: one that the world lists. */
  knownType(type: string): Promise<string>
  replace(type: string, id: string, value: JsonValue, request: WorldRequest): Promise<Written>
  /** Also `entity_not_found`. Without a precondition, a patch that met another write is made again on top of it. */
  patch(type: string, id: string, patch: JsonValue, request: WorldRequest): Promise<Written>
  /** Also `entity_not_found`. */
  remove(type: string, id: string, request: WorldRequest): Promise<void>
  readonly checks: TypeChecks
}

/** How often a patch is made again on top of other writes. */
const MAX_ATTEMPTS = 10

/** Makes the writer. */
export function createWriter(world: World, storage: Storage, { types = [] }: WriterOptions): Writer {
  const checks = createTypeChecks(types)

  async function knownType(type: string): Promise<string> {
    // Reading no entity at all says everything that can be wrong with the type.
    await world.list(type, { limit: 0, cursor: undefined })
    return type
  }

  /** The outcome, or undefined where the precondition failed. */
  async function write(operation: Operation): Promise<Outcome | undefined> {
    const result = await storage.write([operation])
    if (result.done) return result.outcomes[0]
    // Nobody asked for this precondition: it only held the read and the write together.
    return undefined
  }

  async function put(value: JsonValue, type: string, id: string, precondition: Precondition | undefined) {
    const read = entityFromBody(value, type, id, checks)
    if ('faults' in read) throw invalidEntity(read.faults)
    const outcome = await write({ put: read.entity, ...(precondition && { precondition }) })
    if (outcome?.entity === undefined) return undefined
    return { entity: outcome.entity, change: outcome.change }
  }

  return {
    checks,
    knownType,
    async replace(type, id, value, request) {
      await knownType(type)
      const key = writableId(id)
      const conditional = isConditional(request)
      const current = conditional ? await storage.get(type, key) : undefined
      const precondition = conditional ? preconditionOf(request, current) : undefined
      const written = await put(value, type, key, precondition)
      if (written === undefined) throw failed(await storage.get(type, key))
      return written
    },
    async patch(type, id, patch, request) {
      const key = writableId(id)
      const conditional = isConditional(request)
      for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
        const current = await existing(type, key, conditional)
        if (conditional) preconditionOf(request, current)
        if (current === undefined) throw failed(undefined)
        const value = mergePatch(JSON.parse(current.json), patch)
        const written = await put(value, type, key, { ifRevision: current.revision })
        if (written !== undefined) return written
        if (conditional) throw failed(await storage.get(type, key))
      }
      throw failed(await storage.get(type, key))
    },
    async remove(type, id, request) {
      const key = writableId(id)
      const conditional = isConditional(request)
      const current = await existing(type, key, conditional)
      const precondition = conditional ? preconditionOf(request, current) : undefined
      const outcome = await write({ delete: { type, id: key }, ...(precondition && { precondition }) })
      if (outcome === undefined) throw failed(await storage.get(type, key))
      if (outcome.change === 'missing') await world.get(type, key)
    },
  }

  /** What a write begins from. Where nothing is there, a condition decides what that means, else it is 404. */
  async function existing(type: string, id: string, conditional: boolean): Promise<StoredEntity | undefined> {
    await knownType(type)
    const current = await storage.get(type, id)
    return current ?? (conditional ? undefined : world.get(type, id))
  }
}

function isConditional({ headers }: WorldRequest): boolean {
  return headers['if-match'] !== undefined || headers['if-none-match'] !== undefined
}

/** An id that is not NFC is refused when it is published, not repaired (decisions 2). */
function writableId(id: string): string {
  const reason = idFault(id)
  if (reason === undefined) return id
  throw new WorldFault('invalid_id', 'No entity can be written under this id.', {
    id: id.toWellFormed(),
    reason,
  })
}
