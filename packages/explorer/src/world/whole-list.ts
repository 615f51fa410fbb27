/** All of a list at once, for taking it along. */
import type { Entity, EntityList } from '@worldwright/client'

/** What was read of a list. */
export interface Whole {
  readonly entities: readonly Entity[]
  /** There are more than are taken along. */
  readonly isCut: boolean
}

/** Entities taken along at most, and characters of their JSON: they are held in memory until the file is written. */
export const MOST_TAKEN = 100_000
const MOST_CHARACTERS = 200_000_000

/** Reads pages to their end, or to the bounds; `onRead` hears how many entities there are so far. Rejects as they do. */
export async function readWhole(
  pages: AsyncIterable<EntityList>,
  onRead: (count: number) => void,
): Promise<Whole> {
  const entities: Entity[] = []
  let characters = 0
  for await (const page of pages) {
    entities.push(...page.entities)
    characters += JSON.stringify(page.entities).length
    onRead(Math.min(entities.length, MOST_TAKEN))
    if (entities.length > MOST_TAKEN || characters > MOST_CHARACTERS)
      return { entities: entities.slice(0, MOST_TAKEN), isCut: true }
  }
  return { entities, isCut: false }
}
