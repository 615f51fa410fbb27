/** The extension `worldwright:operator` (decisions 8): Level 1 with writes, strong tags and tokens, on a path of its own. */
import type { EntityTypeDescription, JsonObject } from '@worldwright/client/protocol'
import type {
  EntityWrites,
  Extension,
  Mount,
  Route,
  World,
  WorldRequest,
  WorldResponse,
  WriteCondition,
} from '@worldwright/core'
import { splitTarget, WorldFault } from '@worldwright/core'
import type { Store, StoredEntity } from '@worldwright/core/store'
import { MAX_ENTITY_BYTES, MAX_LINE_BYTES, ndjsonExport } from '@worldwright/entities'
import { withWriteTimeout } from '../files/idle-timeout.ts'
import { Audit, type AuditEntry } from './audit.ts'
import { type Access, createAccess, createAuthentication } from './authorise.ts'
import { type BulkWrite, bulkResponse, MAX_REJECTED_ROWS, MAX_UNPACKED_BYTES } from './bulk.ts'
import { OPERATIONS } from './operations.ts'
import { preconditionOf } from './preconditions.ts'
import { readWriteBody } from './read-body.ts'
import { refusedRoutes } from './refused-routes.ts'
import { createTokenCheck, hasTokens, scopeFor } from './tokens.ts'
import { EntityWriter, type WriterOptions, type Written } from './writer.ts'

/** Path of the operator API, on the origin of the API. */
export const OPERATOR_PATH = '/api/operator/v0'

/** The extension's name in the discovery document. */
export const OPERATOR_EXTENSION = 'worldwright:operator'

/** Maximum bytes of a request that writes one entity: fits an entity of the largest size, indented and escaped. */
const MAX_WRITE_BYTES = 1024 * 1024

/** Response header of a write: the store's position after it, which reads accept as `worldwright-after`. */
const POSITION_HEADER = 'worldwright-position'

/** The media type of entities one per line. */
const NDJSON = 'application/x-ndjson'

/** Options of writing: the schemas, the access rights and the audit. */
export interface OperatorOptions extends WriterOptions {
  /** Serves the operator API. If false, tokens still decide who may read and call, and actions can write. Default true. */
  readonly isServed?: boolean
  /** Requires a token for reads. Default false. */
  readonly isPrivate?: boolean
  /** The types that discovery of a private world lists. Absent: all. */
  readonly listedTypes?: readonly EntityTypeDescription[]
  /** At a replica, the origin of the upstream: the replica refuses writes and names it. */
  readonly upstream?: string | undefined
  /** Receives an entry for each change that a valid token asked for, refused ones included. */
  readonly audit?: (entry: AuditEntry) => void
  readonly now?: () => Date
}

/** Lets clients with a token write: over HTTP, and by actions that change things. */
export function operator(options: OperatorOptions = {}): Extension {
  const { isServed = true, isPrivate = false, listedTypes, upstream, now } = options
  return (mount) => {
    const { store } = mount
    const isWritten = upstream === undefined
    const access = createAccess(mount.callerOf, isPrivate)
    const audit = options.audit && new Audit(options.audit, mount.callerOf)
    const writer = new EntityWriter(mount.world, store, options)
    const routes = operatorRoutes(mount, writer, access, audit)
    return {
      name: OPERATOR_EXTENSION,
      authenticate: createAuthentication(createTokenCheck(store, now)),
      async admitCall(request, { name, safe }) {
        if (safe) return
        audit?.note(request, { action: name })
        await access.requireScope(request, `call:${name}`)
      },
      declares: async () => (isWritten && isServed && (await hasTokens(store)) ? DECLARATION : undefined),
      routes: isWritten ? (isServed ? routes : []) : refusedRoutes(routes, upstream),
      writes: isWritten ? writesOf(writer) : undefined,
      ...(audit && { around: (handle) => audit.around(handle) }),
      ...(isPrivate && {
        admit: access.requireRead,
        authentication: { required: true, schemes: ['bearer'] },
        listedTypes,
      }),
    }
  }
}

