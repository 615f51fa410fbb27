/**
 * `@worldwright/client/query`: structured queries and searches, answered page by page. `query` of a world loads this module
 * on first use.
 */
import { fail, isText, WorldError } from './error.ts'
import {
  type ActionResult,
  type DiscoverInput,
  type DiscoverOutput,
  type Entity,
  isObject,
} from './protocol.ts'
import type { QueryInput, QueryOutput } from './query-types.ts'
import { entitiesIn } from './reader.ts'
import type { CallOptions } from './request.ts'
import type { AnyTypes } from './types.ts'

export type * from './query-types.ts'

/** The action of worlds that answer structured queries (decisions 9). */
export const QUERY_ACTION = 'worldwright:query'

/** A world that can be searched: `World` is one. */
export interface Discoverable {
  discover(input?: DiscoverInput, options?: CallOptions): Promise<DiscoverOutput>
}

/** The part of a world that queries need: `World` has it. */
export interface Askable {
  action(name: string, input?: object, options?: CallOptions): Promise<ActionResult<unknown>>
}

/**
 * Yields the pages of an answer, from the cursor of the input on. `limit` is the page size; only the first page has
 * facets. Besides the world's errors: `invalid_response` for an answer without a list of entities, `pagination_loop` for
 * a repeated cursor.
 */
export async function* pages(
  world: Askable,
  input: QueryInput<AnyTypes> = {},
  options?: CallOptions,
): AsyncGenerator<QueryOutput, void, undefined> {
  const { facets: _, ...again } = input
  yield* walked<QueryOutput>(async (cursor) => {
    const asked = cursor === undefined ? input : { ...again, cursor }
    return entitiesIn<QueryOutput>((await world.action(QUERY_ACTION, asked, options)).output)
  })
}

/**
 * Yields the answers of `discover`, from the cursor of the input on, to the end; `limit` is the size of each. A world
 * without `nextCursor` gives one answer, which may be `truncated`. Besides the world's errors: `pagination_loop`.
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

/** Yields all entities of an answer, with each page requested on demand. */
export async function* entities(
  world: Askable,
  input?: QueryInput<AnyTypes>,
  options?: CallOptions,
): AsyncGenerator<Entity, void, undefined> {
  for await (const page of pages(world, input, options)) yield* page.entities
}

/** Returns the properties that a query may name instead of a refused one: from `details` of `invalid_input`. */
export function propertiesIn(error: unknown): (string | string[])[] {
  const details = error instanceof WorldError && isObject(error.details) ? error.details : {}
  return Array.isArray(details['properties']) ? (details['properties'] as (string | string[])[]) : []
}
