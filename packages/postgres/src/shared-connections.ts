/** A few connections on which many read at once, one statement each: none waits for the answer to another. */
import type { Client, QueryResultRow } from 'pg'
import type { Prepared } from './session.ts'

/** So many connections at most: each is a process of the server, and one answers some thousand keys a second. */
const MOST = 4

/** What is done with connections elsewhere. */
interface ConnectionRules {
  /** Statements on it do not wait for each other. */
  readonly connect: () => Promise<Client>
  readonly isCurrent: (client: Client) => boolean
  readonly isLost: (error: unknown) => boolean
  readonly lost: (client: Client) => void
  readonly faultFrom: (error: unknown) => unknown
}

interface Shared {
  readonly client: Promise<Client>
  /** Statements without an answer. */
  waiting: number
}

/** Connections that are opened as they are needed, and stay. */
export class SharedConnections {
  readonly #rules: ConnectionRules
  #open: readonly Shared[] = []

  constructor(rules: ConnectionRules) {
    this.#rules = rules
  }

  /** How many connections wait for their next use. */
  get idle(): number {
    return this.#open.filter(({ waiting }) => waiting === 0).length
  }

  /** The rows of one statement that reads; asked once more where the connection was lost meanwhile. @throws StorageFault */
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
        // One that could not be made has nothing to be given back.
        shared.client.then(this.#rules.lost, () => {})
      }
      throw error
    } finally {
      shared.waiting -= 1
    }
  }

  /** The connection with the least to do; a new one where all have something, and there may be more. */
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
