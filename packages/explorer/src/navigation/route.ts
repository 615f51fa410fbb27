/** Maps the state of the page to the fragment of its address, so that any file server can serve the page. */
import { isObject, type JsonObject } from '@worldwright/client/protocol'
import { type Asked, askedFrom, isAsked, queryOfAsked } from '../question/filters.ts'
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
  | {
      readonly page: 'list'
      readonly origin: string
      readonly type: string
      readonly view?: View | undefined
      /** Settings of the list's chart. Absent for the chart's defaults. */
      readonly plot?: Plot | undefined
      /** Names of the table columns, in order. Absent for the default columns. */
      readonly columns?: readonly string[] | undefined
      /** Conditions and sort order of the list. Absent for all entities in id order. */
      readonly asked?: Asked | undefined
      /** Cursor at which the list begins. Absent for the start of the list. */
      readonly cursor?: string | undefined
      /** Number of rows before the cursor at the time the link was made. */
      readonly before?: number | undefined
    }
  | { readonly page: 'entity'; readonly origin: string; readonly type: string; readonly id: string }
  | {
      readonly page: 'action'
      readonly origin: string
      readonly name: string
      readonly input?: JsonObject | undefined
    }
  | { readonly page: 'lost' }

/** A route to pages of one kind. */
export type RouteTo<Page extends Route['page']> = Extract<Route, { page: Page }>

/** Layouts of a list, in display order. */
export const VIEWS = [
  'table',
  'list',
  'summary',
  'gallery',
  'map',
  'timeline',
  'histogram',
  'scatter',
] as const

/** One layout of a list. */
export type View = (typeof VIEWS)[number]

/** Settings of a chart: the property of each axis, by its key, and which axes are logarithmic; the groups of a summary. */
export interface Plot {
  /** Property of the horizontal axis. For a map, the body that it shows. */
  readonly x?: string | undefined
  /** Property of the vertical axis. For a map, longitude and latitude of its centre and its zoom, such as `13.4,52.5,8`. */
  readonly y?: string | undefined
  /** Logarithmic axes: `x`, `y` or `xy`, or `-` for none. Absent for the chart's default. */
  readonly log?: string | undefined
  /** Keys of the groups, such as `10:discoveryYear`. Absent for the most useful one. */
  readonly by?: readonly string[] | undefined
  /** Measures of each group, such as `avg:radiusKm`. */
  readonly of?: readonly string[] | undefined
  /** Order of the groups: `key`, `count` or a measure, with a leading `-` if descending. Absent for the default. */
  readonly order?: string | undefined
  /** Properties that determine the colour and the size of the marks, by their keys. */
  readonly color?: string | undefined
  readonly size?: string | undefined
}

/** Parses the hash of an address, with or without the `#`. Returns the route `lost` if it is invalid, and never throws. */
export function routeFrom(hash: string): Route {
  const [path = '', query = ''] = hash.replace(/^#/, '').split(/\?(.*)/s)
  if (path === '' || path === '/') return { page: 'start' }
  if (path === '/open') return { page: 'open', text: new URLSearchParams(query).get('text') ?? undefined }
  const parts = path.replace(/^\//, '').replace(/\/$/, '').split('/')
  const [mark, origin = '', ...within] = parts.map((part) => attempt(() => decodeURIComponent(part)) ?? '')
  return mark === 'w' && isOrigin(origin) ? inWorld(origin, within, new URLSearchParams(query)) : LOST
}

/** Settings of a chart, in the order of an address. */
const PLOT = ['x', 'y', 'log', 'by', 'of', 'order', 'color', 'size'] as const

const LOST: Route = { page: 'lost' }

/** Returns the hash of a route, with the `#`. */
export function hrefOf(route: Route): string {
  if (route.page === 'start' || route.page === 'lost') return '#/'
  if (route.page === 'open') return `#/open${queryOf([['text', route.text]])}`
  const world = `#/w/${encodeURIComponent(route.origin)}/`
  switch (route.page) {
    case 'home':
      return world
    case 'about':
      return `${world}about`
    case 'search':
      return `${world}search${queryOf([
        ['text', route.text],
        ...route.types.map((type) => ['type', type] as const),
        ['limit', route.limit],
      ])}`
    case 'list':
      return `${world}t/${encodeURIComponent(route.type)}${queryOf([
        ['view', route.view],
        ...(route.columns ?? []).map((name) => ['column', name] as const),
        ...PLOT.flatMap((name) => [route.plot?.[name] ?? []].flat().map((text) => [name, text] as const)),
        ...(route.asked === undefined ? [] : queryOfAsked(route.asked)),
        ['cursor', route.cursor],
        ['before', route.before],
      ])}`
    case 'entity':
      return `${world}e/${encodeURIComponent(route.type)}/${encodeURIComponent(route.id)}`
    case 'action':
      return `${world}a/${encodeURIComponent(route.name)}${queryOf([
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
  switch (`${section} ${within.length}`) {
    case ' 0':
      return { page: 'home', origin }
    case 'about 1':
      return { page: 'about', origin }
    case 'search 1': {
      const types = [...new Set(query.getAll('type'))]
      const limit = wholeNumber(query.get('limit'))
      return { page: 'search', origin, text: query.get('text') ?? '', types, limit }
    }
    case 't 2':
      return listOf(origin, first, query)
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

function listOf(origin: string, type: string, query: URLSearchParams): Route {
  const asked = askedFrom(query)
  const plot = PLOT.flatMap((name) => {
    const values = [...new Set(query.getAll(name))].filter(Boolean)
    return values.length === 0 ? [] : [[name, name === 'by' || name === 'of' ? values : values[0]] as const]
  })
  const columns = [...new Set(query.getAll('column'))]
  return {
    page: 'list',
    origin,
    type,
    view: VIEWS.find((one) => one === query.get('view')),
    ...(columns.length > 0 && { columns }),
    ...(plot.length > 0 && { plot: Object.fromEntries(plot) as Plot }),
    ...(isAsked(asked) && { asked }),
    cursor: query.get('cursor') || undefined,
    before: wholeNumber(query.get('before')),
  }
}

function isOrigin(text: string): boolean {
  const url = URL.parse(text)
  return url !== null && /^https?:$/.test(url.protocol) && url.origin === text
}

function wholeNumber(text: string | null): number | undefined {
  return text !== null && /^\d{1,9}$/.test(text) ? Number(text) : undefined
}

function queryOf(members: readonly (readonly [string, string | number | undefined])[]): string {
  const query = new URLSearchParams()
  for (const [name, value] of members)
    if (value !== undefined && value !== '') query.append(name, String(value))
  const text = query.toString()
  return text === '' ? '' : `?${text}`
}
