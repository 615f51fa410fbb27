/** Routes of the operator API that list the types of a world, and export its entities. */
import { type Mount, type Route, splitTarget, type WorldRequest } from '@worldwright/core'
import { ndjsonExport } from '@worldwright/entities'
import { withWriteTimeout } from '../files/idle-timeout.ts'
import { OPERATIONS } from './operations.ts'
import { allows, scopeFor } from './tokens.ts'

const NDJSON = 'application/x-ndjson'

/** Creates the route `GET {path}/types`. */
export function typesRoute(path: string, { world, store, callerOf }: Mount): Route {
  return {
    path: `${path}/types`,
    operations: OPERATIONS.types,
    methods: {
      async GET(request) {
        const { signal } = request
        const [types, states] = await Promise.all([world.types(), store.types({ signal })])
        const scopes = (await callerOf(request))?.scopes ?? []
        const listed = types.map((type) => ({
          ...type,
          count: states.get(type.type)?.count ?? 0,
          writable: allows(scopes, scopeFor('write', type.type)),
        }))
        return {
          status: 200,
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ types: listed }),
        }
      },
    },
  }
}

/** Creates the route `GET {path}/export`, which streams all entities from one snapshot, or those of the type in `?type=`. */
export function exportRoute(path: string, { world, store }: Mount): Route {
  return {
    path: `${path}/export`,
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
          body: request.method === 'HEAD' ? '' : withWriteTimeout(ndjsonExport(store, type)),
        }
      },
    },
  }
}

function typeAsked({ target }: WorldRequest): string | undefined {
  return new URLSearchParams(splitTarget(target).query).get('type') ?? undefined
}
