/** The operator API (decisions 8): the routes of Level 1 with writes, strong tags and tokens, on a path of its own. */
import type { JsonObject } from '@worldwright/client/protocol'
import { MAX_ENTITY_BYTES } from '../entities/entity-from-record.ts'
import { MAX_LINE_BYTES } from '../entities/json-lines.ts'
import { ndjsonExport } from '../entities/ndjson-export.ts'
import type { Route, RouteParams, WorldRequest, WorldResponse } from '../handler/http.ts'
import { withWriteTimeout } from '../handler/idle-timeout.ts'
import { levelOneRoutes } from '../handler/level-one.ts'
import { splitTarget } from '../handler/router.ts'
import type { Storage, StoredEntity } from '../storage/contract.ts'
import type { Action, EntityWrites, WriteCondition } from '../world/action.ts'
import { actionsOf } from '../world/query/own-actions.ts'
import { World, type WorldDescription } from '../world/world.ts'
import { Authoriser } from './authorise.ts'
import { bulkResponse, MAX_REJECTED_ROWS, MAX_UNPACKED_BYTES } from './bulk.ts'
import { OPERATIONS } from './operations.ts'
import { preconditionOf } from './preconditions.ts'
import { readWriteBody } from './read-body.ts'
import { createTokenCheck, hasTokens, type Scope } from './tokens.ts'
import { EntityWriter, type WriterOptions, type Written } from './writer.ts'

/** Where the operator API stands, on the origin of the API. */
export const OPERATOR_PATH = '/api/operator/v0'

/** The extension's name in the discovery document. */
export const OPERATOR_EXTENSION = 'worldwright:operator'

/** Bytes of a request that writes one entity: room for one of the largest size, indented and escaped. */
const MAX_WRITE_BYTES = 1024 * 1024

/** Says in the answer to a write how far the store has come with it: reads take it as `worldwright-after`. */
const POSITION_HEADER = 'worldwright-position'

/** The media type of entities one per line. */
const NDJSON = 'application/x-ndjson'

/** An operator API, ready to be given to `createWorld`. */
export interface OperatorApi {
  readonly routes: readonly Route[]
  /** What discovery declares: nothing as long as no token exists, since nothing is served then. */
  extensions(): Promise<Record<string, JsonObject>>
  /** For a private world: refuses requests that may not read it. @throws WorldFault `unauthenticated`, `forbidden` */
  admit(request: WorldRequest): Promise<void>
  /** Refuses requests that may not call an action that changes things. @throws WorldFault `unauthenticated`, `forbidden` */
  admitCall(request: WorldRequest, action: Action['description']): Promise<void>
  /** What `createWorld` lets actions write with. */
  readonly writes: EntityWrites
}

/** What an operator API depends on beside the world and its store. */
export interface OperatorOptions extends WriterOptions {
  /** The actions beyond `wp:discover`, as `createWorld` takes them. */
  readonly actions?: readonly Action[]
  readonly now?: () => Date
}

/** Makes the operator API of a world over its store. */
export function createOperatorApi(
  description: WorldDescription,
  storage: Storage,
  options: OperatorOptions = {},
): OperatorApi {
  const world = new World(description, storage)
  const authoriser = new Authoriser(createTokenCheck(storage, options.now))
  const writer = new EntityWriter(world, storage, options)
  const admitCall: OperatorApi['admitCall'] = async (request, { name, safe }) => {
    if (!safe) await authoriser.require(request, `call:${name}`)
  }
  const writes: EntityWrites = {
    put: async (...write) => (await writer.replace(...write)).entity,
    async delete(...write) {
      await writer.remove(...write)
    },
  }
  const actions = actionsOf(options.actions)
  const [list, , action] = levelOneRoutes({ world, actions, admitCall, writes, apiPath: OPERATOR_PATH })
  const routes = [
    { ...action, operations: OPERATIONS.action },
    bulkRoute(list, world, writer, storage),
    entityRoute(world, writer),
    typesRoute(world, storage),
    exportRoute(world, storage),
  ]
  return {
    routes: routes.map((route) => ({
      ...guarded(route, authoriser),
      open: true,
      // Without any token nobody could use the API, and it looks as if it did not exist.
      present: async (request) => (await authoriser.scopesOf(request)) !== undefined || hasTokens(storage),
    })),
    extensions: async () => ((await hasTokens(storage)) ? { [OPERATOR_EXTENSION]: DECLARATION } : {}),
    admit: (request) => authoriser.require(request, 'read'),
    admitCall,
    writes,
  }
}

