/** HTTP methods of a route: those it defines, HEAD if it defines GET, and always OPTIONS. */
import { WorldFault } from '../world/errors.ts'
import type { Route, RouteHandler } from './http.ts'

/** Methods of a readable resource. OPTIONS also returns them for paths without a route. */
export const READ_METHODS: readonly string[] = ['GET', 'HEAD', 'OPTIONS']

/** Returns all methods of a route, for the `Allow` header. */
export function methodsOf(route: Route): string[] {
  const own = Object.keys(route.methods)
  return [...own.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])), 'OPTIONS']
}

/**
 * Returns the handler of a method. HEAD uses the handler of GET.
 * @throws WorldFault `method_not_allowed` naming the allowed methods.
 */
export function methodHandler(route: Route, method: string): RouteHandler {
  const name = method === 'HEAD' ? 'GET' : method
  const run = Object.hasOwn(route.methods, name) ? route.methods[name] : undefined
  if (run !== undefined) return run
  const allowed = methodsOf(route)
  const allow = allowed.join(', ')
  const message = `${method} is not allowed here; ${allow} are.`
  throw new WorldFault('method_not_allowed', message, { method, allowed }, { allow })
}
