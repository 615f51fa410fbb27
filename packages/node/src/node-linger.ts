/** The end of a connection whose client is still sending. */
import type { Socket } from 'node:net'

/** How long a client that is refused has to read its answer, in milliseconds. */
const LINGER_MS = 1_000

/**
 * Lets a connection end so that its last answer is read: a socket that is closed over unread bytes is reset, and the answer
 * may be lost with it. Nothing more is read: what only would be thrown away takes memory all the same.
 */
export function linger(socket: Socket): void {
  socket.destroySoon = () => {
    const timer = setTimeout(() => socket.destroy(), LINGER_MS)
    socket.once('close', () => clearTimeout(timer))
    socket.once('end', () => socket.destroy())
    socket.end()
    // Later: what was left of the request begins to flow first.
    setImmediate(() => socket.pause())
  }
}
