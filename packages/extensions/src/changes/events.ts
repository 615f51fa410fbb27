/** Formats server-sent events. */
import { type ChangeForm, changeJson, type LogState, stateMembers } from './change-json.ts'
import type { ChangeLog, ChangesPage, ChangesRequest } from './change-log.ts'

/** Comment line that keeps an idle connection open. */
export const HEARTBEAT = ':\n\n'

/** Formats an event. When a client reconnects, it sends the last `id` as `Last-Event-ID`. */
export function eventText(event: string, data: string, id?: string): string {
  return `event: ${event}\n${id === undefined ? '' : `id: ${id}\n`}data: ${data}\n\n`
}

/** Formats the changes of a page as events. The id of each event is the token to resume after it. */
export function changeEvents(
  log: ChangeLog,
  types: ChangesRequest['types'],
  { changes }: ChangesPage,
  form: ChangeForm,
): string {
  return changes
    .map((change) => {
      const next = log.token(types, change.offset)
      return eventText('change', changeJson(change, form, next), next)
    })
    .join('')
}

/** Returns the event that reports the position up to which all changes have been sent. */
export function positionEvent(state: LogState): string {
  return eventText('position', `{${stateMembers(state)}}`, state.next)
}
