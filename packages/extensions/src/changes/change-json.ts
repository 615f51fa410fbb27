/** Changes as JSON: each change, and the state of the log after the last one. */
import type { Change, Changes } from '@worldwright/core/store'

/** The state of the log after some changes: where to go on, and the state that they were read from. `next` is a token. */
export type LogState = Omit<Changes, 'changes'>

/** Returns a change as a JSON object. The stored entity is spliced in if requested; `next` is a token. */
export function changeJson(
  { type, id, entity, position }: Change,
  { entities, next }: { readonly entities: boolean; readonly next: string },
): string {
  const op = entity === undefined ? 'delete' : 'put'
  const members = JSON.stringify({ op, type, id, revision: entity?.revision, position, next })
  return entity === undefined || !entities ? members : `${members.slice(0, -1)},"entity":${entity.json}}`
}

/** Returns the state of the log as the members of a JSON object, without its braces. */
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
