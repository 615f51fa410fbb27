/** A world that responds according to a script and records its requests. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import type { Recorded } from '../check/check.ts'
import { cut } from '../http/exchange.ts'

/** A request as received; target and path are not decoded. */
export interface Received {
  readonly method: string
  /** Request target: path and query. */
  readonly target: string
  /** Path without the query. */
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: string
}

/** A scripted response: JSON (`json`), plain text (`text`), or behaviour that no server should show. */
export interface Reply {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly json?: unknown
  readonly text?: string
  /** Closes the connection after this many characters of the body. */
  readonly cutAfter?: number
  /** Sends a JSON document of about this many bytes as the body. */
  readonly flood?: number
  /** Never responds to the request. */
  readonly silent?: true
  /** Marks the end of the body by a `Content-Length` (default), by chunked encoding, or by closing the connection. */
  readonly framing?: 'length' | 'chunked' | 'close'
}

/** Returns the response to `request`; `before` contains the earlier requests to the same world. */
export type Script = (request: Received, before: readonly Received[]) => Reply

/** A running scripted world, which listens on loopback. */
export interface ScriptedWorld {
  readonly origin: string
  readonly requests: readonly Received[]
  /** Returns the requests so far and their responses, for a report. */
  recorded(): Recorded[]
  close(): Promise<void>
}

/** Starts a world on a free loopback port. Calls `script` with the world's origin. */
export async function scriptedWorld(script: (origin: string) => Script): Promise<ScriptedWorld> {
  const requests: Received[] = []
  const replies: Reply[] = []
  let origin = ''
  const server = createServer(async (request, response) => {
    const received = await receive(request)
    const reply = script(origin)(received, [...requests])
    requests.push(received)
    replies.push(reply)
    await send(response, reply)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    origin,
    requests,
    recorded: () => requests.map((request, index) => record(origin, request, replies[index] ?? {})),
    close: () => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}

async function receive(request: IncomingMessage): Promise<Received> {
  const body = await text(request)
  const target = request.url ?? ''
  const mark = target.indexOf('?')
  return {
    method: request.method ?? '',
    target,
    path: mark < 0 ? target : target.slice(0, mark),
    query: new URLSearchParams(mark < 0 ? '' : target.slice(mark + 1)),
    headers: request.headers as Record<string, string | undefined>,
    body,
  }
}

async function send(response: ServerResponse, reply: Reply): Promise<void> {
  if (reply.silent) return
  const { status = 200, headers = {}, cutAfter, flood, framing = 'length' } = reply
  const body = bodyOf(reply)
  const type = reply.json === undefined ? {} : { 'content-type': 'application/json' }
  if (flood !== undefined) {
    response.writeHead(200, { 'content-type': 'application/json' })
    // Ignore the error that occurs if the client closes the connection early.
    return pipeline(flooding(flood), response).catch(() => undefined)
  }
  const length = framing === 'length' && status !== 204
  const size = length ? { 'content-length': String(Buffer.byteLength(body)) } : {}
  if (framing === 'close') response.useChunkedEncodingByDefault = false
  response.writeHead(status, {
    ...type,
    ...size,
    ...(framing === 'close' && { connection: 'close' }),
    ...headers,
  })
  if (framing === 'chunked') response.write(body.slice(0, 10))
  if (framing === 'chunked') return void response.end(body.slice(10))
  if (cutAfter === undefined) response.end(body)
  else response.write(body.slice(0, cutAfter), () => response.destroy())
}

/** Yields a valid JSON document of slightly more than `bytes` bytes. */
function* flooding(bytes: number): Generator<string> {
  const block = 'x'.repeat(1024 * 1024)
  yield '{"type":"sol:moon","id":"europa","attributes":{"text":"'
  for (let sent = 0; sent < bytes; sent += block.length) yield block
  yield '"}}'
}

function bodyOf({ json, text }: Reply): string {
  return json === undefined ? (text ?? '') : JSON.stringify(json)
}

function record(origin: string, request: Received, reply: Reply): Recorded {
  const fields = Object.entries(request.headers).map(([name, value]) => `${name}: ${value}`)
  const { status = 200, headers = {}, silent, flood, cutAfter } = reply
  const oddity =
    (silent && 'no answer at all') || (flood && `${flood} bytes`) || (cutAfter && `cut after ${cutAfter}`)
  const answered = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  return {
    request: `${request.method} ${request.target} HTTP/1.1\n${fields.join('\n')}\n\n${cut(request.body, 2_000)}\n(to ${origin})`,
    response: `HTTP/1.1 ${status}\n${answered.join('\n')}\n\n${cut(bodyOf(reply), 2_000)}${oddity ? `\n(${oddity})` : ''}`,
  }
}
