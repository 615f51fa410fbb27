/** The extension `worldwright:mcp`: a served world as tools of agents, over streamable HTTP at `/mcp`. */
import { connect, type KeptWorld } from '@worldwright/client'
import {
  type Extension,
  type Handle,
  type Mount,
  type Route,
  toFetch,
  unavailable,
  WorldFault,
  type WorldHandler,
  type WorldRequest,
  type WorldResponse,
} from '@worldwright/core'
import type { AgentWorld } from './agent-world.ts'
import { CARD_PATH, DOCUMENTS, LISTEN, MCP_PATH, serverName } from './catalogue.ts'
import type { Endpoint } from './http-endpoint.ts'

/** Name of the extension in the discovery document. */
export const MCP_EXTENSION = 'worldwright:mcp'

/** Limits on open subscriptions in total and per client, as for the event streams of changes. */
export interface McpLimits {
  readonly maxStreams?: number
  readonly enterStream?: (request: WorldRequest) => (() => void) | undefined
}

/**
 * Serves the world to agents. Tools read the world through its own handler, in this process and on behalf of the caller: with
 * the caller's `Authorization`, which lives as long as the request. The SDK is loaded with the first request.
 */
export function mcp({ maxStreams, enterStream }: McpLimits = {}): Extension {
  return (mount) => {
    let handle: Handle | undefined
    let endpoint: Promise<Endpoint> | undefined
    // The public document of the world, without the connection that read it: that holds a token.
    let kept: KeptWorld | undefined
    const worldFor = (request: WorldRequest): AgentWorld => {
      const origin = mount.origin(request).url
      const fetch = toFetch({
        needsOrigin: false,
        handle: (own) => (handle as Handle)(onBehalf(own, request)),
      } as WorldHandler)
      return {
        name: new URL(origin).host,
        hasToken: request.headers['authorization'] !== undefined,
        async open() {
          const world = await connect(kept?.origin === origin ? kept : origin, { fetch })
          const { document, id, received } = world
          kept = { origin, document, id, received }
          return world
        },
      }
    }
    const enter = (request: WorldRequest) => {
      if (!enterStream) return undefined
      const leave = enterStream(request)
      if (leave) return leave
      throw unavailable('You have too many event streams open. Close some.', 30, { code: 'rate_limited' })
    }
    const own: Route = {
      path: MCP_PATH,
      // The world decides about each request that a tool makes, and admits it.
      open: true,
      lane: 'free',
      answers: ['text/event-stream'],
      methods: {
        async POST(request) {
          refuseForeignPage(mount, request)
          const headers = { ...request.headers, authorization: undefined }
          const anyone = worldFor({ method: 'GET', target: '', origin: request.origin, headers })
          endpoint ??= import('./http-endpoint.ts').then(({ createEndpoint }) =>
            createEndpoint(anyone.open, maxStreams),
          )
          const name = serverName(mount.origin(request).url)
          const { answer } = await endpoint
          const leave = request.headers['mcp-method'] === LISTEN ? enter(request) : undefined
          return responseFrom(await answer(requestFrom(mount, request), worldFor(request), name, leave))
        },
      },
    }
    return {
      name: MCP_EXTENSION,
      declares: () => ({ path: MCP_PATH, card: CARD_PATH }),
      around(inner) {
        handle = inner
        return inner
      },
      // Subscriptions outlive the handler when a definition is loaded again; they end with the server.
      routes: [own, ...documentRoutes(mount)],
    }
  }
}

function documentRoutes(mount: Mount): Route[] {
  return DOCUMENTS.map(({ path, type, make }) => ({
    path,
    open: true,
    answers: [type],
    methods: {
      async GET(request) {
        const { document, headers } = await mount.discovery(request)
        const body = JSON.stringify(make(document, mount.origin(request).url))
        return { status: 200, headers: { ...headers, 'content-type': type }, body }
      },
    },
  }))
}

/**
 * Refuses requests of pages on other origins, as the transport demands: a page could reach a world on this machine by a name
 * that resolves to it. @throws WorldFault `forbidden`
 */
function refuseForeignPage(mount: Mount, request: WorldRequest): void {
  const page = request.headers['origin']
  if (page === undefined || page === mount.origin(request).url) return
  if (/^https?:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/.test(page)) return
  throw new WorldFault('forbidden', 'Pages of other origins may not use this endpoint.')
}

/** Returns a request of a tool as one of the caller: the same client, origin and credentials. */
function onBehalf(own: WorldRequest, { origin, client, closing, id, headers }: WorldRequest): WorldRequest {
  const names = ['authorization', 'host', 'x-forwarded-host', 'x-forwarded-proto']
  const kept = Object.fromEntries(names.map((name) => [name, headers[name]]))
  return { ...own, origin, client, closing, id, headers: { ...own.headers, ...kept } }
}

/** Requests kept by the signals that abort them: once garbage-collected, a `Request` passes no abort on. */
const kept = new WeakMap<AbortSignal, Request>()

function requestFrom(mount: Mount, request: WorldRequest): Request {
  const { method, target, body, signal, closing } = request
  const headers = Object.entries(request.headers).filter(([, value]) => value !== undefined)
  const made = new Request(new URL(target, mount.origin(request).url), {
    method,
    headers: Object.fromEntries(headers) as Record<string, string>,
    signal: AbortSignal.any([signal, closing].filter((one) => one !== undefined)),
    // Node.js takes any sequence of bytes as a body.
    ...(body && { body: body as unknown as ReadableStream, duplex: 'half' }),
  } as RequestInit)
  if (signal) kept.set(signal, made)
  return made
}

async function responseFrom({ status, headers, body }: Response): Promise<WorldResponse> {
  return { status, headers: Object.fromEntries(headers), ...(body && { body }) }
}
