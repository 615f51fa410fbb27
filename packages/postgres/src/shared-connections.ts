import type { Client, QueryResultRow } from 'pg'
import type { Prepared } from './session.ts'

/** Maximum number of connections. Each costs a server process and serves several thousand reads per second. */
const MOST = 4

/** Connection handling supplied by the owning database. */
interface ConnectionRules {
  /** Opens a pipelined connection. */
  readonly connect: () => Promise<Client>
  readonly isCurrent: (client: Client) => boolean
  readonly isLost: (error: unknown) => boolean
  readonly lost: (client: Client) => void
  readonly faultFrom: (error: unknown) => unknown
}

interface Shared {
  readonly client: Promise<Client>
  /** Number of unanswered statements. */
  waiting: number
}

/** Pool of pipelined connections for many reads of one statement, opened on demand. They stay open. */
export class SharedConnections {
  readonly #rules: ConnectionRules
  #open: readonly Shared[] = []

  constructor(rules: ConnectionRules) {
    this.#rules = rules
  }

  /** Number of idle connections. */
  get idle(): number {
    return this.#open.filter(({ waiting }) => waiting === 0).length
  }

  /** Runs one read-only statement and returns its rows. Retries once if the connection was lost. @throws StoreFault */
  async ask<Row extends QueryResultRow>(sql: Prepared, values: readonly unknown[] = []): Promise<Row[]> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#asked<Row>(sql, values)
      } catch (error) {
        if (!this.#rules.isLost(error) || attempt > 1) throw this.#rules.faultFrom(error)
      }
    }
  }

  async #asked<Row extends QueryResultRow>(sql: Prepared, values: readonly unknown[]): Promise<Row[]> {
    const shared = this.#least()
    shared.waiting += 1
    try {
      const client = await shared.client
      if (!this.#rules.isCurrent(client)) throw new Error('Connection to a former primary.')
      return (await client.query<Row>(sql as unknown as string, values as unknown[])).rows
    } catch (error) {
      if (this.#rules.isLost(error)) {
        this.#forget(shared)
        // A connection that could not be opened needs no cleanup.
        shared.client.then(this.#rules.lost, () => {})
      }
      throw error
    } finally {
      shared.waiting -= 1
    }
  }

  /** Returns the least busy connection, or opens a new one if all are busy and there are fewer than `MOST`. */
  #least(): Shared {
    const [least] = this.#open.toSorted((left, right) => left.waiting - right.waiting)
    if (least && (least.waiting === 0 || this.#open.length === MOST)) return least
    const shared: Shared = { client: this.#rules.connect(), waiting: 0 }
    this.#open = [...this.#open, shared]
    shared.client.catch(() => this.#forget(shared))
    return shared
  }

  #forget(shared: Shared): void {
    this.#open = this.#open.filter((one) => one !== shared)
  }
}
