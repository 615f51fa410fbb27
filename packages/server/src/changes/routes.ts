/** The extension `worldwright:changes`: what changed in a world, as a route beside those of Level 1 (decisions 8). */
import type { Route, WorldResponse } from '../handler/http.ts'
import { splitTarget } from '../handler/routes.ts'
import type { Storage } from '../storage/contract.ts'
import type { WorldDescription } from '../world/world.ts'
import { changeJson, stateMembers } from './change-json.ts'
import { ChangeLog, type ChangesPage } from './change-log.ts'
import { changesParameters } from './parameters.ts'

/** The changes of a world, ready to be given to `createWorld`. */
export interface ChangesApi {
  /** The routes, for an API at this path. */
  routes(apiPath: string): readonly Route[]
}

/** Makes the changes API of a world over its store. */
export function createChangesApi({ id }: Pick<WorldDescription, 'id'>, storage: Storage): ChangesApi {
  const log = new ChangeLog(id, storage)
  return {
    routes: (apiPath) => [
      {
        path: `${apiPath}/changes`,
        methods: {
          async GET(request) {
            const { entities, ...asked } = changesParameters(splitTarget(request.target).query)
            return pageResponse(await log.read({ ...asked, signal: request.signal }), entities)
          },
        },
      },
    ],
  }
}

/** Not cached: a follower asks for each part of the log once. */
function pageResponse({ changes, ...state }: ChangesPage, entities: boolean): WorldResponse {
  const listed = changes.map((change) => changeJson(change, { entities })).join(',')
  return {
    status: 200,
    headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
    body: `{"changes":[${listed}],${stateMembers(state)}}`,
  }
}
