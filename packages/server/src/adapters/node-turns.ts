/**
 * In which order connections are read while more is asked than can be answered. What was not read yet waits outside of the
 * process: there it takes neither memory nor the time in which others are read.
 */
import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { AddressTurns } from '../handler/address-turns.ts'

/** Where so many requests are read and wait for their work to begin, no more are read. */
const READ_AHEAD = 64
/** So many are read in one round of the event loop; the others are read in later ones. */
const MAX_READ_AT_ONCE = 128
/** How often it is looked whether there is room, in milliseconds: in less time than what was read takes. */
const LOOK_MS = 2
/** How long a connection waits at most, in milliseconds: a client that leaves is noticed where it is read. */
const MAX_UNREAD_MS = 5_000

/** What decides whose turn it is. */
export interface ReadingTurnsDeps {
  /** How many requests were read, and wait for their work to begin. */
  waiting(): number
  /** Whether an answer is still being made or sent. */
  isAnswering(connection: Socket): boolean
}

/** A connection that is not read. */
interface Unread {
  readonly connection: Socket
  /** As of `performance.now()`. */
  readonly since: number
}

/**
 * Reads connections in turns where there is too much to do: one that had an answer goes behind the others of its address,
 * and addresses take turns. A new connection is read at once, and so is one that had its turn and asked for nothing.
 */
export class ReadingTurns {
  /** Every connection that is open, the oldest first. */
  readonly open = new Set<Socket>()
  readonly #deps: ReadingTurnsDeps
  readonly #unread = new AddressTurns<Unread>()
  #readNow = 0
  #isGoingOn = false
  #isOver = false

  constructor(deps: ReadingTurnsDeps) {
    this.#deps = deps
  }

  /** Call it for every connection that is opened. */
  watch(connection: Socket): void {
    this.open.add(connection)
    connection.once('close', () => this.open.delete(connection))
  }

  /** Call it for every request that was read, with its response. */
  read(response: ServerResponse): void {
    if (this.#isOver) return
    if (this.#readNow === 0) setImmediate(() => (this.#readNow = 0))
    this.#readNow += 1
    if (this.#readNow === MAX_READ_AT_ONCE) this.#readLater()
    if (this.#unread.size === 0 && this.#deps.waiting() < READ_AHEAD) return
    const { req } = response
    response.once('finish', () => {
      if (req.complete) this.#letWait(req.socket)
    })
  }

  /** Reads all connections from now on: what they have asked may be answered before they are closed. */
  end(): void {
    this.#isOver = true
    for (const { connection } of this.#unread.takeWhile(() => true)) connection.resume()
  }

  /** Leaves all connections that may ask for something to their turns. */
  #readLater(): void {
    for (const connection of this.open) if (!this.#deps.isAnswering(connection)) this.#letWait(connection)
  }

  #letWait(connection: Socket): void {
    if (this.#isOver || connection.destroyed || connection.isPaused()) return
    connection.pause()
    this.#unread.add(connection.remoteAddress ?? '', { connection, since: performance.now() })
    this.#goOn()
  }

  #goOn(): void {
    if (this.#isGoingOn) return
    this.#isGoingOn = true
    const goOn = () => {
      this.#isGoingOn = false
      const late = performance.now() - MAX_UNREAD_MS
      for (const { connection } of this.#unread.takeWhile(({ since }) => since < late)) connection.resume()
      for (let room = READ_AHEAD - this.#deps.waiting(); room > 0; room--)
        this.#unread.take()?.connection.resume()
      if (this.#unread.size > 0) this.#goOn()
    }
    if (this.#deps.waiting() < READ_AHEAD) setImmediate(goOn)
    else setTimeout(goOn, LOOK_MS)
  }
}
