/**
 * A world written from the text of Level 1 alone, with names of its own wherever the text leaves them open, and with
 * its API on another origin.
 */
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A running minimal world, and its origin. */
export interface MinimalWorld extends AsyncDisposable {
  readonly origin: string
}

const BOOKS = ['1', '2', '3'].map((key) => ({ key, kind: 'lib:book', name: `Book ${key}` }))

type Answer = readonly [status: number, body: unknown]

function failure(status: number, code: string): Answer {
  return [status, { error: { code, message: 'No.' } }]
}

/** Starts the world: one server for the discovery document, one for the API. */
export async function minimalWorld(): Promise<MinimalWorld> {
  const api = await serve(apiAnswer)
  const front = await serve(async ({ method, url }) => {
    if (method !== 'GET' || url !== '/.well-known/world.json') return failure(404, 'NOT_HERE')
    const document = {
      protocol: 'world/0.1',
      endpoints: { api: `${api.origin}/deep/in/here/` },
      me: 'tag:lib.example,2026:library',
      kinds: { 'lib:book': 'Books' },
      can: ['wp:discover'],
    }
    return [200, document]
  })
  return {
    origin: front.origin,
    async [Symbol.asyncDispose]() {
      await Promise.all([api.close(), front.close()])
    },
  }
}

async function apiAnswer(request: IncomingMessage): Promise<Answer> {
  const { pathname, searchParams } = new URL(request.url ?? '', 'http://x')
  const [family, kind = '', key, ...more] = pathname
    .replace('/deep/in/here/', '')
    .split('/')
    .map(decodeURIComponent)
  if (family === 'actions' && kind === 'wp:discover' && key === undefined) return discover(request)
  if (family !== 'entities' || more.length > 0 || request.method !== 'GET') return failure(404, 'NOT_HERE')
  if (kind !== 'lib:book') return failure(404, 'NO_SUCH_KIND')
  if (key !== undefined) {
    const book = BOOKS.find((one) => one.key === key)
    return book === undefined ? failure(404, 'NO_SUCH_BOOK') : [200, book]
  }
  const limit = searchParams.get('limit') ?? '2'
  if (!/^\d+$/.test(limit)) return failure(422, 'BAD_LIMIT')
  const cursor = searchParams.get('cursor') ?? 'from 0'
  if (!/^from \d+$/.test(cursor)) return failure(400, 'BAD_CURSOR')
  const start = Number(cursor.slice(5))
  const end = start + Number(limit)
  return [200, { items: BOOKS.slice(start, end), next: end < BOOKS.length ? `from ${end}` : null }]
}

async function discover(request: IncomingMessage): Promise<Answer> {
  if (request.method !== 'POST') return failure(405, 'ONLY_POST')
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  try {
    const { types = ['lib:book'], text = '', limit = 2 } = JSON.parse(Buffer.concat(chunks).toString()).input
    const found = BOOKS.filter(({ kind, name }) => types.includes(kind) && name.includes(text))
    return [200, { items: found.slice(0, limit) }]
  } catch {
    return failure(400, 'NOT_UNDERSTOOD')
  }
}

async function serve(answer: (request: IncomingMessage) => Promise<Answer>) {
  const server = createServer(async (request, response) => {
    const [status, body] = await answer(request)
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    origin,
    close: () => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(resolve))
    },
  }
}
