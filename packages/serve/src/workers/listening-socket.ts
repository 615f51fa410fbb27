/**
 * A listening socket that several processes accept from. The system gives each connection to a process that is free to take it:
 * a process that is busy, stopped or gone leaves connections to the others, and no waiting connection is lost with it.
 *
 * Node.js documents sending a `Server` to another process, and listening on a handle. It has no name for a handle that is held
 * without accepting, which the primary needs in order to have one for new workers: `node:cluster` sends the same handles.
 */
import type { ChildProcess } from 'node:child_process'
import type { Server } from 'node:net'

/** Handle of a listening socket, whether or not this process accepts from it. */
export interface ListeningSocket {
  close(): void
}

/**
 * Maximum connections that wait until a process accepts them. The system may be configured to allow fewer
 * (`net.core.somaxconn`).
 */
export const BACKLOG = 4_096

/** Returns the socket that a server listens on. */
export function socketOf(server: Server): ListeningSocket {
  return (server as unknown as { readonly _handle: ListeningSocket })._handle
}

/** Lets a server accept from a socket, which closes with the server. */
export function accept(server: Server, socket: ListeningSocket): void {
  server.listen(socket, BACKLOG)
}

/** Sends a message with a socket, which both processes hold from then on. A message that cannot be sent is dropped. */
export function sendSocket(
  channel: Pick<ChildProcess, 'send'> | NodeJS.Process,
  message: object,
  socket: ListeningSocket,
): void {
  const send = channel.send as unknown as (
    message: object,
    handle: ListeningSocket,
    options: object,
    sent: (error: Error | null) => void,
  ) => boolean
  send.call(channel, message, socket, {}, () => {})
}
