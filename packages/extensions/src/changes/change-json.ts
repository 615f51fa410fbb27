/** Serializes changes and the state of the log as JSON. */
import type { Changes } from '@worldwright/core/store'
import type { ChangeCondition } from './change-condition.ts'
import type { ChangesPage, ReadChange } from './change-log.ts'

/** State of the log in the snapshot from which changes were read. `next` is the token to resume with. */
export type LogState = Omit<Changes, 'changes'>

/** Form in which a request gets its changes. */
export interface ChangeForm {
  /** True to include the stored entity in each put. */
  readonly entities: boolean
  /** Condition that a put satisfies: any other change is a `leave`. If absent, entities are put or deleted. */
  readonly where?: ChangeCondition | undefined
}

/** Returns a change as a JSON object. `next` is the token after the change. */
export function changeJson(change: ReadChange, { entities, where }: ChangeForm, next: string): string {
  const { type, id, position, values } = change
  const isMatch = where === undefined || (values !== undefined && where.test(values) === true)
  const entity = isMatch ? change.entity : undefined
  const op = entity ? 'put' : where ? 'leave' : 'delete'
  const members = JSON.stringify({ op, type, id, revision: entity?.revision, position, next })
  return entity === undefined || !entities ? members : `${members.slice(0, -1)},"entity":${entity.json}}`
}

/** Serializes a page of changes as JSON. `token` returns the token after an offset. */
export function pageJson(
  { changes, ...state }: ChangesPage,
  form: ChangeForm,
  token: (offset: string) => string,
): string {
  const listed = changes.map((change) => changeJson(change, form, token(change.offset)))
  return `{"changes":[${listed.join()}],${stateMembers(state)}}`
}

/** Serializes the state of the log as JSON members, without the enclosing braces. */
export function stateMembers({ next, more, position, earliest, versions, damaged }: LogState): string {
  const byType = versions && Object.fromEntries(versions)
  return JSON.stringify({ next, more, position, earliest, damaged, versions: byType }).slice(1, -1)
}
