/** Routing of raw request targets: splits the path, matches its components, and decodes each parameter once. */
import { WorldFault } from '../world/errors.ts'
import type { Route, RouteParams } from './http.ts'

/** A request target, split and not yet decoded. */
export interface Target {
  /** Path from the first `/`, without the query string. */
  readonly path: string
  /** Query string after the `?`; empty if there is none. */
  readonly query: string
}

/** A route that matches a path, with the decoded path parameters. */
export interface Match {
  readonly route: Route
  readonly params: RouteParams
}

const ABSOLUTE_FORM = /^[A-Za-z][A-Za-z0-9+.-]*:\/\/[^/?#]*/
const OUTSIDE_ASCII = /[^\u0021-\u007e]/

/**
 * Splits a raw target (origin form, absolute form, or `*`). Does not normalise: dot segments are ordinary components, so a
 * path cannot reach another route by a different spelling.
 * @throws WorldFault `invalid_request` for characters that no URL can contain.
 */
export function splitTarget(target: string): Target {
  if (OUTSIDE_ASCII.test(target)) {
    const message = 'The request target holds characters that must be percent-encoded.'
    throw new WorldFault('invalid_request', message, { reason: 'malformed_target' })
  }
  const relative = target.startsWith('/') ? target : target.replace(ABSOLUTE_FORM, '')
  const hash = relative.indexOf('#')
  const whole = hash < 0 ? relative : relative.slice(0, hash)
  const mark = whole.indexOf('?')
  const path = mark < 0 ? whole : whole.slice(0, mark)
  return { path: path === '' ? '/' : path, query: mark < 0 ? '' : whole.slice(mark + 1) }
}

/** Returns the route for a path, or undefined if there is none. Literal components take precedence over `{name}`. */
export type Router = (path: string) => Match | undefined

interface Compiled {
  readonly route: Route
  readonly components: readonly string[]
}

/**
 * Compiles a route table. Paths match component by component and only as a whole. A `{name}` component never matches an
 * empty one, so a path with a trailing slash is a different path.
 * The router throws WorldFault `invalid_request` if an escape in a component is malformed.
 */
export function createRouter(routes: readonly Route[]): Router {
  const byLength = new Map<number, Compiled[]>()
  for (const route of routes) {
    const components = route.path.split('/')
    const same = byLength.get(components.length) ?? []
    byLength.set(components.length, [...same, { route, components }].sort(literalsFirst))
  }
  return (path) => {
    const components = path.split('/')
    for (const candidate of byLength.get(components.length) ?? []) {
      const params = matchComponents(candidate.components, components)
      if (params !== undefined) return { route: candidate.route, params }
    }
    return undefined
  }
}

/** Returns the first of `routes` that can match the same path as one of `others`, or undefined if there is none. */
export function meetingRoute(routes: readonly Route[], others: readonly Route[]): Route | undefined {
  const patterns = others.map(({ path }) => path.split('/'))
  return routes.find(({ path }) => {
    const components = path.split('/')
    return patterns.some((pattern) => meet(components, pattern))
  })
}

function meet(one: readonly string[], other: readonly string[]): boolean {
  return (
    one.length === other.length &&
    one.every((component, index) => {
      const opposite = other[index] ?? ''
      if (isName(component)) return opposite !== ''
      return isName(opposite) ? component !== '' : component === opposite
    })
  )
}

function literalsFirst(a: Compiled, b: Compiled): number {
  const names = (compiled: Compiled) => compiled.components.filter(isName).length
  return names(a) - names(b)
}

function isName(component: string): boolean {
  return component.startsWith('{')
}

function matchComponents(pattern: readonly string[], components: readonly string[]): RouteParams | undefined {
  for (const [index, literal] of pattern.entries()) {
    const component = components[index] ?? ''
    if (isName(literal) ? component === '' : component !== literal) return undefined
  }
  const params: Record<string, string> = {}
  for (const [index, literal] of pattern.entries()) {
    if (isName(literal)) params[literal.slice(1, -1)] = decodeComponent(components[index] ?? '')
  }
  return params
}

/**
 * Percent-decodes a path component once.
 * @throws WorldFault `invalid_request` if an escape is malformed or not UTF-8.
 */
function decodeComponent(component: string): string {
  if (!component.includes('%')) return component
  try {
    return decodeURIComponent(component)
  } catch {
    const message = 'The path holds a broken percent-escape.'
    throw new WorldFault('invalid_request', message, { reason: 'broken_escape' })
  }
}
