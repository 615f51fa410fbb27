/** Finds the primary of a store's database by querying its servers. */
import { setTimeout as pause } from 'node:timers/promises'
import { StoreFault } from '@worldwright/core/store'
import pg, { type Client } from 'pg'
import type { PostgresAddress } from './address.ts'
import { connectFailure } from './connect-failure.ts'
import { connected, formerPrimary, isFormer, type Life } from './life.ts'

/** Connection timeout, in milliseconds. */
const CONNECT_MS = 2_000

/** Interval between attempts to find a promoted server while another one does not respond, in milliseconds. */
const AGAIN_MS = 100

/** Number of consecutive failed checks, one per second, after which work that waits for the primary fails. */
const SILENCES = 7

/** Parses 64-bit integers as numbers. They count transactions and rows, so they stay below 2^53. */
const TYPES = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    oid === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(oid, format as 'text'),
}

interface Server {
  readonly client: Client
  readonly life: Life
}

interface Found {
  readonly at: number
  readonly life: Life
}

/**
 * Connects to the current primary. If several servers claim to be the primary, the most recently promoted one
 * is used. A server on an older timeline than the latest one seen is always refused.
 */
export class Primary {
  readonly #address: PostgresAddress
  readonly #clients = new Set<Client>()
  /** Server timeline of each connection, kept even after the connection has ended. */
  readonly #lives = new WeakMap<Client, Life>()
  /** Connections being opened, each with the index of its server. */
  readonly #asked = new Map<Client, number>()
  /** Index of the last known primary, or undefined if it must be found. */
  #at: number | undefined
  #finding: Promise<number> | undefined
  #life: Life | undefined
  #silences = 0

  /** Creates a client for the servers of `address`, any of which may be the primary. */
  constructor(address: PostgresAddress) {
    this.#address = address
  }

  /** Latest timeline seen, or undefined if there is none yet. */
  get life(): Life | undefined {
    return this.#life
  }

  /** Sets the latest timeline seen to `life`, unless this process has already seen a timeline. */
  remember(life: Life): void {
    this.#life ??= life
  }

