/** What a list is read from, page by page. */
import type { EntityList, World } from '@worldwright/client'

/** A list of entities that can be read from its start, or from a cursor on. */
export type Pages = (
  page: { readonly cursor: string | undefined; readonly pageSize: number },
  signal: AbortSignal,
) => AsyncIterable<EntityList>

/** The list of a type (Level 1, route 2). */
export function pagesOfType(world: Pick<World, 'entities'>, type: string): Pages {
  return (page, signal) => world.entities(type, page, { signal }).pages()
}
