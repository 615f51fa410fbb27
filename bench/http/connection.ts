/** Keep-alive connection of the load generator, with one request at a time and minimal parsing of the answers. */
import { connect, type Socket } from 'node:net'

/** Events of a connection: complete answers and lost requests. */
export interface ConnectionEvents {
  /** Called when an answer is complete. `planned` is the value passed to `send`. */
  answered(connection: Connection, planned: number, status: string): void
  /** Called when the server closes the connection before the answer is complete. */
  lost(connection: Connection, planned: number): void
}

/** Connection that reopens itself whenever the server closes it. */
export interface Connection {
  /** Sends a request. At most one may be in flight. */
  send(request: Buffer, planned: number): void
  close(): void
}

const HEAD_END = '\r\n\r\n'

/** Opens a connection to a port of this machine, bound to `localAddress` if given. */
export function openConnection(port: number, events: ConnectionEvents, localAddress?: string): Connection {
  let socket: Socket
  let planned: number | undefined
  let head: Buffer = Buffer.alloc(0)
  let status = ''
  /** Remaining bytes of the body, or undefined while the head is being read. */
  let missing: number | undefined
  let leaving = false
  let closed = false

  function receive(chunk: Buffer): void {
    if (missing === undefined) {
      head = head.length === 0 ? chunk : Buffer.concat([head, chunk])
      const end = head.indexOf(HEAD_END)
      if (end < 0) return
      const text = head.toString('latin1', 0, end)
      status = text.slice(9, 12)
      leaving = /^connection: *close/im.test(text)
      const length = status === '304' ? 0 : Number(/^content-length: *(\d+)/im.exec(text)?.[1] ?? 0)
      missing = length - (head.length - end - HEAD_END.length)
    } else missing -= chunk.length
    if (missing <= 0) complete()
  }

  function complete(): void {
    const moment = planned ?? 0
    reset()
    // The server sent `Connection: close`, so the next request needs a new connection.
    if (leaving) {
      socket.removeAllListeners('close')
      socket.end()
      open()
    }
    events.answered(connection, moment, status)
  }

  function reset(): void {
    planned = undefined
    missing = undefined
    head = Buffer.alloc(0)
  }

  function open(): void {
    leaving = false
    socket = connect({ port, host: '127.0.0.1', noDelay: true, ...(localAddress && { localAddress }) })
    socket.on('data', receive)
    socket.on('error', () => {})
    socket.on('close', () => {
      const moment = planned
      reset()
      if (!closed) open()
      if (moment !== undefined) events.lost(connection, moment)
    })
  }

  const connection: Connection = {
    send(request, moment) {
      planned = moment
      socket.write(request)
    },
    close() {
      closed = true
      socket.destroy()
    },
  }
  open()
  return connection
}
