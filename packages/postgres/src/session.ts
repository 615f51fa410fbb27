/** Runs the statements of transactions on one connection. */
import { once } from 'node:events'
import type { Client, QueryResultRow } from 'pg'
import { from } from 'pg-copy-streams'

/** Statement that is prepared once per connection. Names must be unique. */
export interface Prepared {
  readonly name: string
  readonly text: string
}

/** Runs single statements on a database. */
export interface Queries {
  /** Runs a statement and returns its rows in order. */
  query<Row extends QueryResultRow>(sql: string | Prepared, values?: readonly unknown[]): Promise<Row[]>
}

/**
 * Runs the statements of one transaction. They are pipelined: each one is sent immediately, in order, without waiting for
 * earlier responses. Statements that are not awaited one by one share one round trip.
 */
export interface Session extends Queries {
  /** Sends a statement without awaiting its rows. If it fails, so does the transaction. */
  send(sql: string | Prepared, values?: readonly unknown[]): void
}

/** Runs the statements of one transaction that also loads rows with COPY. */
export interface LoadingSession extends Queries {
  /** Loads rows in COPY text format. `into` is the table with its columns. */
  copy(into: string, rows: string): Promise<void>
}

/** Session with exclusive use of one connection. */
export class Conversation implements Session, LoadingSession {
  readonly #client: Client
  readonly #sent: Promise<unknown>[] = []
  #failure: unknown

  constructor(client: Client) {
    this.#client = client
  }

  async query<Row extends QueryResultRow>(
    sql: string | Prepared,
    values?: readonly unknown[],
  ): Promise<Row[]> {
    this.#gather()
    try {
      return (await this.#client.query<Row>(sql as string, values as unknown[] | undefined)).rows
    } catch (error) {
      this.#failure ??= error
      throw error
    }
  }

  send(sql: string | Prepared, values?: readonly unknown[]): void {
    const sent = this.query(sql, values)
    // `sent` reports the failure.
    sent.catch(() => {})
    this.#sent.push(sent)
  }

  /** Sends all rows as one chunk, because the library cannot send another chunk after a failure. */
  async copy(into: string, rows: string): Promise<void> {
    const stream = this.#client.query(from(`COPY ${into} FROM STDIN`))
    const ended = once(stream, 'finish')
    stream.end(rows)
    await ended
  }

  /** Waits for all statements passed to `send`. @throws the error of the first one that failed */
  async sent(): Promise<void> {
    await Promise.all(this.#sent)
  }

  /** Corks the socket, so that all statements of this event loop turn are sent as one packet and wake the server once. */
  #gather(): void {
    const { stream } = this.#client.connection
    stream.cork()
    process.nextTick(() => stream.uncork())
  }

  /** Returns the error of the first failed statement, or `thrown` if none failed. Later errors do not name the cause. */
  causeOf(thrown: unknown): unknown {
    return this.#failure ?? thrown
  }
}
