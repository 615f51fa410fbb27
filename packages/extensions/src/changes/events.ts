/** The text of server-sent events: changes, and the events between them. */
import { changeJson, type LogState, stateMembers } from './change-json.ts'
import type { ChangeLog, ChangesPage, ChangesRequest } from './change-log.ts'

/** A comment line that keeps an idle connection open. */
export const HEARTBEAT = ':\n\n'

/** Returns one event. A client sends `id` back as `Last-Event-ID`. */
export function eventText(event: string, data: string, id?: string): string {
  return `event: ${event}\n${id === undefined ? '' : `id: ${id}\n`}data: ${data}\n\n`
}

/** Returns the events of a page: its changes, each with the token that continues after it. */
export function changeEvents(
  log: ChangeLog,
  types: ChangesRequest['types'],
  { changes }: ChangesPage,
  entities: boolean,
): string {
  return changes
    .map((change) => {
      const next = log.token(types, change.place)
      return eventText('change', changeJson(change, { entities, next }), next)
    })
    .join('')
}

/** Returns the event that says that all changes so far were sent, and at which position. */
export function positionEvent(state: LogState): string {
  return eventText('position', `{${stateMembers(state)}}`, state.next)
}
