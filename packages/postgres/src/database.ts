/** Connections to the primary of a PostgreSQL database, and transactions on them. */
import { setTimeout as pause } from 'node:timers/promises'
import { StorageFault } from '@worldwright/core/store'
import type { Client, QueryResultRow } from 'pg'
import { type PostgresAddress, postgresAddress } from './address.ts'
import { Primary, within } from './primary.ts'
import { Conversation, type LoadingSession, type Prepared, type Queries, type Session } from './session.ts'
import { SharedConnections } from './shared-connections.ts'

/** SQLSTATEs of an unavailable primary or a lost connection. */
const LOST = /^(?:08|57P0[123]|25006)/

/** SQLSTATEs of conflicting transactions, which are retried. */
const MET = new Set(['40001', '40P01', '55P03'])

/** Maximum attempts of a transaction that conflicts with others. */
const ATTEMPTS = 8

/** COPY is refused on a pipelined connection. */
const ONE_BY_ONE = false

/** Maximum idle connections kept; more are opened under concurrent load. */
const IDLE = 4

/** Commit timeout, in milliseconds: a commit that takes longer waits for a standby or a server that is gone. */
const COMMIT_MS = 10_000

/** A commit whose outcome is unknown, because the connection was lost meanwhile. */
export class LostCommit extends Error {
  override readonly name = 'LostCommit'
}

/** A database that may have several servers, one of which is the primary. */
export class Database implements Queries {
  readonly address: PostgresAddress
  readonly primary: Primary
  readonly #idle: Client[] = []
  readonly #shared: SharedConnections
  #isClosed = false

  /** @throws StorageFault `not_a_store` for a URL that cannot be read */
  constructor(url: string) {
    this.address = postgresAddress(url)
    this.primary = new Primary(this.address)
    this.#shared = new SharedConnections({
      connect: () => this.#connect(true),
      isCurrent: (client) => this.primary.isCurrent(client),
      isLost,
      lost: (client) => this.primary.lost(client),
      faultFrom,
    })
  }

  /** True if any work is under way. */
  get isBusy(): boolean {
    return this.primary.connections > this.#idle.length + this.#shared.idle
  }

  /** Runs a single statement. @throws StorageFault */
  query<Row extends QueryResultRow>(sql: string | Prepared, values?: readonly unknown[]): Promise<Row[]> {
    return this.#with((session) => session.query<Row>(sql, values))
  }

  /** Runs one read-only statement on a shared, pipelined connection: for many concurrent reads. @throws StorageFault */
  ask<Row extends QueryResultRow>(sql: Prepared, values?: readonly unknown[]): Promise<Row[]> {
    return this.#shared.ask<Row>(sql, values)
  }

  /** Reads within one snapshot. @throws StorageFault */
  reading<T>(work: (session: Session) => Promise<T>): Promise<T> {
    return this.#with(async (session) => {
      session.send('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
      const result = await work(session)
      // Not awaited, as nothing depends on it: the next user of the connection finds out whether it failed.
      session.send('COMMIT')
      return result
    })
  }

  /**
   * Runs a transaction, durable when it returns; retries after a conflict. If the work calls `undone`, it is rolled back.
   * @throws StorageFault; LostCommit if the outcome is unknown
   */
  async writing<T>(work: (session: Session, undone: () => void) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#with((session) => transaction(session, work))
      } catch (error) {
        if (!MET.has(codeOf(error)) || attempt === ATTEMPTS) throw faultFrom(error)
        await pause(Math.random() * 2 ** attempt)
      }
    }
  }

  /** Reads within one snapshot, and blocks writes meanwhile. @throws StorageFault `busy` */
  standing<T>(work: (session: Session) => Promise<T>): Promise<T> {
    return this.#with(async (session) => {
      session.send('BEGIN ISOLATION LEVEL REPEATABLE READ')
      session.send('LOCK TABLE types, rooms IN SHARE MODE')
      const result = await work(session)
      session.send('COMMIT')
      return result
    }).catch((error) => {
      throw faultFrom(error)
    })
  }

  /**
   * Runs a transaction that loads rows by COPY: not pipelined, each statement is awaited.
   * @throws StorageFault; the driver's error if the server refuses the rows: see `isDuplicate`
   */
  loading<T>(work: (session: LoadingSession) => Promise<T>): Promise<T> {
    return this.#with(async (session) => {
      await session.query('BEGIN ISOLATION LEVEL READ COMMITTED')
      const result = await work(session)
      await session.query('COMMIT')
      return result
    }, ONE_BY_ONE).catch((error) => {
      throw faultFrom(error)
    })
  }

  /** Opens a dedicated connection, such as for notifications; the caller ends it. @throws StorageFault */
  connect(): Promise<Client> {
    return this.primary.connect(ONE_BY_ONE)
  }

  /** Ends every connection. Running work fails. */
  async close(): Promise<void> {
    this.#isClosed = true
    await this.primary.end()
  }

  async #with<T>(work: (session: Conversation) => Promise<T>, pipeline = true): Promise<T> {
    const client = this.#takeIdle(pipeline) ?? (await this.#connect(pipeline))
    const session = new Conversation(client)
    try {
      const result = await work(session)
      if (this.#idle.length < IDLE && !this.#isClosed) this.#idle.push(client)
      else await client.end()
      return result
    } catch (thrown) {
      const error = thrown instanceof LostCommit ? thrown : session.causeOf(thrown)
      if (isLost(error)) {
        this.primary.lost(client)
      } else if (!this.#isClosed) {
        // Undoes the unfinished transaction.
        await client.query('ROLLBACK').then(
          () => this.#idle.push(client),
          () => {},
        )
      }
      throw MET.has(codeOf(error)) || error instanceof LostCommit ? error : faultFrom(error)
    }
  }

  /** Takes an idle connection, if it is still one to the primary. */
  #takeIdle(pipeline: boolean): Client | undefined {
    const current = this.#idle.filter((client) => this.primary.isCurrent(client))
    const at = current.findLastIndex((client) => client.pipeline === pipeline)
    const [client] = current.splice(at, at < 0 ? 0 : 1)
    this.#idle.splice(0, this.#idle.length, ...current)
    return client
  }

  async #connect(pipeline: boolean): Promise<Client> {
    const client = await this.primary.connect(pipeline)
    if (!this.#isClosed) return client
    await client.end()
    throw new StorageFault('unreachable', 'The store is closed.')
  }
}

