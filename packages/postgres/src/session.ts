/** Statements on one connection, the parts of transactions. */
import { once } from 'node:events'
import type { Client, QueryResultRow } from 'pg'
import { from } from 'pg-copy-streams'

/** A statement that each connection plans once. Names are unique. */
export interface Prepared {
  readonly name: string
  readonly text: string
}

/** Runs single statements on a database. */
export interface Queries {
  /** Returns the rows of a statement, in order. */
  query<Row extends QueryResultRow>(sql: string | Prepared, values?: readonly unknown[]): Promise<Row[]>
}

/**
 * Runs the statements of one transaction. They are pipelined: the server receives them at once, in order, and none waits
 * for the answer to another. Statements that are not awaited one by one share one round trip.
 */
export interface Session extends Queries {
  /** Sends a statement without awaiting its rows. If it fails, so does the transaction. */
  send(sql: string | Prepared, values?: readonly unknown[]): void
}

/** Runs the statements of one transaction that also loads rows by COPY. */
export interface LoadingSession extends Queries {
  /** Loads rows in the text format of COPY. `into`: the table with its columns. */
  copy(into: string, rows: string): Promise<void>
}

/** Exclusive use of one connection. */
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

  /** Sends one text, since the library cannot continue with a second one after a failure. */
  async copy(into: string, rows: string): Promise<void> {
    const stream = this.#client.query(from(`COPY ${into} FROM STDIN`))
    const ended = once(stream, 'finish')
    stream.end(rows)
    await ended
  }

  /** Waits for all statements sent. @throws as the first that failed */
  async sent(): Promise<void> {
    await Promise.all(this.#sent)
  }

  /** Corks the socket, so that all statements of this turn of the event loop leave as one packet and wake the server once. */
  #gather(): void {
    const { stream } = this.#client.connection
    stream.cork()
    process.nextTick(() => stream.uncork())
  }

  /** Returns the cause of a failure: the first statement that failed, since later ones only report that; else `thrown`. */
  causeOf(thrown: unknown): unknown {
    return this.#failure ?? thrown
  }
}
