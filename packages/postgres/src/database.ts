/** Runs statements and transactions on the primary of a PostgreSQL database. */
import { setTimeout as pause } from 'node:timers/promises'
import { StoreFault } from '@worldwright/core/store'
import type { Client, QueryResultRow } from 'pg'
import { type PostgresAddress, postgresAddress } from './address.ts'
import { IdleConnections } from './idle-connections.ts'
import { Primary, within } from './primary.ts'
import { Conversation, type LoadingSession, type Prepared, type Queries, type Session } from './session.ts'
import { SharedConnections } from './shared-connections.ts'

/** Matches SQLSTATEs that indicate an unavailable primary or a lost connection. */
const LOST = /^(?:08|57P0[123]|25006|25P03)/

/** SQLSTATEs of conflicts, after which a transaction is retried. */
const CONFLICTS = new Set(['40001', '40P01'])

/** SQLSTATE of a lock that was not released within the lock timeout. The transaction has waited enough. */
const LOCKED = '55P03'

/**
 * Time for which a node may leave a write transaction idle, or take nothing of an answer within it, in milliseconds. Then the
 * server ends its session, so that a node that hangs, or that the network has lost, does not keep the rows that it locked from
 * the others.
 */
const IDLE_WRITE_MS = 4_000

/** SQLSTATEs of tables and columns that are not there: a node may ask for them before it sees that the format has changed. */
const CHANGED = /^42(?:P01|703)$/

/** Maximum number of attempts to run a conflicting transaction. */
const ATTEMPTS = 8

/** Disables pipelining, which COPY does not support. */
const ONE_BY_ONE = false

/** SQLSTATE of a server that has no connection left, and the time for which a node waits for one, in milliseconds. */
const FULL = '53300'
const FULL_MS = 10_000

/** Interval between attempts to get a connection, in milliseconds. */
const AGAIN_MS = 50

/** Commit timeout, in milliseconds. A slower commit is assumed to be waiting for a failed server or standby. */
const COMMIT_MS = 10_000

/** Thrown if the outcome of a commit is unknown because the connection was lost. */
export class LostCommit extends Error {
  override readonly name = 'LostCommit'
}

/** Database with one or more servers, one of which is the primary. */
export class Database implements Queries {
  readonly address: PostgresAddress
  readonly primary: Primary
  readonly #idle = new IdleConnections()
  readonly #shared: SharedConnections
  #isClosed = false

  /** @throws StoreFault `not_a_store` if the URL is invalid */
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

  /** True if any connection is in use. */
  get isBusy(): boolean {
    return this.primary.connections > this.#idle.count + this.#shared.idle
  }

  /** Runs a single statement. @throws StoreFault */
  query<Row extends QueryResultRow>(sql: string | Prepared, values?: readonly unknown[]): Promise<Row[]> {
    return this.#with((session) => session.query<Row>(sql, values))
  }

  /** Runs one read-only statement on a shared, pipelined connection. Suits many concurrent reads. @throws StoreFault */
  ask<Row extends QueryResultRow>(sql: Prepared, values?: readonly unknown[]): Promise<Row[]> {
    return this.#shared.ask<Row>(sql, values)
  }

