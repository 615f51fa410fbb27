/** Write access to a world for action handlers: the same writes as over HTTP, with the signal of the call. */
import type { Entity, JsonObject } from '@worldwright/client/protocol'
import type { ActionContext, EntityWrites } from '@worldwright/core'
import { WorldFault } from '@worldwright/core'

/** The members of an entity that a handler writes; the store sets the others. */
export interface EntityContent {
  readonly title?: string
  readonly summary?: string
  readonly attributes: JsonObject
}

/** Precondition on the stored entity. */
export interface WrittenOnlyIf {
  /** Requires this revision: the entity has not changed since it was read. */
  readonly ifRevision?: string | undefined
  /** Requires that no entity exists yet. */
  readonly ifAbsent?: true
}

/**
 * Writes the world that an action belongs to, for actions that are not safe. Each write is separate, validated against
 * the type's schema, and durable when it returns. Its functions need no `this`. They throw WorldFault `invalid_type`,
 * `unknown_type`, `invalid_id`, `invalid_entity`, `precondition_failed`, and `forbidden` if the world takes no writes.
 */
export interface WorldWriter {
  /** Creates or replaces an entity, and returns it as stored. */
  put(type: string, id: string, content: EntityContent, onlyIf?: WrittenOnlyIf): Promise<Entity>
  /** Deletes an entity. Also throws `entity_not_found`. */
  delete(type: string, id: string, onlyIf?: WrittenOnlyIf): Promise<void>
}

/** Makes the writer of one call. A write by a safe action is an error of its author. */
export function createWriter(name: string, safe: boolean, { writes, signal }: ActionContext): WorldWriter {
  const allowed = (): EntityWrites => {
    if (safe) throw new Error(`The action ${name} is called safe, and wants to write.`)
    if (writes) return writes
    throw new WorldFault('forbidden', 'Actions cannot write to this world.', { action: name })
  }
  const conditionOf = ({ ifRevision, ifAbsent }: WrittenOnlyIf = {}) => ({
    signal,
    precondition: {
      ...(ifRevision !== undefined && { ifRevision: [ifRevision] }),
      ...(ifAbsent && { ifAbsent }),
    },
  })
  return {
    async put(type, id, { title, summary, attributes }, onlyIf) {
      const content = {
        ...(title !== undefined && { title }),
        ...(summary !== undefined && { summary }),
        attributes,
      }
      return JSON.parse((await allowed().put(type, id, content, conditionOf(onlyIf))).json)
    },
    async delete(type, id, onlyIf) {
      await allowed().delete(type, id, conditionOf(onlyIf))
    },
  }
}
