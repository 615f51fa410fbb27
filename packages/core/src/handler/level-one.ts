/** The endpoints of a Level 1 API as routes (Level 1, endpoints 2 to 4; shapes in decisions 2 to 4). */

import { entitiesJson } from '../world/entities-json.ts'
import { LIST_DEFAULT, LIST_MAX } from '../world/limits.ts'
import type { WorldPage } from '../world/world.ts'
import { type ActionRoute, type ActionRouteOptions, actionRoute } from './action-route.ts'
import type { Route, RouteParams, WorldRequest } from './http.ts'
import { component, type Operation, queryParameter } from './operation.ts'
import { listParameters } from './query.ts'
import { splitTarget } from './router.ts'

/** Version of the page format, part of the entity tag: it changes with the format, so that no cache mixes formats. */
const LIST_FORMAT = '1'

const REVALIDATED = { 'content-type': 'application/json', 'cache-control': 'public, no-cache' }

/** Operation `GET entities/{type}`, shared with other routes that serve it. */
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

/** Returns the routes of a world's Level 1 API: lists, entities and actions. */
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
          return {
            status: 200,
            headers: { ...REVALIDATED, etag: `W/"${LIST_FORMAT}-${page.version}-${page.limit}"` },
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

/** Headers of an incomplete page, which must not be cached: it changes as soon as the damaged entity is restored. */
const PARTIAL = { 'content-type': 'application/json', 'cache-control': 'no-store' }

/** Splices the entities in as stored: parsing and serialising them again would be most of the work. */
function pageJson(page: WorldPage): string {
  const next = page.nextCursor === undefined ? '' : `"nextCursor":"${page.nextCursor}",`
  const damaged = page.damaged.length === 0 ? '' : `,"damaged":${JSON.stringify(page.damaged)}`
  return `{"entities":${entitiesJson(page.entities)},${next}"limit":${page.limit},"total":${page.total}${damaged}}`
}