  /** @throws StoreFault `unreachable`, with the failure of each server */
  async connect(pipeline: boolean): Promise<Client> {
    const isAlone = this.#address.servers.length === 1
    const known = isAlone ? 0 : this.#at
    if (known !== undefined)
      try {
        return this.#opened(known, await this.#askPatiently(known, pipeline))
      } catch (error) {
        if (isAlone) throw unreachable([this.#said(known, error)], error)
      }
    const at = await this.#find()
    try {
      return this.#opened(at, await this.#ask(at, pipeline))
    } catch (error) {
      this.#at = undefined
      throw unreachable([this.#said(at, error)], error)
    }
  }

  /** Connects to one server. If that is slow, also starts a search for a promoted server. Rejects as `#ask` does. */
  async #askPatiently(at: number, pipeline: boolean): Promise<Server> {
    const late = setTimeout(() => this.#find().catch(() => {}), AGAIN_MS)
    try {
      return await this.#ask(at, pipeline)
    } finally {
      clearTimeout(late)
    }
  }

  /** Number of connections, including those being opened. */
  get connections(): number {
    return this.#clients.size + this.#asked.size
  }

  /** Reports whether the connection is open and is not known to lead to a former primary. */
  isCurrent(client: Client): boolean {
    return this.#clients.has(client) && !this.#isToFormer(client)
  }

  /** Drops a broken connection. If it was connected to the primary, the next `connect` searches for the primary again. */
  lost(client: Client): void {
    if (!this.#isToFormer(client)) this.#at = undefined
    cut(client)
  }

  #isToFormer(client: Client): boolean {
    const life = this.#lives.get(client)
    return life !== undefined && isFormer(life, this.#life)
  }

  /**
   * Searches for a promoted server. If one is found, or `SILENCES` checks in a row get no response, work that waits for the
   * former primary fails. Never rejects.
   */
  async check(): Promise<void> {
    try {
      // Does not share a search in progress, because an unresponsive server may delay it.
      await this.#askAll()
      this.#silences = 0
    } catch {
      if (++this.#silences >= SILENCES) for (const client of this.#clients) cut(client)
    }
  }

  /** Ends all connections. Work in progress fails. */
  async end(): Promise<void> {
    await Promise.allSettled([...this.#clients].map((client) => client.end()))
  }

  /** Searches all servers for the primary. Concurrent callers share one search. */
  #find(): Promise<number> {
    this.#finding ??= this.#askAll().finally(() => {
      this.#finding = undefined
    })
    return this.#finding
  }

  async #askAll(): Promise<number> {
    const waitedFor = new Set(this.#address.servers.keys())
    const asked = [...waitedFor].map(async (at): Promise<Found> => {
      for (;;)
        try {
          const { client, life } = await this.#ask(at, false).finally(() => waitedFor.delete(at))
          void client.end().catch(() => {})
          return { at, life }
        } catch (error) {
          // This server may be promoted while another one does not respond.
          if (waitedFor.size === 0) throw error
          await pause(AGAIN_MS)
        }
    })
    const { at, life } = await Promise.race([this.#promoted(asked), this.#newest(asked)])
    // A concurrent search may have found a later timeline.
    if (!isFormer(life, this.#life)) this.#note(at, life)
    return this.#at ?? at
  }

  /** Resolves to a server on a later timeline than any before, which must be the primary. Never settles if there is none. */
  #promoted(asked: readonly Promise<Found>[]): Promise<Found> {
    const { promise, resolve } = Promise.withResolvers<Found>()
    for (const one of asked)
      one.then(
        (found) => this.#life && isFormer(this.#life, found.life) && resolve(found),
        () => {},
      )
    return promise
  }

  async #newest(asked: readonly Promise<Found>[]): Promise<Found> {
    const answers = await Promise.allSettled(asked)
    const found = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
    const reasons = answers.map((answer) => (answer.status === 'rejected' ? answer.reason : undefined))
    // A server that refuses a connection, for example because it has too many, is alive.
    const refusal = reasons.find((reason) => reason instanceof pg.DatabaseError)
    if (refusal) this.#silences = 0
    const [first, ...others] = found.toSorted((a, b) => b.life.timeline - a.life.timeline)
    if (first === undefined)
      throw unreachable(
        reasons.map((reason, at) => this.#said(at, reason)),
        refusal,
      )
    if (others.some(({ life }) => life.system !== first.life.system))
      throw unreachable(['its servers belong to different databases'])
    return first
  }

  /** Connects to one server. Rejects if it is not a primary. */
  async #ask(at: number, pipeline: boolean): Promise<Server> {
    const client = new pg.Client({
      ...this.#address.servers[at],
      types: TYPES,
      pipeline,
      connectionTimeoutMillis: CONNECT_MS,
      keepAlive: true,
    })
    // A connection lost while idle is detected on its next use.
    client.on('error', () => this.#clients.delete(client))
    client.on('end', () => this.#clients.delete(client))
    this.#asked.set(client, at)
    try {
      const life = await within(CONNECT_MS, connected(client, this.#address.schema))
      if (isFormer(life, this.#life)) throw new Error(formerPrimary(life, this.#life))
      return { client, life }
    } catch (error) {
      cut(client)
      throw error
    } finally {
      this.#asked.delete(client)
    }
  }

  #opened(at: number, { client, life }: Server): Client {
    this.#note(at, life)
    this.#clients.add(client)
    this.#lives.set(client, life)
    return client
  }

  /** Records the primary. After a promotion, drops all connections to the former one, including those being opened. */
  #note(at: number, life: Life): void {
    const isLater = this.#life !== undefined && isFormer(this.#life, life)
    this.#life = life
    this.#at = at
    if (!isLater) return
    for (const client of this.#clients) if (this.#isToFormer(client)) cut(client)
    for (const [client, of] of this.#asked) if (of !== at) cut(client)
  }

  #said(at: number, error: unknown): string {
    const { host, port } = this.#address.servers[at] ?? {}
    return `${host}:${port}: ${connectFailure(error)}`
  }
}

function unreachable(failures: readonly string[], cause?: unknown): StoreFault {
  return new StoreFault(
    'unreachable',
    `The database of the store cannot be reached (${failures.join('; ')}). Nothing was written. Try again later.`,
    { cause },
  )
}

/** Closes a connection without notifying the server, which may be unresponsive. */
function cut(client: Client): void {
  client.connection.stream.destroy()
}

/** Awaits `work` for at most `ms` milliseconds. @throws if `work` takes longer, in which case its outcome is ignored */
export async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(new Error('the connection gave no answer in time')), ms)
  try {
    return await Promise.race([work, late.promise])
  } finally {
    clearTimeout(timer)
  }
}
