/** All of a list at once, for taking it along. */
import type { Entity, EntityList } from '@worldwright/client'

/** Entities taken along at most, and characters of their JSON: they are held in memory until the file is written. */
export const MOST_TAKEN = 100_000
const MOST_CHARACTERS = 200_000_000

/**
 * Reads pages to their end, or to the bounds: `isCut` if there is more. `onRead` hears how many entities there are so far.
 * Rejects as the pages do.
 */
export async function readWhole(
  pages: AsyncIterable<EntityList>,
  onRead: (count: number) => void,
): Promise<{ entities: readonly Entity[]; isCut: boolean }> {
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
