/** Adapter for `node:http`: translates sockets and ports to plain requests and responses. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { type AddressInfo, Server as NetServer, type Socket } from 'node:net'
import { MAX_HEADER_BYTES, type WorldHandler } from '@worldwright/core'
import { KeptHeadResponse } from './kept-head.ts'
import type { ConnectionLimits } from './node-limits.ts'
import { answerParserErrors, type ParserLimits, requireHost } from './node-parser.ts'
import { NodeRequest } from './node-request.ts'
import { letGo, writeAnswer } from './write-answer.ts'

/**
 * Request handler of a world, or a compatible one. A response returned in a promise must belong to a single request, because
 * the adapter removes its body after writing it.
 */
export type RequestHandler = Pick<WorldHandler, 'handle'>

/** Address to listen on, and limits for requests and connections. */
export interface ListenOptions {
  /** Port number; 0 picks a free one. */
  readonly port: number
  /** Host name or IP address; default `127.0.0.1`. */
  readonly host?: string
  /** Timeout for receiving a complete request, in milliseconds; default 30,000. The response is then 408. */
  readonly requestTimeoutMs?: number
  /** Reports whether to admit a new connection. A refused one is closed at once. By default all are admitted. */
  readonly admitConnection?: (connection: Socket) => boolean
  /** Connection limits. Default: none, so that a connection buffers any number of unread responses. */
  readonly limits?: ConnectionLimits
  /** Maximum number of open connections; default 20,000. */
  readonly maxConnections?: number
}

/** A server that listens on a port until it is closed. */
export interface Listening {
  /** Address of the server, as an origin. */
  readonly url: string
  readonly port: number
  /**
   * Stops accepting connections, and resolves when all running requests are done. Aborts them after 30 seconds. Idle
   * connections are closed at once or, given `drainMs`, after their next response, but at the latest after that time.
   */
  close(options?: { readonly drainMs?: number }): Promise<void>
}

/** Enough for the largest request over a slow line. At 300 s, the Node.js default, stalled clients could fill it. */
const REQUEST_TIMEOUT_MS = 30_000
/** Idle timeout. Above the 60 s of common load balancers, which could otherwise reuse a connection that is being closed. */
const KEEP_ALIVE_MS = 65_000
/** Time that a closing server waits for running requests before it aborts them, in milliseconds. */
export const CLOSE_MS = 30_000
/** Interval at which a closing server checks for connections that have become idle, in milliseconds. */
const IDLE_CHECK_MS = 50
/** Interval at which running requests are checked for a timeout, in milliseconds. */
const TIMEOUT_CHECK_MS = 1_000
/** Default maximum number of connections per process. An idle connection takes about 10 kB. */
const MAX_CONNECTIONS = 20_000

/**
 * Serves a handler over HTTP.
 * Rejects with the Node.js error (`EADDRINUSE`, `EACCES`, …) if the address is not available.
 */
export async function listen(handler: RequestHandler, options: ListenOptions): Promise<Listening> {
  const host = options.host ?? '127.0.0.1'
  const { server, answerWith, open } = createHttpServer(options)
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
      const closed = closeServer(server, open, drainMs)
      closing.abort()
      await closed
    },
  }
}

/** Serves connections that another process accepted. */
export interface Connections {
  /** Takes over a connection from which nothing has been read, and serves it from now on. */
  take(connection: Socket): void
  /** Closes as `Listening.close` does. No connection may be taken afterwards. */
  close(options?: { readonly drainMs?: number }): Promise<void>
}

/** Options for serving connections that another process accepted. */
export interface ConnectionOptions extends Omit<ListenOptions, 'host' | 'port'> {
  /** Address on which the other process listens, as an origin. */
  readonly origin: string
  /** Closes each connection after its first response. */
  readonly onceEach?: boolean
}

