/** Reconciliation Service API 0.2 for every type of a world, as used by OpenRefine. */
import type { JsonObject } from '@worldwright/client/protocol'
import type { Extension, Route, RouteParams, WorldRequest, WorldResponse } from '@worldwright/core'
import { QueryReader, requireBodyType, splitTarget, textOf, WorldFault, wholeBody } from '@worldwright/core'
import { typeName } from '../pages/seen-text.ts'
import { requireSearch } from '../query/require-search.ts'
import { candidatesOf } from './candidates.ts'
import { extended, previewOf, type Service, suggested } from './entities.ts'
import { BATCH_SIZE, propertiesOf, readBatch } from './read-queries.ts'

type Answer = (service: Service, form: QueryReader, params: RouteParams) => Promise<JsonObject | string>

const PATH = '/reconcile/{type}'
/** Maximum size of a form, in bytes: room for a full batch of queries that take 2.5 KB each in percent-encoding. */
const MAX_BODY_BYTES = 262_144
/** Request timeout, in seconds: enough for a full batch of searches that each use their whole budget. */
const SECONDS = 30
const LATE = `There was no answer within ${SECONDS} s.`
/** Content security policy of previews, which run no scripts and may be framed by any origin. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"

/** Handlers by path suffix. */
const ANSWERS: Readonly<Record<string, Answer>> = {
  '': answered,
  '/suggest/entity': (service, form) => suggested(service, 'entity', form),
  '/suggest/property': (service, form) => suggested(service, 'property', form),
  '/suggest/type': (service, form) => suggested(service, 'type', form),
  '/properties': async ({ type }, form) => {
    const [asked = type.type, limit] = [form.single('type'), form.count('limit')]
    form.finish()
    const properties = asked === type.type ? [...propertiesOf(type).values()].slice(0, limit) : []
    return { type: asked, properties: properties.map(({ id, name }) => ({ id, name })) }
  },
  '/preview/{id}': (service, _, { id = '' }) => previewOf(service, id),
}

/** Creates the extension. `view` is the path prefix of entity pages, without `{type}/{id}`. Default: the API's prefix. */
export function reconcile({ view }: { readonly view?: string } = {}): Extension {
  return ({ world, source, origin, apiUrl }) => {
    requireSearch(source, 'reconcile()')
    return {
      name: 'worldwright:reconcile',
      declares: (): JsonObject => ({ path: PATH, versions: ['0.2'], batchSize: BATCH_SIZE }),
      routes: Object.entries(ANSWERS).map((one) => route({ world, source, origin, apiUrl, view }, ...one)),
    }
  }
}

function route(mount: Omit<Service, 'type' | 'request' | 'signal'>, path: string, answer: Answer): Route {
  const handle = async (request: WorldRequest, params: RouteParams): Promise<WorldResponse> => {
    const { type: name = '' } = params
    await mount.world.requireType(name)
    const type = (await mount.world.types()).find((one) => one.type === name) ?? { type: name }
    const isPosted = request.method === 'POST'
    if (isPosted) requireBodyType(request, ['application/x-www-form-urlencoded'], ['identity'])
    const posted = isPosted ? textOf(await wholeBody(request, MAX_BODY_BYTES)) : undefined
    // Decoded once for all parameters.
    const pairs = new URLSearchParams(posted ?? splitTarget(request.target).query)
    const form = Object.assign(new QueryReader(''), { values: (key: string) => pairs.getAll(key) })
    const time = AbortSignal.timeout(SECONDS * 1_000)
    const signal = AbortSignal.any([time, request.signal ?? time])
    const body = await answer({ ...mount, type, request, signal }, form, params).catch((cause) => {
      throw time.aborted ? new WorldFault('action_timeout', LATE, { seconds: SECONDS }, {}, { cause }) : cause
    })
    const media = typeof body === 'string' ? 'text/html; charset=utf-8' : 'application/json'
    const headers = { 'content-type': media, 'cache-control': 'no-store', 'content-security-policy': POLICY }
    return { status: 200, headers, body: typeof body === 'string' ? body : JSON.stringify(body) }
  }
  return { path: PATH + path, lane: 'search', answers: ['text/html'], methods: { GET: handle, POST: handle } }
}

/** Answers a batch of independent queries or a data extension query. Without either, returns the service manifest. */
async function answered(service: Service, form: QueryReader): Promise<JsonObject> {
  const { request, type } = service
  const [queries, extend] = [form.single('queries'), form.single('extend')]
  const isEmpty = queries === undefined && extend === undefined
  if (isEmpty && request.method === 'POST') form.refuse('queries', 'required', 'is missing.')
  form.finish()
  const urlOf = (name: string) => `${service.origin(request).url}/reconcile/${encodeURIComponent(name)}`
  if (extend !== undefined) return extended(service, extend, urlOf)
  if (queries === undefined) return manifestOf(service, urlOf(type.type))
  const results = await Array.fromAsync(readBatch(queries, type), async ([key, query]) => {
    return [key, { result: await candidatesOf(service, query) }] as const
  })
  return Object.fromEntries(results)
}

function manifestOf(service: Service, base: string): JsonObject {
  const { request, view, origin, apiUrl } = service
  const views = view === undefined ? `${apiUrl(request).url}/entities/` : origin(request).url + view
  const type = { id: service.type.type, name: typeName(service.type) }
  const { id, name = id } = service.world.description
  // The identifier and schema spaces derive from the world's id, so that they are the same for its replicas.
  const space = `${id}${id.includes('#') ? '/' : '#'}${encodeURIComponent(type.id)}`
  const at = (path: string) => ({ service_url: base, service_path: path })
  return {
    versions: ['0.2'],
    name: `${name}: ${type.name}`,
    identifierSpace: `${space}/`,
    schemaSpace: space,
    defaultTypes: [type],
    batchSize: BATCH_SIZE,
    view: { url: `${views}${encodeURIComponent(type.id)}/{{id}}` },
    preview: { url: `${base}/preview/{{id}}`, width: 430, height: 300 },
    suggest: { entity: at('/suggest/entity'), property: at('/suggest/property'), type: at('/suggest/type') },
    extend: { propose_properties: at('/properties'), property_settings: [] },
  }
}
