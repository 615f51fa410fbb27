/** HTTP by hand: raw bytes onto a socket, and a strict parser for the answers. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import type { ErrorBody } from '@worldwright/client/protocol'

/** One response as it was on the wire. */
export interface RawResponse {
  readonly status: number
  /** Header fields by lower-case name, repeated fields joined. */
  readonly headers: ReadonlyMap<string, string>
  readonly body: Buffer
}

/** Timeout of a connection in milliseconds: far more than any test needs. */
const GIVE_UP_MS = 20_000

/** Opens a connection that fails after `GIVE_UP_MS` of silence. */
export async function open(port: number, halfOpen = true): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: halfOpen })
  socket.setTimeout(GIVE_UP_MS, () => socket.destroy(new Error('the server neither answered nor closed')))
  await once(socket, 'connect')
  return socket
}

/** Returns all bytes received until the server closes; a reset counts as closing. */
export async function received(socket: Socket): Promise<Buffer> {
  const chunks: Buffer[] = []
  try {
    for await (const chunk of socket) chunks.push(chunk)
  } catch (error) {
    if (!['ECONNRESET', 'EPIPE'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error
  }
  return Buffer.concat(chunks)
}

/** Sends pieces, one write each, and returns all bytes until the server closes. Strings are latin1. */
export async function talk(port: number, ...pieces: readonly (string | Uint8Array)[]): Promise<Buffer> {
  const socket = await open(port)
  const answer = received(socket)
  for (const piece of pieces) socket.write(typeof piece === 'string' ? Buffer.from(piece, 'latin1') : piece)
  const bytes = await answer
  socket.destroy()
  return bytes
}

/**
 * Parses the responses strictly: anything that is not a complete HTTP/1.1 response fails the test.
 * `methods` are those of the requests, in order; responses to HEAD have no body.
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

/** Returns an error's body after checking the rule that every failure carries code and message (Level 1, errors 1). */
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

/** Returns status and code of the only response received: `200`, or `404 not_found`. */
export function outcome(bytes: Buffer, method = 'GET'): string {
  const responses = responsesIn(bytes, [method])
  assert.equal(responses.length, 1, `${responses.length} responses to one request`)
  return outcomes(bytes, [method])[0] ?? ''
}

/** Returns status and code of every response. A failure of HEAD has its code only in a header field. */
export function outcomes(bytes: Buffer, methods: readonly string[] = []): string[] {
  return responsesIn(bytes, methods).map((response, index) => {
    if (response.status < 400) return String(response.status)
    const bare = methods[index] === 'HEAD'
    return `${response.status} ${bare ? response.headers.get('world-error-code') : errorIn(response).code}`
  })
}

/** Returns a request as text: HTTP/1.1, with a Host, and closing the connection. */
export function requestText(line: string, fields: readonly string[] = [], body = ''): string {
  const all = ['Host: h', 'Connection: close', ...fields]
  return `${line} HTTP/1.1\r\n${all.join('\r\n')}\r\n\r\n${body}`
}
