/** The language of views: a readable query that says how the entities of a type are selected, ordered and shown. */
import { type Asked, AskedReader, isAsked, queryOfAsked } from './asked.ts'
import type { KindOf } from './question.ts'

/** Layouts of a view, in display order. */
export const LAYOUTS = [
  'table',
  'list',
  'summary',
  'gallery',
  'map',
  'timeline',
  'histogram',
  'scatter',
] as const

/** One layout of a view. */
export type Layout = (typeof LAYOUTS)[number]

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

/** A view of the entities of a type. */
export interface View {
  readonly view?: Layout | undefined
  /** Settings of the chart. Absent for the chart's defaults. */
  readonly plot?: Plot | undefined
  /** Names of the table columns, in order. Absent for the default columns. */
  readonly columns?: readonly string[] | undefined
  /** Conditions and sort order. Absent for all entities in id order. */
  readonly asked?: Asked | undefined
  /** Cursor at which the rows begin. Absent for their start. */
  readonly cursor?: string | undefined
  /** Number of rows before the cursor at the time the link was made. */
  readonly before?: number | undefined
}

/** Settings of a chart, in the order of an address. */
const PLOT = ['x', 'y', 'log', 'by', 'of', 'order', 'color', 'size'] as const
/** Parameters that may occur several times. */
const LISTS = ['column', 'by', 'of']
/** Parameters that occur once. */
const SINGLE: readonly string[] = ['view', 'text', 'where', 'sort', 'cursor', 'before', ...PLOT]

/** Parses the query of a view. `unread` names the parameters that it ignores, because they are unknown, invalid or repeated. */
export function viewFrom(query: URLSearchParams): {
  readonly view: View
  readonly unread: readonly string[]
} {
  const conditions = new AskedReader()
  const lists = new Map<string, Set<string>>()
  const single = new Map<string, string>()
  const unread: string[] = []
  for (const [name, value] of query) {
    if (LISTS.includes(name)) value && lists.set(name, (lists.get(name) ?? new Set()).add(value))
    else if (SINGLE.includes(name) && !single.has(name)) single.set(name, value)
    else if (!conditions.read(name, value)) unread.push(name)
  }
  const view = LAYOUTS.find((one) => one === single.get('view'))
  const before = wholeNumber(single.get('before'))
  if (single.get('view') && view === undefined) unread.push('view')
  if (single.get('before') && before === undefined) unread.push('before')
  const [text = '', cql = '', sort = ''] = ['text', 'where', 'sort'].map((name) => single.get(name))
  const asked = conditions.asked(text, cql, sort)
  const plot = PLOT.flatMap((name) => {
    const value = lists.has(name) ? [...(lists.get(name) ?? [])] : single.get(name)
    return value ? [[name, value] as const] : []
  })
  return {
    view: {
      view,
      ...(lists.has('column') && { columns: [...(lists.get('column') ?? [])] }),
      ...(plot.length > 0 && { plot: Object.fromEntries(plot) as Plot }),
      ...(isAsked(asked) && { asked }),
      cursor: single.get('cursor') || undefined,
      before,
    },
    unread,
  }
}

/** A bound of dates: a day or its beginning, or nothing. Dates are compared as texts, in which 2020-1-9 follows 2020-12-31. */
const DAY = /^(?:\d{4}(?:-\d{2}(?:-\d{2})?)?)?$/

/** Returns the parameters that do not fit the type: bounds that are no dates, and columns that are not `declared`. */
export function misfitsOf(view: View, declared: readonly string[], kindOf: KindOf): string[] {
  const { asked, columns = [] } = view
  const isDate = (key: string) => kindOf(key)?.kind === 'text' && kindOf(key)?.isDate
  const bounds = (asked?.filters ?? []).filter(
    (one) => one.is === 'range' && isDate(one.key) && ![one.from, one.to].every((end) => DAY.test(end)),
  )
  const isUnknown = declared.length > 0 && !columns.every((name) => declared.includes(name))
  return [...(isUnknown ? ['column'] : []), ...bounds.map(({ key }) => `in.${key}`)]
}

/** Returns the parameters of a view for the query of an address. Their values may be empty or undefined. */
export function queryOfView(view: View): readonly (readonly [string, string | number | undefined])[] {
  return [
    ['view', view.view],
    ...(view.columns ?? []).map((name) => ['column', name] as const),
    ...PLOT.flatMap((name) => [view.plot?.[name] ?? []].flat().map((text) => [name, text] as const)),
    ...(view.asked === undefined ? [] : queryOfAsked(view.asked)),
    ['cursor', view.cursor],
    ['before', view.before],
  ]
}

/** Parses a whole number of at most nine digits. */
export function wholeNumber(text: string | null | undefined): number | undefined {
  return /^\d{1,9}$/.test(text ?? '') ? Number(text) : undefined
}

/** Returns a query string with its `?`, without empty parameters. Returns an empty string if none remains. */
export function queryText(members: readonly (readonly [string, string | number | undefined])[]): string {
  const query = new URLSearchParams()
  for (const [name, value] of members)
    if (value !== undefined && value !== '') query.append(name, String(value))
  const text = query.toString()
  return text === '' ? '' : `?${text}`
}

/** Path of views on the origin of their world. */
export const VIEW_PATH = '/v/'

/** Type of the entities that publish views on the home page: each has a title, and the path of its view as `path`. */
export const VIEW_TYPE = 'worldwright:view'

/** Returns the path and query of a view. */
export function viewPath(type: string, view: View): string {
  return `${VIEW_PATH}${encodeURIComponent(type)}${queryText(queryOfView(view))}`
}

/** Returns the path of an entity's page or, without an id, of its type's page. The `.` of a name that ends in `.md` is encoded. */
export function pagePath(type: string, id?: string): string {
  const path = `/t/${encodeURIComponent(type)}${id === undefined ? '' : `/${encodeURIComponent(id)}`}`
  return path.replace(/\.md$/, '%2Emd')
}
