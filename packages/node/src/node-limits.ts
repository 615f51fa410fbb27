/** Interface of connection limits for the adapter of `node:http`: an option of `listen`. Without it there are none. */
import type { ServerResponse } from 'node:http'

/** Decides when the requests of a connection begin, how far it may pipeline, and how much it may leave unread. */
export interface ConnectionLimits {
  /** Called for every request, with its response and the one before it on the same connection. `begin` answers it. */
  read(response: ServerResponse, earlier: ServerResponse | undefined, begin: () => void): void
  /** Called after the last byte of an answer was given to its response. */
  written(response: ServerResponse): void
}
