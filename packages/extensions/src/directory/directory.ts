/** The extension `worldwright:directory`: `POST /search` of Agentic Resource Discovery (ARD 0.9) over a world of worlds. */
import {
  type Entity,
  type FieldFault,
  isObject,
  type JsonObject,
  type JsonValue,
  pointerTo,
  WELL_KNOWN_PATH,
} from '@worldwright/client/protocol'
import { type Extension, fieldsFault, readJson } from '@worldwright/core'
import { answerPage } from '../query/query-action.ts'
import { readQuestion } from '../query/read-input.ts'
import { requireSearch } from '../query/require-search.ts'

/** Type of the entities of a directory: a world each, as `world directory build` writes them. */
export const WORLD_TYPE = 'worldwright:world'

const PATH = '/search'
const MAX_BODY_BYTES = 65_536
const PAGE_MAX = 100
/** Media type of the server card of a world with MCP. */
export const CARD_TYPE = 'application/mcp-server-card+json'
/** Attributes behind the fields of an entry that can be filtered. */
const FILTERS: ReadonlyMap<string, string> = new Map([
  ['type', 'entryType'],
  ['displayName', 'title'],
  ['tags', 'types'],
  ['metadata.license', 'license'],
  ['metadata.world', 'world'],
])

/** Answers searches for worlds as an agent registry does. Worlds that could not be judged are not found. */
export function directory(): Extension {
  return ({ world, source, origin }) => {
    requireSearch(source, 'directory()')
    return {
      name: 'worldwright:directory',
      declares: () => ({ search: PATH, protocol: 'ard/0.9' }),
      routes: [
        {
          path: PATH,
          lane: 'search',
          reads: () => [WORLD_TYPE],
          methods: {
            async POST(request) {
              const question = readQuestion(
                inputFrom(await readJson(request, MAX_BODY_BYTES)),
                await world.types(),
              )
              const { client, signal } = request
              const page = await answerPage(question, { world, client, position: undefined, signal })
              const registry = `${origin(request).url}/`
              const results = page.hits.map(({ json }, rank) => entryOf(JSON.parse(json), rank, registry))
              const body = { results, ...(page.nextCursor !== undefined && { pageToken: page.nextCursor }) }
              const headers = { 'content-type': 'application/json', 'cache-control': 'no-store' }
              return { status: 200, headers, body: JSON.stringify(body) }
            },
          },
        },
      ],
    }
  }
}

/** Translates a request of ARD to a query. Members that it does not know are ignored. @throws WorldFault `invalid_input` */
function inputFrom(body: JsonValue): JsonObject {
  const { query, pageSize = 10, pageToken: cursor = null } = isObject(body) ? body : {}
  const { text = null, filter = {} } = isObject(query) ? query : {}
  const filters = Object.entries(isObject(filter) ? filter : { '': filter })
  const unknown = filters.find(([field]) => !FILTERS.has(field))
  if (text === null) throw refusal('/query/text', 'required', 'say what is looked for')
  if (unknown !== undefined)
    throw refusal(
      pointerTo('/query/filter', unknown[0]),
      'not_allowed',
      `filter by ${[...FILTERS.keys()].join(', ')}`,
    )
  const among = filters.map(([field, value]) => isOneOf(FILTERS.get(field) ?? '', [value].flat()))
  const args = [isOneOf('state', ['passed', 'incomplete', 'failed']), ...among]
  const where = args.length > 1 ? { op: 'and', args } : (args[0] ?? null)
  return { types: [WORLD_TYPE], text, where, limit: Math.min(Number(pageSize), PAGE_MAX), cursor }
}

function isOneOf(property: string, values: JsonValue[]): JsonObject {
  return { op: 'in', args: [{ property }, values] }
}

function refusal(pointer: string, reason: FieldFault['reason'], message: string) {
  return fieldsFault('invalid_input', `This is no search: ${message}.`, [
    { in: 'body', pointer, reason, message },
  ])
}

/** Returns the entry of a world. Its score is that of its rank on the page, since scores of a search have no limit. */
function entryOf({ title, id, summary, attributes }: Entity, rank: number, registry: string): JsonObject {
  const { origin, types = [], entryType = null, license, world, level, judged } = attributes
  const hasCard = entryType === CARD_TYPE
  const host = new URL(String(origin)).hostname.replace(/[^a-zA-Z0-9.-]/g, '-')
  const said = Object.entries({ world, license, level, judged }).filter(([, value]) => value !== undefined)
  return {
    identifier: `urn:air:${host}:${hasCard ? 'mcp:' : ''}world`,
    displayName: title ?? id,
    type: entryType,
    url: `${origin}${hasCard ? '/mcp/server-card' : WELL_KNOWN_PATH}`,
    ...(summary !== undefined && { description: summary }),
    tags: types,
    metadata: Object.fromEntries(said) as JsonObject,
    score: Math.round((100 * 60) / (60 + rank)),
    source: registry,
  }
}
