/** Closing a connection whose client is still sending. */
import type { Socket } from 'node:net'

/** Time for a refused client to read its answer, in milliseconds. */
const LINGER_MS = 1_000

/**
 * Closes a connection so that its last answer can be read: a socket that is closed over unread bytes is reset, and the
 * answer may be lost with it. Nothing more is read: even bytes that are thrown away take memory.
 */
export function linger(socket: Socket): void {
  socket.destroySoon = () => {
    const timer = setTimeout(() => socket.destroy(), LINGER_MS)
    socket.once('close', () => clearTimeout(timer))
    socket.once('end', () => socket.destroy())
    socket.end()
    // Deferred, since the rest of the request begins to flow first.
    setImmediate(() => socket.pause())
  }
}
