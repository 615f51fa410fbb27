/** The extension `worldwright:openapi`, which describes a world at `/openapi.json` and in an API catalogue (RFC 9727). */
import { WELL_KNOWN_PATH } from '@worldwright/client/protocol'
import type { DiscoveryAnswer, Extension, Mount, WorldRequest, WorldResponse } from '@worldwright/core'
import { openApiDocument } from './openapi-document.ts'

/** Path of the description, on the origin of the world (decisions 8). */
export const OPENAPI_PATH = '/openapi.json'

/** Name of the extension in the discovery document. */
export const OPENAPI_EXTENSION = 'worldwright:openapi'

/** Path of the API catalogue of an origin (RFC 9727). */
const CATALOG_PATH = '/.well-known/api-catalog'
const LINKSET = 'application/linkset+json'

/** Maximum number of cached documents: one per origin reported by a trusted proxy. */
const MAX_DOCUMENTS = 16

/** Describes a world. The description is public, because it reveals no more than discovery does. */
export function openApi(): Extension {
  return (mount) => {
    const made = new Map<string, WorldResponse>()

    async function describe(request: WorldRequest): Promise<WorldResponse> {
      const answer = await mount.discovery(request)
      const { document } = answer
      const origin = originOf(mount, request, document)
      const key = `${document.revision} ${document.endpoints.api} ${origin}`
      const known = made.get(key)
      if (known) return known
      const text = JSON.stringify(openApiDocument({ discovery: document, routes: mount.routes(), origin }))
      const response = { status: 200, headers: answer.headers, body: text, memoizable: true as const }
      if (made.size >= MAX_DOCUMENTS) made.clear()
      made.set(key, response)
      return response
    }

    async function catalogue(request: WorldRequest): Promise<WorldResponse> {
      const { document, headers } = await mount.discovery(request)
      const origin = originOf(mount, request, document)
      const link = `<${origin}${CATALOG_PATH}>; rel="api-catalog"`
      return {
        status: 200,
        headers: { ...headers, 'content-type': LINKSET, link },
        body: JSON.stringify({ linkset: [linksOf(origin)] }),
      }
    }

    return {
      name: OPENAPI_EXTENSION,
      declares: () => ({ path: OPENAPI_PATH }),
      routes: [
        { path: OPENAPI_PATH, open: true, methods: { GET: describe } },
        { path: CATALOG_PATH, open: true, answers: [LINKSET], methods: { GET: catalogue } },
      ],
    }
  }
}

/** Returns the origin of routes outside the API. It depends on request headers only if the API's origin does. */
function originOf(
  mount: Mount,
  request: WorldRequest,
  { endpoints: { api } }: DiscoveryAnswer['document'],
): string {
  const listening = mount.apiUrl(request).fromHeaders ? undefined : request.origin
  return mount.publicUrl ?? listening ?? new URL(api).origin
}

function linksOf(origin: string) {
  return {
    anchor: `${origin}/`,
    'service-desc': [{ href: origin + OPENAPI_PATH, type: 'application/json' }],
    'service-meta': [{ href: origin + WELL_KNOWN_PATH, type: 'application/json' }],
  }
}
