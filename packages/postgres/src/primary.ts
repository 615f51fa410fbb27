/** The primary of a store's database, found by asking its servers. */
import { setTimeout as pause } from 'node:timers/promises'
import { StorageFault } from '@worldwright/core/store'
import pg, { type Client } from 'pg'
import type { PostgresAddress } from './address.ts'
import { connectFailure } from './connect-failure.ts'
import { connected, formerPrimary, isFormer, type Life } from './life.ts'

/** A server that does not answer within this time is not there, in milliseconds. */
const CONNECT_MS = 2_000

/** While a server gives no answer, the others are asked so often whether one was promoted, in milliseconds. */
const AGAIN_MS = 100

/** So many questions in a row a primary may not answer before what waits for it is given up; one is asked each second. */
const SILENCES = 7

/** Numbers of 64 bits are below 2^53 here: they count transactions and rows. */
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
 * Connects to whichever server is the primary. Of several that say they are, it is the one that was promoted last; one that
 * was the primary before another that has been seen is refused for good.
 */
export class Primary {
  readonly #address: PostgresAddress
  readonly #clients = new Set<Client>()
  /** Of the servers at their other ends, also once a connection has ended. */
  readonly #lives = new WeakMap<Client, Life>()
  /** Connections that are being made, with their servers. */
  readonly #asked = new Map<Client, number>()
  /** The server that was the primary when it was last asked; undefined where that has to be found out. */
  #at: number | undefined
  #finding: Promise<number> | undefined
  #life: Life | undefined
  #silences = 0

  /** `address`: its servers, of which any may be the primary. */
  constructor(address: PostgresAddress) {
    this.#address = address
  }

  /** The last life that was seen; undefined before the first connection. */
  get life(): Life | undefined {
    return this.#life
  }

  /** Tells what another process, or the one before this, has seen. */
  remember(life: Life): void {
    this.#life ??= life
  }

  /** @throws StorageFault `unreachable`, with what each server said */
  async connect(pipeline: boolean): Promise<Client> {
    const isAlone = this.#address.servers.length === 1
    const known = isAlone ? 0 : this.#at
    if (known !== undefined)
      try {
        return this.#opened(known, await this.#askPatiently(known, pipeline))
      } catch (error) {
        if (isAlone) throw unreachable([this.#said(known, error)])
      }
    const at = await this.#find()
    try {
      return this.#opened(at, await this.#ask(at, pipeline))
    } catch (error) {
      this.#at = undefined
      throw unreachable([this.#said(at, error)])
    }
  }

  /** Connects to one server, and looks whether another was promoted where that takes long. Rejects as `#ask` does. */
  async #askPatiently(at: number, pipeline: boolean): Promise<Server> {
    const late = setTimeout(() => this.#find().catch(() => {}), AGAIN_MS)
    try {
      return await this.#ask(at, pipeline)
    } finally {
      clearTimeout(late)
    }
  }

  /** How many connections there are, and are being made. */
  get connections(): number {
    return this.#clients.size + this.#asked.size
  }

  /** Whether a connection is one to the primary, as far as is known. */
  isCurrent(client: Client): boolean {
    return this.#clients.has(client) && !this.#isToFormer(client)
  }

  /** A connection is of no use any more: where it was one to the primary, who asks next finds out who is that now. */
  lost(client: Client): void {
    if (!this.#isToFormer(client)) this.#at = undefined
    cut(client)
  }

  #isToFormer(client: Client): boolean {
    const life = this.#lives.get(client)
    return life !== undefined && isFormer(life, this.#life)
  }

  /**
   * Looks whether another server has been promoted, or none has answered for long: then whatever waits for the former one
   * fails now. Never rejects.
   */
  async check(): Promise<void> {
    try {
      // Not what another has begun to ask: a server that hangs would hold it up.
      await this.#askAll()
      this.#silences = 0
    } catch {
      if (++this.#silences >= SILENCES) for (const client of this.#clients) cut(client)
    }
  }

  /** Ends every connection. What runs on one fails. */
  async end(): Promise<void> {
    await Promise.allSettled([...this.#clients].map((client) => client.end()))
  }

  /** Asks all servers, as all do who want to know at the same time. */
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
          // While another one keeps silent, it may be promoted.
          if (waitedFor.size === 0) throw error
          await pause(AGAIN_MS)
        }
    })
    const { at, life } = await Promise.race([this.#promoted(asked), this.#newest(asked)])
    // Another question may have found a later one meanwhile.
    if (!isFormer(life, this.#life)) this.#note(at, life)
    return this.#at ?? at
  }

  /** A server that was promoted since is the primary, whatever the others say. Never ends where there is none. */
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
    // One that has no room for another connection, say, is there.
    if (reasons.some((reason) => reason instanceof pg.DatabaseError)) this.#silences = 0
    const [first, ...others] = found.toSorted((a, b) => b.life.timeline - a.life.timeline)
    if (first === undefined) throw unreachable(reasons.map((reason, at) => this.#said(at, reason)))
    if (others.some(({ life }) => life.system !== first.life.system))
      throw unreachable(['its servers belong to different databases'])
    return first
  }

  /** Connects to one server. Rejects where it is no primary. */
  async #ask(at: number, pipeline: boolean): Promise<Server> {
    const client = new pg.Client({
      ...this.#address.servers[at],
      types: TYPES,
      pipeline,
      connectionTimeoutMillis: CONNECT_MS,
      keepAlive: true,
    })
    // A connection that is lost while nobody uses it is found out with its next use.
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

  /** Where a standby was promoted, whatever goes on at the former primary is given up, also what waits for it to take a connection. */
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

function unreachable(failures: readonly string[]): StorageFault {
  return new StorageFault(
    'unreachable',
    `The database of the store cannot be reached (${failures.join('; ')}). Nothing was written. Try again later.`,
  )
}

/** Ends a connection without a word to the server, which may not listen. */
function cut(client: Client): void {
  client.connection.stream.destroy()
}

/** @throws where work takes longer; its end is not heard of then */
export async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(new Error('the connection gave no answer in time')), ms)
  try {
    return await Promise.race([work, late.promise])
  } finally {
    clearTimeout(timer)
  }
}
