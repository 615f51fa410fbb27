/**
 * Responses of an in-memory world: a minimal Level 1 implementation, with changes, queries and the operator API.
 */
import { attempt } from '../error.ts'
import { EVENT_STREAM } from '../live-events.ts'
import {
  DISCOVER_ACTION,
  type DiscoveryDocument,
  type Entity,
  isObject,
  type JsonObject,
  type JsonValue,
  PROTOCOL,
  WELL_KNOWN_PATH,
} from '../protocol.ts'
import { QUERY_ACTION } from '../query.ts'
import { failure, type MemoryRequest } from './failure.ts'
import type { MemoryLog } from './memory-log.ts'
import { discover, query } from './memory-query.ts'
import { byName } from './memory-values.ts'
import { answerToBulk, answerToWrite } from './memory-writes.ts'

/** Contents and settings of a memory world. */
export interface Contents {
  readonly origin: string
  readonly log: MemoryLog
  readonly id?: string
  readonly actions?: Record<string, (input: JsonObject) => JsonValue>
  readonly pageSize?: number
  readonly document?: Partial<DiscoveryDocument>
}

// Deliberately differs from the path of other worlds, because programs must take the path from discovery.
const PREFIX = '/memory/v0'
const OPERATOR = '/memory/operator'
const CHANGES_EXTENSION = 'worldwright:changes'
const OPERATOR_EXTENSION = 'worldwright:operator'

/** Returns the response to a request. Routes of undeclared extensions are not found. */
export function answerTo(request: MemoryRequest, contents: Contents): Response {
  const { method, headers } = request
  const { pathname, searchParams } = new URL(request.url)
  const document = documentOf(contents)
  if (pathname === WELL_KNOWN_PATH) return Response.json(document)
  const { log, pageSize } = contents
  const { extensions = {} } = document
  const isOperator = pathname.startsWith(`${OPERATOR}/`) && extensions[OPERATOR_EXTENSION] !== undefined
  const prefix = isOperator ? OPERATOR : PREFIX
  const [kind, type, id, ...rest] = pathname.startsWith(`${prefix}/`)
    ? pathname
        .slice(prefix.length + 1)
        .split('/')
        .map(decodeURIComponent)
    : []
  if (isOperator && headers['authorization'] === undefined) return failure(401, 'unauthenticated')
  if (kind === 'changes' && extensions[CHANGES_EXTENSION])
    return changes(searchParams, headers['accept'], log)
  if (kind === 'actions' && type !== undefined && id === undefined) return act(type, request, contents)
  if (kind !== 'entities' || type === undefined || rest.length > 0) return failure(404, 'not_found')
  if (!log.types.has(type)) return failure(404, 'unknown_type', { type })
  if (method !== 'GET') {
    const isWrite = isOperator && (id === undefined ? ['POST'] : ['PUT', 'PATCH', 'DELETE']).includes(method)
    if (!isWrite) return failure(405, 'method_not_allowed', { method })
    return id === undefined ? answerToBulk(request, log, type) : answerToWrite(request, log, type, id)
  }
  if (id === undefined)
    return list(
      log.entities().filter((entity) => entity.type === type),
      searchParams,
      pageSize,
    )
  const entity = log.get(type, id)
  return entity ? Response.json(entity) : failure(404, 'entity_not_found', { type, id })
}

function changes(query: URLSearchParams, accept: string | undefined, log: MemoryLog): Response {
  const page = log.page(query)
  if (!page) return failure(400, 'invalid_cursor')
  return accept === EVENT_STREAM ? log.stream(query) : Response.json(page)
}

function documentOf({
  origin,
  id = 'urn:example:memory',
  log,
  actions = {},
  document,
}: Contents): DiscoveryDocument {
  const names = new Set([DISCOVER_ACTION, QUERY_ACTION, ...Object.keys(actions)])
  return {
    protocol: PROTOCOL,
    world: { id },
    endpoints: { api: origin + PREFIX },
    entityTypes: [...log.types].sort().map((type) => ({ type })),
    actions: [...names].map((name) => ({ name, safe: true })),
    extensions: {
      [QUERY_ACTION]: {},
      [CHANGES_EXTENSION]: { path: 'changes', formats: ['application/json', EVENT_STREAM] },
      [OPERATOR_EXTENSION]: { path: OPERATOR },
    },
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
  const left = entities.filter((entity) => byName(entity, { ...entity, id: after }) > 0)
  const page = left.slice(0, limit)
  const last = page.at(-1)
  const next = last && left.length > limit ? { nextCursor: `after-${encodeURIComponent(last.id)}` } : {}
  return Response.json({ entities: page, ...next, limit, total: entities.length })
}

function idIn(cursor: string): string | undefined {
  return cursor.startsWith('after-') ? decodeURIComponent(cursor.slice(6)) : undefined
}

function act(name: string, { method, body }: MemoryRequest, contents: Contents): Response {
  const { log, actions, pageSize } = contents
  const isQuery = name === QUERY_ACTION && documentOf(contents).extensions?.[QUERY_ACTION] !== undefined
  const own = name === DISCOVER_ACTION ? undefined : actions?.[name]
  if (!own && !isQuery && name !== DISCOVER_ACTION) return failure(404, 'unknown_action', { action: name })
  if (method !== 'POST') return failure(405, 'method_not_allowed', { method, allowed: ['POST'] })
  const input = attempt(() => JSON.parse(body ?? '').input)
  if (!isObject(input)) return failure(400, 'invalid_input')
  const answer = isQuery ? query : discover
  return Response.json({ action: name, output: own ? own(input) : answer(log.entities(), input, pageSize) })
}
