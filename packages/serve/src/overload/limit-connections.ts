/** Connection limits in production, for the option `limits` of `listen`. */
import { AsyncResource } from 'node:async_hooks'
import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { type ConnectionLimits, linger } from '@worldwright/node'

/** Read timeout, in milliseconds. A client that reads nothing for this long is gone or malicious. */
const READ_TIMEOUT_MS = 60_000
/** Maximum total size of unread responses, in bytes. */
const MAX_UNREAD_BYTES = 64 * 1024 * 1024
/** Maximum pipelined requests per connection. A 64 kB read can contain 2,000 requests, which use 2 kB of memory each. */
const MAX_AHEAD = 256

/** Creates connection limits: one request in progress per connection, and slow readers are cut off. */
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

/** Serializes the requests of each connection: a request begins when the previous response has been sent. */
class Pipelines {
  readonly #ahead = new WeakMap<Socket, number>()

  /** Calls `begin` when the `earlier` response is finished, or now if there is none. Ignores requests too far ahead. */
  after(earlier: ServerResponse | undefined, response: ServerResponse, begin: () => void): void {
    if (earlier === undefined || earlier.closed || earlier.writableFinished) {
      begin()
      return
    }
    const { socket } = response.req
    const ahead = (this.#ahead.get(socket) ?? 0) + 1
    if (ahead > MAX_AHEAD) return
    // The last response closes the connection, after all earlier responses.
    if (ahead === MAX_AHEAD) {
      response.setHeader('connection', 'close')
      // Set the flag that Node.js sets if too much is unsent. Otherwise each parsed request would resume reading.
      Object.assign(socket, { _paused: true })
      socket.pause()
      linger(socket)
    }
    this.#ahead.set(socket, ahead)
    // Run in the asynchronous context of this request, not of the previous one.
    const next = AsyncResource.bind(() => {
      // A connection that is about to be closed stays full.
      const now = this.#ahead.get(socket) ?? 1
      if (now < MAX_AHEAD) this.#ahead.set(socket, now - 1)
      if (!socket.destroyed) begin()
    })
    earlier.once('close', next)
  }
}

/** Limits on unread responses: time and total size. */
export interface UnreadLimits {
  /** Time after which a client that reads nothing of a response is cut off, in milliseconds. */
  readonly readTimeoutMs: number
  /** Maximum total size of unread responses on all connections, in bytes. */
  readonly maxUnreadBytes: number
}

/** Tracks responses that were written but not yet sent. Beyond the size limit, the oldest are cut off. */
class UnreadAnswers {
  readonly #limits: UnreadLimits
  /** Unsent bytes by response, oldest first. */
  readonly #bytes = new Map<ServerResponse, number>()
  #total = 0

  constructor(limits: UnreadLimits) {
    this.#limits = limits
  }

  /** Tracks a response that was written, at least in part, unless it has already been sent. */
  watch(response: ServerResponse): void {
    const bytes = response.socket?.writableLength ?? 0
    if (bytes === 0) return
    // Node.js closes a connection that is idle for this long.
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
