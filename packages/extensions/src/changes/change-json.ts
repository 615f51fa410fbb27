/** Serializes changes and the state of the log as JSON. */
import type { Change, Changes } from '@worldwright/core/store'

/** State of the log in the snapshot from which changes were read. `next` is the token to resume with. */
export type LogState = Omit<Changes, 'changes'>

/** Returns a change as a JSON object, with its stored entity if `entities` is true. `next` is the token after the change. */
export function changeJson(
  { type, id, entity, position }: Change,
  { entities, next }: { readonly entities: boolean; readonly next: string },
): string {
  const op = entity === undefined ? 'delete' : 'put'
  const members = JSON.stringify({ op, type, id, revision: entity?.revision, position, next })
  return entity === undefined || !entities ? members : `${members.slice(0, -1)},"entity":${entity.json}}`
}

/** Serializes the state of the log as JSON members, without the enclosing braces. */
export function stateMembers({ next, more, position, earliest, versions, damaged }: LogState): string {
  const state = {
    next,
    more,
    position,
    earliest,
    ...(damaged && { damaged }),
    ...(versions && { versions: Object.fromEntries(versions) }),
  }
  return JSON.stringify(state).slice(1, -1)
}