function writesOf(writer: EntityWriter): EntityWrites {
  return {
    put: async (...write) => (await writer.replace(...write)).entity,
    async delete(...write) {
      await writer.remove(...write)
    },
  }
}

function operatorRoutes(
  mount: Mount,
  writer: EntityWriter,
  access: Access,
  audit: Audit | undefined,
): Route[] {
  const { world, store, callerOf } = mount
  const [list, , action] = mount.levelOne(OPERATOR_PATH)
  const routes: Route[] = [
    { ...action, operations: { POST: { ...action.operations.POST, id: 'operatorCall', needsToken: true } } },
    bulkRoute(list, world, writer, store, audit),
    entityRoute(world, writer),
    typesRoute(world, store),
    exportRoute(world, store),
  ]
  return routes.map((route) => ({
    ...guarded(route, access, audit),
    open: true,
    // Without any token nobody could use the API, so it answers as if it did not exist.
    present: async (request) => (await callerOf(request)) !== undefined || hasTokens(store),
  }))
}

/** The declaration of the operator API in the discovery document. */
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

/** Wraps a route in a check of scopes and keeps its responses out of shared caches. Actions need the rights of a GET. */
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
        // The response is the whole entity, of which the request holds only a part.
        if (method === 'PATCH') await access.requireRead(request, () => [type])
      }
      const answered = Promise.resolve(run(request, params, failed))
      return privateResponse(await answered.catch((thrown) => withheld(thrown, request, type, access)))
    },
  ])
  return { ...route, methods: Object.fromEntries(methods) }
}

/** Rethrows an error. If the token may not read, omits the revision, which could confirm a guess of the content. */
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

/** Returns a response for the asking client alone: the server's own cache does not keep it either. */
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
  storage: Store,
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
        return bulkResponse({ request, type, check, storage, failed, done })
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

function typesRoute(world: World, storage: Store): Route {
  return {
    path: `${OPERATOR_PATH}/types`,
    operations: OPERATIONS.types,
    methods: {
      async GET({ signal }) {
        const [types, states] = await Promise.all([world.types(), storage.types({ signal })])
        const listed = types.map((type) => ({ ...type, count: states.get(type.type)?.count ?? 0 }))
        return { status: 200, headers: JSON_TYPE, body: JSON.stringify({ types: listed }) }
      },
    },
  }
}

/** Streams everything, or the one type that `?type=` names, from one snapshot. */
function exportRoute(world: World, storage: Store): Route {
  return {
    path: `${OPERATOR_PATH}/export`,
    operations: OPERATIONS.export,
    answers: [NDJSON],
    reads(request) {
      const type = typeAsked(request)
      return type === undefined ? undefined : [type]
    },
    methods: {
      async GET(request) {
        const type = typeAsked(request)
        if (type !== undefined) await world.requireType(type)
        return {
          status: 200,
          headers: { 'content-type': NDJSON, 'cache-control': 'no-store' },
          body: request.method === 'HEAD' ? '' : withWriteTimeout(ndjsonExport(storage, type)),
        }
      },
    },
  }
}

function typeAsked({ target }: WorldRequest): string | undefined {
  return new URLSearchParams(splitTarget(target).query).get('type') ?? undefined
}

const JSON_TYPE = { 'content-type': 'application/json' }

/** Has a strong tag: the bytes of an entity depend only on its revision and times, which change together. */
function entityResponse({ json, revision }: StoredEntity): WorldResponse {
  return { status: 200, headers: { ...JSON_TYPE, etag: `"${revision}"` }, body: json }
}

function writtenResponse({ entity, position }: Pick<Written, 'entity' | 'position'>): WorldResponse {
  const response = entityResponse(entity)
  return { ...response, headers: { ...response.headers, [POSITION_HEADER]: position } }
}
