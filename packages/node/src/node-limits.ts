/** Limits of connections as the adapter for `node:http` sees them: an option of `listen`. Without it there are none. */
import type { ServerResponse } from 'node:http'

/** Decides when the requests of a connection begin, how far it may ask ahead, and how much it may leave unread. */
export interface ConnectionLimits {
  /** Called for every request, with its response and the one before it on the same connection. `begin` answers it. */
  read(response: ServerResponse, earlier: ServerResponse | undefined, begin: () => void): void
  /** Called after the last byte was given to a response. */
  written(response: ServerResponse): void
}
