/**
 * Listening socket from which several processes accept. The system assigns each connection to a free process: a process that
 * is busy, stopped or gone leaves connections to the others, and no waiting connection is lost.
 *
 * Node.js documents how to send a `Server` to another process and how to listen on a handle, but not how to keep a handle
 * without accepting, which the primary needs for new workers. `node:cluster` sends the same handles.
 */
import type { ChildProcess } from 'node:child_process'
import type { Server } from 'node:net'

/** Handle of a listening socket, whether or not this process accepts from it. */
export interface ListeningSocket {
  close(): void
}

/**
 * Maximum number of connections waiting to be accepted. The system may limit it further
 * (`net.core.somaxconn`).
 */
export const BACKLOG = 4_096

/** Returns the socket that a server listens on. */
export function socketOf(server: Server): ListeningSocket {
  return (server as unknown as { readonly _handle: ListeningSocket })._handle
}

/** Makes a server accept from a socket, which is closed with the server. */
export function accept(server: Server, socket: ListeningSocket): void {
  server.listen(socket, BACKLOG)
}

/** Sends a message with a socket, which both processes then share. A message that cannot be sent is dropped. */
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
