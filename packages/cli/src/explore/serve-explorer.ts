import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Names, ReadingProfile } from '@worldwright/client/foreign'
import type { ExplorerFile } from '@worldwright/serve/open'
import { listening } from '@worldwright/serve/runtime'
import type { WorldProxy } from './proxy.ts'

const HOST = '127.0.0.1'
// Larger than any request body that a world must accept.
const MOST_BODY_BYTES = 2 ** 20

/** A running server of the explorer. */
export interface ServedExplorer {
  readonly url: string
  close(): Promise<void>
}

/** Serves the files and the proxy on 127.0.0.1. Port 0 selects a free port. @throws Error named `ListenFault` */
export async function serveExplorer(
  files: readonly ExplorerFile[],
  world: { readonly origin: string; readonly names: Names; readonly profile?: ReadingProfile | undefined },
  proxy: WorldProxy,
  port: number,
): Promise<ServedExplorer> {
  const byPath = new Map(files.map((file) => [file.path, file]))
  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy())
  })
  const { port: opened, close } = await listening(server, HOST, port)
  const host = `${HOST}:${opened}`

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = (request.url ?? '').replace(/[?#].*/s, '')
    if (!isOfPage(request, host)) refuse(response, 403, 'forbidden')
    else if (path.startsWith('/_proxy/')) await pass(request, response, path.slice('/_proxy/'.length), proxy)
    else {
      const file = request.method === 'GET' ? byPath.get(path) : undefined
      if (!file) refuse(response, 404, 'not_found')
      else
        response.writeHead(200, { ...file.headers }).end(path === '/' ? pageFor(file.body, world) : file.body)
    }
  }

  return { url: `http://${host}/`, close }
}

/** Reports whether a request comes from the explorer's own page, not from another site or a rebound host name. */
function isOfPage({ headers }: IncomingMessage, host: string): boolean {
  const site = headers['sec-fetch-site']
  return headers.host === host && (site === undefined || site === 'same-origin' || site === 'none')
}

async function pass(request: IncomingMessage, response: ServerResponse, encoded: string, proxy: WorldProxy) {
  const ended = new AbortController()
  response.on('close', () => ended.abort())
  const url = decoded(encoded)
  const { method = 'GET', headers } = request
  const body = await bodyOf(request)
  if (body === undefined) return refuse(response, 413, 'payload_too_large')
  // A failed connection to the world also closes the connection to the page.
  const answered = await proxy({ method, url, headers, body }, ended.signal)
  if (answered === undefined) return refuse(response, 403, 'not_this_world')
  response.writeHead(answered.status, Object.fromEntries(answered.headers))
  if (answered.body === null) response.end()
  else await pipeline(Readable.fromWeb(answered.body as Parameters<typeof Readable.fromWeb>[0]), response)
}

/** Returns the body of a request, or undefined if it is too long. */
async function bodyOf(request: IncomingMessage): Promise<string | undefined> {
  const parts: Buffer[] = []
  let size = 0
  for await (const part of request) {
    size += part.length
    if (size > MOST_BODY_BYTES) return undefined
    parts.push(part)
  }
  return Buffer.concat(parts).toString()
}

function refuse(response: ServerResponse, status: number, code: string): void {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify({ code, message: `The explorer's own server: ${code}.` }))
}

/** Returns the page with a `meta` element that names its world. */
function pageFor(page: Buffer, world: object): string {
  const content = JSON.stringify(world).replace(/&/g, '&amp;').replace(/"/g, '&quot;').replace(/</g, '&lt;')
  return page.toString().replace('</head>', `<meta name="worldwright-world" content="${content}" /></head>`)
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return ''
  }
}
