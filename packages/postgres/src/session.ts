/** What transactions are made of: statements on one connection. */
import { once } from 'node:events'
import type { Client, QueryResultRow } from 'pg'
import { from } from 'pg-copy-streams'

/** A statement that each connection plans once. No two have the same name. */
export interface Prepared {
  readonly name: string
  readonly text: string
}

/** What statements are run on. */
export interface Queries {
  /** The rows that a statement gives, in their order. */
  query<Row extends QueryResultRow>(sql: string | Prepared, values?: readonly unknown[]): Promise<Row[]>
}

/**
 * What statements of one transaction are run on. They reach the server at once, in the order in which they are given, and
 * none waits for the answer to another: statements that are not awaited one by one share one trip.
 */
export interface Session extends Queries {
  /** Gives a statement whose rows nobody needs. Where it fails, so does the transaction. */
  send(sql: string | Prepared, values?: readonly unknown[]): void
}

/** What statements of one transaction are run on that also takes rows by COPY. */
export interface LoadingSession extends Queries {
  /** Takes rows as the text format of COPY has them. `into`: the table with its columns. */
  copy(into: string, rows: string): Promise<void>
}

/** What is said over one connection while it has one user. */
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
    // Whoever waits for all of them hears of it.
    sent.catch(() => {})
    this.#sent.push(sent)
  }

  /** One text, since the library cannot go on with a second one after a failure. */
  async copy(into: string, rows: string): Promise<void> {
    const stream = this.#client.query(from(`COPY ${into} FROM STDIN`))
    const ended = once(stream, 'finish')
    stream.end(rows)
    await ended
  }

  /** Waits for all that was sent. @throws as the first that failed */
  async sent(): Promise<void> {
    await Promise.all(this.#sent)
  }

  /** What is said until this turn of the event loop is over leaves as one packet, which wakes the server once. */
  #gather(): void {
    const { stream } = this.#client.connection
    stream.cork()
    process.nextTick(() => stream.uncork())
  }

  /** Why work failed: by the first statement that did, since those after it say only that; or by itself. */
  causeOf(thrown: unknown): unknown {
    return this.#failure ?? thrown
  }
}
