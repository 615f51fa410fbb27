/**
 * `@worldwright/client/query`: paginated structured queries and searches. The `query` method of a world loads this module on
 * first use.
 */
import { fail, isText, WorldError } from './error.ts'
import {
  type ActionResult,
  type DiscoverInput,
  type DiscoverOutput,
  type Entity,
  isObject,
  type JsonValue,
} from './protocol.ts'
import type { QueryInput, QueryOutput } from './query-types.ts'
import { entitiesIn } from './reader.ts'
import type { CallOptions } from './request.ts'
import type { AnyTypes } from './types.ts'

export type * from './group-types.ts'
export type * from './query-types.ts'

/** Name of the action for structured queries (decisions 9). */
export const QUERY_ACTION = 'worldwright:query'

/** A world that can be searched, such as a `World`. */
export interface Discoverable {
  discover(input?: DiscoverInput, options?: CallOptions): Promise<DiscoverOutput>
}

/** A world that can be queried, such as a `World`. */
export interface Askable {
  action(name: string, input?: object, options?: CallOptions): Promise<ActionResult<unknown>>
}

/**
 * Yields the result pages of a query, starting at the input's cursor. `limit` is the page size. Only the first page has facets
 * and groups. Throws the world's errors, `invalid_response` for a response without an entity list, and `pagination_loop` for
 * a repeated cursor.
 */
export async function* pages(
  world: Askable,
  input: QueryInput<AnyTypes> = {},
  options?: CallOptions,
): AsyncGenerator<QueryOutput, void, undefined> {
  const { facets: _, group, measures, groupSort, groupLimit, ...again } = input
  yield* walked<QueryOutput>(async (cursor) => {
    const asked = cursor === undefined ? input : { ...again, cursor }
    return entitiesIn<QueryOutput>((await world.action(QUERY_ACTION, asked, options)).output)
  })
}

/**
 * Yields the result pages of `discover`, starting at the input's cursor. `limit` is the page size. A world that does not
 * return `nextCursor` has a single page, which may be `truncated`. Throws the world's errors and `pagination_loop`.
 */
export async function* discoverPages(
  world: Discoverable,
  input: DiscoverInput = {},
  options?: CallOptions,
): AsyncGenerator<DiscoverOutput, void, undefined> {
  yield* walked((cursor) => world.discover(cursor === undefined ? input : { ...input, cursor }, options))
}

async function* walked<Page extends { nextCursor?: string }>(
  ask: (cursor: string | undefined) => Promise<Page>,
): AsyncGenerator<Page, void, undefined> {
  const seen = new Set<string>()
  let cursor: string | undefined
  for (;;) {
    const page = await ask(cursor)
    yield page
    cursor = page.nextCursor
    if (cursor === undefined) return
    if (!isText(cursor) || seen.has(cursor)) fail('pagination_loop', { cursor })
    seen.add(cursor)
  }
}

/** Yields all entities that match a query, requesting pages on demand. */
export async function* entities(
  world: Askable,
  input?: QueryInput<AnyTypes>,
  options?: CallOptions,
): AsyncGenerator<Entity, void, undefined> {
  for await (const page of pages(world, input, options)) yield* page.entities
}

/**
 * Returns the groups of an answer as a table, with a column for each key, the count, and each measure. Columns are named as
 * the command line writes them: `year:10`, `born:month`, `place:5deg`, `avg:rating`.
 */
export function groupTable({ group = [], measures = [], groups = [] }: Partial<QueryOutput>): {
  columns: string[]
  rows: JsonValue[][]
} {
  const nameOf = (property: string | string[]) => [property].flat().join('.')
  const keys = group.map(({ property, width, origin, unit, cells }) =>
    [nameOf(property), width ?? unit ?? (cells && `${cells}deg`), origin || undefined]
      .filter((part) => part !== undefined)
      .join(':'),
  )
  const names = [...keys, 'count', ...measures.map(({ op, property }) => `${op}:${nameOf(property)}`)]
  const columns: string[] = []
  for (let name of names) {
    while (columns.includes(name)) name += '_'
    columns.push(name)
  }
  return {
    columns,
    rows: groups.map(({ key, count, measures }) => [...(key as JsonValue[]), count, ...measures]),
  }
}

/** Returns the properties that could replace a refused one, from the details of an `invalid_input` error. Empty if none. */
export function propertiesIn(error: unknown): (string | string[])[] {
  const details = error instanceof WorldError && isObject(error.details) ? error.details : {}
  return Array.isArray(details['properties']) ? (details['properties'] as (string | string[])[]) : []
}
