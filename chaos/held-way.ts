/** Forwards the connections of a node to its database, and can stop that without closing anything, as a lost network does. */
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

const BEGIN = 'BEGIN ISOLATION LEVEL READ COMMITTED'
/** Message of PostgreSQL for a completed commit. */
const COMMITTED = 'COMMIT\0'

/** Packet of a write: its first one, an answer within it, its last one, or the answer to its commit. */
export type Packet = 'begin' | 'answer' | 'commit' | 'committed'

/** Socket pair, with the last packet of its current write. */
interface Connection {
  readonly node: Socket
  readonly database: Socket
  last: Packet | undefined
}

/** Way of one node to a database that listens on a Unix socket. */
export class HeldWay {
  readonly #path: string
  readonly #server = createServer((node) => void this.#accept(node))
  readonly #connections = new Set<Connection>()
  #held: PromiseWithResolvers<void> | undefined
  /** Called with each packet of a write before it is forwarded. */
  seen: (packet: Packet) => void = () => {}

  /** Creates a way to the socket at this path. */
  constructor(path: string) {
    this.#path = path
  }

  /** Starts and returns the port at which the node reaches the database. */
  async listen(): Promise<number> {
    this.#server.listen(0, '127.0.0.1')
    await once(this.#server, 'listening')
    return (this.#server.address() as AddressInfo).port
  }

  /** Forwards nothing more, in either direction. New connections are accepted, but get no answer. */
  hold(): void {
    this.#held ??= Promise.withResolvers()
  }

  /** Forwards everything that was held, and what follows. */
  release(): void {
    this.#held?.resolve()
    this.#held = undefined
  }

  /** Closes all connections. */
  end(): void {
    this.release()
    this.#server.close()
    for (const { node, database } of this.#connections)
      for (const socket of [node, database]) socket.destroy()
  }

  async #accept(node: Socket): Promise<void> {
    node.on('error', () => {})
    await this.#held?.promise
    const database = connect(this.#path).on('error', () => node.destroy())
    const connection: Connection = { node, database, last: undefined }
    this.#connections.add(connection)
    await Promise.all([this.#forward(connection, 'node'), this.#forward(connection, 'database')])
    this.#connections.delete(connection)
  }

  async #forward(connection: Connection, from: 'node' | 'database'): Promise<void> {
    const to = from === 'node' ? connection.database : connection.node
    try {
      for await (const chunk of connection[from]) {
        const packet = packetOf(chunk, from, connection.last)
        if (packet !== undefined) this.seen(packet)
        connection.last = packet === 'committed' ? undefined : (packet ?? connection.last)
        await this.#held?.promise
        to.write(chunk)
      }
    } catch {
      // The connection was cut. The other side learns it like any other packet.
    }
    await this.#held?.promise
    connection.last = undefined
    to.end()
  }
}

function packetOf(chunk: Buffer, from: 'node' | 'database', last: Packet | undefined): Packet | undefined {
  if (from === 'node') {
    if (chunk.includes(BEGIN)) return 'begin'
    return last === 'answer' && chunk.includes('COMMIT') ? 'commit' : undefined
  }
  if (last === 'commit') return chunk.includes(COMMITTED) ? 'committed' : undefined
  return last === 'begin' ? 'answer' : undefined
}
