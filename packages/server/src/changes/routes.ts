/** The extension `worldwright:changes`: what changed in a world, as a route beside those of Level 1 (decisions 8). */
import type { JsonObject } from '@worldwright/client/protocol'
import type { Route, WorldResponse } from '../handler/http.ts'
import { splitTarget } from '../handler/routes.ts'
import type { SearchWeights, Storage } from '../storage/contract.ts'
import { DELETIONS_KEPT_MS } from '../storage/history.ts'
import { CHANGES_DEFAULT, CHANGES_MAX, MAX_TYPES } from '../world/limits.ts'
import type { WorldDescription } from '../world/world.ts'
import { changeJson, type LogState, stateMembers } from './change-json.ts'
import { ChangeLog } from './change-log.ts'
import { changesParameters } from './parameters.ts'

/** The extension's name in the discovery document. */
export const CHANGES_EXTENSION = 'worldwright:changes'

/** The changes of a world, ready to be given to `createWorld`. */
export interface ChangesApi {
  /** What discovery declares. It depends on the store, since searches can be weighed otherwise. */
  extensions(): Promise<Record<string, JsonObject>>
  /** The routes, for an API at this path. */
  routes(apiPath: string): readonly Route[]
}

/** How the changes of a world are served. */
export interface ChangesOptions {
  /** How long the store remembers deletions, in milliseconds. Default: as long as stores do that are told nothing. */
  readonly deletionsKeptMs?: number
}

/** The path of the changes below the API. */
const NAME = 'changes'
const DAY_MS = 24 * 60 * 60 * 1_000

/** Makes the changes API of a world over its store. */
export function createChangesApi(
  { id }: Pick<WorldDescription, 'id'>,
  storage: Storage,
  { deletionsKeptMs = DELETIONS_KEPT_MS }: ChangesOptions = {},
): ChangesApi {
  const log = new ChangeLog(id, storage)
  return {
    async extensions() {
      const declaration = {
        path: NAME,
        retentionDays: Math.floor(deletionsKeptMs / DAY_MS),
        limits: { default: CHANGES_DEFAULT, max: CHANGES_MAX, maxTypes: MAX_TYPES },
        formats: ['application/json'],
        searchWeights: jsonOf(await storage.searchWeights()),
      }
      return { [CHANGES_EXTENSION]: declaration }
    },
    routes: (apiPath) => [
      {
        path: `${apiPath}/${NAME}`,
        methods: {
          async GET(request) {
            const { entities, ...asked } = changesParameters(splitTarget(request.target).query)
            const { changes, ...state } = await log.read({ ...asked, signal: request.signal })
            const listed = changes.map((change) =>
              changeJson(change, { entities, next: log.token(asked.types, change.place) }),
            )
            return pageResponse(listed, state)
          },
        },
      },
    ],
  }
}

function jsonOf(weights: SearchWeights): JsonObject {
  return Object.fromEntries(Object.entries(weights).map(([type, attributes]) => [type, { ...attributes }]))
}

/** Not cached: a follower asks for each part of the log once. */
function pageResponse(changes: readonly string[], state: LogState): WorldResponse {
  return {
    status: 200,
    headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
    body: `{"changes":[${changes.join()}],${stateMembers(state)}}`,
  }
}
