/** The extension `worldwright:mcp`: a served world as tools of agents, over streamable HTTP at `/mcp`. */
import { connect, type Fetch } from '@worldwright/client'
import type { JsonObject } from '@worldwright/client/protocol'
import {
  type Extension,
  type Handle,
  type Mount,
  toFetch,
  WorldFault,
  type WorldHandler,
  type WorldRequest,
  type WorldResponse,
} from '@worldwright/core'
import type { AgentWorld } from './agent-world.ts'
import {
  CARD_PATH,
  CARD_TYPE,
  CATALOGUE_PATHS,
  CATALOGUE_TYPE,
  catalogue,
  identityOf,
  MCP_PATH,
  serverCard,
} from './catalogue.ts'
import type { Endpoint } from './http-endpoint.ts'

/** Name of the extension in the discovery document. */
export const MCP_EXTENSION = 'worldwright:mcp'

/** Headers of a request that determine the origin of the world, behind a trusted proxy. */
const ORIGIN_HEADERS = ['host', 'x-forwarded-host', 'x-forwarded-proto']

/**
 * Serves the world to agents. Tools read the world through its own handler, in this process and on behalf of the caller: with
 * the caller's `Authorization`, which lives as long as the request. The SDK is loaded with the first request.
 */
export function mcp(): Extension {
  return (mount) => {
    let handle: Handle = () => {
      throw new TypeError('The world is not mounted yet.')
    }
    let endpoint: Promise<Endpoint> | undefined
    const worldOf = (request: WorldRequest, authorization: string | undefined): AgentWorld => {
      const origin = mount.origin(request).url
      const fetch = ownFetch((own) => handle(own), request, authorization)
      return {
        name: new URL(origin).host,
        hasToken: authorization !== undefined,
        open: () => connect(origin, { fetch }),
      }
    }
    return {
      name: MCP_EXTENSION,
      declares: () => ({ path: MCP_PATH, card: CARD_PATH }),
      around(inner) {
        handle = inner
        return inner
      },
      routes: [
        {
          path: MCP_PATH,
          // The world decides about each request that a tool makes, and admits it.
          open: true,
          lane: 'free',
          answers: ['text/event-stream'],
          methods: {
            async POST(request) {
              refuseForeignPage(mount, request)
              const {
                origin,
                headers: { host },
              } = request
              const anyone = { method: 'GET', target: '', origin, headers: { host } }
              endpoint ??= import('./http-endpoint.ts').then(({ createEndpoint }) =>
                createEndpoint(worldOf(anyone, undefined).open),
              )
              const identity = identityOf(mount.origin(request).url)
              const world = worldOf(request, request.headers['authorization'])
              return responseFrom(await (await endpoint).answer(requestFrom(mount, request), world, identity))
            },
          },
        },
        documentAt(mount, CARD_PATH, CARD_TYPE, serverCard),
        ...CATALOGUE_PATHS.map((path) => documentAt(mount, path, CATALOGUE_TYPE, catalogue)),
      ],
      close: async () => (await endpoint)?.close(),
    }
  }
}

function documentAt(mount: Mount, path: string, type: string, make: typeof catalogue) {
  return {
    path,
    open: true as const,
    answers: [type],
    methods: {
      async GET(request: WorldRequest): Promise<WorldResponse> {
        const { document, headers } = await mount.discovery(request)
        const body: JsonObject = make(document, mount.origin(request).url)
        return { status: 200, headers: { ...headers, 'content-type': type }, body: JSON.stringify(body) }
      },
    },
  }
}

/**
 * Refuses requests of pages on other origins, as the transport demands: a page could reach a world on this machine by a name
 * that resolves to it. @throws WorldFault `forbidden`
 */
function refuseForeignPage(mount: Mount, request: WorldRequest): void {
  const page = request.headers['origin']
  if (page === undefined || page === mount.origin(request).url) return
  const name = URL.parse(page)?.hostname ?? ''
  if (!/^(localhost|127\.0\.0\.1|\[::1\])$/.test(name))
    throw new WorldFault('forbidden', 'Pages of other origins may not use this endpoint.')
}

/** Returns a `fetch` that answers from a handler in this process, as the same client of the same origin. */
function ownFetch(handle: Handle, request: WorldRequest, authorization: string | undefined): Fetch {
  const { origin, client, closing, id, headers } = request
  const kept = Object.fromEntries(ORIGIN_HEADERS.map((name) => [name, headers[name]]))
  const own: Pick<WorldHandler, 'handle' | 'needsOrigin'> = {
    needsOrigin: false,
    handle: (asked) =>
      handle({
        ...asked,
        origin,
        client,
        closing,
        id,
        headers: { ...asked.headers, ...kept, authorization },
      }),
  }
  return toFetch(own as WorldHandler)
}

function requestFrom(
  mount: Mount,
  { method, target, headers, body, signal, ...request }: WorldRequest,
): Request {
  const sent = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as [string, string]],
  )
  const { url } = mount.origin({ method, target, headers, ...request })
  const signals = [signal, request.closing].filter((one) => one !== undefined)
  return new Request(new URL(target, url), {
    method,
    headers: sent,
    signal: AbortSignal.any(signals),
    ...(body && { body: ReadableStream.from(body), duplex: 'half' }),
  } as RequestInit)
}

async function responseFrom(response: Response): Promise<WorldResponse> {
  const headers = Object.fromEntries(response.headers)
  const isStream = headers['content-type']?.startsWith('text/event-stream') === true
  const body = response.body === null ? undefined : isStream ? response.body : await response.text()
  return { status: response.status, headers, ...(body !== undefined && { body }) }
}
