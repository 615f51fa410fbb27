/** The adapter for `node:http`: sockets and ports on one side, plain requests and responses on the other. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { type AddressInfo, Server as NetServer, type Socket } from 'node:net'
import type { WorldHandler } from '@worldwright/core'
import { KeptHeadResponse } from './kept-head.ts'
import type { ConnectionLimits } from './node-limits.ts'
import { answerParserErrors, type ParserLimits, requireHost } from './node-parser.ts'
import { NodeRequest } from './node-request.ts'
import { letGo, writeAnswer } from './write-answer.ts'

/**
 * Handler of requests: that of a world, or a compatible one. A response in a promise must belong to a single request:
 * its body is removed once it is given to the connection.
 */
export type RequestHandler = Pick<WorldHandler, 'handle'>

/** Address to listen on, and limits of requests and connections. */
export interface ListenOptions {
  /** Port number; 0 picks a free one. */
  readonly port: number
  /** Default `127.0.0.1`. */
  readonly host?: string
  /** Milliseconds a client has to send a whole request; default 30,000. After them the answer is 408. */
  readonly requestTimeoutMs?: number
  /** Reports whether a new connection is admitted. Refused ones are closed at once. Absent: all are admitted. */
  readonly admitConnection?: (connection: Socket) => boolean
  /** Limits of its connections. Absent: they hold their answers until the client reads them. */
  readonly limits?: ConnectionLimits
  /** Maximum number of open connections; default 20,000. */
  readonly maxConnections?: number
}

/** A server that listens on a port until it is closed. */
export interface Listening {
  /** The address, as an origin. */
  readonly url: string
  readonly port: number
  /**
   * Refuses new connections, lets running requests finish, and resolves when all are done, or have been cut after half
   * a minute. Idle connections are closed at once; with `drainMs` they end with their next answer, or after that time.
   */
  close(options?: { readonly drainMs?: number }): Promise<void>
}

/** Enough for the largest request over a poor line; the 300 s of Node.js let a few stalled clients occupy a server. */
const REQUEST_TIMEOUT_MS = 30_000
/** Maximum bytes of all header fields of a request. */
const MAX_HEADER_BYTES = 16_384
/** Longer than the 60 s of common load balancers, which otherwise reuse a connection that the server is just closing. */
const KEEP_ALIVE_MS = 65_000
/** Milliseconds that closing waits for running requests before it cuts their connections. */
export const CLOSE_MS = 30_000
/** Interval at which running requests are checked for timeouts, in milliseconds. */
const TIMEOUT_CHECK_MS = 1_000
/** Maximum number of connections of one process. An idle one takes about 10 kB. */
const MAX_CONNECTIONS = 20_000

/**
 * Serves a handler over HTTP.
 * Rejects with the error of Node.js (`EADDRINUSE`, `EACCES`, …) if the address is not available.
 */
export async function listen(handler: RequestHandler, options: ListenOptions): Promise<Listening> {
  const host = options.host ?? '127.0.0.1'
  const { server, answerWith } = createHttpServer(options)
  const { admitConnection } = options
  if (admitConnection)
    server.prependListener('connection', (connection: Socket) => {
      if (!admitConnection(connection)) connection.destroy()
    })
  await listening(server, options.port, host)
  const { port } = server.address() as AddressInfo
  const url = originOf(host, port)
  const closing = new AbortController()
  answerWith(nodeListener(handler, url, closing.signal, options.limits))
  return {
    url,
    port,
    async close({ drainMs = 0 } = {}) {
      const closed = closeServer(server, drainMs)
      closing.abort()
      await closed
    },
  }
}

/** Answers connections that another process accepts. */
export interface Connections {
  /** Takes a connection, and answers on it from now on. Nothing may have been read from it. */
  take(connection: Socket): void
  /** Closes as `Listening.close` does; no connection is taken afterwards. */
  close(options?: { readonly drainMs?: number }): Promise<void>
}

/** Options for answering connections that another process accepts. */
export interface ConnectionOptions extends Omit<ListenOptions, 'host' | 'port'> {
  /** The address on which the other process listens, as an origin. */
  readonly origin: string
  /** Ends each connection with its first answer. */
  readonly onceEach?: boolean
}

/** Serves a handler without a port of its own. */
export function answerConnections(handler: RequestHandler, options: ConnectionOptions): Connections {
  const { server, answerWith, isAnswering, open } = createHttpServer(options)
  const { maxConnections = MAX_CONNECTIONS } = options
  const closing = new AbortController()
  answerWith(nodeListener(handler, options.origin, closing.signal, options.limits))
  if (options.onceEach) closeAfterNextAnswer(server)
  // `http.Server` starts watching its connections and their timeouts when it listens.
  server.emit('listening')
  let closed: (() => void) | undefined
  /** Closes the oldest idle connection to make room for a new one. */
  const makeRoom = () => {
    for (const connection of open) {
      if (isAnswering(connection)) continue
      open.delete(connection)
      connection.destroy()
      return
    }
  }
  return {
    take(connection) {
      if (open.size >= maxConnections) makeRoom()
      if (open.size >= maxConnections || options.admitConnection?.(connection) === false) {
        connection.destroy()
        return
      }
      // As for connections that `http.Server` accepts: a client that has closed its half still waits for the answer.
      connection.allowHalfOpen = true
      server.emit('connection', connection)
      connection.once('close', () => open.size === 0 && closed?.())
      connection.resume()
    },
    async close({ drainMs = 0 } = {}) {
      closeAfterNextAnswer(server)
      closing.abort()
      const timer = setTimeout(() => server.closeIdleConnections(), drainMs)
      const limit = setTimeout(() => {
        for (const connection of open) connection.destroy()
      }, CLOSE_MS)
      if (open.size > 0) await new Promise<void>((resolve) => (closed = resolve))
      clearTimeout(timer)
      clearTimeout(limit)
      // Ends the watch; there is no listening socket to close.
      server.close(() => {})
    },
  }
}

