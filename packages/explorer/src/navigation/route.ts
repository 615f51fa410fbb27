/** Maps the state of the page to the fragment of its address, so that any file server can serve the page. */
import { isObject, type JsonObject } from '@worldwright/client/protocol'
import {
  queryOfView,
  queryText,
  VIEW_PATH,
  type View,
  viewFrom,
  wholeNumber,
} from '@worldwright/extensions/views'
import { attempt, jsonFrom } from '../text/attempt.ts'

/** A page of the explorer with its parameters, as encoded in an address. */
export type Route =
  | { readonly page: 'start' }
  /** The form for opening a world, shown even if a world serves this page, and a search of the recent ones for `text`. */
  | { readonly page: 'open'; readonly text?: string | undefined }
  | { readonly page: 'home'; readonly origin: string }
  | { readonly page: 'about'; readonly origin: string }
  | {
      readonly page: 'search'
      readonly origin: string
      readonly text: string
      readonly types: readonly string[]
      /** Maximum number of results. Undefined for the default. */
      readonly limit?: number | undefined
    }
  | (View & { readonly page: 'list'; readonly origin: string; readonly type: string })
  | { readonly page: 'entity'; readonly origin: string; readonly type: string; readonly id: string }
  /** A comparison of at most `MOST_COMPARED` entities: the type and the id of each in turn. */
  | { readonly page: 'compare'; readonly origin: string; readonly of: readonly string[] }
  /** The last changes, of all types if `type` is undefined. */
  | { readonly page: 'changes'; readonly origin: string; readonly type?: string | undefined }
  | {
      readonly page: 'action'
      readonly origin: string
      readonly name: string
      readonly input?: JsonObject | undefined
    }
  | { readonly page: 'lost' }

/** Maximum number of entities that a page compares. */
export const MOST_COMPARED = 6

/** A route to pages of one kind. */
export type RouteTo<Page extends Route['page']> = Extract<Route, { page: Page }>

/** Parses the hash of an address, with or without the `#`. Returns the route `lost` if it is invalid, and never throws. */
export function routeFrom(hash: string): Route {
  const [path = '', query = ''] = hash.replace(/^#/, '').split(/\?(.*)/s)
  if (path === '' || path === '/') return { page: 'start' }
  if (path === '/open') return { page: 'open', text: new URLSearchParams(query).get('text') ?? undefined }
  const parts = path.replace(/^\//, '').replace(/\/$/, '').split('/')
  const [mark, origin = '', ...within] = parts.map((part) => attempt(() => decodeURIComponent(part)) ?? '')
  return mark === 'w' && isOrigin(origin) ? inWorld(origin, within, new URLSearchParams(query)) : LOST
}

const LOST: Route = { page: 'lost' }

/** Matches the path of a view, which names a type. */
const VIEW = /^\/v\/([^/]*(?::|%3A)[^/]*)$/i

/** Returns the hash of a page at the address of a view, or undefined if it is at another address. */
export function hashOfView({ origin, pathname, search }: Pick<URL, 'origin' | 'pathname' | 'search'>) {
  const [, type] = VIEW.exec(pathname) ?? []
  return type && `/w/${encodeURIComponent(origin)}/t/${type}${search}`
}

/** Beginning of the hashes of views of the world at whose view the page was opened. Those have addresses without a hash. */
const own = globalThis.location && hashOfView(location) && `#/w/${encodeURIComponent(location.origin)}/t/`

/** Returns the address of a route: its hash or, on a page that was opened at a view, its path from the root. */
export function hrefOf(route: Route): string {
  const hash = hashOf(route)
  return own === undefined ? hash : hash.startsWith(own) ? VIEW_PATH + hash.slice(own.length) : `/${hash}`
}

/** Returns the hash of a route, with the `#`. */
function hashOf(route: Route): string {
  if (route.page === 'start' || route.page === 'lost') return '#/'
  if (route.page === 'open') return `#/open${queryText([['text', route.text]])}`
  const world = `#/w/${encodeURIComponent(route.origin)}/`
  switch (route.page) {
    case 'home':
      return world
    case 'about':
      return `${world}about`
    case 'search':
      return `${world}search${queryText([
        ['text', route.text],
        ...route.types.map((type) => ['type', type] as const),
        ['limit', route.limit],
      ])}`
    case 'list':
      return `${world}t/${encodeURIComponent(route.type)}${queryText(queryOfView(route))}`
    case 'entity':
      return `${world}e/${encodeURIComponent(route.type)}/${encodeURIComponent(route.id)}`
    case 'compare':
      return `${world}compare/${route.of.map(encodeURIComponent).join('/')}`
    case 'changes':
      return `${world}changes${queryText([['type', route.type]])}`
    case 'action':
      return `${world}a/${encodeURIComponent(route.name)}${queryText([
        ['input', route.input && JSON.stringify(route.input)],
      ])}`
  }
}

/**
 * Returns the origin of an address typed by the user. Without a scheme, the address is taken as http on loopback and https
 * elsewhere. Returns undefined if the address is invalid.
 */
export function originTyped(text: string): string | undefined {
  const typed = text.trim()
  const hasScheme = /^[a-z][a-z0-9+.-]*:\/\//i.test(typed)
  const isLocal = /^(?:[^/:]*\.)?(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])(?:[:/]|$)/i.test(typed)
  const url = URL.parse(hasScheme ? typed : `${isLocal ? 'http' : 'https'}://${typed}`)
  // Some browsers escape a space in a host name instead of rejecting it.
  if (/\s/.test(typed)) return undefined
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '' || url.hostname === '')
    return undefined
  return url.origin
}

function inWorld(origin: string, within: readonly string[], query: URLSearchParams): Route {
  // A name is empty only if it could not be decoded.
  if (within.includes('')) return LOST
  const [section = '', first = '', second = ''] = within
  const pairs = (within.length - 1) / 2
  if (section === 'compare' && Number.isInteger(pairs) && pairs > 0 && pairs <= MOST_COMPARED)
    return { page: 'compare', origin, of: within.slice(1) }
  switch (`${section} ${within.length}`) {
    case ' 0':
      return { page: 'home', origin }
    case 'about 1':
      return { page: 'about', origin }
    case 'changes 1':
      return { page: 'changes', origin, type: query.get('type') ?? undefined }
    case 'search 1': {
      const types = [...new Set(query.getAll('type'))]
      const limit = wholeNumber(query.get('limit'))
      return { page: 'search', origin, text: query.get('text') ?? '', types, limit }
    }
    case 't 2':
      return { page: 'list', origin, type: first, ...viewFrom(query).view }
    case 'e 3':
      return { page: 'entity', origin, type: first, id: second }
    case 'a 2': {
      const input = jsonFrom(query.get('input'))
      return { page: 'action', origin, name: first, input: isObject(input) ? input : undefined }
    }
    default:
      return LOST
  }
}

function isOrigin(text: string): boolean {
  const url = URL.parse(text)
  return url !== null && /^https?:$/.test(url.protocol) && url.origin === text
}
