/** Methods of a resource: its own, HEAD with GET, and OPTIONS everywhere. */
import { WorldFault } from '../world/errors.ts'
import type { Route, RouteHandler } from './http.ts'

/** Methods of every resource that can be read; OPTIONS also names them for paths without a route. */
export const READ_METHODS: readonly string[] = ['GET', 'HEAD', 'OPTIONS']

/** Returns all methods a route allows, for `Allow`. */
export function methodsOf(route: Route): string[] {
  const own = Object.keys(route.methods)
  return [...own.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])), 'OPTIONS']
}

/**
 * Returns the handler of a method; HEAD is answered as GET.
 * @throws WorldFault `method_not_allowed` naming the allowed methods.
 */
export function methodHandler(route: Route, method: string): RouteHandler {
  const name = method === 'HEAD' ? 'GET' : method
  const run = Object.hasOwn(route.methods, name) ? route.methods[name] : undefined
  if (run !== undefined) return run
  const allowed = methodsOf(route)
  throw new WorldFault(
    'method_not_allowed',
    `${method} is not allowed here; ${allowed.join(', ')} are.`,
    { method, allowed },
    { allow: allowed.join(', ') },
  )
}
