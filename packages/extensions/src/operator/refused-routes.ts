/** Operator API of a replica, which refuses all writes. */
import { type Route, WorldFault } from '@worldwright/core'

/** Returns routes with the same paths and methods, which respond 421 `not_the_owner` and name the upstream's origin. */
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
