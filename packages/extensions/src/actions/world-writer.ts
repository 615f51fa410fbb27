/** A world as a handler writes it: the same writes as over HTTP, with the signal of the call. */
import type { Entity, JsonObject } from '@worldwright/client/protocol'
import type { ActionContext, EntityWrites } from '@worldwright/core'
import { WorldFault } from '@worldwright/core'

/** What of an entity is written; all else is the store's. */
export interface EntityContent {
  readonly title?: string
  readonly summary?: string
  readonly attributes: JsonObject
}

/** What must be true of the entity that stands there. */
export interface WrittenOnlyIf {
  /** It has this revision: nobody has changed it since it was read. */
  readonly ifRevision?: string | undefined
  /** There is none yet. */
  readonly ifAbsent?: true
}

/**
 * Writes the world that an action belongs to, for actions that are not safe. Each write is one of its own, held against the
 * type's schema, and durable when it returns. Its functions need no `this`. They fail with WorldFault `invalid_type`,
 * `unknown_type`, `invalid_id`, `invalid_entity`, `precondition_failed`, and `forbidden` where nothing is written.
 */
export interface WorldWriter {
  /** Creates or replaces an entity, and gives it as it now stands. */
  put(type: string, id: string, content: EntityContent, onlyIf?: WrittenOnlyIf): Promise<Entity>
  /** Deletes an entity. Also `entity_not_found`. */
  delete(type: string, id: string, onlyIf?: WrittenOnlyIf): Promise<void>
}

/** Makes the writer of one call. What a safe action writes is an error of its author. */
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
