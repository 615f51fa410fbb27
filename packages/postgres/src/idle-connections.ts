import type { Client } from 'pg'

/** Maximum number of idle connections to keep. More may be opened under concurrent load. */
const IDLE = 4

/** Time after which an idle connection is closed, in milliseconds: many nodes share the connections of a server. */
const IDLE_MS = 2_000

/** Idle connections of a node, of which the last used is reused first. */
export class IdleConnections {
  #kept: readonly { readonly client: Client; readonly timer: NodeJS.Timeout }[] = []

  get count(): number {
    return this.#kept.length
  }

  /** Keeps a connection for a while, or closes it if there are enough. */
  keep(client: Client): void {
    const close = () => {
      this.#kept = this.#kept.filter((one) => one.client !== client)
      void client.end().catch(() => {})
    }
    if (this.#kept.length === IDLE) close()
    else this.#kept = [...this.#kept, { client, timer: setTimeout(close, IDLE_MS).unref() }]
  }

  /** Takes an idle connection, or returns undefined if there is none. Forgets those that are not current. */
  take(pipeline: boolean, isCurrent: (client: Client) => boolean): Client | undefined {
    const current = this.#kept.filter(({ client }) => isCurrent(client))
    const taken = current.findLast(({ client }) => client.pipeline === pipeline)
    clearTimeout(taken?.timer)
    this.#kept = current.filter((one) => one !== taken)
    return taken?.client
  }
}
