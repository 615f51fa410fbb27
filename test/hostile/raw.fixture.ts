/** Sends raw HTTP bytes over a socket and parses the responses strictly. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import type { ErrorBody } from '@worldwright/client/protocol'

/** Response as parsed from raw bytes. */
export interface RawResponse {
  readonly status: number
  /** Header fields by lower-case name. Repeated fields are joined. */
  readonly headers: ReadonlyMap<string, string>
  readonly body: Buffer
}

/** Idle timeout of a connection, in milliseconds. It is far longer than any test needs. */
const GIVE_UP_MS = 20_000

/** Opens a connection that fails if no data is transferred for `GIVE_UP_MS`. */
export async function open(port: number, halfOpen = true): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: halfOpen })
  socket.setTimeout(GIVE_UP_MS, () => socket.destroy(new Error('the server neither answered nor closed')))
  await once(socket, 'connect')
  return socket
}

/** Returns all bytes received until the server closes or resets the connection. */
export async function received(socket: Socket): Promise<Buffer> {
  const chunks: Buffer[] = []
  try {
    for await (const chunk of socket) chunks.push(chunk)
  } catch (error) {
    if (!['ECONNRESET', 'EPIPE'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error
  }
  return Buffer.concat(chunks)
}

/** Sends each piece in a write of its own, strings as Latin-1. Returns all bytes received until the server closes. */
export async function talk(port: number, ...pieces: readonly (string | Uint8Array)[]): Promise<Buffer> {
  const socket = await open(port)
  const answer = received(socket)
  for (const piece of pieces) socket.write(typeof piece === 'string' ? Buffer.from(piece, 'latin1') : piece)
  const bytes = await answer
  socket.destroy()
  return bytes
}

/**
 * Parses responses strictly. Fails the test if `bytes` are anything but complete HTTP/1.1 responses. `methods` contains
 * the methods of the requests, in order, because responses to HEAD have no body.
 */
export function responsesIn(bytes: Buffer, methods: readonly string[] = []): RawResponse[] {
  const responses: RawResponse[] = []
  let at = 0
  while (at < bytes.length) {
    const end = bytes.indexOf('\r\n\r\n', at)
    assert.notEqual(end, -1, `a head without an end: ${bytes.toString('latin1', at)}`)
    const [line = '', ...fields] = bytes.toString('latin1', at, end).split('\r\n')
    const status = Number(/^HTTP\/1\.1 (\d{3}) [\x20-\x7e]*$/.exec(line)?.[1])
    assert.ok(status >= 100 && status < 600, `no status line: ${line}`)
    const headers = headersIn(fields)
    const bodiless = status < 200 || status === 204 || status === 304
    const isHead = methods[responses.length] === 'HEAD'
    const { body, next } =
      bodiless || isHead ? { body: Buffer.of(), next: end + 4 } : bodyAt(bytes, end + 4, headers)
    if (status >= 200) responses.push({ status, headers, body })
    at = next
  }
  return responses
}

function headersIn(fields: readonly string[]): Map<string, string> {
  const headers = new Map<string, string>()
  for (const field of fields) {
    const [, name = '', value = ''] =
      /^([!#$%&'*+.^_`|~0-9A-Za-z-]+): ?([\x20-\x7e\x80-\xff]*)$/.exec(field) ?? []
    assert.notEqual(name, '', `no header field: ${field}`)
    const earlier = headers.get(name.toLowerCase())
    headers.set(name.toLowerCase(), earlier === undefined ? value : `${earlier}, ${value}`)
  }
  return headers
}

function bodyAt(bytes: Buffer, start: number, headers: ReadonlyMap<string, string>) {
  if (headers.get('transfer-encoding') === 'chunked') return chunkedBodyAt(bytes, start)
  const length = headers.get('content-length')
  assert.match(length ?? '', /^\d+$/, 'a body without a length')
  const next = start + Number(length)
  assert.ok(next <= bytes.length, 'a body that is cut short')
  return { body: bytes.subarray(start, next), next }
}

function chunkedBodyAt(bytes: Buffer, start: number) {
  const chunks: Buffer[] = []
  for (let at = start; ; ) {
    const lineEnd = bytes.indexOf('\r\n', at)
    const size = Number.parseInt(bytes.toString('latin1', at, lineEnd), 16)
    assert.ok(lineEnd > 0 && size >= 0, 'a broken chunk')
    const next = lineEnd + 2 + size + 2
    assert.ok(next <= bytes.length, 'a chunk that is cut short')
    if (size === 0) return { body: Buffer.concat(chunks), next }
    chunks.push(bytes.subarray(lineEnd + 2, lineEnd + 2 + size))
    at = next
  }
}

/** Returns the body of an error response. Asserts that it has a code and a message (Level 1, errors 1). */
export function errorIn({ status, headers, body }: RawResponse): ErrorBody {
  assert.ok(status >= 400, `${status} is no failure`)
  assert.equal(headers.get('content-type'), 'application/json')
  assert.equal(headers.get('cache-control'), 'no-store')
  assert.equal(headers.get('access-control-allow-origin'), '*')
  const error = JSON.parse(body.toString()) as ErrorBody
  assert.ok(typeof error.code === 'string' && error.code !== '')
  assert.ok(typeof error.message === 'string' && error.message !== '')
  assert.equal(headers.get('world-error-code'), error.code)
  assert.equal(typeof error.details, 'object')
  return error
}

/** Returns the status and any error code of the only response received, such as `200` or `404 not_found`. */
export function outcome(bytes: Buffer, method = 'GET'): string {
  const responses = responsesIn(bytes, [method])
  assert.equal(responses.length, 1, `${responses.length} responses to one request`)
  return outcomes(bytes, [method])[0] ?? ''
}

/** Returns the status and any error code of every response. For HEAD, the code is taken from a header field. */
export function outcomes(bytes: Buffer, methods: readonly string[] = []): string[] {
  return responsesIn(bytes, methods).map((response, index) => {
    if (response.status < 400) return String(response.status)
    const bare = methods[index] === 'HEAD'
    return `${response.status} ${bare ? response.headers.get('world-error-code') : errorIn(response).code}`
  })
}

/** Returns the text of an HTTP/1.1 request with the header fields Host and `Connection: close`. */
export function requestText(line: string, fields: readonly string[] = [], body = ''): string {
  const all = ['Host: h', 'Connection: close', ...fields]
  return `${line} HTTP/1.1\r\n${all.join('\r\n')}\r\n\r\n${body}`
}
