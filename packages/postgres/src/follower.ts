/** Keeps what a node has of its database up to date: it looks when it is told to, and by itself. */
import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { CopyState, MaybePromise, Position } from '@worldwright/core/store'
import type { Client } from 'pg'
import { Coalesced } from './coalesced.ts'
import type { Database } from './database.ts'
import { trimDeletions } from './trim.ts'

/** Sent after commits, as a hint: whoever misses it looks by itself. */
const CHANGED = 'worldwright_changed'

/** How often a node looks where nobody tells it to, in milliseconds: with notifications, and without. */
const POLL_MS = 500
const POLL_ALONE_MS = 50

/** How often a process looks whether the one that follows for it has come somewhere, in milliseconds. */
const SHARED_MS = 2

/** How often deletions are trimmed by one of the nodes, in milliseconds. */
const TRIM_MS = 60_000

/** How often a node looks whether its primary still is one, in milliseconds. */
const CHECK_MS = 1_000

/** What a node has of its database: all of it, or only how far it has come. */
export interface View {
  /** When what this node has was all there was, in milliseconds since 1970; 0 where it never was. */
  readonly currentAt: number
  /** Takes over all that was committed before the call. One look at a time. @throws StorageFault */
  look(): Promise<void>
  /** As `Store.hasReached`, of what was taken over. */
  hasReached(position: Position): MaybePromise<boolean | undefined>
}

/** How a follower behaves. */
interface FollowerOptions {
  /** As in `NodeOptions`. */
  readonly follows: () => boolean
  readonly now: () => Date
  readonly deletionsKeptMs: number
  /** Called after each look of the loop. */
  readonly looked?: () => void
}

/** One loop for each node. */
export class Follower {
  readonly #database: Database
  readonly #view: View
  readonly #options: FollowerOptions
  readonly #ending = new AbortController()
  readonly #looking: Coalesced
  /** Tells the other nodes that something changed. */
  readonly #telling: Coalesced
  /** What its notifications say, so that it does not hear its own. */
  readonly #name = randomUUID()
  #wake: () => void = () => {}
  #loop: Promise<void> | undefined
  #listener: Client | undefined
  /** Why the last look failed; undefined where it did not. */
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

  /** How what the node reads stands to the database. */
  state(): CopyState {
    return { currentAt: this.#view.currentAt, ...(this.#lost !== undefined && { lost: this.#lost }) }
  }

  /** Takes over all that was committed before the call; nothing where another process does that. @throws StorageFault */
  async look(): Promise<void> {
    if (this.#options.follows()) await this.#looking.run()
  }

  /** Tells the other nodes that something changed, and looks at it. */
  tell(): void {
    void this.#telling.run().catch(() => {})
    this.#wake()
  }

  /**
   * Tells the other nodes, and waits until this one has all that was committed before the call, or for so many milliseconds.
   * `position`: of what was written.
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

  /** Whether this node has all that was committed before the call, or where another process follows for it, this position. */
  async #has(position: Position | undefined): Promise<boolean> {
    if (this.#options.follows())
      return this.look().then(
        () => true,
        () => false,
      )
    return position === undefined || (await this.#view.hasReached(position)) === true
  }

  /** Begins to look by itself. */
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
        // The database is away, or the copy cannot be written: who reads or writes hears of it. It is tried again.
      }
      const { promise, resolve } = Promise.withResolvers<void>()
      this.#wake = resolve
      const ms = this.#listener ? POLL_MS : POLL_ALONE_MS
      await Promise.race([promise, pause(ms, undefined, { signal, ref: false }).catch(() => {})])
    }
  }

  /** A look that waits for a server which does not answer cannot see that it does not. */
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
    // A clock may be set back.
    if (Math.abs(now - this.#trimmedAt) < TRIM_MS) return
    this.#trimmedAt = now
    await trimDeletions(this.#database, now - this.#options.deletionsKeptMs)
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
