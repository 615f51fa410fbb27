/** Limits of connections in production: the option `limits` of `listen`. */
import { AsyncResource } from 'node:async_hooks'
import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { type ConnectionLimits, linger } from '@worldwright/node'

/** A client that reads nothing for this long has gone, or never meant to read. */
const READ_TIMEOUT_MS = 60_000
/** Bytes of answers in memory that nobody has read yet. */
const MAX_UNREAD_BYTES = 64 * 1024 * 1024
/** Requests that a connection may send ahead: the parser reads 64 kB at once, some 2,000 requests of 2 kB of memory each. */
const MAX_AHEAD = 256

/** Makes the limits: one request of a connection at a time, and readers that are too slow are cut. */
export function limitConnections({
  readTimeoutMs = READ_TIMEOUT_MS,
  maxUnreadBytes = MAX_UNREAD_BYTES,
}: Partial<UnreadLimits> = {}): ConnectionLimits {
  const pipelines = new Pipelines()
  const unread = new UnreadAnswers({ readTimeoutMs, maxUnreadBytes })
  return {
    read: (response, earlier, begin) => pipelines.after(earlier, response, begin),
    written: (response) => unread.watch(response),
  }
}

/** Keeps the requests of each connection in turn: the next one begins when the answer before it has been sent. */
class Pipelines {
  readonly #ahead = new WeakMap<Socket, number>()

  /** Begins once `earlier` is through, at once if there is none. What is sent too far ahead is not answered. */
  after(earlier: ServerResponse | undefined, response: ServerResponse, begin: () => void): void {
    if (earlier === undefined || earlier.closed || earlier.writableFinished) {
      begin()
      return
    }
    const { socket } = response.req
    const ahead = (this.#ahead.get(socket) ?? 0) + 1
    if (ahead > MAX_AHEAD) return
    // The last answer ends the connection. Those that are due come before it.
    if (ahead === MAX_AHEAD) {
      response.setHeader('connection', 'close')
      // As Node.js does where too much is unsent: without it, each request that was parsed reads on.
      Object.assign(socket, { _paused: true })
      socket.pause()
      linger(socket)
    }
    this.#ahead.set(socket, ahead)
    // It runs in its own asynchronous context, and not in that of the request before it.
    const next = AsyncResource.bind(() => {
      // A connection that is to end stays full.
      const now = this.#ahead.get(socket) ?? 1
      if (now < MAX_AHEAD) this.#ahead.set(socket, now - 1)
      if (!socket.destroyed) begin()
    })
    earlier.once('close', next)
  }
}

/** Bounds of answers that nobody reads: time, and bytes of all. */
export interface UnreadLimits {
  /** Milliseconds in which a client has to read something of an answer. Past them it is cut. */
  readonly readTimeoutMs: number
  /** Bytes of answers that may wait for their readers, of all connections. */
  readonly maxUnreadBytes: number
}

/** Answers that were given to their connections and are not sent yet. Those of the slowest readers go when there are many. */
class UnreadAnswers {
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
