/** Reads a whole list for a download. */
import type { Entity, EntityList } from '@worldwright/client'

/** Maximum number of entities in a download, and maximum number of characters of their JSON, which is held in memory. */
export const MOST_TAKEN = 100_000
const MOST_CHARACTERS = 200_000_000

/**
 * Reads pages until the end of the list or until a limit is exceeded, in which case `isCut` is true. Calls `onRead` with the
 * number of entities read so far. Rejects as `pages` does.
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
