/** A world that answers by a script and remembers what it was asked. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Recorded } from '../check/check.ts'
import { cut } from '../http/exchange.ts'

/** A request as it arrived, nothing decoded. */
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

/** What a script answers: JSON (`json`), or bytes as they are, or something no server should do. */
export interface Reply {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly json?: unknown
  readonly text?: string
  /** Ends the connection in the middle of the body, after this many of its characters. */
  readonly cutAfter?: number
  /** Sends this many bytes of a JSON string. */
  readonly flood?: number
  /** Never answers. */
  readonly silent?: true
  /** How the end of the body is told: by its length (default), by chunks, or by the end of the connection. */
  readonly framing?: 'length' | 'chunked' | 'close'
}

/** Gives the answer to a request; `before` are the requests this world had before it. */
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
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  const target = request.url ?? ''
  const mark = target.indexOf('?')
  return {
    method: request.method ?? '',
    target,
    path: mark < 0 ? target : target.slice(0, mark),
    query: new URLSearchParams(mark < 0 ? '' : target.slice(mark + 1)),
    headers: request.headers as Record<string, string | undefined>,
    body: Buffer.concat(chunks).toString(),
  }
}

async function send(response: ServerResponse, reply: Reply): Promise<void> {
  if (reply.silent) return
  const { status = 200, headers = {}, cutAfter, flood, framing = 'length' } = reply
  const body = bodyOf(reply)
  const type = reply.json === undefined ? {} : { 'content-type': 'application/json' }
  if (flood !== undefined) return pour(response, flood)
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

/** A well-formed JSON document that is far too long. */
async function pour(response: ServerResponse, bytes: number): Promise<void> {
  const block = Buffer.alloc(1024 * 1024, 'x')
  response.writeHead(200, { 'content-type': 'application/json' })
  response.write('{"type":"sol:moon","id":"europa","attributes":{"text":"')
  const closed = new Promise((resolve) => response.once('close', resolve))
  for (let sent = 0; sent < bytes && !response.destroyed; sent += block.length) {
    if (response.write(block)) continue
    await Promise.race([closed, new Promise((resolve) => response.once('drain', resolve))])
  }
  response.end('"}}')
}

function bodyOf({ json, text }: Reply): string {
  return json === undefined ? (text ?? '') : JSON.stringify(json)
}

function record(origin: string, request: Received, reply: Reply): Recorded {
  const fields = Object.entries(request.headers).map(([name, value]) => `${name}: ${value}`)
  const { status = 200, headers = {}, silent, flood, cutAfter } = reply
  const oddity = silent
    ? 'no answer at all'
    : flood
      ? `${flood} bytes`
      : cutAfter === undefined
        ? ''
        : `cut after ${cutAfter}`
  const answered = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  return {
    request: `${request.method} ${request.target} HTTP/1.1\n${fields.join('\n')}\n\n${cut(request.body, 2_000)}\n(to ${origin})`,
    response: `HTTP/1.1 ${status}\n${answered.join('\n')}\n\n${cut(bodyOf(reply), 2_000)}${oddity && `\n(${oddity})`}`,
  }
}