  /** Runs read-only work within one snapshot. @throws StoreFault */
  reading<T>(work: (session: Session) => Promise<T>): Promise<T> {
    return this.#with(async (session) => {
      session.send('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
      const result = await work(session)
      // Not awaited because nothing depends on it. If it fails, the connection's next user gets the error.
      session.send('COMMIT')
      return result
    })
  }

  /**
   * Runs `work` in a transaction, retrying after conflicts. Durable on return, unless `work` called `undone` to roll back.
   * @throws StoreFault; LostCommit if the outcome is unknown
   */
  async writing<T>(work: (session: Session, undone: () => void) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#with((session) => transaction(session, work))
      } catch (error) {
        if (!CONFLICTS.has(codeOf(error)) || attempt === ATTEMPTS) throw faultFrom(error)
        await pause(Math.random() * 2 ** attempt)
      }
    }
  }

  /** Runs work within one snapshot while writes are blocked. @throws StoreFault `busy` */
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
   * Runs a transaction that loads rows with COPY. Its statements are not pipelined.
   * @throws StoreFault; the driver's error if the server rejects the rows (see `isDuplicate`)
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

  /** Opens a dedicated connection, for example for notifications. The caller must end it. @throws StoreFault */
  connect(): Promise<Client> {
    return this.primary.connect(ONE_BY_ONE)
  }

  /** Ends all connections. Work in progress fails. */
  async close(): Promise<void> {
    this.#isClosed = true
    await this.primary.end()
  }

  async #with<T>(work: (session: Conversation) => Promise<T>, pipeline = true): Promise<T> {
    const isCurrent = (client: Client) => this.primary.isCurrent(client)
    const client = this.#idle.take(pipeline, isCurrent) ?? (await this.#connect(pipeline))
    const session = new Conversation(client)
    try {
      const result = await work(session)
      this.#idle.keep(client)
      return result
    } catch (thrown) {
      const isOurs = thrown instanceof LostCommit || thrown instanceof StoreFault
      const error = isOurs ? thrown : session.causeOf(thrown)
      if (isLost(error)) {
        this.primary.lost(client)
      } else if (!this.#isClosed) {
        // Rolls back the unfinished transaction.
        await client.query('ROLLBACK').then(
          () => this.#idle.keep(client),
          () => {},
        )
      }
      throw CONFLICTS.has(codeOf(error)) || error instanceof LostCommit ? error : faultFrom(error)
    }
  }

  async #connect(pipeline: boolean): Promise<Client> {
    for (const deadline = performance.now() + FULL_MS; ; await pause(AGAIN_MS))
      try {
        const client = await this.primary.connect(pipeline)
        if (!this.#isClosed) return client
        await client.end()
        throw new StoreFault('unreachable', 'The store is closed.')
      } catch (error) {
        const isFull = codeOf((error as Error).cause) === FULL
        if (!isFull || this.#isClosed || performance.now() > deadline) throw error
      }
  }
}

async function transaction<T>(
  session: Conversation,
  work: (session: Session, undone: () => void) => Promise<T>,
): Promise<T> {
  let isUndone = false
  session.send(
    `BEGIN ISOLATION LEVEL READ COMMITTED; SET LOCAL idle_in_transaction_session_timeout = ${IDLE_WRITE_MS};
     SET LOCAL tcp_user_timeout = ${IDLE_WRITE_MS}`,
  )
  const result = await work(session, () => {
    isUndone = true
  })
  const sent = session.sent()
  // Pipelined behind the other statements. If one of them failed, the server treats COMMIT as ROLLBACK.
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

/** Returns the SQLSTATE or system error code, or an empty string if there is none. */
function codeOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : ''
  return typeof code === 'string' ? code : ''
}

/** Reports whether `error` is a duplicate key error. */
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

/** Converts a database error to a StoreFault. Returns unrecognized errors unchanged. */
export function faultFrom(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof StoreFault || error instanceof LostCommit) return error
  const code = codeOf(error)
  const cause = { cause: error }
  if (CONFLICTS.has(code) || code === LOCKED)
    return new StoreFault('busy', 'Others hold what was to be written. Try again.', cause)
  if (code === '53100')
    return new StoreFault('full', 'The disk of the database is full. Nothing was written.', cause)
  if (code === '42501') return new StoreFault('read_only', `The database refuses: ${error.message}.`, cause)
  if (CHANGED.test(code))
    return new StoreFault(
      'newer_format',
      `The store was removed, or a newer version has changed its tables: ${error.message}. Use a newer one.`,
      cause,
    )
  if (isLost(error))
    return new StoreFault(
      'unreachable',
      `The connection to the database was lost: ${error.message}. Nothing was written. Try again later.`,
      cause,
    )
  return error
}
