/**
 * Answers requests that the Node.js HTTP parser rejects. They never reach a listener, and Node.js would send an empty body.
 * Here they get the same error body as every other failure (Level 1, errors 1).
 */
import { type IncomingMessage, METHODS, type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import type { WorldResponse } from '@worldwright/core'
import {
  createRequestIds,
  errorResponse,
  HEAD_FAULTS,
  HOST,
  incompleteBody,
  MAX_TARGET_BYTES,
  WorldFault,
} from '@worldwright/core'

/** Server limits that error responses mention. */
export interface ParserLimits {
  readonly requestTimeoutMs: number
}

const requestId = createRequestIds()

/** The last valid host, cached because nearly all requests name the same one. */
let lastHost: string | undefined

/** Returns an error response if the HTTP version is unsupported or Host is missing, repeated or invalid; else undefined. */
export function requireHost(request: IncomingMessage, host: string | undefined): WorldResponse | undefined {
  if (request.httpVersionMajor !== 1) return refusal(unknownVersion())
  if (host !== undefined && host === lastHost) return undefined
  if (host === undefined)
    return request.httpVersionMinor >= 1 ? refusal(HEAD_FAULTS.host('missing_host')) : undefined
  if (!HOST.test(host)) return refusal(HEAD_FAULTS.host('bad_host'))
  lastHost = host
  return undefined
}

function unknownVersion(): WorldFault {
  const message = 'This server speaks HTTP/1.1 and HTTP/1.0.'
  return new WorldFault('invalid_request', message, { reason: 'version' }, CLOSE)
}

function refusal(fault: WorldFault): WorldResponse {
  return errorResponse(fault, requestId())
}

const CLOSE = { connection: 'close' }

/** Error of the `clientError` event: the parser's code, the packet, and the number of bytes parsed. */
interface ParserError extends NodeJS.ErrnoException {
  /** Message from the parser, such as `Missing expected CR after chunk size`. */
  readonly reason?: string
  readonly rawPacket?: Uint8Array
  readonly bytesParsed?: number
}

/** Tracks the responses on each connection. */
export interface Answers {
  /**
   * Records a response and returns the previous one on the same connection. Must be called with every response, so that a
   * refusal follows the responses to earlier requests, and no request gets two responses.
   */
  remember(response: ServerResponse): ServerResponse | undefined
  /** Reports whether a response is being prepared or sent. */
  isAnswering(connection: Duplex): boolean
}

/** Handles events for requests that Node.js would otherwise answer or drop itself. */
export function answerParserErrors(server: Server, limits: ParserLimits): Answers {
  const newest = new WeakMap<Duplex, ServerResponse>()
  const refused = new WeakSet<Duplex>()
  const remember = (response: ServerResponse) => {
    const earlier = newest.get(response.req.socket)
    newest.set(response.req.socket, response)
    return earlier
  }

  /** Refuses the data after the newest request, or that request itself if its body caused the error. */
  function refuseInTurn(socket: Duplex, fault: WorldFault): void {
    const response = newest.get(socket)
    if (fault.code === 'request_timeout' && response?.headersSent) {
      // The handler has started its response while reading the body, so the handler decides how long that may take.
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
    else if (error.code === 'HPE_INVALID_EOF_STATE' && newest.get(socket)?.req.complete === false)
      refuseInTurn(socket, incompleteBody(error))
    else refuseInTurn(socket, faultFromParser(error, limits))
  })
  server.on('checkExpectation', (_request, response) => {
    remember(response)
    writeFault(response, HEAD_FAULTS.expectation())
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
  const { status, headers, body } = refusal(fault)
  response.writeHead(status, headers)
  response.end(response.req.method === 'HEAD' ? undefined : body)
}

function faultFromParser(error: ParserError, limits: ParserLimits): WorldFault {
  switch (error.code) {
    case 'HPE_HEADER_OVERFLOW':
      return isTargetTooLong(error) ? tooLong() : HEAD_FAULTS.size()
    case 'ERR_HTTP_REQUEST_TIMEOUT': {
      const seconds = limits.requestTimeoutMs / 1_000
      return new WorldFault('request_timeout', 'The request was not complete in time.', { seconds }, CLOSE)
    }
    case 'HPE_INVALID_METHOD':
      if (!REQUEST_LINE.test(restOfLine(error))) return unparsable(error)
      return HEAD_FAULTS.method()
    default:
      return unparsable(error)
  }
}

/** Matches a real request line, because the parser reports any text without a known method as an invalid method. */
const REQUEST_LINE = /^[!#$%&'*+.^_`|~0-9A-Za-z-]* \S+ HTTP\/1\.[01]$/
/** Matches a target above the limit. The parser has one limit for target and fields together: either may be too long. */
const LONG_TARGET = new RegExp(`(?:${METHODS.join('|')}) \\S{${MAX_TARGET_BYTES + 1}}`)

/** Reports whether the target of the rejected request is too long, as far as the last packet shows. */
function isTargetTooLong({ rawPacket, bytesParsed }: ParserError): boolean {
  return LONG_TARGET.test(Buffer.from(rawPacket ?? []).toString('latin1', 0, bytesParsed))
}

/** Returns the rest of the line at which the parser stopped, starting at the character that it rejected. */
function restOfLine({ rawPacket, bytesParsed = 0 }: ParserError): string {
  const rest = Buffer.from(rawPacket ?? []).toString('latin1', Math.max(0, bytesParsed - 1))
  return rest.slice(0, Math.max(0, rest.indexOf('\r\n')))
}

function tooLong(): WorldFault {
  const message = `A request target may have ${MAX_TARGET_BYTES} bytes at most.`
  return new WorldFault('uri_too_long', message, { maxBytes: MAX_TARGET_BYTES }, CLOSE)
}

/** Reasons reported for malformed requests, by the code or message of the parser's error. */
const MALFORMED: readonly (readonly [RegExp, string])[] = [
  [/method|url|version|constant/i, 'malformed_request_line'],
  [/content.length|transfer.encoding/i, 'malformed_length'],
  [/chunk/i, 'malformed_chunk'],
  [/header|space|CR_|LF_/i, 'malformed_header'],
]

function unparsable(error: ParserError): WorldFault {
  const failure = `${error.code} ${error.reason}`
  const reason = MALFORMED.find(([name]) => name.test(failure))?.[1] ?? 'malformed_request'
  return new WorldFault('invalid_request', 'The request is not valid HTTP.', { reason }, CLOSE)
}

/** Writes an error to a socket that has no Node.js response object, and closes the connection. */
function refuse(socket: Duplex, fault: WorldFault): void {
  const { status, headers, body } = refusal(fault)
  const fields = Object.entries({ ...headers, date: new Date().toUTCString() })
  const head = fields.map(([name, value]) => `${name}: ${value}\r\n`).join('')
  socket.on('error', () => socket.destroy())
  socket.write(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? 'Error'}\r\n${head}\r\n`)
  socket.end(body)
}
