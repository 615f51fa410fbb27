/** Keeps a node up to date with its database: it looks when notified, and at intervals. */
import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { CopyState, MaybePromise, Position } from '@worldwright/core/store'
import type { Client } from 'pg'
import { Coalesced } from './coalesced.ts'
import type { Database } from './database.ts'
import { trimDeletions } from './trim.ts'

/** Notification sent after commits. It is a hint: nodes that miss it poll. */
const CHANGED = 'worldwright_changed'

/** Polling intervals, in milliseconds: with notifications, and without. */
const POLL_MS = 500
const POLL_ALONE_MS = 50

/** Polling interval of a process for the progress of the one that follows for it, in milliseconds. */
const SHARED_MS = 2

/** Interval between trims of deletions by one of the nodes, in milliseconds. */
const TRIM_MS = 60_000

/** Interval between checks that the primary still is one, in milliseconds. */
const CHECK_MS = 1_000

/** A node's view of its database: all of it, or only its position. */
export interface View {
  /** Time at which the view was complete, in milliseconds since 1970; 0 if never. */
  readonly currentAt: number
  /** Takes over everything committed before the call. One look at a time. @throws StorageFault */
  look(): Promise<void>
  /** As `Store.hasReached`, for what was taken over. */
  hasReached(position: Position): MaybePromise<boolean | undefined>
}

/** Options of a follower. */
interface FollowerOptions {
  /** As in `NodeOptions`. */
  readonly follows: () => boolean
  readonly now: () => Date
  readonly deletionsKeptMs: number
  /** Called after each look of the loop. */
  readonly looked?: () => void
}

/** Follows the database in one loop per node. */
export class Follower {
  readonly #database: Database
  readonly #view: View
  readonly #options: FollowerOptions
  readonly #ending = new AbortController()
  readonly #looking: Coalesced
  /** Notifies the other nodes of a change. */
  readonly #telling: Coalesced
  /** Payload of its own notifications, so that it ignores them. */
  readonly #name = randomUUID()
  #wake: () => void = () => {}
  #loop: Promise<void> | undefined
  #listener: Client | undefined
  /** Message of the last look's failure; undefined if it succeeded. */
  #lost: string | undefined
  #checking: Promise<void> | undefined
  #trimmedAt = Number.NEGATIVE_INFINITY

  constructor(database: Database, view: View, options: FollowerOptions) {
    this.#database = database
    this.#view = view
    this.#looking = new Coalesced(async () => {
      await view.look()
      this.#lost = undefined
    })
    this.#telling = new Coalesced(
      async () => void (await database.query(`NOTIFY ${CHANGED}, '${this.#name}'`)),
    )
    this.#options = options
  }

  /** Returns the replication status of the node. */
  state(): CopyState {
    return { currentAt: this.#view.currentAt, ...(this.#lost !== undefined && { lost: this.#lost }) }
  }

  /** Takes over everything committed before the call; does nothing if another process follows. @throws StorageFault */
  async look(): Promise<void> {
    if (this.#options.follows()) await this.#looking.run()
  }

  /** Notifies the other nodes of a change, and looks at it. */
  tell(): void {
    void this.#telling.run().catch(() => {})
    this.#wake()
  }

  /**
   * Notifies the other nodes, and waits until this one has everything committed before the call, for at most `ms` milliseconds.
   * `position`: of the write.
   */
  async applied(ms: number, position?: Position): Promise<void> {
    void this.#telling.run().catch(() => {})
    const deadline = performance.now() + ms
    const ending = new AbortController()
    const late = pause(ms, true, { signal: ending.signal }).catch(() => true)
    while (!(await Promise.race([this.#has(position), late])) && performance.now() < deadline)
      await pause(SHARED_MS)
    ending.abort()
  }

  /** Reports whether this node has everything committed before the call or, if another process follows for it, the position. */
  async #has(position: Position | undefined): Promise<boolean> {
    if (this.#options.follows())
      return this.look().then(
        () => true,
        () => false,
      )
    return position === undefined || (await this.#view.hasReached(position)) === true
  }

  /** Starts the loop. */
  start(): void {
    this.#loop = this.#run()
    this.#checking = this.#check()
  }

  /** Ends the loop, and waits for the look under way. */
  async stop(): Promise<void> {
    this.#ending.abort()
    this.#wake()
    await this.#listener?.end().catch(() => {})
    await this.#loop
    await this.#checking
    await this.#looking.idle()
  }

  async #run(): Promise<void> {
    const { signal } = this.#ending
    while (!signal.aborted) {
      try {
        this.#listener ??= await this.#listen()
        await this.look()
        this.#options.looked?.()
        await this.#trim()
      } catch (error) {
        this.#lost = messageOf(error)
        // The database is unreachable, or the local replica cannot be written. Reads and writes report it; the loop retries.
      }
      const { promise, resolve } = Promise.withResolvers<void>()
      this.#wake = resolve
      const ms = this.#listener ? POLL_MS : POLL_ALONE_MS
      await Promise.race([promise, pause(ms, undefined, { signal, ref: false }).catch(() => {})])
    }
  }

  /** Checks the primary separately: a look that waits for a silent server cannot detect that. */
  async #check(): Promise<void> {
    const { signal } = this.#ending
    while (!signal.aborted) {
      await pause(CHECK_MS, undefined, { signal, ref: false }).catch(() => {})
      if (!signal.aborted && this.#database.isBusy) void this.#database.primary.check()
    }
  }

  async #listen(): Promise<Client> {
    const client = await this.#database.connect()
    client.on('notification', ({ payload }) => payload !== this.#name && this.#wake())
    client.on('end', () => {
      this.#listener = undefined
    })
    await client.query(`LISTEN ${CHANGED}`)
    return client
  }

  async #trim(): Promise<void> {
    const now = this.#options.now().getTime()
    // The absolute difference works even if the clock was set back.
    if (Math.abs(now - this.#trimmedAt) < TRIM_MS) return
    this.#trimmedAt = now
    await trimDeletions(this.#database, now - this.#options.deletionsKeptMs)
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
