/**
 * Requests that the HTTP parser of Node.js refuses never reach a listener, and Node.js answers them with an empty body.
 * Here they get the error body that every failure has (Level 1, errors 1).
 */
import { type IncomingMessage, METHODS, type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import type { WorldResponse } from '@worldwright/core'
import { createRequestIds, errorResponse, MAX_TARGET_BYTES, WorldFault } from '@worldwright/core'

/** The server's limits, for the answers that name them. */
export interface ParserLimits {
  readonly requestTimeoutMs: number
  readonly maxHeaderBytes: number
}

const requestId = createRequestIds()
const HOST = /^[A-Za-z0-9._~!$&'()*+,;=%:[\]-]*$/

/** The last valid host: nearly every request names the same one. */
let lastHost: string | undefined

/** Returns the answer to a request of another version, or with a missing, repeated or invalid Host; else undefined. */
export function requireHost(request: IncomingMessage, host: string | undefined): WorldResponse | undefined {
  if (request.httpVersionMajor !== 1) return invalid('version', 'This server speaks HTTP/1.1 and HTTP/1.0.')
  if (host !== undefined && host === lastHost) return undefined
  if (host === undefined) return request.httpVersionMinor >= 1 ? invalidHost('missing_host') : undefined
  // Repeated fields arrive joined with a comma, which no single host of a served world holds.
  if (!HOST.test(host) || host.includes(',')) return invalidHost('bad_host')
  lastHost = host
  return undefined
}

function invalidHost(reason: string): WorldResponse {
  return invalid(reason, 'An HTTP/1.1 request names one Host.')
}

function invalid(reason: string, message: string): WorldResponse {
  return errorResponse(new WorldFault('invalid_request', message, { reason }, CLOSE), requestId())
}

const CLOSE = { connection: 'close' }

/** The error of `clientError`: the parser's code, its input, and the number of bytes that it parsed. */
interface ParserError extends NodeJS.ErrnoException {
  readonly rawPacket?: Uint8Array
  readonly bytesParsed?: number
}

/** Keeps track of the answers on each connection. */
export interface Answers {
  /**
   * Remembers a response, and returns the one before it on the same connection. It must be called with every response:
   * a refusal is then sent after the answers to earlier requests of its connection, and never as a second answer.
   */
  remember(response: ServerResponse): ServerResponse | undefined
  /** Reports whether an answer is still being made or sent. */
  isAnswering(connection: Duplex): boolean
}

/** Handles the events for requests that Node.js would otherwise answer, or drop, by itself. */
export function answerParserErrors(server: Server, limits: ParserLimits): Answers {
  const newest = new WeakMap<Duplex, ServerResponse>()
  const refused = new WeakSet<Duplex>()
  const remember = (response: ServerResponse) => {
    const earlier = newest.get(response.req.socket)
    newest.set(response.req.socket, response)
    return earlier
  }

  /** Refuses the data after the newest request, or that request itself if its body is at fault. */
  function refuseInTurn(socket: Duplex, fault: WorldFault): void {
    const response = newest.get(socket)
    if (fault.code === 'request_timeout' && response?.headersSent) {
      // A handler that has begun to answer while the body arrives decides how long that may take.
      afterwards(response, () => response.req.complete || socket.destroy())
      return
    }
    // The parser repeats the error for every further packet.
    if (refused.has(socket)) return
    refused.add(socket)
    if (response === undefined) refuse(socket, fault)
    else if (response.req.complete) afterwards(response, () => refuse(socket, fault))
    else if (!response.headersSent) writeFault(response, fault)
    else if (response.writableEnded) afterwards(response, () => socket.destroy())
    // The answer may wait for the rest of the body, which can no longer be read.
    else socket.destroy()
  }

  server.on('clientError', (error: ParserError, socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) socket.destroy()
    else refuseInTurn(socket, faultFromParser(error, limits))
  })
  server.on('checkExpectation', (_request, response) => {
    remember(response)
    const message = 'The only expectation met here is 100-continue.'
    writeFault(response, new WorldFault('expectation_failed', message, {}, CLOSE))
  })
  server.on('connect', (_request, socket) => {
    const allowed = ['GET', 'HEAD', 'OPTIONS', 'POST']
    const details = { method: 'CONNECT', allowed }
    const headers = { ...CLOSE, allow: allowed.join(', ') }
    const message = 'This is a world, not a proxy.'
    refuseInTurn(socket, new WorldFault('method_not_allowed', message, details, headers))
  })
  return {
    remember,
    isAnswering(connection) {
      const response = newest.get(connection)
      return response !== undefined && !response.closed && !response.writableFinished
    },
  }
}

function afterwards(response: ServerResponse, act: () => void): void {
  if (response.closed) act()
  else response.once('close', act)
}

function writeFault(response: ServerResponse, fault: WorldFault): void {
  const { status, headers, body } = errorResponse(fault, requestId())
  response.writeHead(status, headers)
  response.end(response.req.method === 'HEAD' ? undefined : body)
}

function faultFromParser(error: ParserError, limits: ParserLimits): WorldFault {
  switch (error.code) {
    case 'HPE_HEADER_OVERFLOW':
      return isTargetTooLong(error) ? tooLong() : headersTooLarge(limits.maxHeaderBytes)
    case 'ERR_HTTP_REQUEST_TIMEOUT': {
      const seconds = limits.requestTimeoutMs / 1_000
      return new WorldFault('request_timeout', 'The request was not complete in time.', { seconds }, CLOSE)
    }
    case 'HPE_INVALID_METHOD':
      if (!REQUEST_LINE.test(restOfLine(error))) return unparsable(error)
      return new WorldFault('not_implemented', 'The server does not know this method.', {}, CLOSE)
    default:
      return unparsable(error)
  }
}

/** The parser reports any text without a known method as an invalid method; this recognises a real request line. */
const REQUEST_LINE = /^[!#$%&'*+.^_`|~0-9A-Za-z-]* \S+ HTTP\/1\.[01]$/
/** A target beyond the limit. The parser limits target and header fields together, so either may be too long. */
const LONG_TARGET = new RegExp(`(?:${METHODS.join('|')}) \\S{${MAX_TARGET_BYTES + 1}}`)

/** Reports whether the request at which the parser stopped has too long a target, as far as its packet shows. */
function isTargetTooLong({ rawPacket, bytesParsed }: ParserError): boolean {
  return LONG_TARGET.test(Buffer.from(rawPacket ?? []).toString('latin1', 0, bytesParsed))
}

/** Returns the line at which the parser stopped, from the character that it refused. */
function restOfLine({ rawPacket, bytesParsed = 0 }: ParserError): string {
  const rest = Buffer.from(rawPacket ?? []).toString('latin1', Math.max(0, bytesParsed - 1))
  return rest.slice(0, Math.max(0, rest.indexOf('\r\n')))
}

function tooLong(): WorldFault {
  const message = `A request target may have ${MAX_TARGET_BYTES} bytes at most.`
  return new WorldFault('uri_too_long', message, { maxBytes: MAX_TARGET_BYTES }, CLOSE)
}

function headersTooLarge(maxBytes: number): WorldFault {
  const message = `Request headers may have ${maxBytes} bytes at most.`
  return new WorldFault('headers_too_large', message, { maxBytes }, CLOSE)
}

function unparsable(error: ParserError): WorldFault {
  const reason = (error.code ?? 'unparsable').replace(/^HPE_/, '').toLowerCase()
  return new WorldFault('invalid_request', 'The request is not valid HTTP.', { reason }, CLOSE)
}

/** Writes an error to a socket for which Node.js gives no response object, and ends the connection. */
function refuse(socket: Duplex, fault: WorldFault): void {
  const { status, headers, body } = errorResponse(fault, requestId())
  const fields = Object.entries({ ...headers, date: new Date().toUTCString() })
  const head = fields.map(([name, value]) => `${name}: ${value}\r\n`).join('')
  socket.on('error', () => socket.destroy())
  socket.write(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? 'Error'}\r\n${head}\r\n`)
  socket.end(body)
}