/** What a client has to know before it writes. */
const DECLARATION: JsonObject = {
  path: OPERATOR_PATH,
  authentication: {
    schemes: ['bearer'],
    scopes: ['read', 'write', 'write:TYPE', 'call', 'call:ACTION', 'admin'],
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

/** A route behind a check of scopes, whose responses shared caches must not keep. */
function guarded(route: Route, authoriser: Authoriser): Route {
  const methods = Object.entries(route.methods).map(([method, run]): [string, typeof run] => [
    method,
    async (request, params, failed) => {
      await authoriser.require(request, scopeFor(method, params))
      return privateResponse(await run(request, params, failed))
    },
  ])
  return { ...route, methods: Object.fromEntries(methods) }
}

/** Actions read as GET does. */
function scopeFor(method: string, { type = '', action }: RouteParams): Scope {
  return method === 'GET' || action !== undefined ? 'read' : `write:${type}`
}

/** A response for the asking client alone: the server's own cache does not keep it either. */
function privateResponse({ status, headers, body }: WorldResponse): WorldResponse {
  const caching = headers['cache-control'] === 'no-store' ? 'no-store' : 'private, no-cache'
  return {
    status,
    headers: { ...headers, 'cache-control': caching, vary: 'Accept-Encoding, Authorization' },
    body,
  }
}

function bulkRoute(list: Route, world: World, writer: EntityWriter, storage: Storage): Route {
  return {
    path: list.path,
    operations: OPERATIONS.list,
    answers: [NDJSON],
    methods: {
      ...list.methods,
      async POST(request, { type = '' }, failed) {
        await world.requireType(type)
        return bulkResponse(request, type, writer.check, storage, failed)
      },
    },
  }
}

function entityRoute(world: World, writer: EntityWriter): Route {
  return {
    path: `${OPERATOR_PATH}/entities/{type}/{id}`,
    operations: OPERATIONS.entity,
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

function typesRoute(world: World, storage: Storage): Route {
  return {
    path: `${OPERATOR_PATH}/types`,
    operations: OPERATIONS.types,
    methods: {
      async GET({ signal }) {
        const [types, states] = await Promise.all([world.types(), storage.versions({ signal })])
        const listed = types.map((type) => ({ ...type, count: states.get(type.type)?.count ?? 0 }))
        return { status: 200, headers: JSON_TYPE, body: JSON.stringify({ types: listed }) }
      },
    },
  }
}

/** Everything, or the one type that `?type=` names, from one snapshot, written while it is read. */
function exportRoute(world: World, storage: Storage): Route {
  return {
    path: `${OPERATOR_PATH}/export`,
    operations: OPERATIONS.export,
    answers: [NDJSON],
    methods: {
      async GET(request) {
        const type = new URLSearchParams(splitTarget(request.target).query).get('type') ?? undefined
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

const JSON_TYPE = { 'content-type': 'application/json' }

/** A strong tag: the bytes of the entity depend on nothing but its revision and times, which move together. */
function entityResponse({ json, revision }: StoredEntity): WorldResponse {
  return { status: 200, headers: { ...JSON_TYPE, etag: `"${revision}"` }, body: json }
}

function writtenResponse({ entity, position }: Pick<Written, 'entity' | 'position'>): WorldResponse {
  const response = entityResponse(entity)
  return { ...response, headers: { ...response.headers, [POSITION_HEADER]: position } }
}
