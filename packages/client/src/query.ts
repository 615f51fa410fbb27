/**
 * `@worldwright/client/query`: precise questions, answered page by page. A world that has `query` loads this when it is
 * first asked.
 */
import { fail, isText, WorldError } from './error.ts'
import { type ActionResult, type Entity, isObject } from './protocol.ts'
import type { QueryInput, QueryOutput } from './query-types.ts'
import { entitiesIn } from './reader.ts'
import type { CallOptions } from './request.ts'
import type { AnyTypes } from './types.ts'

export type * from './query-types.ts'

/** The action of worlds that can be asked precisely (decisions 9). */
export const QUERY_ACTION = 'worldwright:query'

/** A world as it is needed here: `World` is one. */
export interface Askable {
  action(name: string, input?: object, options?: CallOptions): Promise<ActionResult<unknown>>
}

/**
 * The pages of an answer, from the cursor of the input on. `limit` is the size of a page; facets come with the first one
 * alone. Besides the world's errors: `invalid_response` for an answer without a list of entities, `pagination_loop` where
 * a cursor comes again.
 */
export async function* pages(
  world: Askable,
  input: QueryInput<AnyTypes> = {},
  options?: CallOptions,
): AsyncGenerator<QueryOutput, void, undefined> {
  const seen = new Set<string>()
  let asked: QueryInput<AnyTypes> = input
  for (;;) {
    const { output } = await world.action(QUERY_ACTION, asked, options)
    const page = entitiesIn<QueryOutput>(output)
    yield page
    const { nextCursor: cursor } = page
    if (cursor === undefined) return
    if (!isText(cursor) || seen.has(cursor)) fail('pagination_loop', { cursor })
    seen.add(cursor)
    const { facets: _, ...again } = input
    asked = { ...again, cursor }
  }
}

/** All entities of an answer, each page asked for while they are used. */
export async function* entities(
  world: Askable,
  input?: QueryInput<AnyTypes>,
  options?: CallOptions,
): AsyncGenerator<Entity, void, undefined> {
  for await (const page of pages(world, input, options)) yield* page.entities
}

/** The properties that a question may name instead, where a world refused one: from `details` of `invalid_input`. */
export function propertiesIn(error: unknown): (string | string[])[] {
  const details = error instanceof WorldError && isObject(error.details) ? error.details : {}
  return Array.isArray(details['properties']) ? (details['properties'] as (string | string[])[]) : []
}
