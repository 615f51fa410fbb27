/** A world that answers by a script and records its requests. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import type { Recorded } from '../check/check.ts'
import { cut } from '../http/exchange.ts'

/** A request as it arrived, with nothing decoded. */
export interface Received {
  readonly method: string
  /** The raw request target. */
  readonly target: string
  /** The raw path. */
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: string
}

/** Answer of a script: JSON (`json`), raw bytes, or something that no server should do. */
export interface Reply {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly json?: unknown
  readonly text?: string
  /** Ends the connection in the middle of the body, after this number of its characters. */
  readonly cutAfter?: number
  /** Sends a JSON string of this number of bytes. */
  readonly flood?: number
  /** Never answers. */
  readonly silent?: true
  /** Framing of the body: its length (default), chunks, or the end of the connection. */
  readonly framing?: 'length' | 'chunked' | 'close'
}

/** Returns the answer to a request; `before` are the earlier requests to this world. */
export type Script = (request: Received, before: readonly Received[]) => Reply

/** A scripted world that listens on loopback. */
export interface ScriptedWorld {
  readonly origin: string
  readonly requests: readonly Received[]
  /** The conversation so far, for a report. */
  recorded(): Recorded[]
  close(): Promise<void>
}

/** Serves a script on loopback, on a free port. */
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
    // A client that has read enough ends the connection.
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

/** Yields a well-formed JSON document that is far too long. */
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
