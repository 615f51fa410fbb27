/**
 * Answers of a world in memory: Level 1, small and plain.
 */
import {
  DISCOVER_ACTION,
  type DiscoveryDocument,
  type Entity,
  type JsonObject,
  type JsonValue,
  PROTOCOL,
  WELL_KNOWN_PATH,
} from '../protocol.ts'

/** A request as a program sent it. */
export interface MemoryRequest {
  readonly url: string
  readonly method: string
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

/** Contents of a memory world, from which it answers. */
export interface Contents {
  readonly origin: string
  readonly id?: string
  readonly types: ReadonlySet<string>
  readonly entities: readonly Entity[]
  readonly actions?: Record<string, (input: JsonObject) => JsonValue>
  readonly pageSize?: number
  readonly document?: Partial<DiscoveryDocument>
}

// Not the path of other worlds: programs must take it from discovery.
const PREFIX = '/memory/v0'

/** Returns the answer to one request. */
export function answerTo(request: MemoryRequest, contents: Contents): Response {
  const { pathname, searchParams } = new URL(request.url)
  if (pathname === WELL_KNOWN_PATH) return Response.json(documentOf(contents))
  const [kind, first, second, ...rest] = pathname.startsWith(`${PREFIX}/`)
    ? pathname
        .slice(PREFIX.length + 1)
        .split('/')
        .map(decodeURIComponent)
    : []
  if (kind === 'actions' && first !== undefined && second === undefined) return act(first, request, contents)
  if (kind !== 'entities' || first === undefined || rest.length > 0) return failure(404, 'not_found')
  if (!contents.types.has(first)) return failure(404, 'unknown_type', { type: first })
  const ofType = contents.entities.filter(({ type }) => type === first)
  if (second === undefined) return list(ofType, searchParams, contents.pageSize)
  const entity = ofType.find(({ id }) => id === second.normalize('NFC'))
  return entity ? Response.json(entity) : failure(404, 'entity_not_found', { type: first, id: second })
}

/** Returns a response with the error body of the protocol. */
export function failure(
  status: number,
  code: string,
  details: Record<string, unknown> = {},
  retryAfter?: number,
): Response {
  const headers = retryAfter === undefined ? {} : { 'retry-after': `${retryAfter}` }
  return Response.json({ code, message: `${code}.`, details, requestId: 'memory' }, { status, headers })
}

function documentOf({ origin, id = 'urn:example:memory', types, actions = {}, document }: Contents) {
  const names = [DISCOVER_ACTION, ...Object.keys(actions)]
  return {
    protocol: PROTOCOL,
    world: { id },
    endpoints: { api: origin + PREFIX },
    entityTypes: [...types].sort().map((type) => ({ type })),
    actions: names.map((name) => ({ name, safe: true })),
    ...document,
  }
}

function list(entities: Entity[], query: URLSearchParams, pageSize = 50): Response {
  const cursor = query.get('cursor')
  const after = cursor === null ? '' : idIn(cursor)
  if (after === undefined) return failure(400, 'invalid_cursor')
  const asked = query.get('limit') ?? `${pageSize}`
  if (!/^\d+$/.test(asked)) return failure(400, 'invalid_parameter')
  const limit = Number(asked)
  const left = entities.filter(({ id }) => id > after).sort((a, b) => (a.id < b.id ? -1 : 1))
  const page = left.slice(0, limit)
  const last = page.at(-1)
  const next = last && left.length > limit ? { nextCursor: `after-${encodeURIComponent(last.id)}` } : {}
  return Response.json({ entities: page, ...next, limit, total: entities.length })
}

function idIn(cursor: string): string | undefined {
  return cursor.startsWith('after-') ? decodeURIComponent(cursor.slice(6)) : undefined
}

function act(name: string, { method, body }: MemoryRequest, contents: Contents): Response {
  const action = name === DISCOVER_ACTION ? discover(contents) : contents.actions?.[name]
  if (!action) return failure(404, 'unknown_action', { action: name })
  if (method !== 'POST') return failure(405, 'method_not_allowed', { method, allowed: ['POST'] })
  const input = inputIn(body)
  return input ? Response.json({ action: name, output: action(input) }) : failure(400, 'invalid_input')
}

function inputIn(body: string | undefined): JsonObject | undefined {
  try {
    const { input } = JSON.parse(body ?? '')
    return typeof input === 'object' && input !== null ? input : undefined
  } catch {
    return undefined
  }
}

/** Every word must occur somewhere in the entity. */
function discover({ entities }: Contents) {
  return (input: JsonObject): JsonValue => {
    const { types, text, limit } = input
    const words = `${text ?? ''}`.toLowerCase().split(/\s+/).filter(Boolean)
    const wanted = Array.isArray(types) && types.length > 0 ? types : undefined
    const found = entities.filter((entity) => {
      const plain = JSON.stringify(entity).toLowerCase()
      return (!wanted || wanted.includes(entity.type)) && words.every((word) => plain.includes(word))
    })
    const most = typeof limit === 'number' ? limit : 20
    const counts: Record<string, number> = {}
    for (const { type } of found) counts[type] = (counts[type] ?? 0) + 1
    return {
      entities: found.slice(0, most) as unknown as JsonValue[],
      limit: most,
      total: found.length,
      counts,
      truncated: found.length > most,
      matched: words,
    }
  }
}
