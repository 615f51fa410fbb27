/** The extension `worldwright:operator` (decisions 8): Level 1 with writes, strong tags and tokens, at a separate path. */
import type { EntityTypeDescription, JsonObject } from '@worldwright/client/protocol'
import type {
  Capability,
  Extension,
  Mount,
  Route,
  World,
  WorldRequest,
  WorldResponse,
} from '@worldwright/core'
import { WorldFault } from '@worldwright/core'
import type { Store, StoredEntity } from '@worldwright/core/store'
import { MAX_ENTITY_BYTES, MAX_LINE_BYTES } from '@worldwright/entities'
import { jobRoute } from '../actions/job-route.ts'
import { Audit, type AuditEntry } from './audit.ts'
import { type Access, createAccess, createAuthentication } from './authorise.ts'
import { type BulkWrite, bulkResponse, MAX_REJECTED_ROWS, MAX_UNPACKED_BYTES } from './bulk.ts'
import { OPERATIONS } from './operations.ts'
import { outcomeRoute } from './outcome-route.ts'
import { PICTURES, type PictureStore, pictureRoute } from './picture-route.ts'
import { preconditionOf } from './preconditions.ts'
import { readWriteBody } from './read-body.ts'
import { exportRoute, typesRoute } from './read-routes.ts'
import { refusedRoutes } from './refused-routes.ts'
import { createTokenCheck, hasTokens, scopeFor } from './tokens.ts'
import { EntityWriter, type WriteCondition, type WriterOptions, type Written } from './writer.ts'

/** Path of the operator API on the API's origin. */
export const OPERATOR_PATH = '/api/operator/v0'

/** Name of the extension in the discovery document. */
export const OPERATOR_EXTENSION = 'worldwright:operator'

/** Maximum bytes of a single-entity write: room for the largest entity, even if indented and escaped. */
const MAX_WRITE_BYTES = 1024 * 1024

/** Response header with the store's position after a write. Reads accept this position as `worldwright-after`. */
const POSITION_HEADER = 'worldwright-position'

/** Media type of NDJSON, with one entity per line. */
const NDJSON = 'application/x-ndjson'

/** Options of the operator API. */
export interface OperatorOptions extends WriterOptions {
  /** True (default) to serve the operator API. Otherwise, tokens still govern reads and calls, and actions can write. */
  readonly isServed?: boolean
  /** True to require credentials for reads. Default: false. */
  readonly isPrivate?: boolean
  /** Types listed in the discovery document of a private world. Default: all. */
  readonly listedTypes?: readonly EntityTypeDescription[]
  /** Origin of the upstream, if this is a replica. Writes are refused with an error that names the upstream. */
  readonly upstream?: string | undefined
  /** Returns the caller of a request without a token of the store, such as a user of your site. */
  readonly authenticate?: NonNullable<Capability['authenticate']>
  /** Called with an audit entry for each change requested with valid credentials, even if the request is refused. */
  readonly audit?: (entry: AuditEntry) => void
  /** Stores pictures that callers send. Absent if the operator API accepts none. */
  readonly pictures?: PictureStore | undefined
  readonly now?: () => Date
}

/** Allows callers to write, over HTTP and through unsafe actions. */
export function operator(options: OperatorOptions = {}): Extension {
  const { isServed = true, isPrivate = false, listedTypes, upstream, pictures, now } = options
  return (mount) => {
    const { store } = mount
    const isWritten = upstream === undefined
    const byToken = createAuthentication(createTokenCheck(store, now))
    const access = createAccess(mount.callerOf, isPrivate)
    const audit = options.audit && new Audit(options.audit, mount.callerOf)
    const writer = new EntityWriter(mount.world, store, options)
    const routes = operatorRoutes(mount, writer, access, audit, pictures)
    const jobs = [jobRoute(mount.apiPath, 'world', store, mount.callerOf)]
    if (isServed) jobs.push(jobRoute(OPERATOR_PATH, 'operator', store, mount.callerOf))
    return {
      name: OPERATOR_EXTENSION,
      async authenticate(request) {
        return (await byToken(request)) ?? options.authenticate?.(request)
      },
      async admitCall(request, { name, safe }) {
        if (safe) return
        audit?.note(request, { action: name })
        await access.requireScope(request, `call:${name}`)
      },
      declares: async () =>
        isWritten && isServed && (await hasTokens(store))
          ? { ...DECLARATION, ...(pictures && { pictures: PICTURES }) }
          : undefined,
      routes: isWritten ? [...(isServed ? routes : []), ...jobs] : refusedRoutes(routes, upstream),
      writes: isWritten ? { store, validEntity: (...write) => writer.validEntity(...write) } : undefined,
      ...(audit && { around: (handle) => audit.around(handle) }),
      ...(isPrivate && {
        admit: access.requireRead,
        authentication: { required: true, schemes: ['bearer'] },
        listedTypes,
      }),
    }
  }
}

function operatorRoutes(
  mount: Mount,
  writer: EntityWriter,
  access: Access,
  audit: Audit | undefined,
  pictures: PictureStore | undefined,
): Route[] {
  const { world, store, callerOf } = mount
  const [list, , action] = mount.levelOne(OPERATOR_PATH)
  const routes: Route[] = [
    { ...action, operations: { POST: { ...action.operations.POST, id: 'operatorCall', needsToken: true } } },
    bulkRoute(list, world, writer, store, audit),
    entityRoute(world, writer),
    ...(pictures ? [pictureRoute(OPERATOR_PATH, world, pictures, audit)] : []),
    typesRoute(OPERATOR_PATH, mount),
    exportRoute(OPERATOR_PATH, mount),
    outcomeRoute(OPERATOR_PATH, store),
  ]
  return routes.map((route) => ({
    ...guarded(route, access, audit),
    open: true,
    // If the request has no caller and the store has no tokens, the routes respond as if they did not exist.
    present: async (request) => (await callerOf(request)) !== undefined || hasTokens(store),
  }))
}

