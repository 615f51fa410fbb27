/**
 * What Node's HTTP parser refuses never reaches a request listener, and Node answers it with an empty body.
 * Here it gets the error body that every failure has (Level 1, errors 1).
 */
import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { errorResponse } from '../handler/answer.ts'
import type { WorldResponse } from '../handler/http.ts'
import { createRequestIds } from '../handler/request-id.ts'
import { WorldFault } from '../world/errors.ts'

/** The limits the server was made with, for the answers that name them. */
export interface ParserLimits {
  readonly requestTimeoutMs: number
  readonly maxHeaderBytes: number
}

const requestId = createRequestIds()
const HOST = /^[A-Za-z0-9._~!$&'()*+,;=%:[\]-]*$/

/** The last good one: nearly every request names the same. */
let lastHost: string | undefined

/** The answer to a request whose Host is missing, repeated or no host; undefined where it is in order. */
export function requireHost(request: IncomingMessage, host: string | undefined): WorldResponse | undefined {
  if (host !== undefined && host === lastHost) return undefined
  const needed = request.httpVersionMajor === 1 && request.httpVersionMinor >= 1
  if (host === undefined) return needed ? invalidHost('missing_host') : undefined
  // Repeated fields arrive joined with a comma, which no single host of a served world holds.
  if (!HOST.test(host) || host.includes(',')) return invalidHost('bad_host')
  lastHost = host
  return undefined
}

function invalidHost(reason: string): WorldResponse {
  const fault = new WorldFault('invalid_request', 'An HTTP/1.1 request names one Host.', { reason }, CLOSE)
  return errorResponse(fault, requestId(undefined))
}

const CLOSE = { connection: 'close' }

/** What `clientError` gives: the parser's code, and the bytes it stumbled over. */
interface ParserError extends NodeJS.ErrnoException {
  readonly rawPacket?: Uint8Array
}

/** Takes over the events by which Node reports what it would answer, or drop, by itself. */
export function answerParserErrors(server: Server, limits: ParserLimits): void {
  server.on('clientError', (error: ParserError, socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) socket.destroy()
    else refuse(socket, faultFromParser(error, limits))
  })
  server.on('checkExpectation', (request, response) => {
    const fault = new WorldFault(
      'expectation_failed',
      'The only expectation met here is 100-continue.',
      {},
      CLOSE,
    )
    const { status, headers, body } = errorResponse(fault, requestId(undefined))
    response.writeHead(status, headers)
    response.end(request.method === 'HEAD' ? undefined : body)
  })
  server.on('connect', (_request, socket) => {
    const allowed = ['GET', 'HEAD', 'OPTIONS', 'POST']
    const details = { method: 'CONNECT', allowed }
    const headers = { ...CLOSE, allow: allowed.join(', ') }
    refuse(socket, new WorldFault('method_not_allowed', 'This is a world, not a proxy.', details, headers))
  })
}

function faultFromParser(error: ParserError, limits: ParserLimits): WorldFault {
  switch (error.code) {
    case 'HPE_HEADER_OVERFLOW': {
      const maxBytes = limits.maxHeaderBytes
      return new WorldFault(
        'headers_too_large',
        `Request headers may have ${maxBytes} bytes.`,
        { maxBytes },
        CLOSE,
      )
    }
    case 'ERR_HTTP_REQUEST_TIMEOUT': {
      const seconds = limits.requestTimeoutMs / 1_000
      return new WorldFault('request_timeout', 'The request was not complete in time.', { seconds }, CLOSE)
    }
    case 'HPE_INVALID_METHOD':
      if (!REQUEST_LINE.test(Buffer.from(error.rawPacket ?? []).toString('latin1'))) return unparsable(error)
      return new WorldFault('not_implemented', 'This is no method that is known here.', {}, CLOSE)
    default:
      return unparsable(error)
  }
}

/** The parser calls anything an invalid method that begins with none it knows; this tells a method from noise. */
const REQUEST_LINE = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+ \S+ HTTP\/1\.[01]\r?\n/

function unparsable(error: ParserError): WorldFault {
  const reason = (error.code ?? 'unparsable').replace(/^HPE_/, '').toLowerCase()
  return new WorldFault('invalid_request', 'This is not HTTP as this server reads it.', { reason }, CLOSE)
}

/** Writes an error by hand, where Node gives no response object, and ends the connection. */
function refuse(socket: Duplex, fault: WorldFault): void {
  const { status, headers, body } = errorResponse(fault, requestId(undefined))
  const fields = Object.entries({ ...headers, date: new Date().toUTCString() })
  const head = fields.map(([name, value]) => `${name}: ${value}\r\n`).join('')
  socket.on('error', () => socket.destroy())
  socket.write(`HTTP/1.1 ${status} ${REASONS[status] ?? 'Error'}\r\n${head}\r\n`)
  socket.end(body)
}

const REASONS: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  405: 'Method Not Allowed',
  408: 'Request Timeout',
  431: 'Request Header Fields Too Large',
  501: 'Not Implemented',
}
