/** The routes of the reference world: the decisions, written a second time and as plainly as possible. */
import { createHash } from 'node:crypto'
import { actionAnswer } from './reference-actions.ts'
import { type ReferenceEntity, referenceDocument, referenceEntities } from './reference-data.ts'
import { type Asked, acceptsJson, conditional, preflight, refuse, type Told, told } from './reference-http.ts'

/** Setup of a reference world, including its defects. */
export interface ReferenceSetup {
  readonly document?: (document: Record<string, unknown>) => void
  readonly entities?: readonly ReferenceEntity[]
  /** The token of a private world. */
  readonly token?: string
  readonly retiredPath?: string
  /** Further paths, each with its answer. */
  readonly extra?: Readonly<Record<string, () => Told>>
}

/** The path of the API of a reference world. */
export const API_PATH = '/there/v0'

const TYPE = /^[a-z][a-z0-9]*([.-][a-z0-9]+)*:[A-Za-z][A-Za-z0-9]*([._-][A-Za-z0-9]+)*$/
// biome-ignore lint/suspicious/noControlCharactersInRegex: exactly what an id may not hold.
const CONTROL = /[\u0001-\u001f\u007f-\u009f\u2028\u2029]/
const READS = 'GET, HEAD, OPTIONS'

/** Answers one request of a world at `origin`. Throws Refusal. */
export function answer(asked: Asked, origin: string, setup: ReferenceSetup): Told {
  if (asked.path.length + asked.query.length > 8192) refuse(414, 'uri_too_long', { maxBytes: 8192 })
  const { retiredPath, extra } = setup
  if (retiredPath !== undefined && asked.path.startsWith(`${retiredPath}/`)) refuse(410, 'api_moved')
  const added = extra?.[asked.path]
  if (added !== undefined) return added()
  const route = routeOf(asked.path)
  const methods = route === 'action' ? 'POST, OPTIONS' : READS
  if (asked.method === 'OPTIONS') return preflight(methods)
  if (route === undefined) refuse(404, 'not_found', { path: asked.path })
  const method = asked.method === 'HEAD' && route !== 'action' ? 'GET' : asked.method
  if (!methods.split(', ').includes(method))
    refuse(405, 'method_not_allowed', { method, allowed: methods.split(', ') }, { allow: methods })
  if (!acceptsJson(asked.headers['accept']))
    refuse(406, 'not_acceptable', { supported: ['application/json'] })
  if (route === 'discovery') return discovery(origin, setup)
  const authorized = authorize(asked, setup)
  const done = apiAnswer(route, asked, setup)
  if (authorized)
    done.headers['cache-control'] = (done.headers['cache-control'] ?? '').replace('public', 'private')
  return conditional(done, asked.headers['if-none-match'])
}

type RouteName = 'discovery' | 'list' | 'entity' | 'action'

function routeOf(path: string): RouteName | undefined {
  if (path === '/.well-known/world.json') return 'discovery'
  if (!path.startsWith(`${API_PATH}/`)) return undefined
  const components = path.slice(API_PATH.length + 1).split('/')
  if (components.includes('')) return undefined
  if (components[0] === 'entities' && components.length === 2) return 'list'
  if (components[0] === 'entities' && components.length === 3) return 'entity'
  return components[0] === 'actions' && components.length === 2 ? 'action' : undefined
}

function authorize({ headers }: Asked, { token }: ReferenceSetup): boolean {
  const given = headers['authorization']
  if (token !== undefined && given !== `Bearer ${token}`)
    refuse(401, 'unauthenticated', { schemes: ['bearer'] }, { 'www-authenticate': 'Bearer' })
  return given !== undefined
}

function discovery(origin: string, setup: ReferenceSetup): Told {
  const document = referenceDocument(origin + API_PATH)
  if (setup.token !== undefined) document['authentication'] = { required: true, schemes: ['bearer'] }
  setup.document?.(document)
  return told(200, document, { 'cache-control': 'public, max-age=60, stale-if-error=86400' })
}

function apiAnswer(route: RouteName, asked: Asked, setup: ReferenceSetup): Told {
  const [, first = '', second = ''] = asked.path
    .slice(API_PATH.length + 1)
    .split('/')
    .map(decode)
  const entities = setup.entities ?? referenceEntities()
  if (route === 'action') return actionAnswer(first, asked, entities, TYPES)
  if (!TYPE.test(first) || first.length > 128)
    refuse(400, 'invalid_type', { type: first, reason: 'malformed' })
  if (!TYPES.includes(first)) refuse(404, 'unknown_type', { type: first })
  const own = entities.filter((entity) => entity.type === first)
  return route === 'list' ? list(first, own, asked.query) : one(first, second, own)
}

const TYPES: readonly string[] = ['ref:cloud', 'ref:river', 'ref:tree']

function decode(component: string): string {
  try {
    return decodeURIComponent(component)
  } catch {
    refuse(400, 'invalid_request', { reason: 'broken_escape' })
  }
}

function one(type: string, id: string, own: readonly ReferenceEntity[]): Told {
  const composed = id.normalize('NFC')
  const dots = /(^|[/\\])\.{1,2}($|[/\\])/.test(id)
  const bad =
    Buffer.byteLength(composed) > 512 || CONTROL.test(id) || id.includes('\u0000') || id.trim() !== id
  if (bad || dots) refuse(400, 'invalid_id', { id, reason: 'malformed' })
  const found = own.find((entity) => entity.id === composed)
  if (found === undefined) refuse(404, 'entity_not_found', { type, id })
  return told(200, found, { 'cache-control': 'public, no-cache', etag: `W/"${found.revision}"` })
}

function list(type: string, own: readonly ReferenceEntity[], query: string): Told {
  const pairs = query.split('&').map((pair) => pair.split('=').map(decodedPart))
  const values = (name: string) => pairs.filter(([own]) => own === name).map(([, value = '']) => value)
  const limit = limitOf(values('limit'))
  const cursors = values('cursor')
  if (cursors.length > 1) refuseParameter('cursor', 'repeated')
  const after = cursors[0] === undefined ? undefined : position(type, cursors[0])
  const start = after === undefined ? 0 : own.findIndex((entity) => entity.id === after) + 1
  const entities = own.slice(start, start + limit)
  const last = entities.at(-1)
  const more = last !== undefined && start + limit < own.length
  const next = more ? { nextCursor: cursorAfter(type, last.id) } : {}
  return told(
    200,
    { entities, ...next, limit, total: own.length },
    { 'cache-control': 'public, no-cache', etag: `W/"1-v1-${limit}"` },
  )
}

/** Decodes a part of a query; one with a broken escape stays unchanged. */
function decodedPart(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function limitOf(values: readonly string[]): number {
  const [value] = values
  if (value === undefined) return 5
  if (values.length > 1) refuseParameter('limit', 'repeated')
  if (!/^[0-9]+$/.test(value)) refuseParameter('limit', 'not_integer')
  return Math.min(Number(value), 10)
}

function refuseParameter(name: string, reason: string): never {
  refuse(400, 'invalid_parameter', { fields: [{ in: 'query', name, reason }] })
}

function cursorAfter(type: string, id: string): string {
  const sum = createHash('sha256').update(`${type} ${id}`).digest().subarray(0, 6)
  return Buffer.concat([sum, Buffer.from(id)]).toString('base64url')
}

function position(type: string, cursor: string): string {
  const id = Buffer.from(cursor, 'base64url').subarray(6).toString()
  if (cursorAfter(type, id) !== cursor) refuse(400, 'invalid_cursor', { reason: 'malformed' })
  return id
}
