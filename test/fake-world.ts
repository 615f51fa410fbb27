/** Fake worlds with arbitrary behaviour, for tests of clients. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Lifetime } from './command.ts'

/** Handles a request whose path, without the query, is `path`. Returns false if the route does not match. */
export type FakeRoute = (path: string, response: ServerResponse, request: IncomingMessage) => boolean

/** A fake world that listens on a local port. */
export interface FakeWorld {
  readonly origin: string
  /** Paths that have been requested so far. */
  readonly asked: string[]
}

const CORS = {
  'access-control-allow-origin': '*',
  'access-control-allow-headers': 'Accept, Content-Type',
  'access-control-expose-headers': 'Retry-After',
}

/** Starts a server that answers with the first route that matches. Stops it at the end of `lifetime`. */
export async function fakeWorld(lifetime: Lifetime, ...routes: FakeRoute[]): Promise<FakeWorld> {
  const asked: string[] = []
  const server = createServer((request, response) => {
    const path = (request.url ?? '').replace(/\?.*/, '')
    asked.push(path)
    if (request.method === 'OPTIONS') response.writeHead(204, CORS).end()
    else if (!routes.some((route) => route(path, response, request)))
      say(response, 404, { code: 'not_found', message: 'none' })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  lifetime.after(async () => {
    server.closeAllConnections()
    server.close()
  })
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked }
}

/** Responds with JSON that any origin may read. */
export function say(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): true {
  response.writeHead(status, { ...CORS, 'content-type': 'application/json', ...headers })
  response.end(JSON.stringify(body))
  return true
}

/** Returns the route of a discovery document with the API at `/api`. `more` overrides its members. */
export function discovery(more: object = {}): FakeRoute {
  return (path, response, request) =>
    path === '/.well-known/world.json' &&
    say(response, 200, {
      protocol: 'world/0.1',
      world: { id: 'urn:example:fake', name: 'Fake' },
      endpoints: { api: `http://${request.headers.host}/api` },
      entityTypes: [{ type: 'f:thing', title: 'Thing' }],
      actions: [],
      ...more,
    })
}
