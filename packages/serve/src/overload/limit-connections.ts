/** Limits of connections in production: the option `limits` of `listen`. */
import { AsyncResource } from 'node:async_hooks'
import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { type ConnectionLimits, linger } from '@worldwright/node'

/** Read timeout, in milliseconds: a client that reads nothing for this long has gone, or never meant to read. */
const READ_TIMEOUT_MS = 60_000
/** Maximum bytes of unread answers in memory. */
const MAX_UNREAD_BYTES = 64 * 1024 * 1024
/** Maximum requests sent ahead on a connection: the parser reads 64 kB at once, some 2,000 requests of 2 kB of memory each. */
const MAX_AHEAD = 256

/** Creates the limits: one request of a connection at a time, and slow readers are cut off. */
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

/** Serializes the requests of each connection: the next one begins when the answer before it has been sent. */
class Pipelines {
  readonly #ahead = new WeakMap<Socket, number>()

  /** Begins once `earlier` is finished, at once if there is none. Requests that are too far ahead are not answered. */
  after(earlier: ServerResponse | undefined, response: ServerResponse, begin: () => void): void {
    if (earlier === undefined || earlier.closed || earlier.writableFinished) {
      begin()
      return
    }
    const { socket } = response.req
    const ahead = (this.#ahead.get(socket) ?? 0) + 1
    if (ahead > MAX_AHEAD) return
    // The last answer ends the connection; answers that are due go before it.
    if (ahead === MAX_AHEAD) {
      response.setHeader('connection', 'close')
      // As Node.js does if too much is unsent: otherwise, each parsed request would resume reading.
      Object.assign(socket, { _paused: true })
      socket.pause()
      linger(socket)
    }
    this.#ahead.set(socket, ahead)
    // It runs in its own asynchronous context, not in that of the previous request.
    const next = AsyncResource.bind(() => {
      // A connection that is about to end stays full.
      const now = this.#ahead.get(socket) ?? 1
      if (now < MAX_AHEAD) this.#ahead.set(socket, now - 1)
      if (!socket.destroyed) begin()
    })
    earlier.once('close', next)
  }
}

/** Bounds of unread answers: time, and total bytes. */
export interface UnreadLimits {
  /** Milliseconds within which a client must read part of an answer, or be cut off. */
  readonly readTimeoutMs: number
  /** Maximum bytes of unread answers, over all connections. */
  readonly maxUnreadBytes: number
}

/** Answers that were given to their connections and are not sent yet. Beyond the bound, the oldest are cut off. */
class UnreadAnswers {
  readonly #limits: UnreadLimits
  /** Oldest first. */
  readonly #bytes = new Map<ServerResponse, number>()
  #total = 0

  constructor(limits: UnreadLimits) {
    this.#limits = limits
  }

  /** Watches a response whose last byte was written. Most have been sent by then, and cost nothing. */
  watch(response: ServerResponse): void {
    const bytes = response.socket?.writableLength ?? 0
    if (bytes === 0) return
    // Node.js ends a connection on which nothing has moved for this long.
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
