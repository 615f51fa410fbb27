/** The operator API (decisions 8): the routes of Level 1 with writes, strong tags and tokens, on a path of its own. */
import type { JsonObject, JsonValue } from '@worldwright/client/protocol'
import type { Route, WorldRequest, WorldResponse } from '../handler/http.ts'
import { levelOneRoutes } from '../handler/level-one.ts'
import { MAX_ENTITY_BYTES } from '../publish/entities/record.ts'
import { MAX_LINE_BYTES } from '../publish/read/json-lines.ts'
import type { Storage } from '../storage/contract.ts'
import { World, type WorldDescription } from '../world/world.ts'
import { type Authorise, Authoriser } from './authorise.ts'
import { bulkResponse, MAX_REJECTED_ROWS, MAX_UNPACKED_BYTES } from './bulk.ts'
import { exportResponse } from './export-response.ts'
import { readWriteBody } from './read-body.ts'
import { createTokenCheck, hasTokens } from './tokens.ts'
import { EntityWriter, type WriterOptions } from './writer.ts'

/** Where the operator API stands, on the origin of the API. */
export const OPERATOR_PATH = '/api/operator/v0'

/** The extension's name in the discovery document. */
export const OPERATOR_EXTENSION = 'worldwright:operator'

/** Bytes of a request that writes one entity: room for one of the largest size, indented and escaped. */
export const MAX_WRITE_BYTES = 1024 * 1024

/** The media type of entities one a line. */
const NDJSON = 'application/x-ndjson'

/** An operator API, ready to be given to `createWorld`. */
export interface OperatorApi {
  readonly routes: readonly Route[]
  /** What discovery declares: nothing as long as no token exists, since nothing is served then. */
  extensions(): Promise<Record<string, JsonObject>>
  readonly authorise: Authorise
}

/** Makes the operator API of a world over its store. */
export function createOperatorApi(
  description: WorldDescription,
  storage: Storage,
  options: WriterOptions & { readonly now?: () => Date } = {},
): OperatorApi {
  const world = new World(description, storage)
  const authoriser = new Authoriser(createTokenCheck(storage, options.now))
  const authorise: Authorise = (request, needed) => authoriser.require(request, needed)
  const writer = new EntityWriter(world, storage, options)

  /** Without a token there is nobody to serve, and the API is as if it were not there. */
  const present = async (request: WorldRequest) =>
    (await authoriser.scopesOf(request)) !== undefined || hasTokens(storage)
  const routes = [
    ...readRoutes(world, authorise),
    ...entityRoutes(world, writer, storage, authorise),
    typesRoute(world, storage, authorise),
    exportRoute(world, storage, authorise),
  ]
  return {
    authorise,
    routes: routes.map((route) => ({ ...route, open: true, present })),
    extensions: async () => ((await hasTokens(storage)) ? { [OPERATOR_EXTENSION]: DECLARATION } : {}),
  }
}

/** What a client has to know before it writes. */
const DECLARATION: JsonObject = {
  path: OPERATOR_PATH,
  authentication: { schemes: ['bearer'], scopes: ['read', 'write', 'write:TYPE', 'admin'] },
  limits: {
    maxEntityBytes: MAX_ENTITY_BYTES,
    maxRequestBytes: MAX_WRITE_BYTES,
    maxLineBytes: MAX_LINE_BYTES,
    maxUnpackedBytes: MAX_UNPACKED_BYTES,
    maxRejectedRows: MAX_REJECTED_ROWS,
  },
  mediaTypes: { patch: 'application/merge-patch+json', bulk: NDJSON },
}

/** The reads of Level 1 that are not of one entity, behind a token. */
function readRoutes(world: World, authorise: Authorise): Route[] {
  return levelOneRoutes({ world, apiPath: OPERATOR_PATH })
    .filter(({ path }) => path.endsWith('/actions/{action}'))
    .map(({ path, methods }) => ({ path, methods: guarded(methods, authorise) }))
}

