/** Route of the outcomes of writes that were `undecided`: `GET {path}/writes/{write}`. */
import { type Route, WorldFault } from '@worldwright/core'
import type { Store } from '@worldwright/core/store'
import { OPERATIONS } from './operations.ts'

/** Creates the route below the path of the operator API. It reads no type, so that any token may ask. */
export function outcomeRoute(path: string, store: Store): Route {
  return {
    path: `${path}/writes/{write}`,
    operations: OPERATIONS.outcome,
    reads: () => [],
    methods: {
      async GET({ signal, target }, { write = '' }) {
        const committed = await store.outcome?.(write, { signal })
        if (committed === undefined)
          throw new WorldFault('not_found', 'The outcome of this write is not known here.', { path: target })
        return {
          status: 200,
          headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
          body: JSON.stringify({ committed }),
        }
      },
    },
  }
}
