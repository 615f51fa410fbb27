/** Routes of the Level 1 API (Level 1, endpoints 2 to 4; response shapes in decisions 2 to 4). */
import { entitiesJson } from '../world/entities-json.ts'
import { LIST_DEFAULT, LIST_MAX } from '../world/limits.ts'
import type { WorldPage } from '../world/world.ts'
import { type ActionRoute, type ActionRouteOptions, actionRoute } from './action-route.ts'
import type { Route, RouteParams, WorldRequest } from './http.ts'
import { component, type Operation, queryParameter } from './operation.ts'
import { listParameters } from './query.ts'
import { splitTarget } from './router.ts'

/** Version of the page format. Part of the entity tag, so that clients do not keep pages in an older format. */
const LIST_FORMAT = '1'

const REVALIDATED = { 'content-type': 'application/json', 'cache-control': 'public, no-cache' }

/** Operation `GET entities/{type}`, also used by other routes that list entities. */
export const LIST: Operation = {
  id: 'list',
  summary: 'A page of entities, ascending by id',
  parameters: [
    queryParameter('limit', `Entities at most: ${LIST_MAX} where more are asked for.`, {
      type: 'integer',
      minimum: 0,
      default: LIST_DEFAULT,
    }),
    queryParameter('cursor', 'nextCursor of the page before.', { type: 'string' }),
  ],
  answers: { 200: { description: 'The page.', content: { 'application/json': component('EntityPage') } } },
  errors: ['invalid_parameter', 'invalid_cursor'],
}

const GET: Operation = {
  id: 'get',
  summary: 'One entity',
  answers: { 200: { description: 'The entity.', content: { 'application/json': component('Entity') } } },
  errors: ['invalid_id', 'entity_not_found'],
}

/** Creates the routes of a world's Level 1 API: lists, entities and actions. */
export function levelOneRoutes(
  options: ActionRouteOptions,
): readonly [list: Route, entity: Route, action: ActionRoute] {
  const { world, apiPath } = options
  return [
    {
      path: `${apiPath}/entities/{type}`,
      operations: { GET: LIST },
      reads: typeOf,
      methods: {
        async GET(request, { type = '' }) {
          const parameters = listParameters(splitTarget(request.target).query)
          const page = await world.list(type, { ...parameters, signal: request.signal })
          if (page.damaged.length > 0) return { status: 200, headers: PARTIAL, body: pageJson(page) }
          // A source may use any text as its version, even one with quotes.
          const version = encodeURIComponent(page.version)
          return {
            status: 200,
            headers: { ...REVALIDATED, etag: `W/"${LIST_FORMAT}-${version}-${page.limit}"` },
            body: pageJson(page),
            cacheable: { type },
          }
        },
      },
    },
    {
      path: `${apiPath}/entities/{type}/{id}`,
      operations: { GET },
      reads: typeOf,
      methods: {
        async GET({ signal }, { type = '', id = '' }) {
          const entity = await world.get(type, id, { signal })
          return {
            status: 200,
            headers: { ...REVALIDATED, etag: `W/"${entity.revision}"` },
            body: entity.json,
            cacheable: { type },
          }
        },
      },
    },
    actionRoute(options),
  ]
}

const typeOf = (_: WorldRequest, { type = '' }: RouteParams) => [type]

/** Headers of a page that omits damaged entities. Such a page must not be cached: restoring an entity changes the page. */
const PARTIAL = { 'content-type': 'application/json', 'cache-control': 'no-store' }

/** Serialises a page. Inserts entities as stored, because parsing them would dominate the cost. */
function pageJson(page: WorldPage): string {
  const next = page.nextCursor === undefined ? '' : `"nextCursor":"${page.nextCursor}",`
  const damaged = page.damaged.length === 0 ? '' : `,"damaged":${JSON.stringify(page.damaged)}`
  return `{"entities":${entitiesJson(page.entities)},${next}"limit":${page.limit},"total":${page.total}${damaged}}`
}
