/** What connections may have outstanding: one request at a time, and a bounded number of bytes that nobody has read. */
import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** Requests that one connection may send ahead. A pipeline of clients has a handful; the parser reads on for 64 kB. */
const MAX_AHEAD = 256

/** Keeps the requests of each connection in turn: the next one begins when the answer before it has been sent. */
export class Pipelines {
  readonly #ahead = new WeakMap<object, number>()

  /** Begins once `earlier` is through, at once if there is none. A connection that sends too far ahead is ended. */
  after(earlier: ServerResponse | undefined, response: ServerResponse, begin: () => void): void {
    if (earlier === undefined || earlier.closed || earlier.writableFinished) {
      begin()
      return
    }
    const { socket } = response.req
    const ahead = (this.#ahead.get(socket) ?? 0) + 1
    this.#ahead.set(socket, ahead)
    if (ahead > MAX_AHEAD) socket.destroy()
    earlier.once('close', () => {
      this.#ahead.set(socket, (this.#ahead.get(socket) ?? 1) - 1)
      if (!socket.destroyed) begin()
    })
  }
}

/** How much may be unread, and for how long. */
export interface UnreadLimits {
  readonly readTimeoutMs: number
  readonly maxUnreadBytes: number
}

/** Answers that were given to their connections and are not sent yet. Those of the slowest readers go when there are many. */
export class UnreadAnswers {
  readonly #limits: UnreadLimits
  /** Oldest first. */
  readonly #bytes = new Map<ServerResponse, number>()
  #total = 0

  constructor(limits: UnreadLimits) {
    this.#limits = limits
  }

  /** Call it after the last byte was given to a response. Most have been sent by then, and cost nothing. */
  watch(response: ServerResponse): void {
    const bytes = response.socket?.writableLength ?? 0
    if (bytes === 0) return
    // Node ends a connection on which nothing has moved for so long.
    response.socket?.setTimeout(this.#limits.readTimeoutMs)
    this.#bytes.set(response, bytes)
    this.#total += bytes
    response.once('close', () => this.#forget(response))
    for (const oldest of this.#bytes.keys()) {
      if (this.#total <= this.#limits.maxUnreadBytes) break
      this.#forget(oldest)
      oldest.destroy()
    }
  }

  #forget(response: ServerResponse): void {
    this.#total -= this.#bytes.get(response) ?? 0
    this.#bytes.delete(response)
  }
}

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
