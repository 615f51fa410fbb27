/**
 * A listening socket that several processes accept from. The system gives each connection to one that is free to take it:
 * a process that is busy, stopped or gone leaves them to the others, and what waits is lost with none of them.
 *
 * Node documents sending a `Server` to another process, and listening on a handle. It has no name for a handle that is
 * held without accepting, which the primary needs to have one for workers to come: `node:cluster` sends the same handles.
 */
import type { ChildProcess } from 'node:child_process'
import type { Server } from 'node:net'

/** The handle of a listening socket, whether or not anybody accepts from it in this process. */
export interface ListeningSocket {
  close(): void
}

/**
 * Connections that may wait until a process takes them. The system allows fewer where it is told to
 * (`net.core.somaxconn`).
 */
export const BACKLOG = 4_096

/** The socket that a server listens on. */
export function socketOf(server: Server): ListeningSocket {
  return (server as unknown as { readonly _handle: ListeningSocket })._handle
}

/** Lets a server accept from a socket, which is closed with it. */
export function accept(server: Server, socket: ListeningSocket): void {
  server.listen(socket, BACKLOG)
}

/** Sends a message with a socket, which both processes have from then on. What cannot be sent is dropped. */
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
