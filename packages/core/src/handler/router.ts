/** From a raw request target to a route: split first, decode each component once, match. */
import { WorldFault } from '../world/errors.ts'
import type { Route, RouteParams } from './http.ts'

/** A request target, split and not yet decoded. */
export interface Target {
  /** From the first `/`, without the query string. */
  readonly path: string
  /** After the `?`; empty if there is none. */
  readonly query: string
}

/** A route that matches a path, with the decoded components of the path. */
export interface Match {
  readonly route: Route
  readonly params: RouteParams
}

const ABSOLUTE_FORM = /^[A-Za-z][A-Za-z0-9+.-]*:\/\/[^/?#]*/
const OUTSIDE_ASCII = /[^\u0021-\u007e]/

/**
 * Splits a raw target (origin form, absolute form, or `*`). Nothing is normalised: dot segments stay components
 * like any others, so that no spelling of a path reaches another route.
 * @throws WorldFault `invalid_request` for bytes that no URL can contain.
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

/** Finds the route of a path, or undefined. Literal components win over `{name}` ones. */
export type Router = (path: string) => Match | undefined

interface Compiled {
  readonly route: Route
  readonly components: readonly string[]
}

/**
 * Compiles a route table. Paths match component by component and only as a whole: an empty component matches
 * nothing, so a trailing slash is another resource.
 * The router throws WorldFault `invalid_request` for a component with a broken escape.
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

/** Returns the first of `routes` that overlaps one of `others`, so that both match some path; undefined if none does. */
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
 * Percent-decodes one path component, once.
 * @throws WorldFault `invalid_request` if an escape is broken or is not UTF-8.
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