/** Declaration of the operator API in the discovery document. */
const DECLARATION: JsonObject = {
  path: OPERATOR_PATH,
  authentication: {
    schemes: ['bearer'],
    scopes: ['read', 'read:TYPE', 'write', 'write:TYPE', 'call', 'call:ACTION', 'admin'],
  },
  limits: {
    maxEntityBytes: MAX_ENTITY_BYTES,
    maxRequestBytes: MAX_WRITE_BYTES,
    maxLineBytes: MAX_LINE_BYTES,
    maxUnpackedBytes: MAX_UNPACKED_BYTES,
    maxRejectedRows: MAX_REJECTED_ROWS,
  },
  mediaTypes: { patch: 'application/merge-patch+json', bulk: NDJSON },
}

/** Adds scope checks to a route and keeps its responses out of shared caches. Actions require the same scopes as a GET. */
function guarded(route: Route, access: Access, audit: Audit | undefined): Route {
  const methods = Object.entries(route.methods).map(([method, run]): [string, typeof run] => [
    method,
    async (request, params, failed) => {
      const { type = '', id, action } = params
      if (method === 'GET' || action !== undefined)
        await access.requireRead(request, () => route.reads?.(request, params))
      else {
        audit?.note(request, { type, ...(id !== undefined && { id }) })
        await access.requireScope(request, scopeFor('write', type))
        // The response to a PATCH reveals the whole entity, so the client needs read access to it.
        if (method === 'PATCH') await access.requireRead(request, () => [type])
      }
      const answered = Promise.resolve(run(request, params, failed))
      return privateResponse(await answered.catch((thrown) => withheld(thrown, request, type, access)))
    },
  ])
  return { ...route, methods: Object.fromEntries(methods) }
}

/** Rethrows an error. Omits the revision if the client has no read access, since it could confirm guessed content. */
async function withheld(
  thrown: unknown,
  request: WorldRequest,
  type: string,
  access: Access,
): Promise<never> {
  if (thrown instanceof WorldFault && thrown.details['revision'] !== undefined)
    await access
      .requireRead(request, () => [type])
      .catch(() => {
        throw new WorldFault('precondition_failed', 'The condition does not hold.', { revision: null })
      })
  throw thrown
}

/** Marks a response as private to its client. This also keeps it out of the server's own cache. */
function privateResponse({ status, headers, body }: WorldResponse): WorldResponse {
  const caching = headers['cache-control'] === 'no-store' ? 'no-store' : 'private, no-cache'
  return {
    status,
    headers: { ...headers, 'cache-control': caching, vary: 'Accept-Encoding, Authorization' },
    body,
  }
}

function bulkRoute(
  list: Route,
  world: World,
  { check }: EntityWriter,
  store: Store,
  audit: Audit | undefined,
): Route {
  return {
    ...list,
    operations: OPERATIONS.list,
    answers: [NDJSON],
    methods: {
      ...list.methods,
      async POST(request, { type = '' }, failed) {
        await world.requireType(type)
        const done: BulkWrite['done'] = (outcome) => audit?.note(request, outcome)
        return bulkResponse({ request, type, check, store, failed, done })
      },
    },
  }
}

function entityRoute(world: World, writer: EntityWriter): Route {
  return {
    path: `${OPERATOR_PATH}/entities/{type}/{id}`,
    operations: OPERATIONS.entity,
    reads: (_, { type = '' }) => [type],
    methods: {
      async GET({ signal }, { type = '', id = '' }) {
        return entityResponse(await world.get(type, id, { signal }))
      },
      async PUT(request, { type = '', id = '' }) {
        const value = await readWriteBody(request, ['application/json'], MAX_WRITE_BYTES)
        const { change, ...written } = await writer.replace(type, id, value, conditionOf(request))
        const { entity } = written
        const response = writtenResponse(written)
        if (change !== 'created') return response
        const location = `${OPERATOR_PATH}/entities/${encodeURIComponent(type)}/${encodeURIComponent(entity.id)}`
        return { ...response, status: 201, headers: { ...response.headers, location } }
      },
      async PATCH(request, { type = '', id = '' }) {
        const types = ['application/merge-patch+json', 'application/json']
        const patch = await readWriteBody(request, types, MAX_WRITE_BYTES)
        return writtenResponse(await writer.patch(type, id, patch, conditionOf(request)))
      },
      async DELETE(request, { type = '', id = '' }) {
        const position = await writer.remove(type, id, conditionOf(request))
        return { status: 204, headers: { [POSITION_HEADER]: position } }
      },
    },
  }
}

function conditionOf(request: WorldRequest): WriteCondition {
  return { precondition: preconditionOf(request), signal: request.signal }
}

const JSON_TYPE = { 'content-type': 'application/json' }

/** Returns an entity with a strong tag. Its JSON depends only on its revision and timestamps, which change together. */
function entityResponse({ json, revision }: StoredEntity): WorldResponse {
  return { status: 200, headers: { ...JSON_TYPE, etag: `"${revision}"` }, body: json }
}

function writtenResponse({ entity, position }: Pick<Written, 'entity' | 'position'>): WorldResponse {
  const response = entityResponse(entity)
  return { ...response, headers: { ...response.headers, [POSITION_HEADER]: position } }
}
