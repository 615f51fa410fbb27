/** Where the OpenAPI description is found: at `/openapi.json`, and by the catalogue of RFC 9727. */
import { type DiscoveryDocument, type JsonObject, WELL_KNOWN_PATH } from '@worldwright/client/protocol'
import type { WorldHandler } from '../handler/handler.ts'
import type { Route, WorldRequest, WorldResponse } from '../handler/http.ts'
import type { WorldOptions } from '../handler/options.ts'
import { openApiDocument } from './openapi-document.ts'

/** Where the description stands, on the origin of the world (decisions 8). */
export const OPENAPI_PATH = '/openapi.json'

/** The extension's name in the discovery document. */
export const OPENAPI_EXTENSION = 'worldwright:openapi'

/** The catalogue of APIs of an origin (RFC 9727). */
const CATALOG_PATH = '/.well-known/api-catalog'
const LINKSET = 'application/linkset+json'

/** The description of a world, ready to be given to `createWorld`. */
export interface OpenApi {
  readonly routes: readonly Route[]
  /** What discovery declares: where the description is. */
  readonly extensions: Readonly<Record<string, JsonObject>>
}

/** The most documents that are kept: one for each address that a trusted proxy names. */
const MAX_DOCUMENTS = 16

/**
 * Makes the description of the world that a handler answers for, which is asked when the first request comes. Its routes
 * are open, as discovery is: they say nothing that it does not say.
 */
export function createOpenApi(
  world: () => Pick<WorldHandler, 'handle' | 'routes'>,
  { publicUrl, apiUrl }: Pick<WorldOptions, 'publicUrl' | 'apiUrl'> = {},
): OpenApi {
  const made = new Map<string, WorldResponse>()

  function originOf({ origin }: WorldRequest, { endpoints }: DiscoveryDocument): string {
    return publicUrl ?? (apiUrl === undefined ? undefined : origin) ?? new URL(endpoints.api).origin
  }

  async function describe(request: WorldRequest): Promise<WorldResponse> {
    const discovery = await discoveryOf(world(), request)
    if ('failed' in discovery) return discovery.failed
    const { document, headers } = discovery
    const origin = originOf(request, document)
    const key = `${document.revision} ${document.endpoints.api} ${origin}`
    const known = made.get(key)
    if (known) return known
    const text = JSON.stringify(openApiDocument({ discovery: document, routes: world().routes, origin }))
    const response = { status: 200, headers, body: text, memoizable: true as const }
    if (made.size >= MAX_DOCUMENTS) made.clear()
    made.set(key, response)
    return response
  }

  async function catalogue(request: WorldRequest): Promise<WorldResponse> {
    const discovery = await discoveryOf(world(), request)
    if ('failed' in discovery) return discovery.failed
    const origin = originOf(request, discovery.document)
    return {
      status: 200,
      headers: {
        ...discovery.headers,
        'content-type': LINKSET,
        link: `<${origin}${CATALOG_PATH}>; rel="api-catalog"`,
      },
      body: JSON.stringify({ linkset: [linksOf(origin)] }),
    }
  }

  return {
    routes: [
      { path: OPENAPI_PATH, open: true, methods: { GET: describe } },
      { path: CATALOG_PATH, open: true, answers: [LINKSET], methods: { GET: catalogue } },
    ],
    extensions: { [OPENAPI_EXTENSION]: { path: OPENAPI_PATH } },
  }
}

/** The discovery document as the same client would get it, with the header fields that its caching depends on. */
async function discoveryOf(world: Pick<WorldHandler, 'handle'>, request: WorldRequest) {
  const { host, 'x-forwarded-host': forwardedHost, 'x-forwarded-proto': forwardedProto } = request.headers
  const response = await world.handle({
    method: 'GET',
    target: WELL_KNOWN_PATH,
    headers: { host, 'x-forwarded-host': forwardedHost, 'x-forwarded-proto': forwardedProto },
    origin: request.origin,
  })
  if (response.status !== 200) return { failed: response }
  const document: DiscoveryDocument = JSON.parse(Buffer.from(response.body as Uint8Array).toString())
  const { 'cache-control': caching = 'no-store', etag } = response.headers
  const headers = {
    'content-type': 'application/json',
    'cache-control': caching,
    ...(etag !== undefined && { etag }),
  }
  return { document, headers }
}

function linksOf(origin: string) {
  return {
    anchor: `${origin}/`,
    'service-desc': [{ href: origin + OPENAPI_PATH, type: 'application/json' }],
    'service-meta': [{ href: origin + WELL_KNOWN_PATH, type: 'application/json' }],
  }
}
