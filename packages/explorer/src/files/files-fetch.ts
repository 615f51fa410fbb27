/**
 * A `fetch` for worlds that consist of files on any file server. API requests are answered from the files, except for
 * searches and queries, which the search engine answers in a worker.
 */
import type { Fetch } from '@worldwright/client'
import { DISCOVER_ACTION, isObject, type JsonObject, WELL_KNOWN_PATH } from '@worldwright/client/protocol'
import type { ActionAnswer } from './search-files.ts'
import { entityFile, pageFile, type SiteFiles, siteFilesOf } from './site-files.ts'

/** Calls an action on the search index of a world of files. */
export type SearchFiles = (files: SiteFiles, action: string, input: JsonObject) => Promise<ActionAnswer>

const QUERY_ACTION = 'worldwright:query'

/** Default limit of a list request. */
const LIST_DEFAULT = 100

/** Returns a `fetch` for one world. If the world does not consist of files, it passes requests on to `ask`. */
export function filesFetch(ask: Fetch, search: SearchFiles): Fetch {
  let files: SiteFiles | undefined
  return async (url, init) => {
    if (new URL(url).pathname === WELL_KNOWN_PATH) {
      const response = await ask(url, init)
      const document = response.ok ? await documentIn(response.clone()) : undefined
      if (document !== undefined) files = siteFilesOf(document, url)
      return files === undefined || document === undefined ? response : withActions(document, files, response)
    }
    const path = files && pathBelow(files.api, url)
    if (files === undefined || path === undefined) return ask(url, init)
    const [, action] = /^actions\/([^/]+)$/.exec(path) ?? []
    if (action !== undefined) return answered(files, decodeURIComponent(action), init, search)
    const target = targetOf(files, path, new URL(url).searchParams)
    if (target === undefined) return ask(url, init)
    const response = await ask(target.url, init)
    // Replace the file server's own error page for a missing file.
    return response.status === 404 ? refusal(404, target.missing, 'There is no such file.') : response
  }
}

function pathBelow(api: string, url: string): string | undefined {
  return url.startsWith(`${api}/`) ? new URL(url).href.slice(api.length + 1).split('?')[0] : undefined
}

function targetOf(files: SiteFiles, path: string, query: URLSearchParams) {
  const [, type = '', id] = /^entities\/([^/]+)(?:\/([^/]+))?$/.exec(path) ?? []
  if (type === '') return undefined
  if (id !== undefined) {
    const url = entityFile(files, decodeURIComponent(type), decodeURIComponent(id))
    return { url, missing: 'entity_not_found' }
  }
  const cursor = query.get('cursor') ?? undefined
  const limit = Number(query.get('limit') ?? LIST_DEFAULT)
  const missing = cursor === undefined ? 'unknown_type' : 'invalid_cursor'
  return { url: pageFile(files, decodeURIComponent(type), limit, cursor), missing }
}

async function documentIn(response: Response): Promise<JsonObject | undefined> {
  const body: unknown = await response.json().catch(() => undefined)
  return isObject(body) ? body : undefined
}

/** Members of a search that the page understands. */
const INPUT = {
  types: { type: 'array', items: { type: 'string' } },
  text: { type: 'string' },
  limit: { type: 'integer' },
  cursor: { type: 'string' },
  unfinished: { type: 'boolean' },
  plain: { type: 'boolean' },
}

/** Adds the actions that the page itself answers for a world of files to its discovery document. */
function withActions(document: JsonObject, { query }: SiteFiles, { headers }: Response): Response {
  const actions: JsonObject[] = [
    {
      name: DISCOVER_ACTION,
      description: 'Searches the index of this world.',
      safe: true,
      inputSchema: { type: 'object', properties: INPUT },
    },
  ]
  if (query) actions.push({ name: QUERY_ACTION, description: 'Queries the index of this world.', safe: true })
  const known = isObject(document['extensions']) ? document['extensions'] : {}
  const extensions = query ? { ...known, [QUERY_ACTION]: query } : known
  const etag = headers.get('etag')
  return Response.json({ ...document, actions, extensions }, { headers: etag === null ? {} : { etag } })
}

async function answered(
  files: SiteFiles,
  action: string,
  { body, signal }: RequestInit,
  search: SearchFiles,
): Promise<Response> {
  const { input } = JSON.parse(String(body))
  try {
    const { status, text } = await search(files, action, input)
    signal?.throwIfAborted()
    return new Response(text, { status, headers: { 'content-type': 'application/json' } })
  } catch (error) {
    signal?.throwIfAborted()
    return refusal(503, 'unavailable', error instanceof Error ? error.message : String(error))
  }
}

function refusal(status: number, code: string, message: string): Response {
  return Response.json({ code, message, details: {} }, { status })
}
