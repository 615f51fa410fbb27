/** Connection limits for the `node:http` adapter, an option of `listen`. By default, connections are unlimited. */
import type { ServerResponse } from 'node:http'

/** Decides when the requests of a connection are handled, and limits pipelined requests and unread responses. */
export interface ConnectionLimits {
  /** Called for every request, with its response and any previous one on the connection. `begin` handles the request. */
  read(response: ServerResponse, earlier: ServerResponse | undefined, begin: () => void): void
  /** Called once the whole body has been passed to the response, or has begun to stream. */
  written(response: ServerResponse): void
}
