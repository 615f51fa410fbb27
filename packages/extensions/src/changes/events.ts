/** The text of server-sent events: changes, and what is said between them. */
import { changeJson, type LogState, stateMembers } from './change-json.ts'
import type { ChangeLog, ChangesPage, ChangesRequest } from './change-log.ts'

/** What keeps a connection open on which nothing happens. */
export const HEARTBEAT = ':\n\n'

/** One event. `id` is what a client sends back as `Last-Event-ID`. */
export function eventText(event: string, data: string, id?: string): string {
  return `event: ${event}\n${id === undefined ? '' : `id: ${id}\n`}data: ${data}\n\n`
}

/** The events of a page: its changes, each with the token that goes on after it. */
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

/** Says that all changes so far came, and which state they are. */
export function positionEvent(state: LogState): string {
  return eventText('position', `{${stateMembers(state)}}`, state.next)
}
