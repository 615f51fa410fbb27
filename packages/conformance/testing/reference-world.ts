/** A small world that keeps every rule, and can be set to break one. It shares no code with the server. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { type Asked, encoded, Refusal, refuse, type Told } from './reference-http.ts'
import { answer, type ReferenceSetup } from './reference-routes.ts'

/** Deviation of a world from the rules: it changes requests, or answers. */
export interface Breakage {
  readonly asked?: (asked: Asked) => void
  readonly told?: (told: Told, asked: Asked) => void
  /** Leaves out `100 Continue`. */
  readonly noContinue?: boolean
  /** Never answers. */
  readonly silent?: boolean
}

/** A world on a port of its own. */
export interface ReferenceWorld extends AsyncDisposable {
  readonly origin: string
}

/** Serves a reference world on loopback. */
export async function referenceWorld(
  setup: ReferenceSetup = {},
  breakage: Breakage = {},
): Promise<ReferenceWorld> {
  const server = createServer({
    requireHostHeader: false,
    joinDuplicateHeaders: true,
    headersTimeout: 200,
    requestTimeout: 200,
    connectionsCheckingInterval: 50,
  })
  let origin = ''
  const tell = (asked: Asked) => tellFor(origin, setup, breakage, asked)
  const serve = async (request: IncomingMessage, response: ServerResponse, refused?: string) => {
    const declared = Number(request.headers['content-length'] ?? 0)
    // The declared length is checked before anything is read.
    const asked = askedOf(request, declared > 4096 ? Buffer.alloc(declared) : await bodyOf(request))
    if (refused !== undefined) asked.refused = refused
    const result = tell(asked)
    if (breakage.silent) return
    const { headers, bytes } = encoded(result, asked.headers['accept-encoding'])
    const bodyless = result.status === 204 || result.status === 304
    response.writeHead(result.status, bodyless ? headers : { ...headers, 'content-length': bytes.length })
    response.end(request.method === 'HEAD' || bodyless ? undefined : bytes)
  }
  server.on('request', serve)
  server.on('checkContinue', (request, response) => {
    if (breakage.noContinue !== true) response.writeContinue()
    void serve(request, response)
  })
  server.on('checkExpectation', (request, response) => void serve(request, response, 'expectation'))
  server.on('connect', (_request, socket) => writeRefusal(socket, tell(nothing('connect'))))
  server.on('clientError', (error: NodeJS.ErrnoException, socket) =>
    writeRefusal(socket, tell(nothing(error.code ?? 'unknown'))),
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    origin,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Returns the answer of the reference world at `origin` to one request. */
export function tellFor(origin: string, setup: ReferenceSetup, breakage: Breakage, asked: Asked): Told {
  let result: Told
  try {
    breakage.asked?.(asked)
    if (asked.refused !== undefined) refuseParsed(asked.refused)
    const host = asked.headers['host'] ?? ''
    if (!/^[A-Za-z0-9.:[\]-]+$/.test(host)) refuse(400, 'invalid_request', { reason: 'host' })
    result = answer(asked, origin, setup)
  } catch (thrown) {
    if (!(thrown instanceof Refusal)) throw thrown
    result = thrown.told
  }
  breakage.told?.(result, asked)
  return result
}

function nothing(refused: string): Asked {
  return { method: '', path: '', query: '', headers: {}, body: Buffer.alloc(0), refused }
}

function refuseParsed(reason: string): never {
  if (reason === 'expectation') refuse(417, 'expectation_failed')
  if (reason === 'connect') refuse(405, 'method_not_allowed', { method: 'CONNECT', allowed: [] })
  if (reason === 'HPE_HEADER_OVERFLOW') refuse(431, 'headers_too_large', { maxBytes: 16384 })
  if (reason === 'HPE_INVALID_METHOD') refuse(501, 'not_implemented')
  if (reason === 'ERR_HTTP_REQUEST_TIMEOUT') refuse(408, 'request_timeout', { seconds: 0.2 })
  refuse(400, 'invalid_request', { reason })
}

function writeRefusal(socket: Duplex | Socket, result: Told): void {
  const bytes = result.bytes ?? Buffer.from(result.body === undefined ? '' : JSON.stringify(result.body))
  const fields = Object.entries({ ...result.headers, 'content-length': bytes.length, connection: 'close' })
  socket.on('error', () => socket.destroy())
  socket.write(
    `HTTP/1.1 ${result.status} Refused\r\n${fields.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`,
  )
  socket.end(bytes)
}

function askedOf(request: IncomingMessage, body: Buffer): Asked {
  const [path = '', query = ''] = (request.url ?? '').split(/\?(.*)/s)
  const headers = request.headers as Record<string, string | undefined>
  return { method: request.method ?? '', path, query, headers: { ...headers }, body }
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks)
}
