/** The operator API of a replica, which takes no writes. */
import type { Route } from '@worldwright/core'
import { WorldFault } from '@worldwright/core'

/** Returns the same paths and methods, each answering 421 `not_the_owner` with the origin of the upstream. */
export function refusedRoutes(routes: readonly Route[], upstream: string): Route[] {
  const refuse = () => {
    throw new WorldFault('not_the_owner', `This is a replica. Write to ${upstream}`, { owner: upstream })
  }
  return routes.map(({ path, methods }) => ({
    path,
    open: true,
    methods: Object.fromEntries(Object.keys(methods).map((method) => [method, refuse])),
  }))
}
