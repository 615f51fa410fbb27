/** The adapter for `node:http`: sockets and ports on one side, plain requests and responses on the other. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { type AddressInfo, Server as NetServer } from 'node:net'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { WorldHandler } from '../handler/handler.ts'
import type { WorldResponse } from '../handler/http.ts'
import { answerParserErrors, type ParserLimits, requireHost } from './node-parser.ts'
import { NodeRequest } from './node-request.ts'

/** Where to listen. */
export interface ListenOptions {
  /** 0 picks a free one. */
  readonly port: number
  /** Default `127.0.0.1`. */
  readonly host?: string
  /** Milliseconds a client has to send a whole request; default 30,000. Past them the answer is 408. */
  readonly requestTimeoutMs?: number
}

/** A listening server. */
export interface Listening {
  /** The address, as an origin. */
  readonly url: string
  readonly port: number
  /**
   * Takes no new connections, lets running requests finish, resolves when all are done. Connections that wait for a
   * next request are closed at once, or with `drainMs` told goodbye with their next answer, and closed after that time.
   */
  close(options?: { readonly drainMs?: number }): Promise<void>
}

/** Enough for the largest request over a poor line; Node's own 300 s let a few stalled clients hold a server. */
const REQUEST_TIMEOUT_MS = 30_000
/** Bytes of all header fields of a request. */
const MAX_HEADER_BYTES = 16_384
/** Longer than the 60 s of common load balancers, which otherwise reuse a connection we are just closing. */
const KEEP_ALIVE_MS = 65_000
/** How often running requests are held against their timeouts. */
const TIMEOUT_CHECK_MS = 1_000

/**
 * Serves a handler over HTTP.
 * Rejects with Node's error (`EADDRINUSE`, `EACCES`, …) where the address cannot be had.
 */
export async function listen(handler: WorldHandler, options: ListenOptions): Promise<Listening> {
  const host = options.host ?? '127.0.0.1'
  const limits: ParserLimits = {
    requestTimeoutMs: options.requestTimeoutMs ?? REQUEST_TIMEOUT_MS,
    maxHeaderBytes: MAX_HEADER_BYTES,
  }
  const server = createServer({
    requireHostHeader: false,
    maxHeaderSize: limits.maxHeaderBytes,
    headersTimeout: limits.requestTimeoutMs,
    requestTimeout: limits.requestTimeoutMs,
    connectionsCheckingInterval: Math.min(TIMEOUT_CHECK_MS, limits.requestTimeoutMs),
    keepAliveTimeout: KEEP_ALIVE_MS,
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(options.port, host, () => {
      server.off('error', reject)
      resolve()
    })
  })
  const { port } = server.address() as AddressInfo
  const url = `http://${host.includes(':') ? `[${host}]` : host}:${port}`
  const listener = nodeListener(handler, url)
  const remember = answerParserErrors(server, limits)
  const answer = (request: IncomingMessage, response: ServerResponse) => {
    remember(response)
    listener(request, response)
  }
  server.on('request', answer)
  server.on('checkContinue', answer)
  return { url, port, close: ({ drainMs = 0 } = {}) => closeServer(server, drainMs) }
}

/**
 * A handler as a listener for somebody's own `node:http` server. `origin` is the address that server is reached at;
 * without it the handler needs `publicUrl`. What Node's parser refuses never reaches a listener: see `listen`.
 */
export function nodeListener(
  handler: WorldHandler,
  origin?: string,
): (request: IncomingMessage, response: ServerResponse) => void {
  return (message, response) => {
    const request = new NodeRequest(message, response, origin)
    // Node drops what came behind a request that wants to upgrade: nothing may be expected there.
    if (request.headers['upgrade'] !== undefined) response.setHeader('connection', 'close')
    const answered = requireHost(message, request.headers['host']) ?? handler.handle(request)
    if (answered instanceof Promise) answered.then((answer) => write(response, answer))
    else write(response, answered)
  }
}

function write(response: ServerResponse, { status, headers, body }: WorldResponse): void {
  // What broke the request's body has been answered meanwhile.
  if (response.headersSent) return
  response.writeHead(status, headers)
  if (body === undefined || typeof body === 'string' || body instanceof Uint8Array) response.end(body)
  // What fails here is the connection or the source of the body: either way the rest cannot be sent any more.
  else pipeline(Readable.from(body), response).catch(() => response.destroy())
}

async function closeServer(server: Server, drainMs: number): Promise<void> {
  // Not the method of `http.Server`: it would also close connections on which a request may be under way.
  const closed = new Promise<void>((resolve) => NetServer.prototype.close.call(server, () => resolve()))
  server.prependListener('request', (_request, response) => response.setHeader('connection', 'close'))
  const timer = setTimeout(() => server.closeIdleConnections(), drainMs)
  await closed
  clearTimeout(timer)
}
