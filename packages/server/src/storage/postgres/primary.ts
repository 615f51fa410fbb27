/** The primary of a store's database, found by asking its servers. */
import pg, { type Client } from 'pg'
import { StorageFault } from '../contract.ts'
import type { PostgresAddress } from './address.ts'
import { connectFailure } from './connect-failure.ts'

/** Which life of which database a primary leads. Every promotion of a standby begins a life with a higher number. */
export interface Life {
  /** The identifier that a database and its standbys share. */
  readonly system: string
  /** What PostgreSQL calls its timeline. */
  readonly timeline: number
}

/** A server that does not answer within this time is not there, in milliseconds. */
const CONNECT_MS = 2_000

/** A statement waits so long for a row that others hold, in milliseconds. */
const LOCK_MS = 2_000

/** So many times in a row a primary may not answer before what waits for it is given up. */
const SILENCES = 3

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

interface Answer {
  readonly is_standby: boolean
  readonly is_read_only: boolean
  readonly system: string
  readonly timeline: string | null
}

/**
 * Connects to whichever server is the primary. Of several that say they are, it is the one that was promoted last; one that
 * was the primary before another that has been seen is refused for good.
 */
export class Primary {
  readonly #address: PostgresAddress
  readonly #clients = new Map<Client, Life>()
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
        return this.#opened(known, await this.#ask(known, pipeline))
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

  /** Whether a connection is one to the primary, as far as is known. */
  isCurrent(client: Client): boolean {
    const life = this.#clients.get(client)
    return life !== undefined && !isFormer(life, this.#life)
  }

  /** A connection is of no use any more: who asks next finds out who is the primary now. */
  lost(client: Client): void {
    this.#at = undefined
    cut(client)
  }

  /**
   * Looks whether another server has been promoted, or none has answered for long: then whatever waits for the former one
   * fails now. Never rejects.
   */
  async check(): Promise<void> {
    try {
      await this.#find()
      this.#silences = 0
    } catch {
      if (++this.#silences >= SILENCES) for (const client of this.#clients.keys()) cut(client)
    }
  }

  /** Ends every connection. What runs on one fails. */
  async end(): Promise<void> {
    await Promise.allSettled([...this.#clients.keys()].map((client) => client.end()))
  }

  /** Asks all servers; only one question at a time. */
  #find(): Promise<number> {
    this.#finding ??= this.#askAll().finally(() => {
      this.#finding = undefined
    })
    return this.#finding
  }

  async #askAll(): Promise<number> {
    const asked = this.#address.servers.map(async (_, at): Promise<Found> => {
      const { client, life } = await this.#ask(at, false)
      void client.end().catch(() => {})
      return { at, life }
    })
    const { at, life } = await Promise.race([this.#promoted(asked), this.#newest(asked)])
    this.#note(life)
    this.#at = at
    return at
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
    try {
      const life = await within(CONNECT_MS, connected(client, this.#address.schema))
      if (isFormer(life, this.#life)) throw new Error(formerPrimary(life, this.#life))
      return { client, life }
    } catch (error) {
      cut(client)
      throw error
    }
  }

  #opened(at: number, { client, life }: Server): Client {
    this.#note(life)
    this.#at = at
    this.#clients.set(client, life)
    return client
  }

  /** A standby was promoted: whatever goes on at the former primary is given up. */
  #note(life: Life): void {
    this.#life = life
    for (const [client, its] of this.#clients) if (isFormer(its, life)) cut(client)
  }

  #said(at: number, error: unknown): string {
    const { host, port } = this.#address.servers[at] ?? {}
    return `${host}:${port}: ${connectFailure(error)}`
  }
}

async function connected(client: Client, schema: string): Promise<Life> {
  await client.connect()
  // A time limit of the user's would end the wait for a standby, and the commit would count as done.
  const results: unknown = await client.query(
    `SET jit = off; SET lock_timeout = ${LOCK_MS}; SET statement_timeout = 0; SET search_path = ${schema};
     SELECT pg_is_in_recovery() AS is_standby, current_setting('transaction_read_only') = 'on' AS is_read_only,
       (pg_control_system()).system_identifier::text AS system,
       CASE WHEN NOT pg_is_in_recovery() THEN left(pg_walfile_name(pg_current_wal_lsn()), 8) END AS timeline`,
  )
  const { rows } = (results as { rows: Answer[] }[]).at(-1) ?? { rows: [] }
  const [{ is_standby: isStandby, is_read_only: isReadOnly, system, timeline }] = rows as [Answer]
  if (isStandby || timeline === null) throw new Error('it is a standby')
  if (isReadOnly) throw new Error('it takes no writes')
  return { system, timeline: Number.parseInt(timeline, 16) }
}

/** Whether a life ended before one that has been seen. */
function isFormer(life: Life, seen: Life | undefined): boolean {
  return seen !== undefined && life.system === seen.system && life.timeline < seen.timeline
}

function formerPrimary({ timeline }: Life, seen: Life | undefined): string {
  return (
    `it is a former primary, of timeline ${timeline}, and timeline ${seen?.timeline} has begun: nothing is written to it. ` +
    'Where it was restored on purpose, remove the copies of the nodes'
  )
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