/** Serves a handler without listening on a port. */
export function answerConnections(handler: RequestHandler, options: ConnectionOptions): Connections {
  const { server, answerWith, isAnswering, open } = createHttpServer(options)
  const { maxConnections = MAX_CONNECTIONS } = options
  const closing = new AbortController()
  answerWith(nodeListener(handler, options.origin, closing.signal, options.limits))
  if (options.onceEach) closeAfterNextAnswer(server)
  // `http.Server` starts its timeout checks when it listens.
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
      // As for connections that `http.Server` accepts: a half-closed client still waits for its response.
      connection.allowHalfOpen = true
      server.emit('connection', connection)
      connection.once('close', () => open.size === 0 && closed?.())
      connection.resume()
    },
    async close({ drainMs = 0 } = {}) {
      closeAfterNextAnswer(server)
      closing.abort()
      const stop = closeIdleAfter(server, open, drainMs)
      const limit = setTimeout(() => {
        for (const connection of open) connection.destroy()
      }, CLOSE_MS)
      if (open.size > 0) await new Promise<void>((resolve) => (closed = resolve))
      stop()
      clearTimeout(limit)
      // Stops the timeout checks. There is no listening socket to close.
      server.close(() => {})
    },
  }
}

/** Returns the HTTP origin for a host and port. */
export function originOf(host: string, port: number): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}

/** Resolves when the server listens. Rejects with the Node.js error if the address is not available. */
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

/** Creates a server that also answers requests that the Node.js parser rejects. `answerWith` sets its listener. */
function createHttpServer({
  requestTimeoutMs = REQUEST_TIMEOUT_MS,
  maxConnections = MAX_CONNECTIONS,
  limits,
}: Pick<ListenOptions, 'requestTimeoutMs' | 'maxConnections' | 'limits'>) {
  const parserLimits: ParserLimits = { requestTimeoutMs }
  const server = createServer({
    ServerResponse: KeptHeadResponse as typeof ServerResponse,
    requireHostHeader: false,
    maxHeaderSize: MAX_HEADER_BYTES,
    headersTimeout: parserLimits.requestTimeoutMs,
    requestTimeout: parserLimits.requestTimeoutMs,
    connectionsCheckingInterval: Math.min(TIMEOUT_CHECK_MS, parserLimits.requestTimeoutMs),
    keepAliveTimeout: KEEP_ALIVE_MS,
    // Most requests have no body: their stream is created already ended, without the usual events.
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

/** Time limit for answering a half-closed connection, in milliseconds, since the client may have disconnected. */
const HALF_CLOSED_MS = 1_000

/** Answers pending requests after the client has half-closed the connection, which Node.js would otherwise close at once. */
function answerHalfClosed(server: Server): void {
  // This option is missing from the Node.js type definitions.
  Object.assign(server, { httpAllowHalfOpen: true })
  server.on('connection', (socket) => {
    socket.once('end', () => {
      const timer = setTimeout(() => socket.destroy(), HALF_CLOSED_MS)
      socket.once('close', () => clearTimeout(timer))
    })
  })
}

/**
 * Adapts a handler to a listener for an existing `node:http` server. `origin` is the address at which clients reach that
 * server; without it the handler needs `publicUrl`. For `closing`, see `WorldRequest`. Requests that the Node.js parser
 * rejects never reach a listener; see `listen`.
 */
export function nodeListener(
  handler: RequestHandler,
  origin?: string,
  closing?: AbortSignal,
  limits?: Pick<ConnectionLimits, 'written'>,
): (request: IncomingMessage, response: ServerResponse) => void {
  return (message, response) => {
    const request = new NodeRequest(message, response, { origin, closing })
    // Node.js drops the bytes that follow an upgrade request, so the connection cannot carry another request.
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

async function closeServer(server: Server, open: ReadonlySet<Socket>, drainMs: number): Promise<void> {
  // `http.Server.close` would also close connections on which a request may be in flight.
  const closed = new Promise<void>((resolve) => NetServer.prototype.close.call(server, () => resolve()))
  closeAfterNextAnswer(server)
  const stop = closeIdleAfter(server, open, drainMs)
  const limit = setTimeout(() => server.closeAllConnections(), CLOSE_MS)
  await closed
  stop()
  clearTimeout(limit)
}

/** Closes idle connections after `drainMs`, and from then on those that become idle. Returns a function to stop this. */
function closeIdleAfter(server: Server, open: ReadonlySet<Socket>, drainMs: number): () => void {
  let timer = setTimeout(function close() {
    server.closeIdleConnections()
    // Node.js considers a connection that has not sent any request to be waiting, not idle.
    for (const connection of open) if (connection.bytesRead === 0) connection.destroy()
    timer = setTimeout(close, IDLE_CHECK_MS)
  }, drainMs)
  return () => clearTimeout(timer)
}

function closeAfterNextAnswer(server: Server): void {
  server.prependListener('request', (_request, response) => response.setHeader('connection', 'close'))
}
