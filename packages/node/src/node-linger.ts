/** Closes connections whose clients are still sending. */
import type { Socket } from 'node:net'

/** Time for a refused client to read its response, in milliseconds. */
const LINGER_MS = 1_000

/**
 * Closes a connection in a way that lets the client read its last response. Closing a socket with unread bytes resets it,
 * and the response may be lost. Nothing more is read, since even discarded bytes take memory.
 */
export function linger(socket: Socket): void {
  socket.destroySoon = () => {
    const timer = setTimeout(() => socket.destroy(), LINGER_MS)
    socket.once('close', () => clearTimeout(timer))
    socket.once('end', () => socket.destroy())
    socket.end()
    // Deferred until the rest of the request has started to flow.
    setImmediate(() => socket.pause())
  }
}
