/** Keeps a node up to date with its database, through notifications and polling. */
import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { MaybePromise, Position, ReplicaState } from '@worldwright/core/store'
import type { Client } from 'pg'
import { Coalesced } from './coalesced.ts'
import type { Database } from './database.ts'
import { trimDeletions } from './trim.ts'

/** Channel that is notified after commits. Nodes that miss a notification still poll. */
const CHANGED = 'worldwright_changed'

/** Polling intervals with and without notifications, in milliseconds. */
const POLL_MS = 500
const POLL_ALONE_MS = 50

/** Polling interval for the progress of another process that updates a shared replica, in milliseconds. */
const SHARED_MS = 2

/** Minimum time from catching up to the next time, in milliseconds, so that changes of a burst are applied together. */
const REST_MS = 10

/** Interval at which old deletions are trimmed, in milliseconds. */
const TRIM_MS = 60_000

/** Interval between checks for a promoted server, in milliseconds. */
const CHECK_MS = 1_000

/** A node's view of its database, either a full replica or only the position. */
export interface View {
  /** Last time the view was current, in milliseconds since 1970, or 0 if it never was. */
  readonly currentAt: number
  /** Catches up with everything committed before the call. Must not be called concurrently. @throws StoreFault */
  look(): Promise<void>
  /** Reports whether the view includes a position. Returns undefined if the position is from another history. */
  hasReached(position: Position): MaybePromise<boolean | undefined>
}

/** Options for a follower. */
interface FollowerOptions {
  /** Reports whether this process updates the view (see `NodeOptions`). */
  readonly follows: () => boolean
  readonly now: () => Date
  readonly deletionsKeptMs: number
  /** Called each time the loop has caught up. */
  readonly looked?: () => void
}

/** Runs the loop that keeps a view up to date with its database. */
export class Follower {
  readonly #database: Database
  readonly #view: View
  readonly #options: FollowerOptions
  readonly #ending = new AbortController()
  readonly #looking: Coalesced
  readonly #telling: Coalesced
  /** Payload of this node's notifications, by which it recognizes and ignores them. */
  readonly #name = randomUUID()
  #wake: () => void = () => {}
  #loop: Promise<void> | undefined
  #listener: Client | undefined
  /** Error message of the last attempt to catch up, or undefined if it succeeded. */
  #lost: string | undefined
  #checking: Promise<void> | undefined
  #trimmedAt = Number.NEGATIVE_INFINITY
  /** Time at which this node last began to catch up, and did. */
  #lookedAt = Number.NEGATIVE_INFINITY

  constructor(database: Database, view: View, options: FollowerOptions) {
    this.#database = database
    this.#view = view
    this.#looking = new Coalesced(async () => {
      const at = performance.now()
      await view.look()
      this.#lookedAt = at
      this.#lost = undefined
    })
    this.#telling = new Coalesced(
      async () => void (await database.query(`NOTIFY ${CHANGED}, '${this.#name}'`)),
    )
    this.#options = options
  }

  /** Returns the replication status of the node. */
  state(): ReplicaState {
    return { currentAt: this.#view.currentAt, ...(this.#lost !== undefined && { lost: this.#lost }) }
  }

  /** Catches up with everything committed before the call, unless another process does so. @throws StoreFault */
  async look(): Promise<void> {
    if (this.#options.follows()) await this.#looking.run()
  }

  /** Notifies the other nodes of a change and wakes the loop. */
  tell(): void {
    void this.#telling.run().catch(() => {})
    this.#wake()
  }

  /**
   * Notifies the other nodes and waits up to `ms` milliseconds for this node to catch up. If another process updates the
   * replica, waits only until the replica reaches `position`, if given.
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

  /** Catches up and returns true if that succeeded. If another process updates the replica, only checks for `position`. */
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

  /** Stops the loop and waits for its last iteration. */
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
    const rest = (ms: number) => pause(ms, undefined, { signal, ref: false }).catch(() => {})
    for (let told = performance.now(); !signal.aborted; ) {
      const { promise, resolve } = Promise.withResolvers<void>()
      let woken: number | undefined
      this.#wake = () => {
        woken = performance.now()
        resolve()
      }
      try {
        this.#listener ??= await this.#listen()
        // A write of this node may have caught up since.
        if (this.#lookedAt < told) await this.look()
        this.#options.looked?.()
        await this.#trim()
      } catch (error) {
        this.#lost = error instanceof Error ? error.message : String(error)
        // The database is unreachable or the replica cannot be written. Reads and writes report it, and the loop retries.
      }
      await rest(REST_MS)
      await Promise.race([promise, rest(this.#listener ? POLL_MS : POLL_ALONE_MS)])
      told = woken ?? performance.now()
    }
  }

  /** Checks the primary in a separate loop, because the main loop may be waiting for an unresponsive server. */
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