/** Returns the origin of an address. */
export function originOf(host: string, port: number): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}

/** Resolves when a server listens. Rejects with the error of Node.js if the address is not available. */
export async function listening(
  server: NetServer,
  port: number,
  host: string,
  backlog?: number,
): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen({ port, host, ...(backlog !== undefined && { backlog }) }, () => {
      server.off('error', reject)
      resolve()
    })
  })
}

/** Creates a server that also answers what the parser of Node.js refuses; `answerWith` sets its listener. */
function createHttpServer({
  requestTimeoutMs = REQUEST_TIMEOUT_MS,
  maxConnections = MAX_CONNECTIONS,
  limits,
}: Pick<ListenOptions, 'requestTimeoutMs' | 'maxConnections' | 'limits'>) {
  const parserLimits: ParserLimits = { requestTimeoutMs, maxHeaderBytes: MAX_HEADER_BYTES }
  const server = createServer({
    ServerResponse: KeptHeadResponse as typeof ServerResponse,
    requireHostHeader: false,
    maxHeaderSize: parserLimits.maxHeaderBytes,
    headersTimeout: parserLimits.requestTimeoutMs,
    requestTimeout: parserLimits.requestTimeoutMs,
    connectionsCheckingInterval: Math.min(TIMEOUT_CHECK_MS, parserLimits.requestTimeoutMs),
    keepAliveTimeout: KEEP_ALIVE_MS,
    // Most requests have no body: their stream starts out as ended, without the usual events.
    optimizeEmptyRequests: true,
  })
  server.maxConnections = maxConnections
  answerHalfClosed(server)
  const { remember, isAnswering } = answerParserErrors(server, parserLimits)
  const open = new Set<Socket>()
  server.on('connection', (connection) => {
    open.add(connection)
    connection.once('close', () => open.delete(connection))
  })
  const answerWith = (listener: ReturnType<typeof nodeListener>) => {
    const answer = (request: IncomingMessage, response: ServerResponse) => {
      const earlier = remember(response)
      const begin = () => listener(request, response)
      if (limits) limits.read(response, earlier, begin)
      else begin()
    }
    server.on('request', answer)
    server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
      if (response instanceof KeptHeadResponse) response.isAwaited = true
      answer(request, response)
    })
  }
  return { server, answerWith, isAnswering, open }
}

/** Milliseconds in which a client that has closed its half gets its answers: it may have disconnected. */
const HALF_CLOSED_MS = 1_000

/** Lets pending requests be answered after the client has closed its half: Node.js ends such a connection at once. */
function answerHalfClosed(server: Server): void {
  // The types of Node.js do not name it.
  Object.assign(server, { httpAllowHalfOpen: true })
  server.on('connection', (socket) => {
    socket.once('end', () => {
      const timer = setTimeout(() => socket.destroy(), HALF_CLOSED_MS)
      socket.once('close', () => clearTimeout(timer))
    })
  })
}

/**
 * Returns a handler as a listener for an existing `node:http` server. `origin` is the address at which clients reach that
 * server; without it the handler needs `publicUrl`. `closing`: see `WorldRequest`. Requests that the parser of Node.js
 * refuses never reach a listener: see `listen`.
 */
export function nodeListener(
  handler: RequestHandler,
  origin?: string,
  closing?: AbortSignal,
  limits?: Pick<ConnectionLimits, 'written'>,
): (request: IncomingMessage, response: ServerResponse) => void {
  return (message, response) => {
    const request = new NodeRequest(message, response, { origin, closing })
    // Node.js drops bytes after a request to upgrade, so no further request can follow on the connection.
    if (request.headers['upgrade'] !== undefined) response.setHeader('connection', 'close')
    const answered = requireHost(message, request.headers['host']) ?? handler.handle(request)
    if (!(answered instanceof Promise)) writeAnswer(response, answered, KEEP_ALIVE_MS, limits)
    else
      answered.then((answer) => {
        writeAnswer(response, answer, KEEP_ALIVE_MS, limits)
        letGo(answer)
      })
  }
}

async function closeServer(server: Server, drainMs: number): Promise<void> {
  // The method of `http.Server` would also close connections on which a request may be under way.
  const closed = new Promise<void>((resolve) => NetServer.prototype.close.call(server, () => resolve()))
  closeAfterNextAnswer(server)
  const timer = setTimeout(() => server.closeIdleConnections(), drainMs)
  const limit = setTimeout(() => server.closeAllConnections(), CLOSE_MS)
  await closed
  clearTimeout(timer)
  clearTimeout(limit)
}

function closeAfterNextAnswer(server: Server): void {
  server.prependListener('request', (_request, response) => response.setHeader('connection', 'close'))
}