async function transaction<T>(
  session: Conversation,
  work: (session: Session, undone: () => void) => Promise<T>,
): Promise<T> {
  let isUndone = false
  session.send('BEGIN ISOLATION LEVEL READ COMMITTED')
  const result = await work(session, () => {
    isUndone = true
  })
  const sent = session.sent()
  // Sent together with the statements before it: if one of them failed, it rolls the transaction back.
  const ended = session.query(isUndone ? 'ROLLBACK' : 'COMMIT')
  ended.catch(() => {})
  try {
    await sent
    await within(COMMIT_MS, ended)
  } catch (error) {
    if (isLost(error)) throw new LostCommit('The connection was lost during a commit.', { cause: error })
    throw error
  }
  return result
}

/** Returns the SQLSTATE or the code of a system call; empty if there is none. */
function codeOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : ''
  return typeof code === 'string' ? code : ''
}

/** Reports whether a statement failed because a row with the same key exists. */
export function isDuplicate(error: unknown): boolean {
  return codeOf(error) === '23505'
}

function isLost(error: unknown): boolean {
  if (error instanceof LostCommit) return true
  const code = codeOf(error)
  if (LOST.test(code) || /^E[A-Z]+$/.test(code)) return true
  return (
    error instanceof Error &&
    code === '' &&
    /[Cc]onnection|Client was closed|not queryable/.test(error.message)
  )
}

/** Returns the store's fault for a failure of its database. */
export function faultFrom(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof StorageFault || error instanceof LostCommit) return error
  const code = codeOf(error)
  const cause = { cause: error }
  if (MET.has(code)) return new StorageFault('busy', 'Others hold what was to be written. Try again.', cause)
  if (code === '53100')
    return new StorageFault('full', 'The disk of the database is full. Nothing was written.', cause)
  if (code === '42501') return new StorageFault('read_only', `The database refuses: ${error.message}.`, cause)
  if (isLost(error))
    return new StorageFault(
      'unreachable',
      `The connection to the database was lost: ${error.message}. Nothing was written. Try again later.`,
      cause,
    )
  return error
}
