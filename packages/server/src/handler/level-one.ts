/** The endpoints of a Level 1 API as routes (Level 1, endpoints 2 to 4; shapes in decisions 2 to 4). */
import { DISCOVER_ACTION, type Warning } from '@worldwright/client/protocol'
import type { StoredEntity } from '../storage/contract.ts'
import { discoverRequest } from '../world/discover-action.ts'
import { WorldFault } from '../world/errors.ts'
import { ACTION_TIMEOUT_MS, MAX_REQUEST_BYTES } from '../world/limits.ts'
import type { DiscoverResult, World, WorldPage } from '../world/world.ts'
import { readJson } from './body.ts'
import type { Route, WorldResponse } from './http.ts'
import { listParameters } from './query.ts'
import { splitTarget } from './routes.ts'

/** What the Level 1 routes stand on. */
export interface LevelOneOptions {
  readonly world: World
  /** The path of the API on this host, without a trailing slash. */
  readonly apiPath: string
}

/** Changes when the form of a page changes, so that no cache mixes forms. */
const LIST_FORMAT = '1'

const REVALIDATED = { 'content-type': 'application/json', 'cache-control': 'public, no-cache' }

/** The routes of a world's Level 1 API: of lists, of entities, and of actions. */
export function levelOneRoutes({ world, apiPath }: LevelOneOptions): [Route, Route, Route] {
  return [
    {
      path: `${apiPath}/entities/{type}`,
      methods: {
        async GET(request, { type = '' }) {
          const parameters = listParameters(splitTarget(request.target).query)
          const page = await world.list(type, { ...parameters, signal: request.signal })
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
    {
      path: `${apiPath}/actions/{action}`,
      methods: {
        async POST(request, { action = '' }) {
          if (action !== DISCOVER_ACTION) {
            const message = 'This world has no such action; discovery lists those it has.'
            throw new WorldFault('unknown_action', message, { action: action.toWellFormed() })
          }
          const asked = discoverRequest(await readJson(request, MAX_REQUEST_BYTES))
          const found = await withinTime(request.signal, (signal) => world.discover(asked, { signal }))
          return actionResponse(action, found)
        },
      },
    },
  ]
}

/** The entities are spliced in as stored: parsing them only to write them again would be most of the work. */
function pageJson(page: WorldPage): string {
  const next = page.nextCursor === undefined ? '' : `"nextCursor":"${page.nextCursor}",`
  return `{"entities":${entitiesJson(page.entities)},${next}"limit":${page.limit},"total":${page.total}}`
}

function actionResponse(action: string, found: DiscoverResult): WorldResponse {
  const output = {
    limit: found.limit,
    total: found.total,
    counts: found.counts,
    ...(found.totalIsLowerBound ? { totalIsLowerBound: true } : {}),
    truncated: found.truncated,
    ...(found.partial ? { partial: true } : {}),
    matched: found.matched,
  }
  const members = JSON.stringify(output).slice(1)
  return {
    status: 200,
    headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
    body: `{"action":${JSON.stringify(action)},"output":{"entities":${entitiesJson(found.hits)},${members}${warningsJson(found.warnings)}}`,
  }
}

function entitiesJson(entities: readonly StoredEntity[]): string {
  return `[${entities.map((entity) => entity.json).join(',')}]`
}

function warningsJson(warnings: readonly Warning[]): string {
  return warnings.length === 0 ? '' : `,"warnings":${JSON.stringify(warnings)}`
}

/**
 * Gives work a signal that is aborted when the client leaves or the time is over. Work that takes no notice is not
 * waited for.
 * @throws WorldFault `action_timeout`; the reason of `left` where that is aborted
 */
async function withinTime<T>(
  left: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const late = new AbortController()
  const signal = left === undefined ? late.signal : AbortSignal.any([late.signal, left])
  const ended = Promise.withResolvers<never>()
  signal.addEventListener('abort', () => ended.reject(signal.reason))
  const timer = setTimeout(() => {
    const seconds = ACTION_TIMEOUT_MS / 1_000
    const message = `The action gave no answer within ${seconds} s.`
    late.abort(new WorldFault('action_timeout', message, { seconds }))
  }, ACTION_TIMEOUT_MS)
  try {
    signal.throwIfAborted()
    return await Promise.race([ended.promise, work(signal)])
  } finally {
    clearTimeout(timer)
  }
}