function guarded(methods: Route['methods'], authorise: Authorise): Route['methods'] {
  return Object.fromEntries(
    Object.entries(methods).map(([method, run]) => [
      method,
      async (request, params, failed) => {
        await authorise(request, 'read')
        return unkept(await run(request, params, failed))
      },
    ]),
  )
}

function entityRoutes(world: World, writer: EntityWriter, storage: Storage, authorise: Authorise): Route[] {
  const [list] = levelOneRoutes({ world, apiPath: OPERATOR_PATH }).filter(({ path }) =>
    path.endsWith('/entities/{type}'),
  )
  return [
    {
      path: `${OPERATOR_PATH}/entities/{type}`,
      answers: NDJSON,
      methods: {
        ...guarded(list?.methods ?? {}, authorise),
        async POST(request, { type = '' }, failed) {
          await authorise(request, `write:${type}`)
          await world.requireType(type)
          return bulkResponse(request, type, writer.checks, storage, failed)
        },
      },
    },
    {
      path: `${OPERATOR_PATH}/entities/{type}/{id}`,
      methods: {
        async GET(request, { type = '', id = '' }) {
          await authorise(request, 'read')
          const { json, revision } = await world.get(type, id, { signal: request.signal })
          return entityResponse(200, json, revision)
        },
        async PUT(request, { type = '', id = '' }) {
          await authorise(request, `write:${type}`)
          const value = await readWriteBody(request, ['application/json'], MAX_WRITE_BYTES)
          const { entity, change } = await writer.replace(type, id, value, request)
          const status = change === 'created' ? 201 : 200
          const location = `${OPERATOR_PATH}/entities/${encodeURIComponent(type)}/${encodeURIComponent(entity.id)}`
          return entityResponse(status, entity.json, entity.revision, status === 201 ? { location } : {})
        },
        async PATCH(request, { type = '', id = '' }) {
          await authorise(request, `write:${type}`)
          const types = ['application/merge-patch+json', 'application/json']
          const patch: JsonValue = await readWriteBody(request, types, MAX_WRITE_BYTES)
          const { entity } = await writer.patch(type, id, patch, request)
          return entityResponse(200, entity.json, entity.revision)
        },
        async DELETE(request, { type = '', id = '' }) {
          await authorise(request, `write:${type}`)
          await writer.remove(type, id, request)
          return { status: 204, headers: PRIVATE }
        },
      },
    },
  ]
}

function typesRoute(world: World, storage: Storage, authorise: Authorise): Route {
  return {
    path: `${OPERATOR_PATH}/types`,
    methods: {
      async GET(request) {
        await authorise(request, 'read')
        const [types, states] = await Promise.all([
          world.types(),
          storage.versions({ signal: request.signal }),
        ])
        const listed = types.map((type) => ({ ...type, count: states.get(type.type)?.count ?? 0 }))
        return { status: 200, headers: JSON_HEADERS, body: JSON.stringify({ types: listed }) }
      },
    },
  }
}

function exportRoute(world: World, storage: Storage, authorise: Authorise): Route {
  return {
    path: `${OPERATOR_PATH}/export`,
    answers: NDJSON,
    methods: {
      async GET(request) {
        await authorise(request, 'read')
        return exportResponse(request, world, storage)
      },
    },
  }
}

const PRIVATE = { 'cache-control': 'private, no-cache', vary: 'Accept-Encoding, Authorization' }
const JSON_HEADERS = { 'content-type': 'application/json', ...PRIVATE }

/** A strong tag: the bytes of the entity depend on nothing but its revision and times, which move together. */
function entityResponse(
  status: number,
  json: string,
  revision: string,
  headers: Record<string, string> = {},
): WorldResponse {
  return { status, headers: { ...JSON_HEADERS, etag: `"${revision}"`, ...headers }, body: json }
}

/** An answer that depends on a token: kept by nobody else, the server's own cache included. */
function unkept({ status, headers, body }: WorldResponse): WorldResponse {
  const caching = headers['cache-control'] === 'no-store' ? { vary: PRIVATE.vary } : PRIVATE
  return { status, headers: { ...headers, ...caching }, body }
}
